/** Resumes a run of `each` with the targets and the command of its journal. */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../cli/errors.ts';
import { type KnownFlags, typedParts } from '../../cli/input/flag-words.ts';
import { commonFlags } from '../../cli/input/flags.ts';
import { maskedLine, maskedWords } from '../../cli/input/masked-words.ts';
import { type PrintedLine, printedLine, wordsOfFlags } from '../../cli/input/printed-line.ts';
import { JournalError } from '../../fleet/errors.ts';
import { inShard, parseShard } from '../../fleet/shard.ts';
import { secretMask } from '../../json/secrets.ts';
import { repositoryFilterFlags } from '../repos/filters.ts';
import { type EarlierRun, ofJournal } from '../runs/earlier-run.ts';
import { eachFlags } from './flags.ts';
import type { Target } from './targets.ts';
import type { TypedWords } from './words.ts';

/** The flags that, with the arguments, select the targets. */
const selecting = ['from', 'where', 'all-installations', ...Object.keys(repositoryFilterFlags)];

/**
 * Returns the words of a run that continues, with the command of its journal unless it is given again. Throws JournalError for
 * other targets or another command than those of the journal, and for a command that the journal has only with masks.
 */
export function resumedWords(earlier: EarlierRun, { own, inner }: TypedWords, declared: KnownFlags): TypedWords {
  const { path, state } = earlier;
  const { line = [], command = [], masked = [] } = state.header;
  requireSameSelection(earlier, own, declared);
  const words = (given: readonly string[]) => wordsOfFlags(given, declared, ['replace']);
  if (words(own).length) requireSameLine(path, words(line), words(own));
  const again = [...own, ...(words(own).length ? [] : words(line)), ...switchesOf(line, own, declared)];
  if (inner.length === 0 && masked.length)
    throw new JournalError(
      `${path} contains ${masked.join(' and ')} only as ${secretMask}. Specify the command again. Nothing was sent.`,
      printedLine('Continue with', continuing({ command: ['forgectl', 'each'], given: own, declared }, path, command)),
    );
  return { own: again, inner: inner.length ? inner : command };
}

/** Returns the switches of the earlier run that concern all of its targets. */
function switchesOf(line: readonly string[], own: readonly string[], declared: KnownFlags): readonly string[] {
  const names = ['all-installations'];
  return wordsOfFlags(own, declared, names).length ? [] : wordsOfFlags(line, declared, names);
}

/** Compares a selection as words. One with --from is compared by the targets that are read. */
function requireSameSelection({ path, state }: EarlierRun, own: readonly string[], declared: KnownFlags): void {
  const given = selectionIn(own, declared);
  if (given.length === 0 || wordsOfFlags(own, declared, ['from']).length) return;
  requireSameLine(path, selectionIn(state.header.line ?? [], declared), given);
}

function selectionIn(words: readonly string[], declared: KnownFlags): readonly string[] {
  const args = typedParts(words, declared).parts.flatMap((part) => (part.flag === undefined ? part.words : []));
  return [...args, ...wordsOfFlags(words, declared, selecting)];
}

/** Compares words as the journal has them: with secrets masked, as in `--replace secret=@`. */
function requireSameLine(path: string, found: readonly string[], given: readonly string[]): void {
  if (isDeepStrictEqual(found, maskedWords(given).words)) return;
  const shown = (words: readonly string[]) => maskedLine(['each', ...words]);
  throw new JournalError(
    `${path} is the journal of another command line: ${shown(found)}, not ${shown(given)}. Nothing was sent.`,
  );
}

/**
 * Returns the targets of an earlier run. An organization whose repositories it could not list is in `unlisted` with the
 * reason why it fails again.
 */
export function targetsOfEarlier({ state }: EarlierRun, unlisted: Map<string, Error>): readonly Target[] {
  const others = [...state.targets].filter((name) => !state.hasTarget(name)).map((name) => ({ name }));
  const targets = [...state.listed, ...others];
  if (selectionIn(state.header.line ?? [], { ...commonFlags, ...eachFlags })[0] === 'repos')
    for (const { name } of targets)
      if (!name.includes('/'))
        unlisted.set(
          name,
          new UsageError(
            `The repositories of ${name} could not be listed when the run started.`,
            `Start a run for them: forgectl each repos ${name}`,
          ),
        );
  return targets;
}

/** Maximum number of names in an error. */
const mostNames = 5;

/** Throws JournalError if the targets that were read are not those of the run. */
export function requireSameTargets({ path, state }: EarlierRun, read: readonly Target[]): void {
  const shard = parseShard(state.header.shard ?? '');
  const mine = shard ? read.filter(({ name }) => inShard(name, shard)) : read;
  const names = new Set(mine.map(({ name }) => name.toLowerCase()));
  const added = mine.filter(({ name }) => !state.hasTarget(name)).map(({ name }) => name);
  const missing = state.listed.filter(({ name }) => !names.has(name.toLowerCase())).map(({ name }) => name);
  const listed = (all: readonly string[]) => [...all.slice(0, mostNames), ...(all.length > mostNames ? ['…'] : [])];
  const differences = [
    ...(added.length ? [`not in the journal: ${listed(added).join(', ')}`] : []),
    ...(missing.length ? [`only in the journal: ${listed(missing).join(', ')}`] : []),
  ];
  if (differences.length)
    throw new JournalError(
      `${path} is the journal of a run on other targets: ${differences.join('; ')}. Nothing was sent.`,
    );
}

/** Returns the command line that continues a journal; with the command only if the journal has it with masks. */
export const continuing = (
  typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>,
  path: string,
  masked?: readonly string[],
): PrintedLine => ({
  ...typed,
  withoutArgs: true,
  without: [...ofJournal, ...selecting, 'replace'],
  flags: ['--resume', path],
  ...(masked && { rest: masked }),
});

/** Returns the parts that the command line that undoes a run shares with that of the run. */
export const undoing = (typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>): PrintedLine => ({
  ...typed,
  withoutArgs: true,
  without: [...ofJournal, ...selecting, 'replace', 'expect', 'max-failures', 'only', 'yes'],
});
