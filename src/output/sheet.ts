/** One record as a sheet for people: a line for each field, the parts of nested values indented below its name. */
import { humanText, isPlainList } from './cells.ts';
import { isObject, memberColumns, type ShownColumn } from './columns.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { TooLargeError } from './too-large.ts';

/** Rows of a name and one line of text → one line each, the texts below each other. */
type Grid = (rows: readonly Row[]) => string[];

type Row = readonly [name: string, line: string];

/** The given columns of the record, or all its members. */
export async function sheet(
  record: unknown,
  columns: readonly ShownColumn[],
  terminal: Pick<Terminal, 'now'>,
): Promise<string> {
  const shown = columns.length > 0 ? columns : memberColumns([record]);
  const lines = block(record, shown, terminal.now(), await loadGrid());
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

/**
 * What a sheet may cost in all: each row as many characters as the longest value, to which all are padded, and some for
 * the row itself. The library's time grows with the square of the rows.
 */
const mostCost = 20_000_000;
const costOfRow = 4_000;

/**
 * Two columns without lines between them. Each cell is one line: the library takes seconds for a cell of a hundred.
 * Throws TooLargeError where even so it would.
 */
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
    return table.toString().split('\n');
  };
}

/** A line for each field, with the further lines of its text, or its parts, below it. */
function block(record: unknown, columns: readonly ShownColumn[], now: Date, grid: Grid): string[] {
  const fields = columns.map((column) => {
    const value = column.value(record);
    const parts = nested(value, now, grid);
    return { name: safeText(column.header), texts: parts ? [''] : plain(value, column, now), parts: parts ?? [] };
  });
  const rows = fields.flatMap(({ name, texts }) => texts.map((text, index): Row => [index === 0 ? name : '', text]));
  const laidOut = grid(rows)[Symbol.iterator]();
  return fields.flatMap(({ texts, parts }) => [
    ...texts.map(() => laidOut.next().value ?? ''),
    ...parts.map((line) => `  ${line}`),
  ]);
}

/** The lines of an object, or of a list that holds more than plain values; nothing for what fits beside its name. */
function nested(value: unknown, now: Date, grid: Grid): string[] | undefined {
  if (isObject(value))
    return Object.keys(value).length > 0 ? block(value, memberColumns([value]), now, grid) : undefined;
  if (!Array.isArray(value) || isPlainList(value)) return undefined;
  const elements = value as readonly unknown[];
  return elements.flatMap((element) => hanging(nested(element, now, grid) ?? plain(element, {}, now)));
}

function plain(value: unknown, { as }: Pick<ShownColumn, 'as'>, now: Date): string[] {
  const text = typeof value === 'string' ? value.trimEnd() : '';
  return text.includes('\n') ? safeLines(text).split('\n') : [humanText(value, now, as)];
}

const hanging = (lines: readonly string[]): string[] =>
  lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
