/**
 * Reads what paths lead to, as git does: a path is bytes, of which each is a character here. A name in a repository need not
 * be UTF-8; decoded as such, it would be another one.
 */
import { type Dirent, lstatSync, readdirSync, readFileSync, realpathSync, type Stats, statSync } from 'node:fs';
import { resolve } from 'node:path';

/** In bytes, for files that name others, and refs: more than any real one. */
export const largestList = 16 * 1024 * 1024;

export const toBytePath = (path: string): string => Buffer.from(path).toString('latin1');

const bytesOf = (path: string): Buffer => Buffer.from(path, 'latin1');

/** For messages. */
export const fromBytePath = (path: string): string => bytesOf(path).toString();

/** Links are resolved. What cannot be reached, git cannot read either. */
export const statOf = (path: string): Stats | undefined => orUndefined(() => statSync(bytesOf(path)));

export const linkStatOf = (path: string): Stats | undefined => orUndefined(() => lstatSync(bytesOf(path)));

/** git starts from the real path of a folder. */
export const realOf = (path: string): string =>
  // The other realpath takes `..` out of the path before it follows links.
  orUndefined(() => realpathSync.native(bytesOf(path), 'latin1')) ?? resolve(path);

/** Returns the text of a file; nothing for one that is larger than any real one, or cannot be read. */
export const textOf = (file: string): string =>
  orUndefined(() => (statSync(bytesOf(file)).size > largestList ? '' : readFileSync(bytesOf(file), 'latin1'))) ?? '';

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
