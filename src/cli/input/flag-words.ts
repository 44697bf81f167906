/** The words of a command line before oclif parses them: values of flags, and words that oclif would misread. */
import { UsageError } from '../errors.ts';
import { shellLine } from './prompts/command-line.ts';

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
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
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
  `Did you mean:\n  ${shellLine(['forgectl', ...id.split(':'), ...words])}`;

/** Returns the words up to `--` that are not values of flags. */
export function ownWords(
  words: readonly string[],
  flags: KnownFlags,
): { readonly word: string; readonly at: number }[] {
  const own = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') break;
    own.push({ word, at });
    if (flagNamed(word, flags)?.type === 'option') at++;
  }
  return own;
}

/** Returns the flag with a long or a short name. */
function flagNamed(word: string, flags: KnownFlags): KnownFlag | undefined {
  const name = word.slice(2);
  if (word.startsWith('--')) return Object.hasOwn(flags, name) ? flags[name] : undefined;
  return /^-.$/s.test(word) ? Object.values(flags).find(({ char }) => char === word[1]) : undefined;
}
