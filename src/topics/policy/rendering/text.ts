/** Lays out plans for terminals and logs. */
import type { PlannedChange } from '../../../fleet/policy/live/change.ts';
import { safeText } from '../../../output/safe-text.ts';
import { bold, coloredChange } from '../../../output/table/colors.ts';
import { type Width, widthOf } from '../../../output/table/width.ts';
import { wrapped } from '../../../output/table/wrap.ts';
import type { Terminal } from '../../../output/terminal.ts';
import type { ViewLine } from './fields.ts';
import { changeGroups, type ViewOptions } from './view.ts';

/** Marks a line in which a word is broken, because it is longer than a line. */
const brokenMark = '↩';

/** In columns: text is never laid out in less, however deep it is. */
const leastRoom = 20;

/** Plans with more lines are shown as a table, unless flags want all. */
export const mostLines = 200;

/** Returns the lines of a plan, with an empty one between groups. */
export async function planLines(
  changes: readonly PlannedChange[],
  options: ViewOptions,
  { columns, color }: Pick<Terminal, 'columns' | 'color'>,
): Promise<readonly string[]> {
  const groups = changeGroups(changes, options);
  const width = await widthOf(groups.flatMap(({ lines }) => lines.map(({ text }) => safeText(text))));
  return groups.flatMap(({ lines }, at) => [
    ...(at === 0 ? [] : ['']),
    ...lines.flatMap((line) => {
      const laidOut = linesOf(line, columns, width);
      return color ? laidOut.map((text) => styled(text, line)) : laidOut;
    }),
  ]);
}

/** Returns a line with its mark; what does not fit continues below it, further indented. */
function linesOf(line: ViewLine, columns: number, width: Width): readonly string[] {
  const { depth, sign } = line;
  const indent = ' '.repeat(Math.min(2 * depth, Math.max(0, columns - leastRoom)));
  const start = `${indent}${sign}${sign && ' '}`;
  const text = lineText(line);
  if (start.length + width(text) <= columns) return [start + text];
  const below = ' '.repeat(start.length + 2);
  const room = columns - below.length;
  return wrapped(text, room, width, brokenMark).map((part, at) => (at === 0 ? start : below) + part);
}

/** Returns the text of a line, followed by its effect in words. */
export function lineText({ text, effect, asks }: ViewLine): string {
  const marks = [...(effect && effect !== 'neutral' ? [effect] : []), ...(asks ? ['asks for confirmation'] : [])];
  return `${safeText(text)}${marks.length ? ` (${marks.join(', ')})` : ''}`;
}

function styled(text: string, { depth, effect, tone = effect }: ViewLine): string {
  const shown = tone && tone !== 'neutral' ? coloredChange(text, tone) : text;
  return depth === 0 ? bold(shown) : shown;
}
