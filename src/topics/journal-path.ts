/** Where a run over many targets keeps its journal unless a file is named. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import type { Runtime } from '../cli/runtime.ts';
import { whyUnwritable } from '../client/system-errors.ts';
import { stateDirectory } from '../disk/locations.ts';
import { privateDirectory } from '../disk/private-files.ts';

/** The flags of a run that its journal has elsewhere, or that name the journal. */
export const ofJournal = ['journal', 'resume', 'resume-or-start', 'shard'];

/** Returns the path of a new journal in the state directory, which is created. Throws UsageError if it cannot be used. */
export function newJournalPath({ env, terminal }: Runtime): string {
  const time = terminal
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  try {
    const directory = privateDirectory(stateDirectory(env), 'journals');
    return join(directory, `${time}-${randomBytes(4).toString('hex')}.ndjson`);
  } catch (error) {
    throw new UsageError(
      `No directory for the journal: ${whyUnwritable(error) ?? (error as Error).message}. Nothing was sent.`,
      'Name a file with --journal FILE.',
    );
  }
}
