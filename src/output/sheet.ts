/** One record as a sheet for people: a line for each field, the parts of nested values beside its name. */
import { humanText, isPlainList } from './cells.ts';
import { isObject, memberColumns, type ShownColumn } from './columns.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { TooLargeError } from './too-large.ts';

type Grid = (rows: readonly (readonly [name: string, value: string])[]) => string;

/** The given columns of the record, or all its members. */
export async function sheet(
  record: unknown,
  columns: readonly ShownColumn[],
  terminal: Pick<Terminal, 'now'>,
): Promise<string> {
  const shown = columns.length > 0 ? columns : memberColumns([record]);
  const text = block(record, shown, terminal.now(), await loadGrid());
  // Not by a pattern: one that looks for the end of each run of spaces takes the square of its length.
  return text
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}

/**
 * What a sheet may cost in all: each row as many characters as the longest value, to which all are padded, and some for
 * the row itself. The library's time grows with the square of the rows.
 */
const mostCost = 20_000_000;
const costOfRow = 4_000;

/** Two columns without lines between them. Throws TooLargeError where they would take seconds. */
async function loadGrid(): Promise<Grid> {
  const { default: Table } = await import('cli-table3');
  const edges = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((edge) => [edge, `${edge}-mid`]);
  const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'middle'];
  const chars = Object.fromEntries([...edges, ...corners].map((place) => [place, '']));
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 2 };
  let cost = 0;
  return (rows) => {
    cost += rows.length * (costOfRow + rows.reduce((most, [, value]) => Math.max(most, value.length), 0));
    if (cost > mostCost) throw new TooLargeError('The record is too large for a sheet');
    const table = new Table({ chars, style });
    for (const row of rows) table.push([...row]);
    return table.toString();
  };
}

function block(record: unknown, columns: readonly ShownColumn[], now: Date, grid: Grid): string {
  return grid(
    columns.map((column): [string, string] => [
      safeText(column.header),
      nested(column.value(record), now, grid) ?? plain(column.value(record), column, now),
    ]),
  );
}

/** An object, or a list that holds more than plain values; nothing for what fits on a line. */
function nested(value: unknown, now: Date, grid: Grid): string | undefined {
  if (isObject(value))
    return Object.keys(value).length > 0 ? block(value, memberColumns([value]), now, grid) : undefined;
  if (!Array.isArray(value) || isPlainList(value)) return undefined;
  const elements = value as readonly unknown[];
  return elements.map((element) => hanging(nested(element, now, grid) ?? plain(element, {}, now))).join('\n');
}

function plain(value: unknown, { as }: Pick<ShownColumn, 'as'>, now: Date): string {
  const text = typeof value === 'string' ? value.trimEnd() : '';
  return text.includes('\n') ? safeLines(text) : humanText(value, now, as);
}

const hanging = (text: string): string => `- ${text.replaceAll('\n', '\n  ')}`;
