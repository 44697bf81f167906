/** Reads files that somebody else may have chosen or placed: only regular ones, and never more than a limit. */
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

/** A file that is not read. The message says why, worded to follow its path. */
export class UnsuitableFileError extends Error {
  override readonly name = 'UnsuitableFileError';
}

const chunkBytes = 1024 * 1024;

/**
 * Reads a regular file of at most `maxBytes`. Opens no other kind of file: pipes block, and devices may never end. Throws
 * UnsuitableFileError and the system's errors.
 */
export function readRegularFile(path: string, maxBytes: number): Buffer {
  requireRegular(statSync(path));
  // If it has been replaced by a pipe since, opening must not block. Windows has no such flag.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants;
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    requireRegular(fstatSync(descriptor));
    return readUpTo(descriptor, maxBytes);
  } finally {
    closeSync(descriptor);
  }
}

/** Reads such a file only if it lies below a directory once all links are resolved. Throws like `readRegularFile`. */
export function readRegularFileBelow(directory: string, path: string, maxBytes: number): Buffer {
  const real = realpathSync.native(path);
  if (!isBelow(real, realpathSync.native(directory)))
    throw new UnsuitableFileError(
      `resolves to a file outside of ${directory === '.' ? 'the current folder' : directory}`,
    );
  return readRegularFile(real, maxBytes);
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

const sizeText = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KiB` : `${bytes / 1024 / 1024} MiB`;
