/** Notices for files with secrets that other users can access. */
import { accessSync, constants, type Stats, statSync } from 'node:fs';

/**
 * Returns the notice for a file with `contents` that is not limited to its owner; undefined otherwise, on Windows, and for
 * files that the user cannot change: containers mount secrets read-only and for all their users.
 */
export function exposureNotice(file: string, contents: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  const mode = (found?.mode ?? 0) & 0o777;
  if (!found?.isFile() || (mode & 0o077) === 0 || isProvided(file, found)) return undefined;
  return `Other users can access ${contents} in ${file} (mode ${mode.toString(8)}). Limit it to yourself: chmod 600 ${file}`;
}

/** Returns whether a file belongs to root, but not the user, or is on a read-only file system; true on Windows. */
function isProvided(file: string, { uid }: Stats): boolean {
  const user = process.geteuid?.();
  if (user === undefined || (uid === 0 && user !== 0)) return true;
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EROFS';
  }
}
