/**
 * Reads what paths lead to, as git does: a path is bytes, of which each is a character here. A name in a repository need not
 * be UTF-8; decoded as such, it would be another one.
 */
import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  type Stats,
  statSync,
} from 'node:fs';
import { resolve } from 'node:path';

/** In bytes, for files that name others, and refs: more than any real one. */
export const largestList = 16 * 1024 * 1024;

export const toBytePath = (path: string): string => Buffer.from(path).toString('latin1');

const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');

/** For messages. */
export const fromBytePath = (path: string): string => bytesOf(path).toString();

/** Links are resolved. What cannot be reached, git cannot read either. */
export const statOf = (path: string): Stats | undefined => orUndefined(() => statSync(bytesOf(path)));

/** What cannot be reached, such as a link to itself, is no folder. */
export const isFolder = (path: string): boolean => statOf(toBytePath(path))?.isDirectory() === true;

export const linkStatOf = (path: string): Stats | undefined => orUndefined(() => lstatSync(bytesOf(path)));

/** git starts from the real path of a folder. */
export const realOf = (path: string): string =>
  // The other realpath takes `..` out of the path before it follows links.
  orUndefined(() => realpathSync.native(bytesOf(path), 'latin1')) ?? resolve(path);

/** Returns the text of a file; nothing for one that is larger than any real one, or of no size, or cannot be read. */
export function textOf(file: string): string {
  const { size } = statOf(file) ?? { size: 0 };
  return size === 0 || size > largestList ? '' : (orUndefined(() => readFileSync(bytesOf(file), 'latin1')) ?? '');
}

/**
 * Returns whether a file of size 0 has content. The kernel makes it while it is read: below /proc, the map of a memory has
 * many gigabytes, and the log waits for more.
 */
export function isMadeByKernel(file: string, { size }: Stats): boolean {
  if (size > 0) return false;
  // Without O_NONBLOCK, reading could wait. Windows has no such flag.
  const descriptor = orUndefined(() => openSync(bytesOf(file), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  if (descriptor === undefined) return false;
  // An error also shows the kernel: an empty file can be read.
  const length = orUndefined(() => readSync(descriptor, Buffer.alloc(8)));
  closeSync(descriptor);
  return length !== 0;
}

export const entriesOf = (directory: string): Dirent[] =>
  (orUndefined(() => readdirSync(bytesOf(directory), { withFileTypes: true, encoding: 'buffer' })) ?? []).map((entry) =>
    Object.assign(entry, { name: entry.name.toString('latin1') }),
  );

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
