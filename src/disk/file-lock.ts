/**
 * A file lock that one process holds until it releases it or ends. System locks, as used by SQLite, end with their
 * process in any case; a process ID in a file could be stale, and means nothing in another container.
 */
import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isPrivateFile, UntrustedError } from './private-files.ts';

/** SQLite's error codes for a lock held by another process. */
const busy = [5, 6];

export class FileLock {
  readonly #path: string;
  readonly #database: DatabaseSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  /**
   * Takes the lock, creating its file. Returns undefined if another process holds it. Throws UntrustedError for a file
   * of another user, and errors of the system and SQLite.
   */
  static take(path: string): FileLock | undefined {
    for (;;) {
      const before = ownFile(path);
      const database = lockedDatabase(path);
      if (!database) return undefined;
      // The previous holder may have removed the file meanwhile; then nobody else opens the locked file.
      if (lstatSync(path, { throwIfNoEntry: false })?.ino === before) return new FileLock(path, database);
      database.close();
    }
  }

  release(): void {
    try {
      rmSync(this.#path, { force: true });
    } catch {
      // Windows keeps a file that is open.
    }
    this.#database.close();
  }
}

/** Returns the inode of the lock's file. A file that exists is not opened: closing it would end this process's locks on it. */
function ownFile(path: string): number {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const found = lstatSync(path);
  if (!isPrivateFile(found)) throw new UntrustedError(path, 'is not a regular file of mode 0600 of this user');
  return found.ino;
}

function lockedDatabase(path: string): DatabaseSync | undefined {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  try {
    // In memory, so that no further file appears.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (busy.includes(((error as { errcode?: number }).errcode ?? 0) & 0xff)) return undefined;
    throw error;
  }
}

/** Suppresses the warning of Node 22 about its SQLite module. */
function loadSqlite(): typeof import('node:sqlite') {
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
