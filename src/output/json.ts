/** JSON documents and lines. On a terminal, control characters are escaped, which does not change the data. */
import { isObject } from '../json/exact-json.ts';
import { LazyList } from '../json/lazy-list.ts';
import type { ListFormat } from './list-format.ts';
import { escapeHazards } from './safe-text.ts';

export function jsonText(value: unknown, indent: 0 | 2, onTerminal: boolean): string {
  const text = JSON.stringify(value, null, indent);
  return onTerminal ? escapeHazards(text) : text;
}

/**
 * Yields the text that JSON.stringify returns with two spaces of indentation, in pieces of moderate size: the fields and
 * elements on so many levels, one by one.
 */
export function* jsonPieces(value: unknown, levels: number): Generator<string> {
  let piece = '';
  for (const part of jsonParts(value, levels, '\n')) {
    piece += part;
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

/** Longer texts stay in memory until the next full collection. */
const pieceLength = 64 * 1024;

function* jsonParts(value: unknown, levels: number, newline: string): Generator<string> {
  if (levels > 0 && (Array.isArray(value) || value instanceof LazyList))
    return yield* elementParts(value, levels, newline);
  if (levels === 0 || !isObject(value)) {
    yield JSON.stringify(value, null, 2).replaceAll('\n', newline);
    return;
  }
  let opening = '{';
  for (const name in value) {
    if (value[name] === undefined) continue;
    yield `${opening}${newline}  ${JSON.stringify(name)}: `;
    yield* jsonParts(value[name], levels - 1, `${newline}  `);
    opening = ',';
  }
  yield opening === '{' ? '{}' : `${newline}}`;
}

function* elementParts(elements: Iterable<unknown>, levels: number, newline: string): Generator<string> {
  let opening = '[';
  for (const element of elements) {
    yield `${opening}${newline}  `;
    yield* jsonParts(element ?? null, levels - 1, `${newline}  `);
    opening = ',';
  }
  yield opening === '[' ? '[]' : `${newline}]`;
}

/**
 * Formats an array, page by page. The opening bracket is written with the first records and the closing one after the
 * last, so a list interrupted by an error is not a valid document.
 */
export function jsonArray(onTerminal: boolean): ListFormat {
  let opened = false;
  return {
    isByRecord: true,
    page(records) {
      if (records.length === 0) return '';
      const elements = jsonText(records, 2, onTerminal).slice(1, -2);
      const text = (opened ? ',' : '[') + elements;
      opened = true;
      return text;
    },
    end: () => (opened ? '\n]\n' : '[]\n'),
  };
}

/** Formats one line of JSON per record. */
export function ndjson(onTerminal: boolean): ListFormat {
  return {
    isByRecord: true,
    page(records) {
      const lines = records.map((record) => jsonText(record, 0, onTerminal));
      lines.push('');
      return lines.join('\n');
    },
    end: () => '',
  };
}
