/** Plans as Markdown, for the comments of pull requests. */
import { isRefused } from '../../../fleet/policy/live/change.ts';
import type { PolicyPlan } from '../../../fleet/policy/planning/plan.ts';
import { counted } from '../../../output/amounts.ts';
import { longestMarkdown, longestRun, markdownLine } from '../../../output/markdown.ts';
import { withoutCommands } from '../../../output/workflow-commands.ts';
import type { ViewLine } from './fields.ts';
import { lineText } from './text.ts';
import { type ChangeGroup, changeGroups, type ViewOptions } from './view.ts';

/** In characters: the markup that folds a section, and the count of omitted changes. */
const reserved = 300;

/** Returns a plan as the comment of a pull request: what needs attention is open, the rest is folded. */
export function planMarkdown(
  { organizations, changes }: Pick<PolicyPlan, 'organizations' | 'changes'>,
  totals: readonly string[],
  options: ViewOptions,
): string {
  const groups = changeGroups(changes, options);
  const isOpen = ({ effect, isRemoval, changes: [first] }: ChangeGroup) =>
    isRemoval || effect === 'loosens' || (first !== undefined && isRefused(first));
  const title = `### Policy plan for ${organizations.map(markdownLine).join(', ')}`;
  const lines = totals.flatMap((text) => text.split('\n')).map((text) => withoutCommands(markdownLine(text)));
  const head = [withoutCommands(title), lines.join('\n')];
  const room = longestMarkdown - reserved - head.join('').length;
  const open = section(groups.filter(isOpen), room);
  const rest = section(
    groups.filter((group) => !isOpen(group)),
    room - open.text.length,
  );
  const omitted = open.omitted + rest.omitted;
  return [
    ...head,
    ...(open.text ? [open.text] : []),
    ...(rest.text
      ? [`<details><summary>${counted(rest.shown, 'other change')}</summary>`, rest.text, '</details>']
      : []),
    ...(omitted ? [`${counted(omitted, 'more change')} not shown.`] : []),
  ].join('\n\n');
}

interface Section {
  /** A block of code; empty without groups. */
  readonly text: string;
  /** The number of changes in it, and of those that did not fit. */
  readonly shown: number;
  readonly omitted: number;
}

/** Returns the groups that fit as code, in which nothing is interpreted. */
function section(groups: readonly ChangeGroup[], room: number): Section {
  const blocks: string[] = [];
  let [length, shown, omitted, fence] = [0, 0, 0, 3];
  for (const { lines, changes } of groups) {
    const block = lines.map(codeLine).join('\n');
    const longer = Math.max(fence, longestRun(block) + 1);
    if (length + block.length + 2 * longer + 16 > room) omitted += changes.length;
    else {
      blocks.push(block);
      length += block.length + 2;
      shown += changes.length;
      fence = longer;
    }
  }
  const marks = '`'.repeat(fence);
  const text = blocks.length ? `${marks}diff\n${blocks.join('\n\n')}\n${marks}` : '';
  return { text, shown, omitted };
}

/** Returns a line with its sign first, as in diffs, so that comments show it in color. */
function codeLine(line: ViewLine): string {
  const { depth, sign } = line;
  const indent = ' '.repeat(2 * depth);
  const text = lineText(line);
  if (sign === '' || sign === '|') return withoutCommands(`${indent}${sign}${sign && ' '}${text}`);
  return withoutCommands(`${sign} ${indent}${text}`);
}
