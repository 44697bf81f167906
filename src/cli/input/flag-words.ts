/** The words of a command line before oclif parses them: values of flags, and words that oclif would misread. */
import { ownMember } from '../../json/exact-json.ts';
import { UsageError } from '../errors.ts';
import { maskedLine } from './masked-words.ts';

interface KnownFlag {
  readonly type: string;
  readonly char?: string | undefined;
  readonly allowNo?: boolean;
}

export type KnownFlags = Readonly<Record<string, KnownFlag>>;

/** Returns whether the words request help: not if `-h` is the value of a flag or follows `--`. */
export const requestsHelp = (words: readonly string[], flags: KnownFlags): boolean =>
  ownWords(words, flags).some(({ word }) => word === '--help' || word === '-h');

/**
 * Returns the words with `--x=true` as `--x` and `--x=false` as `--no-x`; oclif would take the value for an argument. Throws
 * UsageError for any other value, for one that a flag without a `--no-` form cannot have, and for both forms of a flag.
 * `id` is the command's, with colons.
 */
export function withoutBooleanValues(words: readonly string[], flags: KnownFlags, id: string): string[] {
  const normalized = [...words];
  for (const { word, at } of ownWords(words, flags)) {
    const [, fields] = /^--json=((?!true$|false$).+)$/.exec(word) ?? [];
    if (fields !== undefined && Object.hasOwn(flags, 'fields'))
      throw jsonTakesNoFields(fields, id, words.toSpliced(at, 1, '--json', '--fields', fields));
    normalized[at] = withoutValue(word, flags);
  }
  const given = new Set(ownWords(normalized, flags).map(({ word }) => word));
  const contradicted = Object.keys(flags).find((name) => given.has(`--${name}`) && given.has(`--no-${name}`));
  if (contradicted !== undefined)
    throw new UsageError(`--${contradicted} and --no-${contradicted} cannot be used together. Nothing was sent.`);
  return normalized;
}

function withoutValue(word: string, flags: KnownFlags): string {
  const [, name = '', value = ''] = /^--([a-z0-9-]+)=(.*)$/s.exec(word) ?? [];
  const flag = ownMember(flags, name);
  if (flag?.type !== 'boolean') return word;
  if (value === 'true') return `--${name}`;
  if (value === 'false' && flag.allowNo) return `--no-${name}`;
  throw new UsageError(
    `--${name} takes no value${flag.allowNo ? `; use --${name} or --no-${name}` : ''}. Nothing was sent.`,
  );
}

/** Returns the error for fields after --json, which gh accepts; `corrected` is the intended command line. */
export const jsonTakesNoFields = (fields: string, id: string, corrected: readonly string[]): UsageError =>
  new UsageError(`--json takes no value: use --fields for “${fields}”.`, didYouMeanLine(id, corrected));

/** Returns advice that ends with the corrected line. */
export const didYouMeanLine = (id: string, words: readonly string[]): string =>
  `Did you mean:\n  ${maskedLine(['forgectl', ...id.split(':'), ...words])}`;

/** Returns the words up to `--` that are not values of flags. */
export const ownWords = (
  words: readonly string[],
  flags: KnownFlags,
): { readonly word: string; readonly at: number }[] =>
  typedParts(words, flags).parts.map(({ words: [word = ''], at }) => ({ word, at }));

/** A flag with its value, or an argument, as typed. */
interface TypedPart {
  /** The name of a declared flag. */
  readonly flag: string | undefined;
  readonly words: readonly string[];
  readonly at: number;
}

interface TypedParts {
  readonly parts: readonly TypedPart[];
  /** What follows `--`; undefined without one. */
  readonly rest: readonly string[] | undefined;
}

/** Returns the flags and arguments that words consist of. */
export function typedParts(words: readonly string[], flags: KnownFlags): TypedParts {
  const parts: TypedPart[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') return { parts, rest: words.slice(at + 1) };
    const flag = nameOf(word, flags);
    // The value may be in the same word, as in --name=value.
    const isSplit =
      flag !== undefined && flags[flag]?.type === 'option' && (word === `--${flag}` || /^-[^-]$/s.test(word));
    parts.push({ flag, words: words.slice(at, isSplit ? at + 2 : at + 1), at });
    if (isSplit) at++;
  }
  return { parts, rest: undefined };
}

/** Returns the name of the flag that a word gives, also as `--name=value`, `--no-name` and by its short name. */
function nameOf(word: string, flags: KnownFlags): string | undefined {
  const [, name = ''] = /^--([^=]+)/.exec(word) ?? [];
  if (Object.hasOwn(flags, name)) return name;
  const positive = name.replace(/^no-/, '');
  if (ownMember(flags, positive)?.allowNo) return positive;
  const [, char] = /^-([^-])/s.exec(word) ?? [];
  return char === undefined ? undefined : Object.keys(flags).find((each) => flags[each]?.char === char);
}
