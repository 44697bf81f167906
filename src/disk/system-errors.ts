/** Describes file errors in plain words. */
import { getSystemErrorMessage } from 'node:util';

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  EISDIR: 'it is a directory',
  ELOOP: 'it is a symbolic link',
  ENAMETOOLONG: 'the name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file is too large for the file system',
  EMFILE: 'too many open files',
  EIO: 'I/O error',
};

export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** Returns the reason without the path, which may be one that only this process has. Node's own errors have positive numbers. */
const reasonOf = ({ code = '', errno, message }: NodeJS.ErrnoException): string =>
  reasons[code.replace('ERR_FS_', '')] ?? (errno === undefined ? message : getSystemErrorMessage(-Math.abs(errno)));

/** Returns whether the disk is full or failing, so that the choice of the file is not to blame. */
export const isDiskFailure = (error: unknown): boolean =>
  isSystemError(error) && ['ENOSPC', 'EDQUOT', 'EFBIG', 'EIO'].includes(error.code ?? '');

/** Returns why a file cannot be read; undefined if the error is not a system error. */
export function whyUnreadable(error: unknown): string | undefined {
  if (!isSystemError(error)) return undefined;
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'no such file';
  return reasonOf(error);
}

/** Returns why a file cannot be written; undefined if the error is not a system error. */
export function whyUnwritable(error: unknown): string | undefined {
  if (!isSystemError(error)) return undefined;
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return 'the directory does not exist';
  return reasonOf(error);
}
