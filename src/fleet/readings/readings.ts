/**
 * The cache of plans: responses of earlier runs in one SQLite file, since a plan reads thousands of small ones. It is
 * disposable: errors disable it for the rest of the run, and a damaged file is replaced. Never needed for a result.
 */

import { hash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import {
  type CachedResponse,
  type CacheEntry,
  identityOf,
  ResponseCodec,
  type ResponseStore,
} from '../../client/cache.ts';
import type { HttpResponse } from '../../client/http.ts';
import type { HttpRequest } from '../../client/request.ts';
import { release } from '../../client/transport/body.ts';
import { openSealedDirectory, type Seal } from '../../disk/private-cache.ts';
import { createPrivateFile } from '../../disk/private-files.ts';
import { isLocked, loadSqlite, removeCompanions, sqliteCode } from '../../disk/sqlite.ts';
import { asText } from '../../json/exact-json.ts';

/** In bytes: size of the file. A repository with one ruleset takes about 3 KB. */
const defaultMaxBytes = 128 * 1024 * 1024;

/** Headers that plans need besides those of the response to come. */
const keptHeaders = ['content-type', 'date', 'etag', 'link', 'x-oauth-scopes'] as const;

const fileName = 'readings.sqlite';

/** Application id in SQLite's header: "FgRd" in ASCII. */
const applicationId = 0x46675264;

/** Version of the table below, and of its content: HMAC, a byte that says whether it is compressed, and a response. */
const layout = 1;

/** `day` is the last one on which the response was used, since 1970. */
const table = 'CREATE TABLE readings (name BLOB PRIMARY KEY, day INTEGER NOT NULL, content BLOB NOT NULL) STRICT';

/** SQLite's error codes for a damaged file, one that is no database, and a full one. */
const [corrupt, full, notDatabase] = [11, 13, 26];

const pageBytes = 4096;
const msPerDay = 24 * 60 * 60 * 1000;

/** In milliseconds: wait for another run that is writing. */
const busyTimeout = 50;

/** Responses written at once. More would survive garbage collections, and stay in memory until a major one. */
const batchSize = 32;
const maxBatchBytes = 4 * 1024 * 1024;

/** In bytes: no response comes close, even uncompressed. */
const maxResponseBytes = 48 * 1024 * 1024;

/** In bytes. Compressing a single ruleset takes longer than anything else that is done with it, and gains half. */
const compressedFrom = 2048;

const [plain, compressed] = [Buffer.of(0), Buffer.of(1)];

/** The file contains something else, or is damaged. */
class DamagedError extends Error {}

export interface PolicyResponseCacheOptions {
  /** Size of the file in bytes (default: 128 MiB). */
  readonly maxBytes?: number | undefined;
  /** Epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

/** Opens the responses of earlier plans. Throws an error with the reason if they cannot be used. */
export function openPolicyResponseCache(
  env: NodeJS.ProcessEnv,
  options: PolicyResponseCacheOptions = {},
): PolicyResponseCache {
  const { directory, seal } = openSealedDirectory(env, 'readings');
  return new PolicyResponseCache(join(directory, fileName), seal, options);
}

export class PolicyResponseCache implements ResponseStore {
  readonly hasAllPages = true;
  readonly #path: string;
  readonly #seal: Seal;
  readonly #salt: string;
  readonly #maxBytes: number;
  readonly #today: number;
  readonly #codec = new ResponseCodec({ keptHeaders, removesCloneTokens: true });
  /** Responses to write, by name. A new map for each batch: V8 links the table of a cleared one to all later tables. */
  #batch = new Map<string, Buffer>();
  #batchBytes = 0;
  /** Names of responses that were used for the first time today. */
  #used = new Set<string>();
  /** Absent after an error. */
  #database: DatabaseSync | undefined;
  #select: StatementSync | undefined;

  constructor(path: string, seal: Seal, { maxBytes = defaultMaxBytes, now = Date.now }: PolicyResponseCacheOptions) {
    this.#path = path;
    this.#seal = seal;
    this.#salt = seal.mac('salt', Buffer.alloc(0)).toString('hex');
    this.#maxBytes = maxBytes;
    this.#today = Math.floor(now() / msPerDay);
    this.#database = this.#open();
    this.#select = this.#database.prepare('SELECT day, content FROM readings WHERE name = ?');
  }

  entry(request: HttpRequest, caller: string | undefined, fields?: readonly string[]): CacheEntry {
    const name = this.#nameOf(request, caller, fields);
    return { find: () => this.#find(name), keep: (response) => this.#keep(name, caller, response) };
  }

  #find(name: string): CachedResponse | undefined {
    return this.#unlessBroken(() => {
      const sealed = this.#batch.get(name) ?? this.#stored(name);
      const content = sealed && this.#seal.open(name, sealed);
      return content && this.#codec.decode(unpacked(content));
    });
  }

  #stored(name: string): Buffer | undefined {
    const row = this.#select?.get(Buffer.from(name, 'hex'));
    if (!row) return undefined;
    if (row.day !== this.#today) this.#used.add(name);
    const { buffer, byteOffset, byteLength } = row.content as Uint8Array;
    return Buffer.from(buffer, byteOffset, byteLength);
  }

  #keep(name: string, caller: string | undefined, response: HttpResponse): void {
    const encoded = this.#database && this.#codec.encode(response, caller);
    if (!encoded) return;
    const content = packed(encoded);
    if (content.length > maxBatchBytes) return;
    this.#batch.set(name, Buffer.concat([this.#seal.mac(name, content), content]));
    this.#batchBytes += content.length;
    if (this.#batch.size >= batchSize || this.#batchBytes >= maxBatchBytes) this.#unlessBroken(() => this.#flush());
  }

  close(): void {
    this.#unlessBroken(() => this.#flush());
    this.#unlessBroken(() => this.#database?.close());
    this.#database = undefined;
  }

  /** The name contains neither the token nor a hash of it that others could compute. */
  #nameOf(request: HttpRequest, caller: string | undefined, fields: readonly string[] | undefined): string {
    return hash('sha256', this.#salt + identityOf(request, caller, fields));
  }

  /** Writes the batch. It is lost if another run writes at the same time. */
  #flush(): void {
    const database = this.#database;
    if (!database || this.#batch.size + this.#used.size === 0) return;
    // First, so that nothing that was used today is evicted.
    write(database, () => this.#markUsed(database));
    while (write(database, () => this.#insertBatch(database)) === 'full' && evict(database) > 0);
    this.#batch = new Map();
    this.#used = new Set();
    this.#batchBytes = 0;
  }

  #markUsed(database: DatabaseSync): void {
    const use = database.prepare('UPDATE readings SET day = ? WHERE name = ?');
    for (const name of this.#used) use.run(this.#today, Buffer.from(name, 'hex'));
  }

  #insertBatch(database: DatabaseSync): void {
    const insert = database.prepare('INSERT OR REPLACE INTO readings (name, day, content) VALUES (?, ?, ?)');
    for (const [name, content] of this.#batch) insert.run(Buffer.from(name, 'hex'), this.#today, content);
  }

  /** Opens the file, after replacing a damaged one. Throws errors with the reason. */
  #open(): DatabaseSync {
    try {
      return connect(this.#path, this.#maxBytes);
    } catch (error) {
      if (!isDamage(error)) throw error;
      removeDatabase(this.#path);
      return connect(this.#path, this.#maxBytes);
    }
  }

  /** Returns undefined while another run writes. After any other error, nothing more is read or written in this run. */
  #unlessBroken<T>(use: () => T): T | undefined {
    if (!this.#database) return undefined;
    try {
      return use();
    } catch (error) {
      if (isLocked(error)) return undefined;
      const database = this.#database;
      this.#database = undefined;
      this.#select = undefined;
      try {
        database.close();
        if (isDamage(error)) removeDatabase(this.#path);
      } catch {
        // The next run tries again.
      }
      return undefined;
    }
  }
}

function packed(encoded: Buffer): Buffer {
  const content =
    encoded.length < compressedFrom
      ? Buffer.concat([plain, encoded])
      : Buffer.concat([compressed, deflateRawSync(encoded, { level: 1 })]);
  release(encoded);
  return content;
}

function unpacked(content: Buffer): Buffer {
  const encoded = content.subarray(1);
  return content[0] === plain[0] ? encoded : inflateRawSync(encoded, { maxOutputLength: maxResponseBytes });
}

const isDamage = (error: unknown): boolean =>
  error instanceof DamagedError || [corrupt, notDatabase].includes(sqliteCode(error));

/** Opens or creates a database. Its content may come from elsewhere until the HMAC of a row is verified. */
function connect(path: string, maxBytes: number): DatabaseSync {
  removeCompanions(path);
  createPrivateFile(path);
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  try {
    database.exec(`PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA busy_timeout = ${busyTimeout}`);
    // In memory, so that no run leaves files that the next one would have to trust. A crash may damage the database;
    // then it is replaced.
    database.exec('PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF');
    if (isEmpty(database)) createTable(database);
    requireTable(database);
    database.exec(`PRAGMA max_page_count = ${Math.ceil(maxBytes / pageBytes)}`);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Creates the table, unless another run is faster. */
function createTable(database: DatabaseSync): void {
  database.exec(`PRAGMA page_size = ${pageBytes}; BEGIN IMMEDIATE`);
  if (isEmpty(database))
    database.exec(`${table}; PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${layout}`);
  database.exec('COMMIT');
}

const isEmpty = (database: DatabaseSync): boolean => scalar(database, 'PRAGMA schema_version') === 0;

/** Throws DamagedError for another version or table. */
function requireTable(database: DatabaseSync): void {
  const schema = "SELECT group_concat(sql, ';') FROM sqlite_schema";
  const found = ['PRAGMA application_id', 'PRAGMA user_version', schema].map((sql) => scalar(database, sql));
  if (found.map(asText).join('\n') !== [applicationId, layout, table].join('\n'))
    throw new DamagedError('another version');
}

/** Runs a transaction. */
function write(database: DatabaseSync, work: () => void): 'written' | 'full' | 'locked' {
  try {
    database.exec('BEGIN IMMEDIATE');
    work();
    database.exec('COMMIT');
    return 'written';
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    if (sqliteCode(error) === full) return 'full';
    if (isLocked(error)) return 'locked';
    throw error;
  }
}

const scalar = (database: DatabaseSync, sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];

/** Removes the quarter of the responses that has not been used for the longest time. Returns their number. */
function evict(database: DatabaseSync): number {
  const quarter = `SELECT rowid FROM readings ORDER BY day, rowid LIMIT (SELECT count(*) / 4 + 1 FROM readings)`;
  return Number(database.prepare(`DELETE FROM readings WHERE rowid IN (${quarter})`).run().changes);
}

/** Removes the database, which is private, and the files beside it. */
function removeDatabase(path: string): void {
  removeCompanions(path);
  rmSync(path, { force: true });
}
