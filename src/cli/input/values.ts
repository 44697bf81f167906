/** Parses text from arguments, flags and settings. All functions throw BadValue. */
import { didYouMean } from '../../platform/suggest.ts';

/** The problem with a value, worded to follow its name. */
export class BadValue extends Error {}

/** One of a fixed set of words. */
export const oneOf =
  <const W extends string>(words: readonly W[]) =>
  (text: string): W => {
    const word = words.find((known) => known === text);
    if (word === undefined) throw new BadValue(`${mustBe(words)}${didYouMean(text, words)}`);
    return word;
  };

const mustBe = (words: readonly string[]) => `must be ${words.length > 1 ? 'one of ' : ''}${words.join(', ')}`;

/** Returns the problem with a number that would be sent as a different one. */
const tooLarge = `is larger than ${Number.MAX_SAFE_INTEGER}`;

/** Any whole number that can be sent exactly. */
export function exactInteger(text: string): number {
  if (!/^-?\d+$/.test(text.trim())) throw new BadValue(`must be a whole number, not “${text}”`);
  const value = Number(text);
  if (value > Number.MAX_SAFE_INTEGER) throw new BadValue(tooLarge);
  if (value < Number.MIN_SAFE_INTEGER) throw new BadValue(`is less than ${Number.MIN_SAFE_INTEGER}`);
  return value;
}

/** A whole number within limits, both inclusive. */
export const wholeNumber =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (text: string) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value > Number.MAX_SAFE_INTEGER) throw new BadValue(tooLarge);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new BadValue(
        most === Number.MAX_SAFE_INTEGER
          ? `must be a whole number, at least ${least}`
          : `must be a whole number from ${least} to ${most}`,
      );
    return value;
  };

/** Text that is not empty. */
export function filledText(text: string): string {
  if (text === '') throw new BadValue('is empty');
  return text;
}

/** A name that becomes one segment of a path. */
export function segment(text: string): string {
  nonEmpty(text);
  if (text === '.' || text === '..') throw new BadValue('must be a name, not a relative path');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
  if (/[\u0000-\u001f\u007f]/.test(text)) throw new BadValue('must not contain control characters');
  return text;
}

/** Any text that is not blank. */
export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new BadValue('must not be empty');
  return text;
}

/** Comma-separated names, at least one. */
export function listOfNames(text: string): string[] {
  return nonEmpty(text)
    .split(',')
    .map((name) => nonEmpty(name).trim());
}

/** A login or a slug: a name without slashes and spaces. */
export function plainName(text: string): string {
  if (text.includes('/')) throw new BadValue('must be a single name, without a slash');
  segment(text);
  if (/\s/.test(text)) throw new BadValue('must be a single name, without spaces');
  return text;
}
