/**
 * A file lock that one process holds until it releases it or ends. System locks, as used by SQLite, end with their
 * process in any case; a process ID in a file could be stale, and is meaningless in another container.
 */
import { lstatSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { Directory } from './directory.ts';
import { createPrivateFile, realPath, UntrustedError } from './private-files.ts';
import { isLocked, loadSqlite, requireNoCompanions } from './sqlite.ts';

export class FileLock {
  readonly #directory: Directory;
  readonly #name: string;
  readonly #database: DatabaseSync;

  private constructor(directory: Directory, name: string, database: DatabaseSync) {
    this.#directory = directory;
    this.#name = name;
    this.#database = database;
  }

  /**
   * Takes the lock, creating its file. Returns undefined if another process holds it. Throws UntrustedError for a file
   * of another user or with content, for SQLite's files beside it, and for a directory that another process replaces;
   * ObstacleError for one that a link of another user leads to, and errors of the system and SQLite.
   */
  static take(path: string): FileLock | undefined {
    const directory = Directory.open(dirname(path));
    let lock: FileLock | undefined;
    try {
      lock = FileLock.#takeIn(directory, path);
      return lock;
    } finally {
      if (!lock) directory.close();
    }
  }

  static #takeIn(directory: Directory, path: string): FileLock | undefined {
    const name = basename(path);
    for (;;) {
      // First, so that no lock stays behind.
      requireNoCompanions(path);
      // A file that exists is not opened: closing it would end this process's locks on it.
      const { ino: before, size } = createPrivateFile(path, directory.at(name));
      // SQLite rolls back no journal of an empty file, not even one that appears after the check.
      if (size > 0) throw new UntrustedError(path, 'is not an empty file');
      const database = lockedDatabase(path);
      if (database === 'held') return undefined;
      if (database && inodeOf(path) === before) return new FileLock(directory, name, database);
      database?.close();
      // The previous holder may have removed the file meanwhile; then nobody else opens the locked file.
      if (inodeOf(directory.at(name)) === before)
        throw new UntrustedError(directory.path, 'was replaced by another process');
    }
  }

  release(): void {
    try {
      rmSync(this.#directory.at(this.#name), { force: true });
    } catch {
      // Windows keeps a file that is open.
    }
    this.#database.close();
    this.#directory.close();
  }
}

const inodeOf = (path: string): number | undefined => lstatSync(path, { throwIfNoEntry: false })?.ino;

/** Returns the database, locked; undefined if there is no file, which SQLite finds by its path. */
function lockedDatabase(path: string): DatabaseSync | 'held' | undefined {
  const { DatabaseSync } = loadSqlite();
  // Without links: a URL leaves out `link/..`, which need not be the same directory.
  const location = pathToFileURL(join(realPath(dirname(path)), basename(path)));
  // No file is created: the path may meanwhile lead to another directory.
  location.searchParams.set('mode', 'rw');
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(location);
  } catch (error) {
    if (inodeOf(path) === undefined) return undefined;
    throw error;
  }
  try {
    // In memory, so that no further file appears.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    if (isLocked(error)) return 'held';
    throw error;
  }
}
