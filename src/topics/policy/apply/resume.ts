/** A run of `policy apply` that continues an earlier one from its journal, and the command line that does. */
import { UsageError } from '../../../cli/errors.ts';
import type { KnownFlags } from '../../../cli/input/flag-words.ts';
import { type PrintedLine, wordsOfFlags } from '../../../cli/input/printed-line.ts';
import { shellLine } from '../../../cli/input/prompts/command-line.ts';
import { JournalError } from '../../../fleet/errors.ts';
import { requireSame } from '../../../fleet/journal/journal.ts';
import type { JournalState } from '../../../fleet/journal/state.ts';
import { stepsLeft } from '../../../fleet/policy/applying/apply.ts';
import { phasesOf, type Task } from '../../../fleet/policy/applying/phases.ts';
import { isStep, type Step } from '../../../fleet/policy/live/change.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { type EarlierRun, earlierRun, ofJournal } from '../../runs/earlier-run.ts';
import { shardFlagNames } from '../../runs/shard-flag.ts';
import { type ApplyFlags, extentFlags } from './flags.ts';
import { secretNames } from './guards.ts';
import { planBeside } from './saved-plan.ts';

/** Returns the run to continue; undefined for one to start. Throws JournalError, and UsageError for paths beside `--resume`. */
export function earlierApply(flags: ApplyFlags, paths: readonly string[]): EarlierRun | undefined {
  if (flags.resume !== undefined && paths.length)
    throw new UsageError('--resume takes the plan beside the journal, so no paths can be given. Nothing was sent.');
  return earlierRun(flags, 'policy apply');
}

/**
 * Returns the flags of the earlier run that decide which changes it makes, as words. Throws JournalError if others are given:
 * a run that continues makes the same changes.
 */
export function extentWords({ path, state }: EarlierRun, given: readonly string[], declared: KnownFlags): string[] {
  const { line = [], shard } = state.header;
  const earlier = wordsOfFlags(line, declared, extentFlags);
  const words = wordsOfFlags(given, declared, extentFlags);
  if (words.length && words.join('\0') !== earlier.join('\0'))
    throw new JournalError(
      `${path} is the journal of another command line: ${lineWith(earlier)}, not ${lineWith(words)}. Nothing was sent.`,
    );
  const ofShard = shard === undefined || wordsOfFlags(given, declared, shardFlagNames).length ? [] : ['--shard', shard];
  return [...(words.length ? [] : earlier), ...ofShard];
}

/** Throws JournalError if the plan beside a journal is not that of its run. */
export function requireSamePlan({ path, state }: EarlierRun, { platform, digest }: SavedPlan): void {
  requireSame(path, state.header, { ...state.header, platform, plan: digest });
}

const lineWith = (words: readonly string[]): string => shellLine(['policy', 'apply', ...words]);

/** Returns the tasks that a run has left to do, with their steps that are not done. */
export function tasksLeft(
  steps: readonly Step[],
  state: JournalState | undefined,
  only: ApplyFlags['only'],
): readonly Task[] {
  const tasks = phasesOf(steps).flat();
  if (!state) return tasks;
  return tasks.flatMap((task) => {
    const left = stepsLeft(task, state.find(task.name), only);
    return left.length ? [{ ...task, steps: left }] : [];
  });
}

interface Continued {
  /** The journal. */
  readonly path: string;
  /** The variables and files of secrets, which scripts must allow. */
  readonly secrets?: readonly string[];
  /** Makes the changes that `--limit` has left, too. */
  readonly isUnlimited?: boolean;
}

/** The flags that only start a run, or are given again. */
const notAgain = [...ofJournal, 'organization', 'yes'];

/** Returns the command line that continues a run that was typed. */
export function continuing(typed: PrintedLine, { path, secrets = [], isUnlimited = false }: Continued): PrintedLine {
  const ofSecrets = secrets.length ? ['--allow-secret', secrets.join(',')] : [];
  return {
    ...typed,
    withoutArgs: true,
    without: [...notAgain, ...(secrets.length ? ['allow-secret'] : []), ...(isUnlimited ? ['limit'] : [])],
    flags: [...ofSecrets, '--resume', path, '--yes'],
  };
}

/** Returns the command line that continues the run of a journal, as a run prints it. Throws as `planBeside` does. */
export function continuingJournal(typed: PrintedLine, path: string, state: JournalState): PrintedLine {
  const { given, declared } = typed;
  const rotates = wordsOfFlags(given, declared, ['rotate-secrets', 'rotate-secret']).length > 0;
  const sending = planBeside(path).changes.filter((change) => rotates || isStep(change));
  const [, limit] = wordsOfFlags(given, declared, ['limit']);
  const isUnlimited = limit !== undefined && isLimitDone(state, Number(limit));
  return continuing(typed, { path, secrets: secretNames(sending), isUnlimited });
}

/** Returns whether a run has made the changes of its first repositories, or was continued without a limit. */
function isLimitDone(state: JournalState, limit: number): boolean {
  const begun = [...state.targets];
  const repositories = begun.filter((name) => /^[^ ]+\/[^ ]+$/.test(name)).length;
  return repositories > limit || (repositories === limit && begun.every((name) => state.find(name)?.outcome === 'ok'));
}
