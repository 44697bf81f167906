/** Files that commands write in one go. */
import { UsageError } from '../cli/errors.ts';
import { FileError } from '../client/errors.ts';
import { ObstacleError } from '../disk/directory.ts';
import { alreadyExists, requireOutputFile, writeOutputFile } from '../disk/output-file.ts';
import { isDiskFailure, whyUnwritable } from '../disk/system-errors.ts';

export interface NewFile {
  /** The flag with the name of the file. */
  readonly flag: string;
  /** Only its owner can read it. */
  readonly isPrivate: boolean;
}

const shared: NewFile = { flag: '--file', isPrivate: false };

/** Writes a file, and replaces an existing one only if `force` is true. Throws UsageError, and FileError for a full disk. */
export function writeNewFile(
  file: string,
  text: string | Iterable<string>,
  force: boolean,
  { flag, isPrivate }: NewFile = shared,
): void {
  try {
    writeOutputFile(file, text, { replace: force, isPrivate });
  } catch (error) {
    throw notNew(error, flag) ?? unwritable(file, error);
  }
}

/** Throws UsageError if `writeNewFile` certainly cannot write a file, for a message before any request. */
export function requireNewFile(file: string, force: boolean, { flag }: NewFile): void {
  if (file === '-')
    throw new UsageError(
      `${flag} does not write to standard output. Nothing was sent.`,
      'Name a file, or use /dev/stdout.',
    );
  try {
    requireOutputFile(file, { replace: force });
  } catch (error) {
    throw (
      notNew(error, flag) ?? new UsageError(`Cannot write ${file}: ${whyNotWritten(file, error)}. Nothing was sent.`)
    );
  }
}

/** Returns whether a file was not written because it exists. */
const isTaken = (error: unknown): error is ObstacleError =>
  error instanceof ObstacleError && error.obstacle === alreadyExists;

/** Returns the error for a file that exists. */
const notNew = (error: unknown, flag: string): UsageError | undefined =>
  isTaken(error)
    ? new UsageError(`${error.message}.`, `Replace it with --force, or choose another file with ${flag}.`)
    : undefined;

/** Returns the error for a file that could not be written: FileError if the disk is full or failing, else UsageError. */
export function unwritable(file: string, error: unknown): Error {
  const message = `Cannot write ${file}: ${whyNotWritten(file, error)}.`;
  return isDiskFailure(error) ? new FileError(message, { cause: error }) : new UsageError(message);
}

/** Returns the error for a file below a folder that could not be written. */
export const unwritableBelow = (file: string, error: unknown): Error =>
  isTaken(error)
    ? new UsageError(`${file} already exists.`, 'Replace it with --force, or choose another folder.')
    : unwritable(file, error);

/** Returns why a file was not or cannot be written. */
export function whyNotWritten(file: string, error: unknown): string {
  if (error instanceof ObstacleError) return error.path === file ? `it ${error.obstacle}` : error.message;
  return whyUnwritable(error) ?? (error as Error).message;
}
