/** Persistent state in a SQLite file. */
import { closeSync, existsSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import {
  isLocked,
  loadSqlite,
  makePrivate,
  requireOwnDatabase,
  reserveJournal,
  sqliteCode,
  UntrustedError,
} from '../../disk/sqlite.ts';
import { type Collection, type Seed, StateDiskError, StateError, type Store } from '../store.ts';

/** Application id in SQLite's header that identifies sandbox files: "FgSb" in ASCII. */
const applicationId = 0x46675362;

/** Version of the schema below, and of the records. Files with another version cannot be used. */
const layout = 2;

/**
 * `place` keeps records in insertion order. A changed collection is listed in `collections`: from then on only stored
 * records count, even if there are none.
 */
const tables = `
  CREATE TABLE collections (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE records (
    place INTEGER PRIMARY KEY,
    collection INTEGER NOT NULL,
    key TEXT NOT NULL,
    record TEXT NOT NULL,
    UNIQUE (collection, key)
  ) STRICT;
  CREATE TABLE sequences (name TEXT PRIMARY KEY, next INTEGER NOT NULL) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${layout};
`;

/**
 * Opens or creates a file, and locks it until the store is closed or the process ends. Throws StateError for a file
 * that is in use, is not a sandbox's, or cannot be opened.
 */
export function sqliteStore(file: string): Store {
  const database = open(file);
  const statement = statements(database);
  return {
    collection: <T>(name: string, scope: string | number = '', seed: Seed<T> = () => []) =>
      collectionIn<T>(statement, `${name}\n${scope}`, seed),
    next: (sequence, first) =>
      statement(
        `INSERT INTO sequences VALUES (?, ?) ON CONFLICT DO UPDATE SET next = next + 1 RETURNING next - 1 AS it`,
      ).get(sequence, first + 1)?.it as number,
    transaction: (work) => {
      try {
        return transaction(database, work);
      } catch (error) {
        throw diskErrorOf(error, file) ?? error;
      }
    },
    close: () => database.close(),
  };
}

type Statements = (sql: string) => StatementSync;

/** Compiles each statement once. */
function statements(database: DatabaseSync): Statements {
  const compiled = new Map<string, StatementSync>();
  return (sql) => {
    const statement = compiled.get(sql) ?? database.prepare(sql);
    compiled.set(sql, statement);
    return statement;
  };
}

function collectionIn<T>(statement: Statements, name: string, seed: Seed<T>): Collection<T> {
  const idOf = () => statement('SELECT id FROM collections WHERE name = ?').get(name)?.id as number | undefined;
  const parse = (row: Record<string, SQLInputValue> | undefined) => row && (JSON.parse(row.record as string) as T);
  const computed = () => new Map([...seed()].map(([key, record]) => [String(key), record]));
  const put = (id: number, key: string, record: T) =>
    statement(
      'INSERT INTO records (collection, key, record) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET record = excluded.record',
    ).run(id, key, JSON.stringify(record));
  const create = () => {
    const id = Number(statement('INSERT INTO collections (name) VALUES (?)').run(name).lastInsertRowid);
    for (const [key, record] of computed()) put(id, key, record);
    return id;
  };
  const get = (key: string) => {
    const id = idOf();
    if (id === undefined) return computed().get(key);
    return parse(statement('SELECT record FROM records WHERE collection = ? AND key = ?').get(id, key));
  };
  return {
    get: (key) => get(String(key)),
    set: (key, record) => void put(idOf() ?? create(), String(key), record),
    delete: (key) => {
      if (get(String(key)) === undefined) return false;
      statement('DELETE FROM records WHERE collection = ? AND key = ?').run(idOf() ?? create(), String(key));
      return true;
    },
    values: () => {
      const id = idOf();
      if (id === undefined) return [...computed().values()];
      const rows = statement('SELECT record FROM records WHERE collection = ? ORDER BY place').all(id);
      return rows.map((row) => parse(row) as T);
    },
  };
}

function transaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function open(file: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    // An absolute path, since SQLite has special names such as `:memory:`.
    const path = resolve(file);
    requireOwnDatabase(path);
    createPrivate(path);
    const releaseJournal = existsSync(path) ? reserveJournal(path) : () => {};
    database = new DatabaseSync(path);
    try {
      prepare(database, path, file);
    } finally {
      releaseJournal();
    }
    return database;
  } catch (error) {
    database?.close();
    if (error instanceof StateError) throw error;
    throw diskErrorOf(error, file) ?? new StateError(reasonOf(error as Error, file));
  }
}

/**
 * Creates a file that only its owner can read, since it contains tokens. SQLite uses the same mode for its other files.
 */
function createPrivate(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    // It exists, or cannot be created: then SQLite reports the error.
  }
}

/** Locks the file, and makes commits durable: in the write-ahead log, and on disk before COMMIT returns. `file` names it in errors. */
function prepare(database: DatabaseSync, path: string, file: string): void {
  const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  // In this mode locks are kept: the empty transaction acquires it.
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE; COMMIT');
  const isNew = pragma('schema_version') === 0;
  if (!isNew && (pragma('application_id') !== applicationId || pragma('user_version') !== layout))
    throw new StateError(`${file} is not a state file of this sandbox version. Use another file.`);
  // Only now: another program may share its own files.
  makePrivate(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  transaction(database, () => isNew && database.exec(tables));
}

/** SQLite's error codes for a disk that is failing or full. */
const diskFailures: Readonly<Record<number, string>> = { 10: 'I/O error', 13: 'the disk is full' };

function diskErrorOf(error: unknown, file: string): StateDiskError | undefined {
  const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
  const failure = isFull ? diskFailures[13] : diskFailures[sqliteCode(error)];
  return failure === undefined ? undefined : new StateDiskError(`Cannot use ${file} for state: ${failure}.`);
}

/** SQLite's error code for a file that is not a database. */
const notDatabase = 26;

function reasonOf(error: Error, file: string): string {
  if (isLocked(error)) return `${file} is in use by another sandbox. Stop it, or use another file.`;
  if (sqliteCode(error) === notDatabase) return `${file} is not a sandbox state file. Use another file.`;
  if (error instanceof UntrustedError)
    return `Cannot use ${file} for state: ${error.message}. Remove it, or use another file.`;
  return `Cannot use ${file} for state: ${error.message}. Choose a file in a writable directory.`;
}
