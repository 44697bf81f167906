/** Reads files that somebody else may have chosen or placed. Reads only regular files, up to a size limit. */
import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { hasDescriptors } from './directory.ts';

/** A file that must not be read. The message is the reason, worded to follow its path. */
export class UnsuitableFileError extends Error {}

const chunkBytes = 1024 * 1024;

/**
 * Reads a regular file of at most `maxBytes`. Opens no other kind of file: pipes block, and devices may never end. Throws
 * UnsuitableFileError and the system's errors.
 *
 * @param check receives the path of the opened file without links, on Linux: another process may have replaced the file
 */
export function readRegularFile(path: string, maxBytes: number, check?: (real: string) => void): Buffer {
  return withRegularFile(path, (descriptor) => {
    if (check && hasDescriptors) check(readlinkSync(`/proc/self/fd/${descriptor}`));
    return readUpTo(descriptor, maxBytes);
  });
}

/** Returns whether a file begins with a text; false for what is not a regular file, or cannot be read. */
export function fileStartsWith(path: string, text: string): boolean {
  const expected = Buffer.from(text);
  try {
    return withRegularFile(path, (descriptor) => {
      const bytes = Buffer.alloc(expected.length);
      return readSync(descriptor, bytes) === expected.length && bytes.equals(expected);
    });
  } catch {
    return false;
  }
}

function withRegularFile<T>(path: string, work: (descriptor: number) => T): T {
  const descriptor = openRegularFile(path);
  try {
    return work(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Returns the descriptor of a file that is open for reading. Throws like `readRegularFile`. */
export function openRegularFile(path: string): number {
  requireRegular(statSync(path));
  // Opening must not block if the file has been replaced by a pipe. Windows has no such flag.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    requireRegular(fstatSync(descriptor));
    return descriptor;
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
}

/** Reads such a file only if it lies below a directory once all links are resolved. Throws like `readRegularFile`. */
export function readRegularFileBelow(directory: string, path: string, maxBytes: number): Buffer {
  const root = realpathSync.native(directory);
  const requireBelow = (real: string) => {
    if (isBelow(real, root)) return;
    throw new UnsuitableFileError(
      `resolves to a file outside of ${directory === '.' ? 'the current folder' : directory}`,
    );
  };
  const real = realpathSync.native(path);
  requireBelow(real);
  return readRegularFile(real, maxBytes, requireBelow);
}

/** Returns whether a path is that of a directory or lies below it. Resolves no links. */
export function isBelow(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Reading a directory fails by itself. */
function requireRegular(found: Stats): void {
  if (!found.isFile() && !found.isDirectory()) throw new UnsuitableFileError('is not a regular file');
}

/** A file may grow, and those of /proc have no size. */
function readUpTo(descriptor: number, maxBytes: number): Buffer {
  const chunks: Buffer[] = [];
  for (let bytes = 0; ; ) {
    const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, maxBytes + 1));
    const length = readSync(descriptor, chunk);
    if (length === 0) return Buffer.concat(chunks);
    bytes += length;
    if (bytes > maxBytes) throw new UnsuitableFileError(`is larger than ${sizeText(maxBytes)}`);
    chunks.push(chunk.subarray(0, length));
  }
}

/** `64 KiB`, for whole ones only. */
export const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
