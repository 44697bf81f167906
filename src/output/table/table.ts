/** A list as a table: columns separated by two spaces, no wider than the terminal. */

import { collected, type ListFormat } from '../list-format.ts';
import { safeText } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { bar, barStyle, barWidth, meter } from './bars.ts';
import { type CellStyle, cellStyle } from './cell-style.ts';
import { humanText } from './cells.ts';
import { bold } from './colors.ts';
import { type Appearance, appearanceOf, isDrawn, memberColumns, type ShownColumn } from './columns.ts';
import { fittingColumns, type Wanted } from './fit.ts';
import { stacked } from './stack.ts';
import { cut, type Width, widthOf } from './width.ts';
import { wrapped } from './wrap.ts';

type Row = readonly string[];

type Screen = Pick<Terminal, 'columns' | 'color' | 'links' | 'plain' | 'utf8' | 'stdoutIsTTY' | 'now'>;

export interface Table {
  readonly text: string;
  /** Headers of the columns that did not fit. */
  readonly hiddenColumns: readonly string[];
  /** The width of each column, if nothing were truncated. */
  readonly natural: readonly number[];
}

const gap = '  ';
/** Maximum width of a column; without it, every row would be padded to the longest text. */
const widest = 1_000;
/** Minimum width of truncated columns. Other columns stay whole up to the length of a SHA; a UUID has 36. */
const leastWidths: { readonly [A in Appearance]?: number } = { text: 12, message: 20 };
const wholeWidth = 40;

/** The table format. An interrupted list is shown as far as it was received. */
export function tableFormat(columns: readonly ShownColumn[], screen: Screen): ListFormat {
  let hiddenColumns: readonly string[] = [];
  const format = collected(async (records) => {
    const shown = await table(records, columns, screen);
    hiddenColumns = shown.hiddenColumns;
    return shown.text;
  });
  return {
    ...format,
    brokenOff: format.end,
    get hiddenColumns() {
      return hiddenColumns;
    },
  };
}

/** A table that is written page by page. Columns keep their widths, unless a later page has longer values. */
export function growingTable(columns: readonly ShownColumn[], screen: Screen): ListFormat {
  let hiddenColumns: readonly string[] = [];
  let above: readonly number[] | undefined;
  return {
    page: async (records) => {
      const shown = await table(records, columns, screen, above);
      if (records.length > 0) ({ hiddenColumns, natural: above } = shown);
      return shown.text;
    },
    end: () => '',
    get hiddenColumns() {
      return hiddenColumns;
    },
  };
}

/**
 * Returns the table with its header line; empty for an empty list. If it is too wide, texts are truncated with `…` and
 * columns dropped by priority; ids and words stay whole. If the required columns do not fit side by side, records are
 * shown one by one with all their values. `above` has the column widths of the previous rows, which include the header
 * line.
 */
async function table(
  records: readonly unknown[],
  columns: readonly ShownColumn[],
  screen: Screen,
  above?: readonly number[],
): Promise<Table> {
  if (records.length === 0) return { text: '', hiddenColumns: [], natural: [] };
  const drawing = barStyle(screen);
  const all = columns.length > 0 ? columns : memberColumns(records);
  const shown = all.filter(
    (column) => !(drawing === 'none' && isDrawn(column)) && !(column.optional && isEmpty(column, records)),
  );
  const header = shown.map((column) => (isDrawn(column) ? '' : safeText(column.header.toUpperCase())));
  const texts = shown.map((column) => textOf(column, records, screen));
  const rows = records.map((record) => texts.map((text) => text(record)));
  const width = await widthOf([header, ...rows].flat());
  const styles = shown.map((column) => cellStyle(column, screen));
  const natural = naturalWidths([header, ...rows], width, above);
  const wanted = shown.map((column, index) => wantedBy(column, natural[index] as number, screen.columns));
  const fitted = fittingColumns(wanted, screen.columns, gap.length);
  if (!fitted) {
    const written = shown.flatMap((column, index) => (isDrawn(column) ? [] : [index]));
    const labelled = rows.map((row, place) =>
      written.map((index) => ({
        name: header[index] as string,
        text: row[index] as string,
        style: (line: string) => (styles[index] as CellStyle)(line, records[place]),
      })),
    );
    return { text: stacked(labelled, screen.columns, width), hiddenColumns: [], natural };
  }
  const cells = fitted.map(({ index, width: columns }) => ({
    index,
    style: styles[index] as CellStyle,
    ...layOut(shown[index] as ShownColumn, columns, width),
  }));
  const lines = (row: Row, record: unknown) => {
    const parts = cells.map(({ index, split }) => split(row[index] as string));
    const height = parts.reduce((most, { length }) => Math.max(most, length), 1);
    return Array.from({ length: height }, (_, line) =>
      cells
        .map(({ lay, style }, place) => lay(parts[place]?.[line] ?? '', (text) => style(text, record)))
        .join(gap)
        .trimEnd(),
    ).join('\n');
  };
  const head = cells
    .map(({ index, lay }) => lay(header[index] as string, (text) => text))
    .join(gap)
    .trimEnd();
  const kept = new Set(fitted.map(({ index }) => index));
  const heading = above ? [] : [screen.color ? bold(head) : head];
  return {
    text: [...heading, ...rows.map((row, place) => lines(row, records[place])), ''].join('\n'),
    natural,
    hiddenColumns: shown
      .filter((column, index) => !kept.has(index) && !isDrawn(column))
      .map(({ header }) => safeText(header)),
  };
}

const isEmpty = ({ value }: ShownColumn, records: readonly unknown[]) =>
  records.every((record) => value(record) === undefined);

const amounts: readonly Appearance[] = ['count', 'bytes', 'kilobytes', 'usd', 'percent'];

/** Amounts are right-aligned, so that they can be compared. */
const isAmount = ({ as }: ShownColumn) => typeof as === 'function' || (as !== undefined && amounts.includes(as));

/** Returns the text of a column's cells. Bars are relative to the largest value of their column. */
function textOf(column: ShownColumn, records: readonly unknown[], screen: Screen): (record: unknown) => string {
  const { as, value } = column;
  if (!isDrawn(column)) {
    const now = screen.now();
    return (record) => humanText(legible(value(record)), now, appearanceOf(column, record));
  }
  const drawing = barStyle(screen);
  const numberOf = (record: unknown) => Number(value(record)) || 0;
  if (as === 'meter') return (record) => (value(record) === undefined ? '' : meter(numberOf(record), drawing));
  const largest = records.reduce<number>((most, record) => Math.max(most, numberOf(record)), 0);
  return (record) => bar(numberOf(record) / largest, drawing);
}

function naturalWidths(rows: readonly Row[], width: Width, above: readonly number[] = []): number[] {
  const widths = [...above];
  for (const row of rows)
    for (const [index, cell] of row.entries())
      widths[index] = Math.min(widest, Math.max(widths[index] ?? 0, width(cell)));
  return widths;
}

function wantedBy({ as, priority }: ShownColumn, natural: number, available: number): Wanted {
  if (as === 'bar' || as === 'meter') return { natural: barWidth, least: barWidth, priority: 3 };
  const ofName = Math.max(20, Math.floor(available * 0.4));
  const least = as === 'name' ? ofName : (typeof as === 'string' && leastWidths[as]) || wholeWidth;
  return { natural, least: Math.min(natural, least), priority };
}

interface Layout {
  /** Returns the lines of a cell: several for a message, one otherwise. */
  readonly split: (text: string) => readonly string[];
  /** Returns a line in exactly the column's width. The style applies to the text, not to its padding. */
  readonly lay: (text: string, style: (text: string) => string) => string;
}

function layOut(column: ShownColumn, columns: number, width: Width): Layout {
  const right = isAmount(column);
  return {
    split: column.as === 'message' ? (text) => wrapped(text, columns, width) : (text) => [text],
    lay: (text, style) => {
      const spare = columns - width(text);
      const [fitting, fill] = spare >= 0 ? [text, ' '.repeat(spare)] : cut(text, columns, width);
      const dressed = fitting === '' ? '' : style(fitting);
      return right ? fill + dressed : dressed + fill;
    },
  };
}

/** In characters. Escaping and measuring a cell needs a hundred times as much memory. */
const mostCellText = 100_000;

/** Returns the value, or the beginning of an unreadably long text. */
const legible = (value: unknown): unknown =>
  typeof value === 'string' && value.length > mostCellText ? `${value.slice(0, mostCellText).toWellFormed()}…` : value;
