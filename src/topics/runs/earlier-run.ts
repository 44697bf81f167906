/** The run that `--resume` continues, read from its journal. */
import { JournalError } from '../../fleet/errors.ts';
import type { JournalHeader } from '../../fleet/journal/lines.ts';
import { begunRun, requireBegunRun } from '../../fleet/journal/read.ts';
import type { JournalState } from '../../fleet/journal/state.ts';
import { shardFlagNames } from './shard-flag.ts';

export interface EarlierRun {
  readonly path: string;
  readonly state: JournalState;
}

export interface ResumeFlags {
  readonly resume?: string | undefined;
  readonly 'resume-or-start'?: string | undefined;
}

/** The commands that keep journals. */
export type Keeper = 'each' | 'policy apply' | 'properties set';

/** Returns the command that keeps a journal. */
export const keeperOf = ({ kept_by, plan }: JournalHeader): Keeper =>
  kept_by ?? (plan === undefined ? 'each' : 'policy apply');

/**
 * Returns the run of a command to continue; undefined for one to start. Throws JournalError, also for the journal of another
 * command, and if the file of `--resume` contains no run.
 */
export function earlierRun({ resume, 'resume-or-start': start }: ResumeFlags, keeper: Keeper): EarlierRun | undefined {
  const path = resume ?? start;
  if (path === undefined) return undefined;
  const state = resume === undefined ? begunRun(path) : requireBegunRun(path);
  const found = state && keeperOf(state.header);
  if (found && found !== keeper)
    throw new JournalError(`${path} is the journal of a run of ${found}, not of ${keeper}. Nothing was sent.`);
  return state && { path, state };
}

/** The flags of a run that select its journal, or that the journal records elsewhere. */
export const ofJournal = ['journal', 'resume', 'resume-or-start', ...shardFlagNames];
