/** The run that `--resume` continues: its journal has what to do. */
import { begunRun, requireBegunRun } from '../../fleet/journal/read.ts';
import type { JournalState } from '../../fleet/journal/state.ts';

export interface EarlierRun {
  /** The path of its journal. */
  readonly path: string;
  readonly state: JournalState;
}

export interface ResumeFlags {
  readonly resume?: string | undefined;
  readonly 'resume-or-start'?: string | undefined;
}

/** Returns the run to continue; undefined for one to start. Throws JournalError, also if the file of `--resume` is not a run. */
export function earlierRun({ resume, 'resume-or-start': start }: ResumeFlags): EarlierRun | undefined {
  const path = resume ?? start;
  if (path === undefined) return undefined;
  const state = resume === undefined ? begunRun(path) : requireBegunRun(path);
  return state && { path, state };
}

/** The flags of a run that its journal has elsewhere, or that name the journal. */
export const ofJournal = ['journal', 'resume', 'resume-or-start', 'shard'];
