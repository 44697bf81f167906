/**
 * Loads Node's SQLite, which few commands use. Files beside a database are part of it: SQLite rolls back a journal that
 * somebody else wrote, and up to version 3.53.1 it then deletes whichever file the journal names.
 */
import { chmodSync, existsSync, lstatSync, readlinkSync, rmSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { Directory, isTrusted, ObstacleError } from './directory.ts';
import { createPrivateFile, isOurs, realPath, UntrustedError } from './private-files.ts';

export { UntrustedError };

/** SQLite's error codes for a lock held by another process. */
const busy = [5, 6];

/** Returns the module, without the warning of Node 22 that it is experimental. */
export function loadSqlite(): typeof import('node:sqlite') {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...rest: never[]) => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) emitWarning.call(process, warning, ...rest);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** Returns the primary error code of SQLite; 0 for other errors. */
export const sqliteCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

/** Whether another process holds a lock on the database. */
export const isLocked = (error: unknown): boolean => busy.includes(sqliteCode(error));

/** The files that SQLite reads beside a database. */
const companionSuffixes = ['-journal', '-wal', '-shm'] as const;

/** Throws UntrustedError if there is a file that SQLite would read beside a database. */
export function requireNoCompanions(path: string): void {
  for (const [file] of companionsOf(path)) throw new UntrustedError(file, 'was not created by forgectl');
}

/**
 * Removes the files that SQLite would read beside a database. Throws UntrustedError for a link, a directory or a file of
 * another user, and the system's errors.
 */
export function removeCompanions(path: string): void {
  for (const [file, found] of companionsOf(path)) {
    requireOwnFile(file, found);
    rmSync(file, { force: true });
  }
}

/**
 * Throws UntrustedError for a database that a link of another user leads to, and for anything but a regular file of the user. A
 * missing database or directory is left to SQLite.
 */
export function requireOwnDatabase(database: string): void {
  try {
    Directory.open(dirname(database)).close();
  } catch (error) {
    if (error instanceof ObstacleError) throw new UntrustedError(error.path, error.obstacle);
    return;
  }
  const link = lstatSync(database, { bigint: true, throwIfNoEntry: false });
  if (!link) return;
  if (link.isSymbolicLink()) {
    if (!isTrusted(link)) throw new UntrustedError(database, 'is a symbolic link of another user');
    if (!existsSync(database)) throw new UntrustedError(database, 'is a broken symbolic link');
    const target = readlinkSync(database);
    requireOwnDatabase(isAbsolute(target) ? target : `${dirname(database)}/${target}`);
    return;
  }
  // The file is not opened, because closing it would end this process's locks on it.
  requireOwnFile(database, lstatSync(database));
}

/** Gives a database mode 0600, for secrets. */
export function makePrivate(database: string): void {
  if ((statSync(database).mode & 0o077) !== 0) chmodSync(database, 0o600);
}

/**
 * Creates an empty journal beside a database, which SQLite ignores and other users cannot replace in a shared directory.
 * Returns a function that removes it. Throws UntrustedError if there is a journal with content, if a file that SQLite
 * would read is not a regular file of the user with one link, or if there is a log of an empty database.
 */
export function reserveJournal(database: string): () => void {
  // SQLite looks for companion files next to the target of a link.
  const path = realPath(database);
  const journal = `${path}-journal`;
  const isEmpty = statSync(path).size === 0;
  if (createPrivateFile(journal).size > 0) throw new UntrustedError(journal, 'was not created by the sandbox');
  const release = () => rmSync(journal, { force: true });
  try {
    for (const [file, found] of companionsOf(path)) {
      requireOwnFile(file, found);
      if (found.nlink > 1) throw new UntrustedError(file, 'has another hard link');
      // SQLite deletes the log of an empty database, which has none of its own.
      if (isEmpty && file !== journal) throw new UntrustedError(file, 'was not created by the sandbox');
    }
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

function companionsOf(path: string): (readonly [file: string, found: Stats])[] {
  return companionSuffixes.flatMap((suffix) => {
    const found = lstatSync(`${path}${suffix}`, { throwIfNoEntry: false });
    return found ? [[`${path}${suffix}`, found]] : [];
  });
}

function requireOwnFile(file: string, found: Stats): void {
  if (!found.isFile() || !isOurs(found)) throw new UntrustedError(file, 'is not a regular file of this user');
}
