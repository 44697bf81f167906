/** A list as a table for people: columns two spaces apart, no lines drawn, no wider than the terminal. */
import { humanText } from './cells.ts';
import { memberColumns, type ShownColumn } from './columns.ts';
import { isPrintableAscii, safeText } from './safe-text.ts';
import type { Terminal } from './terminal.ts';
import { type Width, widthOf } from './width.ts';

type Row = readonly string[];

const gap = '  ';
/** A column narrower than this says nothing. */
const narrowest = 4;
/** And a wider one does not either; without a limit, every row would be padded to the longest text of all. */
const widest = 1_000;

/**
 * The table with its header line; nothing for an empty list. Where it is too wide, the widest columns are cut, with `…`,
 * each to the same width, and the first one last. No column is left out: if not even narrow ones fit, rows run over the edge and stay whole.
 */
export async function table(
  records: readonly unknown[],
  columns: readonly ShownColumn[],
  terminal: Pick<Terminal, 'columns' | 'color' | 'now'>,
): Promise<string> {
  if (records.length === 0) return '';
  const shown = columns.length > 0 ? columns : memberColumns(records);
  const now = terminal.now();
  const header = shown.map((column) => safeText(column.header.toUpperCase()));
  const rows = records.map((record) => shown.map(({ value, as }) => humanText(value(record), now, as)));
  const width = await widthOf([header, ...rows].flat());
  const widths = fittingWidths(naturalWidths([header, ...rows], width), terminal.columns);
  const line = (row: Row) => {
    const cells = row.map((cell, index) => inColumns(cell, widths[index] as number, width));
    return cells.join(gap).trimEnd();
  };
  const head = terminal.color ? `\x1b[1m${line(header)}\x1b[22m` : line(header);
  return [head, ...rows.map(line), ''].join('\n');
}

function naturalWidths(rows: readonly Row[], width: Width): number[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.min(widest, Math.max(widths[index] ?? 0, width(cell)));
  return widths;
}

/**
 * Shares `available` out. The first column names the record, so it keeps up to a third of it; of the others, narrow ones keep
 * what they need, the wide ones get equal parts of the rest.
 */
function fittingWidths(natural: readonly number[], available: number): readonly number[] {
  const room = available - gap.length * (natural.length - 1);
  if (room < natural.reduce((total, width) => total + Math.min(width, narrowest), 0)) return natural;
  const [first = 0, ...others] = natural;
  const least = others.reduce((total, width) => total + Math.min(width, narrowest), 0);
  const name = Math.min(first, Math.max(Math.floor(room / 3), equalShares(natural, room)[0] ?? 0), room - least);
  return [name, ...equalShares(others, room - name)];
}

function equalShares(natural: readonly number[], available: number): readonly number[] {
  const widths = [...natural];
  let left = available;
  const ascending = [...natural.entries()].sort(([, a], [, b]) => a - b);
  for (const [place, [index, wanted]] of ascending.entries()) {
    const width = Math.min(wanted, Math.floor(left / (ascending.length - place)));
    widths[index] = width;
    left -= width;
  }
  return widths;
}

/** `text` in exactly `columns` columns: padded, or cut between characters as a person counts them. */
function inColumns(text: string, columns: number, width: Width): string {
  const spare = columns - width(text);
  if (spare >= 0) return text + ' '.repeat(spare);
  if (isPrintableAscii(text)) return `${text.slice(0, columns - 1)}…`;
  let kept = '';
  let left = columns - 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const taken = width(segment);
    if (taken > left) break;
    kept += segment;
    left -= taken;
  }
  return `${kept}…${' '.repeat(left)}`;
}
