/** Writes records to standard output in the requested format. */

import { isObject } from '../json/exact-json.ts';
import { withArrays } from '../json/lazy-list.ts';
import { type Records, RecordText, ReusableBuffer } from '../json/record-text.ts';
import { privateKeyMark } from '../json/secrets.ts';
import { parsePath, select, selection } from './fields.ts';
import { checkJq, type JqOptions, jqEach, jqList, jqRecord, jqTable } from './jq.ts';
import { jsonArray, jsonPieces, jsonText, ndjson } from './json.ts';
import { collected, type ListFormat } from './list-format.ts';
import { escapeHazards } from './safe-text.ts';
import { type MaskText, maskSecrets, secretMasker } from './secrets.ts';
import { type Column, type ColumnErrorHandler, type ShownColumn, shownColumns } from './table/columns.ts';
import { csv, fieldLines, tsv } from './table/delimited.ts';
import { detailsOf } from './table/details.ts';
import { growingTable, tableFormat } from './table/table.ts';
import type { Terminal } from './terminal.ts';
import { withinLimits } from './too-large.ts';
import { withoutCommands } from './workflow-commands.ts';
import { ClosedPipe, write } from './writer.ts';
import { yamlSequence, yamlText } from './yaml.ts';

export const formats = ['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml'] as const;
export type Format = (typeof formats)[number];

export const rowFormats: readonly Format[] = ['table', 'tsv', 'csv'];

export interface RenderOptions {
  readonly format: Format;
  /** In TSV, writes a single record as a line for each field: its name, a tab, and the value. */
  readonly fieldLines?: boolean;
  /** Writes a table page by page, for a list that does not end. */
  readonly growing?: boolean;
  /** Field paths: the columns of table, TSV and CSV; the selected fields elsewhere. */
  readonly fields?: readonly string[];
  /**
   * A jq filter applied to the JSON after `fields`. Its results are the rows of table, TSV and CSV; elsewhere they replace
   * the format's output.
   */
  readonly jq?: string;
  /** In milliseconds: limit on each run of the filter (default: none). */
  readonly jqTimeoutMs?: number | undefined;
  readonly showSecrets: boolean;
  /** Masks the secrets that the run knows, unless secrets are shown. */
  readonly mask?: MaskText;
  /** Masks them in what messages quote, also the shorter ones. */
  readonly maskQuoted?: MaskText;
  /** Whether `mask` might mask something in this text, given as bytes with those of each record. Without it, lists are parsed. */
  readonly mayMask?: (text: Buffer, records: Iterable<Buffer>) => boolean;
  /** In CSV, puts `'` before text that a spreadsheet would evaluate as a formula. */
  readonly csvSafe?: boolean;
  /** True in a workflow job, whose runner executes commands in the output; CSV and jq results stay exact. */
  readonly inWorkflow?: boolean;
  readonly onColumnError?: ColumnErrorHandler;
}

const withoutWorkflowCommands = (text: string, { format, inWorkflow, jq }: RenderOptions): string =>
  inWorkflow && jq === undefined && format !== 'csv' ? withoutCommands(text) : text;

/**
 * Writes one record. An empty one, as after a 204, is `{}` in JSON and YAML and nothing elsewhere. Throws
 * `FieldPathError`, `JqError`, `TooLargeError`, and `ClosedPipe` if the reader is gone.
 */
export async function renderRecord<T>(
  record: T,
  columns: readonly Column<T>[],
  options: RenderOptions,
  terminal: Terminal,
): Promise<void> {
  const view = viewOf(columns, options);
  const put = (text: string) => write(terminal.stdout, withoutWorkflowCommands(text, options));
  const { format, fields, jq } = options;
  if (format !== 'json' || jq !== undefined)
    return put(
      await withinLimits(() => recordText(view.prepared(withArrays(record)), view.columns, options, terminal)),
    );
  const shown = view.prepared(fields === undefined ? record : withArrays(record));
  for (const piece of jsonPieces(shown, recordLevels)) await put(terminal.stdoutIsTTY ? escapeHazards(piece) : piece);
  await put('\n');
}

/** A record may contain a long list. */
const recordLevels = 2;

/** Result of writing a list. */
export interface RenderedList {
  /** Number of columns that did not fit. */
  readonly hiddenColumns: readonly string[];
}

/**
 * Writes a list, page by page where the format allows, at the reader's pace. Writes nothing before the first page has
 * arrived. Throws like `renderRecord`, and the errors of the pages; then the pages' iterator is closed, and a table
 * shows the records received so far.
 */
export async function renderList<T>(
  pages: AsyncIterable<Records<T>>,
  columns: readonly Column<T>[],
  options: RenderOptions,
  terminal: Terminal,
): Promise<RenderedList> {
  const view = viewOf(columns, options);
  if (options.jq !== undefined) await checkJq(options.jq);
  const format = listFormat(view.columns, options, terminal);
  let lineIsOpen = false;
  const put = async (text: string | Uint8Array) => {
    await write(terminal.stdout, typeof text === 'string' ? withoutWorkflowCommands(text, options) : text);
    if (text.length > 0) lineIsOpen = typeof text === 'string' && !text.endsWith('\n');
  };
  // Record by record: those of a whole page would outlive garbage collections, and so fill the memory of a long list.
  const formatted = async (page: Records<T>) => {
    if (!format.isByRecord) return put(await format.page(Array.from(page, view.prepared)));
    let piece = '';
    for (const record of page) {
      piece += await format.page([view.prepared(record)]);
      if (piece.length < pieceLength) continue;
      await put(piece);
      piece = '';
    }
    await put(piece);
  };
  const take = async (page: Records<T>) => {
    const text = page instanceof RecordText ? format.text?.(page) : undefined;
    await (text ? put(text) : formatted(page));
  };
  try {
    await forEachPage(
      pages,
      (page) => withinLimits(() => take(page)),
      async () => put((await format.brokenOff?.()) ?? ''),
    );
    await put(await withinLimits(() => format.end()));
  } catch (error) {
    // The following message starts on a new line.
    if (lineIsOpen && !(error instanceof ClosedPipe)) await put('\n');
    throw error;
  }
  return { hiddenColumns: format.hiddenColumns ?? [] };
}

/** In characters. */
const pieceLength = 64 * 1024;

/** Passes on each page. Calls `brokenOff` if a page cannot be fetched, not if it cannot be written. */
async function forEachPage<T>(
  pages: AsyncIterable<T>,
  take: (page: T) => Promise<void>,
  brokenOff: () => Promise<void>,
): Promise<void> {
  let taking = false;
  try {
    for await (const page of pages) {
      taking = true;
      await take(page);
      taking = false;
    }
  } catch (error) {
    if (!taking) await brokenOff();
    throw error;
  }
}

interface View {
  readonly columns: readonly ShownColumn[];
  /** Returns the record as the formats see it. */
  readonly prepared: (record: unknown) => unknown;
}

function viewOf<T>(
  columns: readonly Column<T>[],
  { fields, format, jq, showSecrets, mask, onColumnError }: RenderOptions,
): View {
  const paths = fields?.map(parsePath);
  const masked = showSecrets ? <T>(value: T) => value : secretMasker(mask);
  const isDocument = jq !== undefined || format === 'json' || format === 'ndjson' || format === 'yaml';
  if (!isDocument || !paths) return { columns: shownColumns(columns, paths, onColumnError), prepared: masked };
  const wanted = selection(paths);
  return { columns: [], prepared: (record) => select(masked(record), wanted) };
}

function listFormat(columns: readonly ShownColumn[], options: RenderOptions, terminal: Terminal): ListFormat {
  const { csvSafe, format, jq: filter } = options;
  const onTerminal = terminal.stdoutIsTTY;
  if (filter !== undefined && rowFormats.includes(format))
    return collected((records) => filteredRows(records, filter, options, terminal));
  if (filter !== undefined) return (format === 'ndjson' ? jqEach : jqList)(jqOptions(filter, options), terminal);
  switch (format) {
    case 'table':
      return (options.growing ? growingTable : tableFormat)(columns, terminal);
    case 'tsv':
      return tsv(columns);
    case 'csv':
      return csv(columns, { csvSafe, onTerminal });
    case 'json':
      return jsonArray(onTerminal);
    case 'ndjson':
      return { ...ndjson(onTerminal), ...(takesText(options, terminal) ? { text: rawLines(options) } : {}) };
    case 'yaml':
      return yamlSequence(options.inWorkflow ?? false);
  }
}

const jqOptions = (filter: string, { maskQuoted, inWorkflow, jqTimeoutMs: timeoutMs }: RenderOptions): JqOptions => ({
  filter,
  maskQuoted,
  inWorkflow,
  timeoutMs,
});

/** Returns the results of a filter as rows. Arrays have no names for a header line in CSV. */
async function filteredRows(
  document: unknown,
  filter: string,
  options: RenderOptions,
  terminal: Terminal,
): Promise<string> {
  const { format, csvSafe } = options;
  const { rows, columns, named } = await jqTable(document, jqOptions(filter, options), terminal);
  const onTerminal = terminal.stdoutIsTTY;
  const list =
    format === 'table'
      ? tableFormat(columns, terminal)
      : format === 'tsv'
        ? tsv(columns)
        : csv(columns, { csvSafe, onTerminal, header: named });
  return (await list.page(rows)) + (await list.end());
}

/** Whether raw text can be written: nothing is selected, and the output is not a terminal. */
export function takesText({ format, fields, jq }: RenderOptions, terminal: Terminal): boolean {
  return format === 'ndjson' && fields === undefined && jq === undefined && !terminal.stdoutIsTTY;
}

function rawLines({
  showSecrets,
  mask,
  mayMask = () => true,
  inWorkflow,
}: RenderOptions): NonNullable<ListFormat['text']> {
  const buffer = new ReusableBuffer();
  // Parsing and formatting a record reveals commands that were hidden behind escapes.
  const shown = inWorkflow ? withoutCommands : (text: string) => text;
  const line = (record: unknown) => shown(jsonText(maskSecrets(record, mask), 0, false));
  return (records) => {
    // Lines of JSON start with a brace, so they can only contain commands that are recognized anywhere in a line.
    if (inWorkflow && records.bytes.includes('##[')) return undefined;
    if (showSecrets) return records.lines(buffer);
    return records.bytes.includes(privateKeyMark) || mayMask(records.bytes, records.parts())
      ? undefined
      : records.maskedLines(line, buffer);
  };
}

async function recordText(
  record: unknown,
  columns: readonly ShownColumn[],
  options: RenderOptions,
  terminal: Terminal,
): Promise<string> {
  const { format, jq: filter } = options;
  if (filter !== undefined && rowFormats.includes(format)) return filteredRows(record, filter, options, terminal);
  if (filter !== undefined) return jqRecord(record, jqOptions(filter, options), terminal);
  if (format === 'yaml') return yamlText(record, options.inWorkflow);
  if (format !== 'ndjson' && isEmpty(record)) return '';
  if (format === 'table') return detailsOf(record, columns, terminal);
  if (format === 'tsv' && options.fieldLines && options.fields === undefined) return fieldLines(record, columns);
  const list = listFormat(columns, options, terminal);
  return (await list.page([record])) + (await list.end());
}

const isEmpty = (record: unknown) => isObject(record) && Object.keys(record).length === 0;
