/**
 * JSON with exact integers. JavaScript numbers are not exact above 2^53: a large id would be shown, or sent, as a
 * different one.
 */

import type { ExactInteger } from './exact-integer.ts';

declare global {
  interface JSON {
    /** Node has these; the types of the target language version do not declare them yet. */
    rawJSON(text: string): ExactInteger;
    isRawJSON(value: unknown): value is ExactInteger;
    parse(
      text: string,
      reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
    ): unknown;
  }
}

export type { ExactInteger };

/**
 * Sixteen digits outside of strings: the shortest integer that may be too large. Repeated `\d` lets V8 check only every
 * eighth character; a page of 900 KB takes 0.2 ms.
 */
const longInteger = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d(?<=(?:^|[[:,\s-])\d{16})/;

/** Like `JSON.parse`, but returns an ExactInteger for each integer that a number cannot represent. */
export function parseJson(text: string): unknown {
  return longInteger.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
}

function exactly(_name: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  return typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(source)
    ? JSON.rawJSON(source)
    : value;
}

export const isExactInteger = (value: unknown): value is ExactInteger => JSON.isRawJSON(value);

export type JsonObject = Readonly<Record<string, unknown>>;

/** An ExactInteger is an object in JavaScript, but not in JSON. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !isExactInteger(value);

/** Returns the own member of an object by a name from elsewhere; undefined for inherited ones such as `constructor`. */
export const ownMember = <T>(object: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** Returns a JSON value as text. `String` throws for an ExactInteger, and for an object with a `toString` of its own. */
export const asText = (value: unknown): string =>
  // oxlint-disable-next-line typescript/no-base-to-string -- not an object
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** Converts a bigint of another format to what `parseJson` would return. */
export function integerOf(value: bigint): number | ExactInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(String(value));
}
