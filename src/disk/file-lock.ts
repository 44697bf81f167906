/**
 * A lock on a file that one process holds, until it lets go or ends. The system's own locks, which SQLite takes, end with
 * their process however it ends; a process id in a file would have to be judged, and means nothing in another container.
 */
import { closeSync, lstatSync, openSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { isPrivateFile, UntrustedError } from './private-files.ts';

/** SQLite's own numbers for a lock that another holds. */
const busy = [5, 6];

export class FileLock {
  readonly #path: string;
  readonly #database: DatabaseSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  /**
   * Takes the lock, whose file is created. Returns undefined where another holds it. Throws UntrustedError for a file that is
   * not the user's own, and the system's and SQLite's errors.
   */
  static take(path: string): FileLock | undefined {
    for (;;) {
      const before = ownFile(path);
      const database = lockedDatabase(path);
      if (!database) return undefined;
      // Whoever held it may have removed the file in between: then the lock is on a file that nobody else will open.
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

/** Node 22 warns of its SQLite when it is loaded, which would tell users nothing. */
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
