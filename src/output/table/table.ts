/** A list as a table: columns separated by two spaces, no wider than the terminal. */

import { collected, type ListFormat, requireCollectable } from '../list-format.ts';
import { safeText } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { type BarStyle, bar, barStyle, barWidth, meter } from './bars.ts';
import { cellStyle, type Style, unstyled } from './cell-style.ts';
import { humanText } from './cells.ts';
import { bold } from './colors.ts';
import { type Appearance, appearanceOf, isDrawn, memberColumns, type ShownColumn } from './columns.ts';
import { fittingColumns, type Wanted } from './fit.ts';
import { stacked } from './stack.ts';
import { cut, type Width, widthOf } from './width.ts';
import { wrapped } from './wrap.ts';

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
  const shown = async (rows: Rows) => {
    const { text, hiddenColumns: hidden } = await table(rows, screen);
    hiddenColumns = hidden;
    return text;
  };
  const rows = new Rows(columns, screen);
  const format =
    columns.length === 0
      ? collected((records) => shown(Rows.of(records, columns, screen)))
      : { page: (records: readonly unknown[]) => rows.add(records), end: () => shown(rows) };
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
      const shown = await table(Rows.of(records, columns, screen), screen, above);
      if (records.length > 0) ({ hiddenColumns, natural: above } = shown);
      return shown.text;
    },
    end: () => '',
    get hiddenColumns() {
      return hiddenColumns;
    },
  };
}

interface Cell {
  readonly text: string;
  readonly style: Style;
  /** The number that a bar shows, whose text depends on the other rows. */
  readonly amount?: number;
}

/** Returns the cell of a column from a record and its value. */
type CellMaker = (record: unknown, value: unknown) => Cell;

/** The cells of a table. The records, which may be a hundred times as long, are not kept. */
class Rows {
  readonly columns: readonly ShownColumn[];
  readonly all: (readonly Cell[])[] = [];
  /** For each column, whether any record has a value. */
  readonly #present: boolean[];
  readonly #cells: readonly CellMaker[];

  constructor(columns: readonly ShownColumn[], screen: Screen) {
    this.columns = columns;
    this.#present = columns.map(() => false);
    this.#cells = columns.map((column) => cellsOf(column, screen));
  }

  /** Returns the rows of these records, with the columns of all their fields if none are given. */
  static of(records: readonly unknown[], columns: readonly ShownColumn[], screen: Screen): Rows {
    const rows = new Rows(columns.length > 0 ? columns : memberColumns(records), screen);
    rows.add(records);
    return rows;
  }

  /** Adds the rows of a page. Returns the text to write for it. Throws `TooLargeError` for too many. */
  add(records: readonly unknown[]): '' {
    requireCollectable(this.all.length + records.length);
    for (const record of records)
      this.all.push(
        this.columns.map((column, index) => {
          const value = column.value(record);
          if (value !== undefined) this.#present[index] = true;
          return (this.#cells[index] as CellMaker)(record, value);
        }),
      );
    return '';
  }

  isEmpty(index: number): boolean {
    return !this.#present[index];
  }
}

function cellsOf(column: ShownColumn, screen: Screen): CellMaker {
  const style = cellStyle(column, screen);
  if (column.as === 'bar') return (_, value) => ({ text: '', style: unstyled, amount: Number(value) || 0 });
  if (column.as === 'meter') {
    const drawing = barStyle(screen);
    return (record, value) => ({
      text: value === undefined ? '' : meter(Number(value) || 0, drawing),
      style: style(record),
    });
  }
  const now = screen.now();
  return (record, value) => ({
    text: humanText(legible(value), now, appearanceOf(column, record)),
    style: style(record),
  });
}

/**
 * Returns the table with its header line; empty for an empty list. If it is too wide, texts are truncated with `…` and
 * columns dropped by priority; ids and words stay whole. If the required columns do not fit side by side, records are
 * shown one by one with all their values. `above` has the column widths of the previous rows, which include the header
 * line.
 */
async function table(rows: Rows, screen: Screen, above?: readonly number[]): Promise<Table> {
  if (rows.all.length === 0) return { text: '', hiddenColumns: [], natural: [] };
  const drawing = barStyle(screen);
  const shown = rows.columns.flatMap((column, index) => {
    if ((drawing === 'none' && isDrawn(column)) || (column.optional && rows.isEmpty(index))) return [];
    const header = isDrawn(column) ? '' : safeText(column.header.toUpperCase());
    return [{ column, header, cellOf: cellReader(rows.all, index, column, drawing) }];
  });
  const width = await widthOf(textsIn(rows.all, shown));
  const natural = shown.map(({ header, cellOf }, index) =>
    rows.all.reduce(
      (most, row) => Math.max(most, Math.min(widest, width(cellOf(row).text))),
      Math.max(above?.[index] ?? 0, Math.min(widest, width(header))),
    ),
  );
  const wanted = shown.map(({ column }, index) => wantedBy(column, natural[index] as number, screen.columns));
  const fitted = fittingColumns(wanted, screen.columns, gap.length);
  if (!fitted) {
    const written = shown.filter(({ column }) => !isDrawn(column));
    const labelled = rows.all.map((row) => written.map(({ header: name, cellOf }) => ({ name, ...cellOf(row) })));
    return { text: stacked(labelled, screen.columns, width), hiddenColumns: [], natural };
  }
  const cells = fitted.map(({ index, width: columns }) => {
    const { column, ...rest } = shown[index] as (typeof shown)[number];
    return { ...rest, ...layOut(column, columns, width) };
  });
  const lines = (row: readonly Cell[]) => {
    const parts = cells.map(({ cellOf, split }) => split(cellOf(row).text));
    const height = parts.reduce((most, { length }) => Math.max(most, length), 1);
    return Array.from({ length: height }, (_, line) =>
      cells
        .map(({ cellOf, lay }, place) => lay(parts[place]?.[line] ?? '', cellOf(row).style))
        .join(gap)
        .trimEnd(),
    ).join('\n');
  };
  const head = cells
    .map(({ header, lay }) => lay(header, unstyled))
    .join(gap)
    .trimEnd();
  const kept = new Set(fitted.map(({ index }) => index));
  const heading = above ? [] : [screen.color ? bold(head) : head];
  return {
    text: [...heading, ...rows.all.map(lines), ''].join('\n'),
    natural,
    hiddenColumns: shown
      .filter(({ column }, index) => !kept.has(index) && !isDrawn(column))
      .map(({ column }) => safeText(column.header)),
  };
}

/** Returns the function that reads a column's cell from a row. Bars are relative to the largest value of their column. */
function cellReader(
  rows: readonly (readonly Cell[])[],
  index: number,
  { as }: ShownColumn,
  drawing: BarStyle,
): (row: readonly Cell[]) => Cell {
  if (as !== 'bar') return (row) => row[index] as Cell;
  const amountOf = (row: readonly Cell[]) => row[index]?.amount ?? 0;
  const largest = rows.reduce((most, row) => Math.max(most, amountOf(row)), 0);
  return (row) => ({ text: bar(amountOf(row) / largest, drawing), style: unstyled });
}

function* textsIn(
  rows: readonly (readonly Cell[])[],
  columns: readonly { readonly header: string; readonly cellOf: (row: readonly Cell[]) => Cell }[],
): Generator<string> {
  for (const { header, cellOf } of columns) {
    yield header;
    for (const row of rows) yield cellOf(row).text;
  }
}

const amounts: readonly Appearance[] = ['count', 'bytes', 'kilobytes', 'usd', 'percent'];

/** Amounts are right-aligned, so that they can be compared. */
const isAmount = ({ as }: ShownColumn) => typeof as === 'function' || (as !== undefined && amounts.includes(as));

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
  readonly lay: (text: string, style: Style) => string;
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
