/** The words of `each` as typed: its own, and those of its command after the first `--`. */
import { UsageError } from '../../cli/errors.ts';
import { isStdin } from '../../cli/input/file-flags.ts';
import { maskedWords } from '../../cli/input/masked-words.ts';
import { secretMask } from '../../json/secrets.ts';

export interface TypedWords {
  readonly own: readonly string[];
  readonly inner: readonly string[];
}

/** Splits words at the first `--`. oclif keeps only those that it has parsed. */
export function splitWords(words: readonly string[]): TypedWords {
  const end = words.indexOf('--');
  return end === -1 ? { own: words, inner: [] } : { own: words.slice(0, end), inner: words.slice(end + 1) };
}

/** Throws UsageError for a command line with masks in place of secrets, such as one that a journal shows. */
export function requireUnmasked(words: readonly string[]): void {
  const copied = words.filter((word) => word.includes(secretMask));
  const { masked } = maskedWords(
    words.filter((word, at) => copied.includes(word) || copied.includes(words[at + 1] ?? '')),
  );
  if (masked.length)
    throw new UsageError(`Replace ${secretMask} with the value of ${masked.join(' and ')}. Nothing was sent.`);
}

/** Returns whether a command reads standard input, as far as its arguments show: `-`, `@/dev/stdin`, `--secret-stdin`. */
export const readsStdin = (words: readonly string[]): boolean =>
  words.some((word) => /^--[a-z-]+-stdin$/.test(word) || sourcesIn(word).some(isStdin));

/** Returns what may be a file: the word, and what follows each `=` and `@`, which the name of a file may contain, too. */
const sourcesIn = (word: string): string[] =>
  Array.from(word.matchAll(/^|[=@]/g), ({ index, 0: sign }) => word.slice(index + sign.length));
