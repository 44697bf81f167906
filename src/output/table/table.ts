/** A list as a table: columns separated by two spaces, no wider than the terminal. */

import { asText } from '../../json/exact-json.ts';
import { collected, type ListFormat, requireCollectable } from '../list-format.ts';
import { safeText } from '../safe-text.ts';
import type { Terminal } from '../terminal.ts';
import { type BarStyle, bar, barStyle, barWidth, meter } from './bars.ts';
import { type CellStyle, cellStyle, type Style, unstyled } from './cell-style.ts';
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
      : { isByRecord: true, page: (records: readonly unknown[]) => rows.add(records), end: () => shown(rows) };
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

/** The cells of a column. The records, which may be a hundred times as long, are not kept. */
class Cells {
  readonly column: ShownColumn;
  readonly texts: string[] = [];
  readonly styles: Style[] = [];
  /** Of a column of bars: the numbers, as a bar's length depends on the largest. */
  readonly #amounts: number[] = [];
  readonly #style: CellStyle;
  readonly #drawing: BarStyle;
  readonly #now: Date;
  #present = false;

  constructor(column: ShownColumn, screen: Screen) {
    this.column = column;
    this.#style = cellStyle(column, screen);
    this.#drawing = barStyle(screen);
    this.#now = screen.now();
  }

  add(record: unknown): void {
    const value = this.column.value(record);
    if (value !== undefined) this.#present = true;
    this.styles.push(this.#style(record));
    if (this.column.as === 'bar') this.#amounts.push(Number(asText(value)) || 0);
    else this.texts.push(this.#textOf(value, record));
  }

  #textOf(value: unknown, record: unknown): string {
    if (this.column.as !== 'meter') return humanText(legible(value), this.#now, appearanceOf(this.column, record));
    return value === undefined ? '' : meter(Number(asText(value)) || 0, this.#drawing);
  }

  /** Draws the bars, relative to the largest value, once all records are added. */
  draw(): void {
    const largest = this.#amounts.reduce((most, amount) => Math.max(most, amount), 0);
    for (const amount of this.#amounts.splice(0)) this.texts.push(bar(amount / largest, this.#drawing));
  }

  /** True if the column can be drawn here, and any record has a value where that is optional. */
  get isShown(): boolean {
    return (this.#present || !this.column.optional) && !(isDrawn(this.column) && this.#drawing === 'none');
  }

  get header(): string {
    return isDrawn(this.column) ? '' : safeText(this.column.header.toUpperCase());
  }
}

/** The cells of a table, by column. */
class Rows {
  readonly columns: readonly Cells[];
  length = 0;

  constructor(columns: readonly ShownColumn[], screen: Screen) {
    this.columns = columns.map((column) => new Cells(column, screen));
  }

  /** Returns the rows of these records, with the columns of all their fields if none are given. */
  static of(records: readonly unknown[], columns: readonly ShownColumn[], screen: Screen): Rows {
    const rows = new Rows(columns.length > 0 ? columns : memberColumns(records), screen);
    rows.add(records);
    return rows;
  }

  /** Adds the rows of a page. Returns the text to write for it. Throws `TooLargeError` for too many. */
  add(records: readonly unknown[]): '' {
    this.length += records.length;
    requireCollectable(this.length);
    for (const record of records) for (const column of this.columns) column.add(record);
    return '';
  }
}

/**
 * Returns the table with its header line; empty for an empty list. If it is too wide, texts are truncated with `…` and
 * columns dropped by priority; ids and words stay whole. If the required columns do not fit side by side, records are
 * shown one by one with all their values. `above` has the column widths of the previous rows, which include the header
 * line.
 */
async function table(rows: Rows, screen: Screen, above?: readonly number[]): Promise<Table> {
  if (rows.length === 0) return { text: '', hiddenColumns: [], natural: [] };
  for (const column of rows.columns) column.draw();
  const shown = rows.columns.filter(({ isShown }) => isShown);
  const width = await widthOf(textsIn(shown));
  const natural = shown.map(({ header, texts }, index) =>
    texts.reduce(
      (most, text) => Math.max(most, Math.min(widest, width(text))),
      Math.max(above?.[index] ?? 0, Math.min(widest, width(header))),
    ),
  );
  const wanted = shown.map(({ column }, index) => wantedBy(column, natural[index] as number, screen.columns));
  const fitted = fittingColumns(wanted, screen.columns, gap.length);
  const places = Array.from({ length: rows.length }, (_, place) => place);
  if (!fitted) {
    const written = shown.filter(({ column }) => !isDrawn(column));
    const labelled = places.map((place) =>
      written.map(({ header, texts, styles }) => ({
        name: header,
        text: texts[place] as string,
        style: styles[place] as Style,
      })),
    );
    return { text: stacked(labelled, screen.columns, width), hiddenColumns: [], natural };
  }
  const cells = fitted.map(({ index, width: columns }) => {
    const { column, header, texts, styles } = shown[index] as Cells;
    return { header, texts, styles, ...layOut(column, columns, width) };
  });
  const lines = (row: number) => {
    const parts = cells.map(({ texts, split }) => split(texts[row] as string));
    const height = parts.reduce((most, { length }) => Math.max(most, length), 1);
    return Array.from({ length: height }, (_, line) =>
      cells
        .map(({ styles, lay }, place) => lay(parts[place]?.[line] ?? '', styles[row] as Style))
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
    text: [...heading, ...places.map(lines), ''].join('\n'),
    natural,
    hiddenColumns: shown
      .filter(({ column }, index) => !kept.has(index) && !isDrawn(column))
      .map(({ column }) => safeText(column.header)),
  };
}

function* textsIn(columns: readonly Cells[]): Generator<string> {
  for (const { header, texts } of columns) {
    yield header;
    yield* texts;
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
