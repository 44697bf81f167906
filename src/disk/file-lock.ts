/**
 * A file lock that one process holds until it releases it or ends. System locks, as used by SQLite, end with their
 * process in any case; a process ID in a file could be stale, and is meaningless in another container.
 */
import { lstatSync, rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { createPrivateFile, UntrustedError } from './private-files.ts';
import { isLocked, loadSqlite, requireNoCompanions } from './sqlite.ts';

export class FileLock {
  readonly #path: string;
  readonly #database: DatabaseSync;

  private constructor(path: string, database: DatabaseSync) {
    this.#path = path;
    this.#database = database;
  }

  /**
   * Takes the lock, creating its file. Returns undefined if another process holds it. Throws UntrustedError for a file
   * of another user or with content, for SQLite's files beside it, and errors of the system and SQLite.
   */
  static take(path: string): FileLock | undefined {
    for (;;) {
      // First, so that no lock stays behind.
      requireNoCompanions(path);
      // A file that exists is not opened: closing it would end this process's locks on it.
      const { ino: before, size } = createPrivateFile(path);
      // SQLite rolls back no journal of an empty file, not even one that appears after the check.
      if (size > 0) throw new UntrustedError(path, 'is not an empty file');
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

function lockedDatabase(path: string): DatabaseSync | undefined {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  try {
    // In memory, so that no further file appears.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isLocked(error)) return undefined;
    throw error;
  }
}
