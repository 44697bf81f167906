/** One record as a sheet for people: a line for each field, the parts of nested values beside its name. */
import { humanText, isPlainList } from './cells.ts';
import { isObject, memberColumns, type ShownColumn } from './columns.ts';
import { safeLines, safeText } from './safe-text.ts';
import type { Terminal } from './terminal.ts';

type Grid = (rows: readonly (readonly [name: string, value: string])[]) => string;

/** The given columns of the record, or all its members. */
export async function sheet(
  record: unknown,
  columns: readonly ShownColumn[],
  terminal: Pick<Terminal, 'now'>,
): Promise<string> {
  const shown = columns.length > 0 ? columns : memberColumns([record]);
  const text = block(record, shown, terminal.now(), await loadGrid());
  return text.replaceAll(/ +$/gm, '').concat('\n');
}

/** Two columns without lines between them. */
async function loadGrid(): Promise<Grid> {
  const { default: Table } = await import('cli-table3');
  const edges = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((edge) => [edge, `${edge}-mid`]);
  const corners = ['top-left', 'top-right', 'bottom-left', 'bottom-right', 'middle'];
  const chars = Object.fromEntries([...edges, ...corners].map((place) => [place, '']));
  const style = { head: [], border: [], 'padding-left': 0, 'padding-right': 2 };
  return (rows) => {
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
