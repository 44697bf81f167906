/** Reads the body of an answer: the record or list that an endpoint promises, or the platform's reason for a refusal. */
import { isAscii, isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '../json/exact-json.ts';
import { RecordText } from '../json/record-text.ts';
import type { Declaration, Endpoint } from '../platform/endpoint.ts';
import { InvalidResponseError, type RequestSummary, WebPageError } from './errors.ts';
import { type HttpResponse, isRead } from './http.ts';

/** The value of a body that is JSON; undefined for anything else. */
function jsonOf(body: Buffer): { value: unknown } | undefined {
  try {
    const text = textOf(body);
    return text === undefined ? undefined : { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/** Nothing where the bytes are no UTF-8. Most answers are ASCII, and read as such take V8 half the time. */
function textOf(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1');
  return isUtf8(body) ? withoutByteOrderMark(body.toString()) : undefined;
}

/** A byte order mark, which some write before UTF-8, is no JSON. */
const withoutByteOrderMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

const isJson = (contentType: string) => /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType);

/** The `message` of an error body. */
export function messageOf(response: HttpResponse): string | undefined {
  const { message } = errorBody(response);
  return typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
}

/** In bytes. Nobody gives a reason that is longer. */
export const maxErrorBytes = 1024 * 1024;

/**
 * The members of an error body, whatever its media type; none where it is too large or no JSON object, such as a proxy's
 * HTML page.
 */
export function errorBody({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  const value = body.length > maxErrorBytes ? undefined : jsonOf(body)?.value;
  return isObject(value) ? value : {};
}

/**
 * The data of a successful answer: the record, or the list taken out of its envelope. A 204 is `{}`, or `[]` where a
 * list was asked for. Throws InvalidResponseError for an answer that cannot be what the endpoint answers.
 */
export function dataOf(endpoint: Endpoint<Declaration>, response: HttpResponse, asked: RequestSummary): unknown {
  const { kind } = endpoint.answer;
  if (response.status === 204) return kind === 'list' ? [] : {};
  if (kind === 'nothing') {
    if (response.body.length > 0) parse(response, asked);
    return {};
  }
  const value = parse(response, asked);
  if (kind === 'list') return listIn(value, endpoint.items, asked);
  if (!isObject(value)) throw invalidResponse(asked, Array.isArray(value) ? 'a list instead of a record' : 'no record');
  return value;
}

/** The data of an answer that nothing is known of: JSON where it says so, `{}` for an empty body, else its text. */
export function untypedDataOf(response: HttpResponse, asked: RequestSummary): unknown {
  if (response.body.length === 0) return {};
  return isJson(response.headers['content-type'] ?? '') ? parse(response, asked) : response.body.toString();
}

/** The list of a list answer, which stands alone or in the envelope's member. */
export function listIn(value: unknown, member: string | undefined, asked: RequestSummary): unknown[] {
  const items = member === undefined ? value : isObject(value) ? value[member] : undefined;
  if (Array.isArray(items)) {
    if (items.some((item) => item === null))
      throw invalidResponse(asked, 'a list that contains null instead of a record');
    return items;
  }
  throw invalidResponse(asked, member === undefined ? 'something other than a list' : `no list “${member}”`);
}

/** The list of a list answer as its text; undefined where it must be read. */
export function recordTextOf<T>({ headers, body }: HttpResponse): RecordText<T> | undefined {
  const type = headers['content-type'];
  return (type === undefined || isJson(type)) && !exceededLimit(body) ? RecordText.of<T>(body) : undefined;
}

/**
 * The member that holds the list in data that nothing is known of: the one list in an object that also tells a count or
 * that there is more. Specification, Conventions: lists are sometimes wrapped in an object with `total_count`.
 */
export function envelopedList(data: unknown, hasMore: boolean): string | undefined {
  if (!isObject(data)) return undefined;
  const [member, ...others] = Object.keys(data).filter((name) => Array.isArray(data[name]));
  const isEnvelope = hasMore || typeof data.total_count === 'number' || typeof data.has_next_page === 'boolean';
  return others.length === 0 && isEnvelope ? member : undefined;
}

/**
 * In bytes. jq, a table or a search for secrets takes 15 times as much memory. The largest answer known, a Git tree of
 * 100,000 entries, has about 23 MB.
 */
const maxJsonBytes = 24 * 1024 * 1024;

/** Bodies below it are not worth a count: no page of records comes near it. */
const countedFrom = 1024 * 1024;

/** Of small values a body makes dozens of times its size in memory. The Git tree has 700,000. */
const maxValues = 720_000;

/** What a body of JSON has more of than the memory should hold: bytes, or objects, lists and elements. */
function exceededLimit(body: Buffer): string | undefined {
  if (body.length > maxJsonBytes) return '24 MiB of JSON';
  if (body.length < countedFrom) return undefined;
  let count = 0;
  let inText = false;
  for (let at = 0; at < body.length && count <= maxValues; at++) {
    const byte = body[at];
    if (byte === quote) inText = !inText;
    else if (inText) {
      if (byte === backslash) at++;
    } else if (byte === comma || byte === bracket || byte === brace) count++;
  }
  return count > maxValues ? `${maxValues.toLocaleString('en-US')} values` : undefined;
}

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{');

/** The body of an answer that must be JSON. */
export function parse(response: HttpResponse, asked: RequestSummary): unknown {
  if (response.body.length === 0) throw invalidResponse(asked, `${response.status} with an empty body`);
  const excess = exceededLimit(response.body);
  if (excess !== undefined) throw invalidResponse(asked, `${response.status} with more than ${excess}`);
  const type = response.headers['content-type'];
  const other = type === undefined || isJson(type) ? undefined : mediaType(type);
  const json = other === undefined ? jsonOf(response.body) : undefined;
  if (json) return json.value;
  if (isWebPage(response))
    throw invalidResponse(asked, `${response.status} with ${other ?? 'a web page'} instead of JSON`, WebPageError);
  if (other !== undefined) throw invalidResponse(asked, `${response.status} with ${other} instead of JSON`);
  throw invalidResponse(asked, `${response.status} with truncated or invalid JSON`);
}

export const mediaType = (contentType: string) => (contentType.split(';')[0] ?? '').trim() || 'no media type';

/** Whatever the media type says: a page begins as pages do. */
const isWebPage = ({ headers, body }: HttpResponse) =>
  /^text\/html\b/i.test(headers['content-type'] ?? '') ||
  /^\s*<(?:!doctype|html)\b/i.test(body.toString('utf8', 0, 200));

/** A one-line InvalidResponseError; `how` follows “returned”. */
export function invalidResponse(
  asked: RequestSummary,
  how: string,
  type: typeof InvalidResponseError = InvalidResponseError,
): InvalidResponseError {
  const effect = isRead(asked.method) ? '' : ' The change may or may not have been made.';
  return new type(asked, `${asked.method} ${asked.path} returned ${how}.${effect}`);
}
