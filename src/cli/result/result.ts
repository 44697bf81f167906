/** Prints the result of a command's `run` on standard output, and notices on stderr. */
import { type HttpRequest, isJsonBody, valueOfBody } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { LazyList } from '../../json/lazy-list.ts';
import type { Records } from '../../json/record-text.ts';
import { maskHeader, maskTextSecrets } from '../../json/secrets.ts';
import { type RenderOptions, renderList, renderRecord, rowFormats } from '../../output/render.ts';
import { safeLines, safeText } from '../../output/safe-text.ts';
import { maskSecrets } from '../../output/secrets.ts';
import { type Column, computedName } from '../../output/table/columns.ts';
import type { Terminal } from '../../output/terminal.ts';
import { withoutCommands } from '../../output/workflow-commands.ts';
import { write } from '../../output/writer.ts';
import type { Clock } from '../runtime.ts';
import { wrappedMessage } from '../word-wrap.ts';
import type { DoneChange } from './changes.ts';
import { FieldCheck, type KnownFields } from './field-check.ts';
import { brokenOffText, hiddenColumnsText, rangeText } from './footer.ts';
import { Documents, Listing } from './listing.ts';
import { tellingProgress } from './listing-progress.ts';

/**
 * Text that is itself the result, such as a token or a path: printed unchanged, but safe for a terminal; a string in
 * JSON.
 */
export class PlainText {
  readonly text: string;
  /** A notice on stderr. */
  readonly note: string | undefined;

  constructor(text: string, note?: string) {
    this.text = text;
    this.note = note;
  }
}

/** How a command's result is shown. */
export interface ResultShape {
  // biome-ignore lint/suspicious/noExplicitAny: columns of any record; each command narrows it to its own
  readonly columns: readonly Column<any>[];
  /** The details that a table shows of a single record, instead of the columns. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  readonly details?: readonly Column<any>[] | undefined;
  /** The value that `--quiet` prints. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  readonly idField?: Column<any>['get'] | undefined;
  /** The name of the records, for progress lines. */
  readonly recordsName: string;
  /** Returns when a record's event happened. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  readonly timeOf?: ((record: any) => string | undefined) | undefined;
  /** The message for an empty table. */
  readonly emptyText?: string | undefined;
  /** The rows of a record that is a map, for the formats that have rows. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  readonly rowsOf?: ((record: any) => readonly object[] | LazyList<object>) | undefined;
  /** Returns the text that a table shows for a record instead of rows, escaped and laid out; undefined for rows. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  readonly drawn?: ((record: any, terminal: Terminal) => Promise<string | undefined>) | undefined;
  readonly knownFields?: KnownFields | undefined;
  /** The change to show instead of the record. */
  readonly change?: DoneChange | undefined;
  /** Returns the line that a terminal shows for a created record; undefined if the platform did not do what was asked. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  readonly made?: ((record: any) => string | undefined) | undefined;
}

/** The output options, from flags, settings and the terminal. */
export interface Printing {
  readonly options: RenderOptions;
  /** True to print only IDs. */
  readonly quiet: boolean;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly notice: (text: string) => void;
}

/**
 * Prints a record, a list or plain text; nothing for `undefined`. Throws as `renderRecord` and `renderList` do, and
 * UsageError for unknown fields.
 */
export async function printResult(result: unknown, shape: ResultShape, printing: Printing): Promise<void> {
  const { idField, columns } = shape;
  const shown = printing.quiet && idField ? [{ header: 'ID', get: idField }] : columns;
  const view: View = { ...shape, ...printing, columns: shown };
  const { options } = view;
  if (result === undefined) return;
  if (result instanceof Documents) return printDocuments(result, shape, printing);
  if (result instanceof Listing) return printListing(result, view);
  if (result instanceof PlainText) return printText(result, view);
  if (view.drawn && options.format === 'table' && options.fields === undefined && options.jq === undefined) {
    const text = await view.drawn(maskedFor(options, result), view.terminal);
    if (text !== undefined) return write(view.terminal.stdout, options.inWorkflow ? withoutCommands(text) : text);
  }
  const rows = rowsIn(result, view) ?? (Array.isArray(result) || result instanceof LazyList ? result : undefined);
  return rows ? printListing(Listing.of(rows), view) : printRecord(result, view);
}

type View = ResultShape & Printing;

const maskedFor = <T>({ showSecrets, mask }: RenderOptions, record: T): T =>
  showSecrets ? record : maskSecrets(record, mask);

/** Returns the rows of a map, for formats that have rows; undefined for any other record. */
function rowsIn(record: unknown, { options, rowsOf }: View): object[] | LazyList<object> | undefined {
  const { fields, format, jq } = options;
  if (!rowsOf || fields !== undefined || jq !== undefined || !rowFormats.includes(format)) return undefined;
  return derived(() => {
    // What has the name of a secret in the record may have another one in a row.
    const rows = rowsOf(maskedFor(options, record));
    return rows instanceof LazyList ? rows : [...rows];
  });
}

/** Returns what a command derives from a record; undefined if the platform returned a record of another shape. */
function derived<T>(from: () => T): T | undefined {
  try {
    return from();
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

async function printDocuments(documents: Documents, shape: ResultShape, printing: Printing): Promise<void> {
  for await (const page of documents.pages())
    for (const document of page)
      await printResult(typeof document === 'string' ? new PlainText(document) : document, shape, printing);
}

async function printText({ text, note }: PlainText, { options, terminal, notice }: View): Promise<void> {
  const isJson = options.jq !== undefined || options.format === 'json' || options.format === 'ndjson';
  if (isJson) return renderRecord(text, [], options, terminal);
  const shown = maskedFor(options, text);
  await write(terminal.stdout, `${terminal.stdoutIsTTY ? safeLines(shown) : shown}\n`);
  if (note !== undefined) notice(note);
}

/** Returns whether a terminal shows the change that a command made, instead of the record. */
export const showsChanges = ({ format, fields, jq }: RenderOptions, { stdoutIsTTY }: Terminal): boolean =>
  format === 'table' && stdoutIsTTY && fields === undefined && jq === undefined;

async function printRecord(record: unknown, view: View): Promise<void> {
  const { columns, options, terminal, notice, change, made } = view;
  if (isObject(record) && showsChanges(options, terminal)) {
    const line = made && derived(() => made(whole(maskedFor(options, record))));
    if (line !== undefined) return write(terminal.stdout, `${wrappedMessage(safeText(line), terminal.columns)}\n`);
    if (change && isObject(change.after)) return printChange(change, view);
  }
  if (view.details && options.format === 'table' && options.fields === undefined && options.jq === undefined) {
    await renderRecord(record, view.details, options, terminal);
    const members = isObject(record) ? Object.keys(record).length : 0;
    if (members > view.details.length) notice('Use -o json to see every field.');
    return;
  }
  const check = fieldCheck(view);
  check?.see(record);
  await check?.refuseUnknown();
  await renderRecord(record, columns, options, terminal);
  for (const warning of check?.warnings() ?? []) notice(warning);
}

/** Returns a record that throws TypeError for a field that it lacks: no line says that something undefined was made. */
const whole = (record: object): object =>
  new Proxy(record, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (value === undefined) throw new TypeError(`no ${String(name)}`);
      return isObject(value) ? whole(value) : value;
    },
  });

/** Prints the changed fields. If the response is empty, the sent values count. */
async function printChange(
  { before, sent, after, sets }: DoneChange,
  { options, terminal, notice }: View,
): Promise<void> {
  const isEmpty = Object.keys(after).length === 0;
  const { changeColumns, changedFields } = await import('./changes.ts');
  const change = maskedFor(options, { before, sent, after: isEmpty ? { ...before, ...sent } : after });
  const fields = changedFields({ ...change, sets }, terminal.now());
  if (Object.keys(fields).length > 0) return renderRecord(fields, changeColumns(fields), options, terminal);
  if (!isEmpty) notice('Nothing changed: every field already had this value.');
}

async function printListing(listing: Listing<unknown>, view: View): Promise<void> {
  const { columns, terminal, emptyText, notice } = view;
  const options = listing.isEndless ? { ...view.options, growing: true } : view.options;
  // Without a terminal there is no progress line to update.
  const isPrinted = terminal.stdoutIsTTY && (options.format !== 'table' || listing.isEndless);
  const pages = terminal.stderrIsTTY
    ? tellingProgress(listing, view.recordsName, { ...view, isPrinted })
    : listing.pages();
  const check = fieldCheck(view);
  const checked = check ? withKnownFields(check, pages) : pages;
  const { timeOf } = view;
  const timeline =
    timeOf && !listing.isEndless && options.format === 'table' && options.jq === undefined && terminal.stderrIsTTY
      ? await newTimeline()
      : undefined;
  const shown = timeline ? observed((record) => timeline.see(timeOf?.(record)), checked) : checked;
  const { hiddenColumns } = await renderList(shown, columns, options, terminal).catch((error: unknown) => {
    if (listing.brokenAt !== undefined) notice(brokenOffText(listing.seen, view.recordsName, listing.brokenAt));
    throw error;
  });
  const isEmpty = listing.seen === 0 && options.format === 'table';
  const notes = [
    ...(timeline?.lines(view.recordsName, terminal) ?? []),
    hiddenColumnsText(hiddenColumns),
    rangeText(listing.extent, view.recordsName),
    isEmpty ? (emptyText ?? listing.nothingFound?.(view.recordsName) ?? 'No results.') : undefined,
    ...(check?.warnings() ?? []),
    listing.note,
  ];
  for (const note of notes) if (note !== undefined) notice(note);
}

function fieldCheck({ columns, options, knownFields = async () => [] }: View): FieldCheck | undefined {
  const { fields, format, jq } = options;
  if (!fields) return undefined;
  const computed = rowFormats.includes(format) && jq === undefined ? columns.map(computedName) : [];
  return new FieldCheck(
    fields.filter((field) => !computed.includes(field)),
    knownFields,
  );
}

/** The number of records held back until one has the requested fields. */
const maxHeldRecords = 1000;

/**
 * Returns the same pages. Throws UsageError for unknown fields: before any page of a short list, after the last page of
 * a long one.
 */
async function* withKnownFields<T>(check: FieldCheck, pages: AsyncIterable<Records<T>>): AsyncGenerator<Records<T>> {
  let records = 0;
  let held: Records<T>[] = [];
  for await (const page of pages) {
    // The text of a page is gone once the next one is requested.
    const kept = check.isComplete ? page : [...page];
    if (!check.isComplete) for (const record of kept) check.see(record);
    records += page.length;
    held.push(kept);
    if (records <= maxHeldRecords && (await check.unknown()).length) continue;
    yield* held;
    held = [];
  }
  await check.refuseUnknown();
}

async function newTimeline() {
  const { Timeline } = await import('./timeline.ts');
  return new Timeline();
}

async function* observed<T>(see: (record: T) => void, pages: AsyncIterable<Records<T>>): AsyncGenerator<Records<T>> {
  for await (const page of pages) {
    for (const record of page) see(record);
    yield page;
  }
}

/** The request of a dry run as a record; its body is the JSON or the text to be sent. */
export interface PreviewedRequest extends Omit<HttpRequest, 'body'> {
  readonly body?: unknown;
}

/** The requests of a dry run: one, or a list from a command that may send several. */
export type DryRun = PreviewedRequest | readonly PreviewedRequest[];

/** Prints the requests of a dry run: in HTTP format for terminals and pipes, otherwise as records. */
export async function printDryRun(planned: DryRun, { options, terminal, notice }: Printing): Promise<void> {
  const requests = [planned].flat();
  const [only] = requests;
  if (options.jq === undefined && options.fields === undefined && rowFormats.includes(options.format)) {
    const text = safeLines(requests.map((request) => `${requestText(request, options)}\n`).join('\n'));
    await write(terminal.stdout, options.inWorkflow ? withoutCommands(text) : text);
  } else if (Array.isArray(planned)) await renderList(Listing.of(requests).pages(), [], options, terminal);
  else await renderRecord(only, [], options, terminal);
  notice('Dry run: nothing was sent.');
}

/** Returns the request of a dry run as a record. */
export function previewed({ body, headers, ...request }: HttpRequest): PreviewedRequest {
  const shown = Object.entries(headers).map(([name, value]) => [name, maskHeader(name, value)]);
  return {
    ...request,
    headers: Object.fromEntries(shown),
    ...(body !== undefined && { body: shownBody(body, headers) }),
  };
}

/** Returns a body as it is sent: text that happens to be JSON, such as a number, stays text. */
function shownBody(body: string, headers: HttpRequest['headers']): unknown {
  const value = valueOfBody(body);
  return isJsonBody(headers) || typeof value === 'object' ? value : body;
}

function requestText(
  { method, url, headers, body }: PreviewedRequest,
  { showSecrets, mask = (text) => text }: RenderOptions,
): string {
  const target = showSecrets ? url : maskTextSecrets(mask(url));
  const lines = [`${method} ${target}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`)];
  if (body !== undefined) {
    const shown = showSecrets ? body : maskSecrets(body, mask);
    lines.push('', typeof shown === 'string' && !isJsonBody(headers) ? shown : JSON.stringify(shown, null, 2));
  }
  return lines.join('\n');
}
