/** Notices for files with secrets that other users can access. */
import { statSync } from 'node:fs';

/**
 * Returns the notice for a file with `contents` that is not limited to its owner; undefined otherwise, and on Windows.
 */
export function exposureNotice(file: string, contents: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  const mode = (found?.mode ?? 0) & 0o777;
  if (!found?.isFile() || process.geteuid === undefined || (mode & 0o077) === 0) return undefined;
  return `Other users can access ${contents} in ${file} (mode ${mode.toString(8)}). Limit it to yourself: chmod 600 ${file}`;
}
