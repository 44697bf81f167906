/** Records → text on standard output, in the format that was asked for. */

import { isObject } from '../json/exact-json.ts';
import { type Records, RecordText, Room } from '../json/record-text.ts';
import { parsePath, select, selection } from './fields.ts';
import { checkJq, jqEach, jqList, jqRecord } from './jq.ts';
import { jsonArray, jsonText, ndjson } from './json.ts';
import type { ListFormat } from './list-format.ts';
import { type MaskText, maskSecrets } from './secrets.ts';
import { type Column, type ColumnErrorHandler, type ShownColumn, shownColumns } from './table/columns.ts';
import { csv, tsv } from './table/delimited.ts';
import { sheet } from './table/sheet.ts';
import { tableFormat } from './table/table.ts';
import type { Terminal } from './terminal.ts';
import { withinLimits } from './too-large.ts';
import { withoutCommands } from './workflow-commands.ts';
import { ClosedPipe, write } from './writer.ts';
import { yamlSequence, yamlText } from './yaml.ts';

export const formats = ['table', 'tsv', 'csv', 'json', 'ndjson', 'yaml'] as const;
export type Format = (typeof formats)[number];

export interface RenderOptions {
  readonly format: Format;
  /** Field paths: the columns of table, TSV and CSV; what is kept of the records elsewhere. */
  readonly fields?: readonly string[];
  /** A jq filter on the JSON, after `fields`; its results take the place of the format. */
  readonly jq?: string;
  readonly showSecrets: boolean;
  /** Masks, unless secrets are to be shown, what the run itself knows to be secret. */
  readonly mask?: MaskText;
  /** Whether `mask` may have something to mask in a text, given as its bytes. Without it lists are always read. */
  readonly mayMask?: (text: Buffer) => boolean;
  /** In CSV, puts `'` before text that a spreadsheet would take for a formula. */
  readonly csvSafe?: boolean;
  /** True in a workflow's job, whose runner would obey lines of the output; CSV and what jq gives stay exact. */
  readonly inWorkflow?: boolean;
  readonly misfit?: ColumnErrorHandler;
}

const harmless = (text: string, { format, inWorkflow, jq }: RenderOptions): string =>
  inWorkflow && jq === undefined && format !== 'csv' ? withoutCommands(text) : text;

/**
 * Prints one record. An empty one, as a 204 leaves, is `{}` in JSON and YAML and nothing elsewhere. Throws
 * `FieldPathError`, `JqError`, `TooLargeError`, and `ClosedPipe` when the reader has gone.
 */
export async function renderRecord<T>(
  record: T,
  columns: readonly Column<T>[],
  options: RenderOptions,
  terminal: Terminal,
): Promise<void> {
  const view = viewOf(columns, options);
  const text = await withinLimits(() => recordText(view.prepared(record), view.columns, options, terminal));
  await write(terminal.stdout, harmless(text, options));
}

/** What there is to say of a list that was printed. */
export interface RenderedList {
  /** How many columns there was no room for. */
  readonly hiddenColumns: number;
}

/**
 * Prints a list, page by page where the format allows, at the pace of whoever reads it. Nothing is written before the
 * first page has come. Throws as `renderRecord` does, and what the pages throw; the pages' iterator is then closed, and a
 * table shows what had come.
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
    await write(terminal.stdout, typeof text === 'string' ? harmless(text, options) : text);
    if (text.length > 0) lineIsOpen = typeof text === 'string' && !text.endsWith('\n');
  };
  const shown = (page: Records<T>) =>
    (page instanceof RecordText ? format.text?.(page) : undefined) ?? format.page(view.preparedPage([...page]));
  const take = async (page: Records<T>) => put(await withinLimits(() => shown(page)));
  try {
    await throughPages(pages, take, async () => put((await format.brokenOff?.()) ?? ''));
    await put(await withinLimits(() => format.end()));
  } catch (error) {
    // The message that follows starts on a line of its own.
    if (lineIsOpen && !(error instanceof ClosedPipe)) await put('\n');
    throw error;
  }
  return { hiddenColumns: format.hiddenColumns ?? 0 };
}

/** Hands each page on. `brokenOff` is called where a page does not come, not where one cannot be taken. */
async function throughPages<T>(
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
  /** The record as everything else sees it. */
  readonly prepared: (record: unknown) => unknown;
  readonly preparedPage: (records: readonly unknown[]) => readonly unknown[];
}

function viewOf<T>(
  columns: readonly Column<T>[],
  { fields, format, jq, showSecrets, mask, misfit }: RenderOptions,
): View {
  const paths = fields?.map(parsePath);
  const masked = <T>(value: T) => (showSecrets ? value : maskSecrets(value, mask));
  const isDocument = jq !== undefined || format === 'json' || format === 'ndjson' || format === 'yaml';
  if (!isDocument || !paths)
    return { columns: shownColumns(columns, paths, misfit), prepared: masked, preparedPage: masked };
  const wanted = selection(paths);
  const prepared = (record: unknown) => select(masked(record), wanted);
  return { columns: [], prepared, preparedPage: (records) => records.map(prepared) };
}

function listFormat(columns: readonly ShownColumn[], options: RenderOptions, terminal: Terminal): ListFormat {
  const { csvSafe, format, jq: filter, showSecrets } = options;
  const onTerminal = terminal.stdoutIsTTY;
  if (filter !== undefined) return (format === 'ndjson' ? jqEach : jqList)({ filter, showSecrets }, terminal);
  switch (format) {
    case 'table':
      return tableFormat(columns, terminal);
    case 'tsv':
      return tsv(columns);
    case 'csv':
      return csv(columns, { csvSafe, onTerminal });
    case 'json':
      return jsonArray(onTerminal);
    case 'ndjson':
      return { ...ndjson(onTerminal), ...(takesText(options, terminal) ? { text: linesOf(options) } : {}) };
    case 'yaml':
      return yamlSequence(options.inWorkflow ?? false);
  }
}

/** Whether lists may come as their text: nothing of them is chosen, and no terminal obeys what stands in them. */
export function takesText({ format, fields, jq }: RenderOptions, terminal: Terminal): boolean {
  return format === 'ndjson' && fields === undefined && jq === undefined && !terminal.stdoutIsTTY;
}

function linesOf({
  showSecrets,
  mask,
  mayMask = () => true,
  inWorkflow,
}: RenderOptions): NonNullable<ListFormat['text']> {
  const room = new Room();
  // A record that is read may hide signs of a command behind escapes, which are gone when it is written again.
  const shown = inWorkflow ? withoutCommands : (text: string) => text;
  const line = (record: unknown) => shown(jsonText(maskSecrets(record, mask), 0, false));
  return (records) => {
    // Lines of JSON begin with a brace, so that of the commands for a runner only those can be among them that stand anywhere.
    if (inWorkflow && records.bytes.includes('##[')) return undefined;
    if (showSecrets) return records.lines(room);
    return mayMask(records.bytes) ? undefined : records.maskedLines(line, room);
  };
}

async function recordText(
  record: unknown,
  columns: readonly ShownColumn[],
  options: RenderOptions,
  terminal: Terminal,
): Promise<string> {
  const { format, jq: filter, showSecrets } = options;
  if (filter !== undefined) return jqRecord(record, { filter, showSecrets }, terminal);
  if (format === 'json') return `${jsonText(record, 2, terminal.stdoutIsTTY)}\n`;
  if (format === 'yaml') return yamlText(record, options.inWorkflow);
  if (format !== 'ndjson' && isEmpty(record)) return '';
  if (format === 'table') return sheet(record, columns, terminal);
  const list = listFormat(columns, options, terminal);
  return (await list.page([record])) + (await list.end());
}

const isEmpty = (record: unknown) => isObject(record) && Object.keys(record).length === 0;
