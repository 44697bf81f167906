/** Files that commands write in one go. */
import { writeFile } from 'node:fs/promises';
import { UsageError } from '../cli/errors.ts';
import { FileError } from '../client/errors.ts';
import { isDiskFailure, whyUnwritable } from '../client/system-errors.ts';

/** Writes a file, and replaces an existing one only if `force` is true. Throws UsageError, and FileError for a full disk. */
export async function writeNewFile(file: string, text: string, force: boolean): Promise<void> {
  try {
    await writeFile(file, text, { flag: force ? 'w' : 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST')
      throw new UsageError(`${file} already exists.`, 'Replace it with --force, or choose another file with --file.');
    const message = `Cannot write ${file}: ${whyUnwritable(error) ?? (error as Error).message}.`;
    throw isDiskFailure(error) ? new FileError(message, { cause: error }) : new UsageError(message);
  }
}
