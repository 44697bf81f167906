/** The runs over many targets that are not finished, according to the journals of a directory. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UsageError } from '../../cli/errors.ts';
import { commandLineOf, type PrintedLine } from '../../cli/input/printed-line.ts';
import { loadCommand } from '../../cli/lookup/load-command.ts';
import { fileStartsWith } from '../../disk/regular-file.ts';
import { whyUnreadable } from '../../disk/system-errors.ts';
import { JournalError } from '../../fleet/errors.ts';
import { begunRun } from '../../fleet/journal/read.ts';
import type { JournalCounts, JournalState } from '../../fleet/journal/state.ts';
import { PlanFileError } from '../../fleet/policy/errors.ts';
import { continuing as continuingEach } from '../each/resume.ts';
import { continuingJournal } from '../policy/apply/resume.ts';
import { continuing as continuingSet } from '../properties/resume.ts';
import { type Keeper, keeperOf } from './earlier-run.ts';

export interface UnfinishedRun extends JournalCounts {
  /** The path of the journal. */
  readonly path: string;
  /** When the last line was written, in ISO 8601. */
  readonly updated_at: string;
  readonly platform: string;
  /** The command that runs on each target, with secrets masked; policy apply or properties set for runs of these. */
  readonly command: readonly string[];
  /** The shard of the targets that the run covers, as I/N. Absent for all targets. */
  readonly shard?: string;
  /** The command line that continues the run. */
  readonly continue_with: string;
  /** Masked parts of the command line, which must be given again. */
  readonly masked?: readonly string[];
  /** True if the command reads standard input, which must be given again. */
  readonly stdin?: true;
}

interface UnfinishedRuns {
  /** The latest first. */
  readonly runs: readonly UnfinishedRun[];
  /** The reasons why journals, or the plans next to them, could not be read. */
  readonly problems: readonly string[];
}

/**
 * Returns the runs with targets that are not done. Files that are not journals are ignored. Throws UsageError for a directory
 * that cannot be read; `mayBeMissing` for one that is created with the first journal.
 */
export async function unfinishedRuns(
  directory: string,
  { mayBeMissing }: { readonly mayBeMissing: boolean },
): Promise<UnfinishedRuns> {
  const runs: UnfinishedRun[] = [];
  const problems: string[] = [];
  for (const path of filesIn(directory, mayBeMissing)) {
    try {
      const state = isJournal(path) ? begunRun(path) : undefined;
      const run = state && (await unfinishedRun(path, state));
      if (run) runs.push(run);
    } catch (error) {
      // Without the plan beside the journal of policy apply, no line continues its run.
      if (!(error instanceof JournalError || error instanceof PlanFileError || error instanceof UsageError))
        throw error;
      problems.push(error.message);
    }
  }
  return { runs: runs.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)), problems };
}

function filesIn(directory: string, mayBeMissing: boolean): readonly string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => join(directory, name));
  } catch (error) {
    if (mayBeMissing && (error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw new UsageError(`Cannot read ${directory}: ${whyUnreadable(error) ?? (error as Error).message}.`);
  }
}

const isJournal = (path: string): boolean => fileStartsWith(path, '{"journal":');

async function unfinishedRun(path: string, state: JournalState): Promise<UnfinishedRun | undefined> {
  const counts = state.counts();
  if (counts.failed + counts.unknown + counts.open === 0) return undefined;
  const { platform, command = [], shard, masked, stdin } = state.header;
  const keeper = keeperOf(state.header);
  const { text } = commandLineOf(await lines[keeper](path, state));
  return {
    path,
    updated_at: statSync(path).mtime.toISOString(),
    platform,
    command: keeper === 'each' ? command : keeper.split(' '),
    ...(shard !== undefined && { shard }),
    ...counts,
    continue_with: text,
    ...(masked && { masked }),
    ...(stdin && { stdin }),
  };
}

/** Return the command lines that continue runs. */
const lines: Readonly<Record<Keeper, (path: string, state: JournalState) => Promise<PrintedLine>>> = {
  each: eachLine,
  'policy apply': applyLine,
  'properties set': async (path, { header: { line, masked } }) =>
    continuingSet(await typed('properties:set', line), path, masked),
};

async function eachLine(path: string, { header }: JournalState): Promise<PrintedLine> {
  const masked = header.masked?.length ? header.command : undefined;
  return continuingEach(await typed('each', header.line), path, masked);
}

/** Returns the command line that continues a run of policy apply. */
export async function applyLine(path: string, state: JournalState): Promise<PrintedLine> {
  return continuingJournal(await typed('policy:apply', state.header.line), path, state);
}

/** Returns a command line as it was typed, with the flags that its command declares. */
async function typed(id: string, line: readonly string[] = []) {
  const Command = await loadCommand(id);
  const declared = { ...Command?.baseFlags, ...Command?.flags };
  return { command: ['forgectl', ...id.split(':')], given: line, declared };
}
