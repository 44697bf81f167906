/** TSV and CSV. */

import { isExactInteger } from '../../json/exact-json.ts';
import type { ListFormat } from '../list-format.ts';
import { safeLines, safeText } from '../safe-text.ts';
import { isPlainList, machineText } from './cells.ts';
import { memberColumns, type ShownColumn } from './columns.ts';

/**
 * One line per record with cells separated by tabs, and no header. Cells are one line each and safe for a terminal,
 * even in a pipe; lists of plain values are joined by commas.
 */
export function tsv(columns: readonly ShownColumn[]): ListFormat {
  return delimited(columns, (values) => values.map(tsvCell).join('\t'), { header: false });
}

/**
 * Returns a record as a line for each field: the name that CSV has in its header, a tab, and the cell of TSV. A record that
 * shows one field only, such as a token, is the cell alone.
 */
export function fieldLines(record: unknown, columns: readonly ShownColumn[]): string {
  const own = columns.filter(({ only }) => only === undefined);
  const shown = own.length > 0 ? own : memberColumns([record]);
  const [only, ...others] = shown;
  if (only && others.length === 0) return `${tsvCell(only.value(record))}\n`;
  return shown.map(({ name, value }) => `${safeText(name)}\t${tsvCell(value(record))}\n`).join('');
}

const tsvCell = (value: unknown): string =>
  safeText(isPlainList(value) ? value.map(machineText).join(',') : machineText(value));

export interface CsvOptions {
  /**
   * Puts `'` before text that a spreadsheet would evaluate as a formula: starting with tab, CR or, after any white space,
   * with `=`, `+`, `-` or `@`, also of full width. In many countries semicolons separate cells, LibreOffice separates them
   * at tabs too, and quotes within a cell do not protect what follows one, or a line break.
   */
  readonly csvSafe?: boolean | undefined;
  /** Makes cells safe for a terminal; elsewhere the data is exact. */
  readonly onTerminal: boolean;
  /** Whether the first line has the names of the columns; it does by default. */
  readonly header?: boolean;
}

/** Characters by which spreadsheets recognize a formula. */
const sign = '[=+\\-@＝＋－＠﹦﹢﹣﹫]';

/** Matches the start of a formula in a text, or in a part that a spreadsheet may treat as a cell. */
const formula = new RegExp(
  [`^(?=[\\t\\r]|[\\s\\p{C}]*${sign})`, `(?<=[;\\t\\r\\n])(?=[[\\s\\p{C}"]--[\\t\\r\\n]]*${sign})`].join('|'),
  'gv',
);

/**
 * RFC 4180 with field names in the header line; lines end in LF, as usual in pipes. Lists and objects are compact JSON.
 */
export function csv(columns: readonly ShownColumn[], { csvSafe, onTerminal, header = true }: CsvOptions): ListFormat {
  const cell = (value: unknown) => {
    const exact = machineText(value);
    const isText = typeof value === 'string' || (typeof value === 'object' && !isExactInteger(value));
    const text = csvSafe && isText ? exact.replace(formula, "'") : exact;
    return onTerminal ? safeLines(text) : text;
  };
  return delimited(columns, (values) => csvLine(values.map(cell)), { header });
}

function csvLine(cells: readonly string[]): string {
  // A single empty cell would be an empty line, which parsers skip.
  if (cells.length === 1 && cells[0] === '') return '""';
  return cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');
}

/** Default columns: the fields of the first records. */
function delimited(
  columns: readonly ShownColumn[],
  line: (values: readonly unknown[]) => string,
  { header }: { readonly header: boolean },
): ListFormat {
  let shown: readonly ShownColumn[] = columns.filter(({ only }) => only === undefined);
  let headerIsDue = header;
  const lines = (records: readonly unknown[]) => {
    if (shown.length === 0) shown = memberColumns(records);
    const rows = records.map((record) => shown.map((column) => column.value(record)));
    if (headerIsDue && shown.length > 0) {
      rows.unshift(shown.map((column) => column.name));
      headerIsDue = false;
    }
    return rows.map((row) => `${line(row)}\n`).join('');
  };
  return { page: lines, end: () => lines([]), isByRecord: shown.length > 0 };
}
