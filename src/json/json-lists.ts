/** JSON objects whose lists are too long to be in memory at once. */

import { isJsonTooDeep } from './nesting.ts';

/** A list in the bytes of JSON. Each item is parsed when it is read. */
export class JsonList implements Iterable<unknown> {
  readonly #bytes: Buffer;
  /** Start and end of each item. */
  readonly #offsets: readonly number[];

  constructor(bytes: Buffer, offsets: readonly number[]) {
    this.#bytes = bytes;
    this.#offsets = offsets;
  }

  *[Symbol.iterator](): Iterator<unknown> {
    for (let place = 0; place < this.#offsets.length; place += 2)
      yield parse(this.#bytes, this.#offsets[place], this.#offsets[place + 1]);
  }
}

/** Returns the items of a list of either kind; none for anything else. */
export const itemsOf = (value: unknown): Iterable<unknown> =>
  value instanceof JsonList || Array.isArray(value) ? value : [];

/**
 * Parses UTF-8 as JSON.parse does, but the lists in an object, and not those further within, as JsonList. Throws
 * SyntaxError, also for JSON that is nested too deep.
 */
export function parseWithLists(bytes: Buffer): unknown {
  const start = blanksEnd(bytes, bytes.indexOf(byteOrderMark) === 0 ? byteOrderMark.length : 0);
  if (bytes[start] !== openBrace) return parse(bytes, start);
  const fields: [name: string, value: unknown][] = [];
  const end = eachItem(bytes, start, closeBrace, (at) => {
    const nameEnd = valueEnd(bytes, at);
    const name = parse(bytes, at, nameEnd);
    const after = blanksEnd(bytes, nameEnd);
    if (typeof name !== 'string' || bytes[after] !== colon) throw new SyntaxError();
    const { value, end } = valueAt(bytes, blanksEnd(bytes, after + 1));
    fields.push([name, value]);
    return end;
  });
  if (blanksEnd(bytes, end) < bytes.length) throw new SyntaxError();
  return Object.fromEntries(fields);
}

function parse(bytes: Buffer, start?: number, end?: number): unknown {
  const text = bytes.toString('utf8', start, end);
  if (isJsonTooDeep(text)) throw new SyntaxError();
  return JSON.parse(text);
}

function valueAt(bytes: Buffer, start: number): { readonly value: unknown; readonly end: number } {
  if (bytes[start] !== openBracket) {
    const end = valueEnd(bytes, start);
    return { value: parse(bytes, start, end), end };
  }
  const offsets: number[] = [];
  const end = eachItem(bytes, start, closeBracket, (at) => {
    const itemEnd = valueEnd(bytes, at);
    // What is not valid is reported at once, not when the list is read.
    parse(bytes, at, itemEnd);
    offsets.push(at, itemEnd);
    return itemEnd;
  });
  return { value: new JsonList(bytes, offsets), end };
}

/** Calls `read` with the start of each item behind an opening bracket; it returns the item’s end. Returns the end of all. */
function eachItem(bytes: Buffer, open: number, close: number | undefined, read: (at: number) => number): number {
  let at = blanksEnd(bytes, open + 1);
  if (bytes[at] === close) return at + 1;
  for (;;) {
    at = blanksEnd(bytes, read(at));
    if (bytes[at] === close) return at + 1;
    if (bytes[at] !== comma) throw new SyntaxError();
    at = blanksEnd(bytes, at + 1);
  }
}

/** Returns the end of a value, which need not be valid. */
function valueEnd(bytes: Buffer, start: number): number {
  const first = bytes[start];
  if (first === quote) return stringEnd(bytes, start);
  let at = start;
  if (first !== openBracket && first !== openBrace) {
    while (at < bytes.length && !afterWords.includes(bytes[at] ?? 0)) at += 1;
    return at;
  }
  let depth = 0;
  for (; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) at = stringEnd(bytes, at) - 1;
    else if (byte === openBracket || byte === openBrace) depth += 1;
    else if (byte === closeBracket || byte === closeBrace) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return at;
}

function stringEnd(bytes: Buffer, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
  return at + 1;
}

function blanksEnd(bytes: Buffer, start: number): number {
  let at = start;
  while (at < bytes.length && blanks.includes(bytes[at] ?? 0)) at += 1;
  return at;
}

const [quote, backslash, comma, colon, openBracket, closeBracket, openBrace, closeBrace] = Buffer.from('"\\,:[]{}');
const blanks = Buffer.from(' \t\r\n');
const afterWords = Buffer.from(' \t\r\n,:]}');
const byteOrderMark = Buffer.from('\uFEFF');
