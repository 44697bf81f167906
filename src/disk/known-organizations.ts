/**
 * The organizations that commands have used, for completion: a text file beside the settings, which the scripts of
 * shells read without starting Node. It is not in the cache, because others may place files there, and scripts cannot
 * authenticate them.
 */
import { join } from 'node:path';
import { settingsDirectory } from './locations.ts';
import { privateDirectory, readPrivateFile, realPath, writePrivateFile } from './private-files.ts';

/** Characters that no shell interprets. */
const plainLogin = /^[A-Za-z0-9][A-Za-z0-9-]{0,99}$/;

/** Maximum number of organizations; the most recent ones are kept. */
const mostKept = 1000;
const largestFile = mostKept * 101;

/** Adds logins to the file, if they are new and can be completed. Throws the system's errors, and UntrustedError. */
export function rememberOrganizations(env: NodeJS.ProcessEnv, logins: readonly string[]): void {
  const plain = logins.filter((login) => plainLogin.test(login));
  if (plain.length === 0) return;
  const file = join(privateDirectory(realPath(settingsDirectory(env))), 'organizations');
  const known = namesIn(file);
  const all = [...new Set([...plain, ...known])].slice(0, mostKept);
  if (plain.some((login) => !known.includes(login))) writePrivateFile(file, Buffer.from(`${all.join('\n')}\n`));
}

function namesIn(file: string): readonly string[] {
  try {
    const lines = readPrivateFile(file, largestFile).toString('utf8').split('\n');
    return lines.filter((line) => plainLogin.test(line));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
