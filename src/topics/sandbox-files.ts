/** The files of `sandbox serve`: the key that it writes, and the logins that it reads. */
import { mkdtemp, rmdir, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { UsageError } from '../cli/errors.ts';
import { largestYaml, readSource } from '../cli/input/sources.ts';
import type { Runtime } from '../cli/runtime.ts';
import { FileError } from '../client/errors.ts';
import { whyUnwritable } from '../disk/system-errors.ts';

/** Writes the private key of the app to a file in a new directory, and returns its path. Throws FileError. */
export async function writeKey(key: string): Promise<string> {
  let file: string | undefined;
  try {
    file = join(await mkdtemp(join(tmpdir(), 'forgectl-sandbox-')), 'app.private-key.pem');
    await writeFile(file, key, { mode: 0o600, flag: 'wx' });
    return file;
  } catch (error) {
    if (file !== undefined) await removeKey(file);
    throw new FileError(
      `Cannot write the private key of the app in ${tmpdir()}: ${whyUnwritable(error) ?? (error as Error).message}.`,
      { cause: error, advice: 'Choose another directory for temporary files with TMPDIR.' },
    );
  }
}

/** Removes such a file and its directory, and nothing that somebody else has put in their place meanwhile. */
export async function removeKey(file: string): Promise<void> {
  await unlink(file).catch(() => {});
  await rmdir(dirname(file)).catch(() => {});
}

/**
 * Returns the logins in a file, or in standard input (`-`), and the teams and apps, as `team:SLUG` and `app:SLUG`. Throws
 * UsageError for anything else.
 */
export async function loginsIn(file: string, { stdin }: Pick<Runtime, 'stdin'>): Promise<readonly string[]> {
  const lines = (await readSource(file, stdin, '--known-logins', largestYaml))
    .split(/\r?\n/)
    .map((line) => line.trim());
  const logins = lines.filter((line) => line !== '');
  const wrong = lines.findIndex((line) => line !== '' && !/^(?:(?:team|app):)?[A-Za-z\d][\w-]*$/.test(line));
  if (wrong !== -1) throw new UsageError(`${file}:${wrong + 1} is not a login, team:SLUG or app:SLUG.`);
  return logins;
}
