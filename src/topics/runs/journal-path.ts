/** The default place of the journal of a run over many targets. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { UsageError } from '../../cli/errors.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { stateDirectory } from '../../disk/locations.ts';
import { privateDirectory } from '../../disk/private-files.ts';
import { whyUnwritable } from '../../disk/system-errors.ts';

const folder = 'journals';

/** Returns the default directory of journals, which may not exist. */
export const journalsDirectory = ({ env }: Pick<Runtime, 'env'>): string => join(stateDirectory(env), folder);

/** Returns the path of a new journal in the state directory, which is created. Throws UsageError if it cannot be used. */
export function newJournalPath({ env, terminal }: Runtime): string {
  const time = terminal
    .now()
    .toISOString()
    .replace(/[-:]|\.\d+/g, '');
  try {
    const directory = privateDirectory(stateDirectory(env), folder);
    return join(directory, `${time}-${randomBytes(4).toString('hex')}.ndjson`);
  } catch (error) {
    throw new UsageError(
      `Cannot create a journal: ${whyUnwritable(error) ?? (error as Error).message}. Nothing was sent.`,
      'Specify a file with --journal FILE.',
    );
  }
}
