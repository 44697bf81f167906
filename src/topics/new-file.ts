/** Files that commands write in one go. */
import { UsageError } from '../cli/errors.ts';
import { FileError } from '../client/errors.ts';
import { ObstacleError } from '../disk/directory.ts';
import { alreadyExists, writeOutputFile } from '../disk/output-file.ts';
import { isDiskFailure, whyUnwritable } from '../disk/system-errors.ts';

/** Writes a file, and replaces an existing one only if `force` is true. Throws UsageError, and FileError for a full disk. */
export function writeNewFile(file: string, text: string | Iterable<string>, force: boolean): void {
  try {
    writeOutputFile(file, text, { replace: force, isPrivate: false });
  } catch (error) {
    if (error instanceof ObstacleError && error.obstacle === alreadyExists)
      throw new UsageError(`${error.message}.`, 'Replace it with --force, or choose another file with --file.');
    throw unwritable(file, error);
  }
}

/** Returns the error for a file that could not be written: FileError if the disk is full or failing, else UsageError. */
export function unwritable(file: string, error: unknown): Error {
  const message = `Cannot write ${file}: ${whyNotWritten(file, error)}.`;
  return isDiskFailure(error) ? new FileError(message, { cause: error }) : new UsageError(message);
}

/** Returns why a file was not or cannot be written. */
export function whyNotWritten(file: string, error: unknown): string {
  if (error instanceof ObstacleError) return error.path === file ? `it ${error.obstacle}` : error.message;
  return whyUnwritable(error) ?? (error as Error).message;
}
