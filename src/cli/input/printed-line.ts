/** The command lines that a run prints to be run later: to continue it, to undo it, or to repeat it without prompts. */
import { secretMask } from '../../json/secrets.ts';
import { type KnownFlags, typedParts } from './flag-words.ts';
import { maskedWords } from './masked-words.ts';
import { completedCommandLine } from './prompts/command-line.ts';

/** A command line as typed, and how the printed one differs. */
export interface PrintedLine {
  /** The words of the command, such as forgectl policy apply. */
  readonly command: readonly string[];
  /** The words after the command, as typed. */
  readonly given: readonly string[];
  readonly declared: KnownFlags;
  /** The names of omitted flags. */
  readonly without?: readonly string[];
  /** Omits all arguments, and everything after `--`. */
  readonly withoutArgs?: boolean;
  /** Arguments and flags that are added. */
  readonly args?: readonly string[];
  readonly flags?: readonly string[];
  /** What follows `--` in place of what was typed. */
  readonly rest?: readonly string[];
  /** Masks the secrets of the run. */
  readonly mask?: (text: string) => string;
}

/**
 * Returns `LABEL:` and the command line below, quoted for a POSIX shell, with secrets masked; then the values that must
 * replace the masks.
 */
export function printedLine(label: string, line: PrintedLine): string {
  const { text, masked } = commandLineOf(line);
  const again = masked.length ? [`Replace ${secretMask} with the value of ${masked.join(' and ')}.`] : [];
  return [`${label}:`, `  ${text}`, ...again].join('\n');
}

/** Returns only the command line, and its masked parts. */
export function commandLineOf(line: PrintedLine): { readonly text: string; readonly masked: readonly string[] } {
  const { command, given, declared, without = [], withoutArgs = false, args = [], flags = [] } = line;
  const { parts, rest: typedRest } = typedParts(given, declared);
  const kept = parts.filter(({ flag }) => (flag === undefined ? !withoutArgs : !without.includes(flag)));
  const rest = line.rest ?? (withoutArgs ? undefined : typedRest);
  const words = [...kept.flatMap((part) => part.words), ...(rest ? ['--', ...rest] : [])];
  const maskedIn = (each: readonly string[]) => maskedWords(each, line.mask);
  const [typed, ofArgs, ofFlags] = [maskedIn(words), maskedIn(args), maskedIn(flags)];
  return {
    text: completedCommandLine(command, typed.words, { args: ofArgs.words, flags: ofFlags.words }),
    masked: [...new Set([typed, ofArgs, ofFlags].flatMap(({ masked }) => masked))],
  };
}

/** Returns the words of some flags, in the order of their names, with their values in words of their own. */
export function wordsOfFlags(given: readonly string[], declared: KnownFlags, names: readonly string[]): string[] {
  const { parts } = typedParts(given, declared);
  const wordsOf = (name: string) => parts.flatMap(({ flag, words }) => (flag === name ? splitValue(words) : []));
  return names.flatMap(wordsOf);
}

function splitValue([word = '', ...rest]: readonly string[]): readonly string[] {
  const [, name, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
  return name === undefined || value === undefined ? [word, ...rest] : [name, value];
}

/** Returns the words without some flags, and without what follows `--`, if any. */
export function wordsWithoutFlags(given: readonly string[], declared: KnownFlags, names: readonly string[]): string[] {
  const { parts } = typedParts(given, declared);
  return parts.flatMap(({ flag, words }) => (flag !== undefined && names.includes(flag) ? [] : words));
}
