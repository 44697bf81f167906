/** A list on a terminal too narrow for columns: record by record, one line per value. */

import type { Width } from './width.ts';
import { wrapped } from './wrap.ts';

const gap = '  ';
/** Minimum width of a value beside its name; otherwise it is written below the name. */
const leastRoom = 12;

export interface Labelled {
  readonly name: string;
  readonly text: string;
  readonly style: (line: string) => string;
}

/**
 * Returns the records separated by empty lines. Values that would be broken beside their names are written below them.
 */
export function stacked(records: readonly (readonly Labelled[])[], available: number, width: Width): string {
  const names = records[0]?.map(({ name }) => width(name)) ?? [];
  const indent = Math.max(...names) + gap.length;
  const lines = (labelled: Labelled) => labelledLines(labelled, indent, available, width);
  return records.map((values) => `${values.flatMap(lines).join('\n')}\n`).join('\n');
}

function labelledLines({ name, text, style }: Labelled, indent: number, available: number, width: Width): string[] {
  const room = available - indent;
  const fits = width(text) <= room || (room >= leastRoom && text.includes(' '));
  if (!fits) return [name, ...wrapped(text, available - gap.length, width).map((line) => gap + style(line))];
  return wrapped(text, room, width).map((line, index) => {
    const label = index === 0 ? name : '';
    return label + ' '.repeat(indent - width(label)) + style(line);
  });
}
