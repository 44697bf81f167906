/** A run of `properties set` that continues an earlier one, and its command line. */
import { type KnownFlags, typedParts } from '../../cli/input/flag-words.ts';
import { maskedWords } from '../../cli/input/masked-words.ts';
import { type PrintedLine, printedLine, wordsOfFlags } from '../../cli/input/printed-line.ts';
import { shellLine } from '../../cli/input/prompts/command-line.ts';
import { JournalError } from '../../fleet/errors.ts';
import type { JournalTarget } from '../../fleet/journal/lines.ts';
import { secretMask } from '../../json/secrets.ts';
import { requireUnmasked } from '../each/words.ts';
import { type EarlierRun, earlierRun, ofJournal } from '../runs/earlier-run.ts';

type Typed = Pick<PrintedLine, 'command' | 'given' | 'declared'>;

/**
 * Returns the run to continue according to the arguments, whose secrets `mask` masks as the journal does; undefined for a new one.
 * Throws JournalError for a journal that is not of `properties set`, has other arguments, or has them only with masks.
 */
export function earlierSet(typed: Typed, mask: (text: string) => string): EarlierRun | undefined {
  const { given, declared } = typed;
  requireUnmasked(argsIn(given, declared));
  const [, resume] = wordsOfFlags(given, declared, ['resume']);
  const earlier = earlierRun({ resume }, 'properties set');
  if (!earlier) return undefined;
  const shown = (args: readonly string[]) => shellLine(['properties', 'set', ...args]);
  const [found, { words }] = [argsOf(earlier, declared), maskedWords(argsIn(given, declared), mask)];
  const { masked = [] } = earlier.state.header;
  if (words.length === 0 && masked.length > 0)
    throw new JournalError(
      `${earlier.path} contains ${masked.join(' and ')} only as ${secretMask}. Specify the properties again. Nothing was sent.`,
      printedLine('Continue with', continuing({ ...typed, given: [...found, ...given] }, earlier.path, masked)),
    );
  if (words.length > 0 && words.join('\0') !== found.join('\0'))
    throw new JournalError(
      `${earlier.path} is the journal of another command line: ${shown(found)}, not ${shown(words)}. Nothing was sent.`,
    );
  return earlier;
}

/** Returns the arguments, completed by those of the run to continue. */
export function resumedWords(earlier: EarlierRun | undefined, { given, declared }: Typed): string[] {
  const again = earlier && argsIn(given, declared).length === 0 ? argsOf(earlier, declared) : [];
  return [...again, ...given];
}

/** Returns the repositories of an earlier run, without their owner; for a dry run, those that are left. */
export function repositoriesOf(
  { state }: EarlierRun,
  { 'dry-run': isDryRun }: { readonly 'dry-run': boolean },
): readonly JournalTarget[] {
  const left = state.listed.filter(({ name }) => !isDryRun || state.find(name)?.outcome !== 'ok');
  return left.map((target) => ({ ...target, name: target.name.slice(target.name.indexOf('/') + 1) }));
}

/** Returns the command line that continues a journal; with its arguments only if the journal has them with masks. */
export const continuing = (typed: Typed, path: string, masked: readonly string[] = []): PrintedLine => ({
  ...typed,
  withoutArgs: masked.length === 0,
  without: ['repos', 'from', ...ofJournal],
  flags: ['--resume', path],
});

const argsOf = ({ state }: EarlierRun, declared: KnownFlags) => argsIn(state.header.line ?? [], declared);

/** Returns the words of a command line with all its arguments first, also those after `--` and those typed in answer to prompts. */
export function wordsWithAnswers({ given, declared }: Typed, answered: readonly string[]): readonly string[] {
  const flags = typedParts(given, declared).parts.flatMap(({ flag, words }) => (flag === undefined ? [] : words));
  return [...argsIn(given, declared), ...answered, ...flags];
}

/** Returns the arguments of a command line. */
export function argsIn(words: readonly string[], declared: KnownFlags): readonly string[] {
  const { parts, rest = [] } = typedParts(words, declared);
  return [...parts.flatMap(({ flag, words }) => (flag === undefined ? words : [])), ...rest];
}
