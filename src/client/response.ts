/** Parses the body of a response: the endpoint's record or list, or the reason for a refusal. */
import { isAscii, isUtf8 } from 'node:buffer';
import { isObject, parseJson } from '../json/exact-json.ts';
import { isJsonTooDeep, maxJsonDepth } from '../json/nesting.ts';
import { RecordText } from '../json/record-text.ts';
import type { Declaration, Endpoint } from '../platform/endpoint.ts';
import { InvalidResponseError, type RequestSummary, WebPageError } from './errors.ts';
import { type HttpResponse, isRead } from './http.ts';
import { release } from './transport/body.ts';

/** Returns the value of a JSON body, or `too deep`; undefined for anything else. */
function jsonOf(body: Buffer): { value: unknown } | 'too deep' | undefined {
  const text = textOf(body);
  if (text === undefined) return undefined;
  if (isJsonTooDeep(text)) return 'too deep';
  try {
    return { value: parseJson(text) };
  } catch {
    return undefined;
  }
}

/** Returns undefined for invalid UTF-8. Most responses are ASCII; V8 takes half the time for Latin-1. */
function textOf(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1');
  return isUtf8(body) ? withoutByteOrderMark(body.toString()) : undefined;
}

/** Some servers write a byte order mark before UTF-8, which is not valid JSON. */
const withoutByteOrderMark = (text: string) => (text.startsWith('\ufeff') ? text.slice(1) : text);

const isJson = (contentType: string) => /^[^;]*[/+]json\s*(?:;|$)/i.test(contentType);

export function messageOf(response: HttpResponse): string | undefined {
  const { message } = errorBody(response);
  return typeof message === 'string' && message.trim() !== '' ? message.trim() : undefined;
}

/** In bytes. No real error message is longer. */
export const maxErrorBytes = 1024 * 1024;

/**
 * Returns the fields of an error body, whatever its media type; none if it is too large or not a JSON object, such as a
 * proxy's HTML page.
 */
export function errorBody({ body }: HttpResponse): Readonly<Record<string, unknown>> {
  const json = body.length > maxErrorBytes ? undefined : jsonOf(body);
  return typeof json === 'object' && isObject(json.value) ? json.value : {};
}

/**
 * Returns the data of a successful response: the record, or the list without its envelope. A 204 is `{}`, or `[]` for a
 * list. Throws InvalidResponseError for a response that is not what the endpoint returns.
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

/** Returns the data of a response that no endpoint declares: parsed JSON, `{}` for an empty body, else text. */
export function untypedDataOf(response: HttpResponse, asked: RequestSummary): unknown {
  if (response.body.length === 0) return {};
  return isJson(response.headers['content-type'] ?? '') ? parse(response, asked) : response.body.toString();
}

/** Returns the list in a response: the value itself, or a field of the envelope. */
export function listIn(value: unknown, member: string | undefined, asked: RequestSummary): unknown[] {
  const items = member === undefined ? value : isObject(value) ? value[member] : undefined;
  if (Array.isArray(items)) {
    if (items.some((item) => item === null))
      throw invalidResponse(asked, 'a list that contains null instead of a record');
    return items;
  }
  throw invalidResponse(asked, member === undefined ? 'something other than a list' : `no list “${member}”`);
}

/** Returns the list in a response as raw text; undefined if it must be parsed. */
export function recordTextOf<T>({ headers, body }: HttpResponse): RecordText<T> | undefined {
  const type = headers['content-type'];
  return (type === undefined || isJson(type)) && !exceededLimit(body) ? RecordText.of<T>(body) : undefined;
}

/**
 * Returns a response to a list with only these fields of its records, and frees its body. Throws InvalidResponseError for
 * anything other than a list.
 */
export function withFields(fields: readonly string[], response: HttpResponse, asked: RequestSummary): HttpResponse {
  // As raw text: the objects of a whole page would outlive garbage collections.
  const records = recordTextOf(response) ?? listIn(parse(response, asked), undefined, asked);
  const texts = Array.from(records, (record) => textWithFields(fields, record));
  release(response.body);
  return { ...response, body: Buffer.from(`[${texts.join(',')}]`) };
}

/** Returns a response with only these fields of its record, and frees its body. Throws InvalidResponseError. */
export function recordWithFields(
  fields: readonly string[],
  response: HttpResponse,
  asked: RequestSummary,
): HttpResponse {
  const text = textWithFields(fields, parse(response, asked));
  release(response.body);
  return { ...response, body: Buffer.from(text) };
}

function textWithFields(fields: readonly string[], record: unknown): string {
  if (!isObject(record)) return JSON.stringify(record);
  // Entries of the whole record would be a hundred arrays.
  const known = fields.filter((field) => Object.hasOwn(record, field));
  return JSON.stringify(Object.fromEntries(known.map((field) => [field, record[field]])));
}

/**
 * Returns the field that contains the list in undeclared data: the only list in an object that also contains a count or
 * reports more pages. Specification, Conventions: lists are sometimes wrapped in an object with `total_count`.
 */
export function envelopedList(data: unknown, hasMore: boolean): string | undefined {
  if (!isObject(data)) return undefined;
  const [member, ...others] = Object.keys(data).filter((name) => Array.isArray(data[name]));
  const isEnvelope = hasMore || typeof data.total_count === 'number' || typeof data.has_next_page === 'boolean';
  return others.length === 0 && isEnvelope ? member : undefined;
}

/**
 * In bytes. jq, a table or a search for secrets needs 15 times as much memory. The largest known response, a Git tree
 * of 100,000 entries, has about 23 MB.
 */
const maxJsonBytes = 24 * 1024 * 1024;

/** Smaller bodies are not counted: no page of records comes close to the limit. */
const countedFrom = 1024 * 1024;

/** Many small values need dozens of times the size of the body in memory. The Git tree has 700,000. */
const maxValues = 720_000;

/** Returns the limit that a JSON body exceeds: bytes, or objects, lists and elements. */
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

/** Parses the body of a response that must be JSON. */
export function parse(response: HttpResponse, asked: RequestSummary): unknown {
  if (response.body.length === 0) throw invalidResponse(asked, `${response.status} with an empty body`);
  const excess = exceededLimit(response.body);
  if (excess !== undefined) throw invalidResponse(asked, `${response.status} with more than ${excess}`);
  const type = response.headers['content-type'];
  const other = type === undefined || isJson(type) ? undefined : mediaType(type);
  const json = other === undefined ? jsonOf(response.body) : undefined;
  if (json === 'too deep')
    throw invalidResponse(asked, `${response.status} with JSON nested more than ${maxJsonDepth} levels deep`);
  if (json) return json.value;
  if (isWebPage(response))
    throw invalidResponse(asked, `${response.status} with ${other ?? 'a web page'} instead of JSON`, WebPageError);
  if (other !== undefined) throw invalidResponse(asked, `${response.status} with ${other} instead of JSON`);
  throw invalidResponse(asked, `${response.status} with truncated or invalid JSON`);
}

export const mediaType = (contentType: string) => (contentType.split(';')[0] ?? '').trim() || 'no media type';

/** Whether the body is a web page, whatever its media type. */
const isWebPage = ({ headers, body }: HttpResponse) =>
  /^text\/html\b/i.test(headers['content-type'] ?? '') ||
  /^\s*<(?:!doctype|html)\b/i.test(body.toString('utf8', 0, 200));

/** Returns a one-line InvalidResponseError; `how` follows “returned”. */
export function invalidResponse(
  asked: RequestSummary,
  how: string,
  type: typeof InvalidResponseError = InvalidResponseError,
): InvalidResponseError {
  const effect = isRead(asked.method) ? '' : ' The change may or may not have been made.';
  return new type(asked, `${asked.method} ${asked.path} returned ${how}.${effect}`);
}
