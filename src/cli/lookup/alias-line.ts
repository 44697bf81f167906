/** The command line of an alias: split into words as a POSIX shell does, with `$1` to `$9` and `$@` for its arguments. */
import { UsageError } from '../errors.ts';
import { maskedWords } from '../input/masked-words.ts';
import { shellLine } from '../input/prompts/command-line.ts';

/** Text as it is, or the place of an argument, from 1. */
type Part = string | number;
/** The parts of a word, or all arguments as a word each. */
type Word = readonly Part[] | 'all';

/** What a shell would interpret. An alias starts no shell, so it must be quoted. */
const ofShells = '|&;<>()`';

/**
 * Returns the words of an alias. Backslashes and quotes have the same meaning as in a shell; nothing is expanded in
 * single quotes. Throws UsageError.
 */
export function aliasWords(line: string): readonly Word[] {
  const words: Word[] = [];
  let parts: Part[] | undefined;
  let quote = '';
  const add = (part: Part) => {
    parts ??= [];
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  };
  const end = () => {
    if (parts) words.push(parts);
    parts = undefined;
  };
  for (let at = 0; at < line.length; at++) {
    const character = line[at] as string;
    const next = line[at + 1] ?? '';
    if (quote === "'") {
      if (character === quote) quote = '';
      else add(character);
    } else if (character === '\\' && next !== '' && (quote === '' || '"\\$'.includes(next))) {
      add(next);
      at++;
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character;
      add('');
    } else if (character === '$' && /[1-9]/.test(next)) {
      add(Number(next));
      at++;
    } else if (character === '$' && next === '@') {
      const after = line.slice(at + 2);
      const isWhole = quote === '' ? !parts && /^(\s|$)/.test(after) : isEmpty(parts) && /^"(\s|$)/.test(after);
      if (!isWhole) throw new UsageError('$@ must be a word of its own.');
      words.push('all');
      parts = undefined;
      at += quote === '' ? 1 : 2;
      quote = '';
    } else if (quote === '' && /\s/.test(character)) end();
    else if (quote === '' && (ofShells.includes(character) || (character === '$' && '({'.includes(next || ' '))))
      throw new UsageError(
        `“${character}” has no meaning, because no shell is started.`,
        'To use the character itself, put it in quotes.',
      );
    else add(character);
  }
  if (quote) throw new UsageError(`Unclosed quote: ${quote}`);
  end();
  return words;
}

const isEmpty = (parts: readonly Part[] | undefined): boolean => parts?.length === 1 && parts[0] === '';

/** Returns the words before the first argument, which name the command. */
export function fixedWords(words: readonly Word[]): readonly string[] {
  const end = words.findIndex((word) => word === 'all' || word.some((part) => typeof part === 'number'));
  return words.slice(0, end === -1 ? words.length : end).map((word) => (word as readonly string[]).join(''));
}

/**
 * Returns a command line with its arguments. Those that it does not place come last. Throws UsageError if some are
 * missing.
 */
export function withArguments(name: string, line: string, given: readonly string[]): readonly string[] {
  const words = aliasWords(line);
  const placed = words.flatMap((word) => (word === 'all' ? [] : word.filter((part) => typeof part === 'number')));
  const needed = Math.max(0, ...placed);
  if (given.length < needed)
    throw new UsageError(
      `Alias “${name}” needs ${needed === 1 ? '1 argument' : `${needed} arguments`}, but got ${given.length}: ${shownLine(line)}`,
    );
  const made = words.flatMap((word) =>
    word === 'all' ? given : [word.map((part) => (typeof part === 'number' ? given[part - 1] : part)).join('')],
  );
  return words.includes('all') ? made : [...made, ...given.slice(needed)];
}

/** Returns the line of an alias for messages, with its secrets masked. */
export function shownLine(line: string): string {
  try {
    const typed = aliasWords(line).map((word) =>
      word === 'all' ? '$@' : word.map((part) => (typeof part === 'number' ? `$${part}` : part)).join(''),
    );
    const { words, masked } = maskedWords(typed);
    return masked.length > 0 ? shellLine(words) : line;
  } catch (error) {
    // The settings may have any line.
    if (error instanceof UsageError) return 'an invalid command line';
    throw error;
  }
}
