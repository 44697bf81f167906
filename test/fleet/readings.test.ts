import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import type { HttpRequest } from '../../src/client/request.ts';
import { openPolicyResponseCache, type PolicyResponseCache } from '../../src/fleet/readings/readings.ts';
import { hotJournal } from '../support/hot-journal.ts';

const dayMs = 24 * 60 * 60 * 1000;

async function newCache() {
  const parent = await mkdtemp(join(tmpdir(), 'forgectl-readings-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const env = { FORGECTL_CACHE_DIR: join(parent, 'cache'), FORGECTL_CONFIG_DIR: join(parent, 'settings') };
  const file = join(parent, 'cache/forgectl-cache-v1/readings/readings.sqlite');
  return {
    file,
    open: (day: number, maxBytes?: number) => openPolicyResponseCache(env, { maxBytes, now: () => day * dayMs }),
  };
}

const requestOf = (number: number): HttpRequest => ({
  method: 'GET',
  url: `https://ghe.example.com/api/v3/repos/acme/r-${number}`,
  headers: { accept: 'application/json' },
});

const responseTo = (number: number, text: string) => ({
  status: 200,
  url: requestOf(number).url,
  headers: { etag: `"${number}"`, 'content-type': 'application/json' },
  body: Buffer.from(JSON.stringify({ text })),
});

/** Text that cannot be compressed to less than its length. */
const incompressible = (length: number) => randomBytes(length).toString('base64');

test('The cache of readings stays within its size, and evicts the least recently used responses', async () => {
  const { file, open } = await newCache();
  const maxBytes = 512 * 1024;
  const first = open(1, maxBytes);
  for (let number = 0; number < 256; number++) first.entry(requestOf(number), 'token').keep(responseTo(number, 'x'));
  first.close();
  const second = open(2, maxBytes);
  expect(second.entry(requestOf(7), 'token').find()?.headers.etag).toBe('"7"');
  for (let number = 1000; number < 4000; number++)
    second.entry(requestOf(number), 'token').keep(responseTo(number, incompressible(600)));
  second.close();
  expect((await stat(file)).size).toBeLessThanOrEqual(maxBytes);
  const third = open(3, maxBytes);
  onTestFinished(() => third.close());
  const known = (number: number) => third.entry(requestOf(number), 'token').find() !== undefined;
  expect([8, 1000, 3999].map(known)).toEqual([false, false, true]);
});

test('A response that was used outlives older and newer ones that were not', async () => {
  const { open } = await newCache();
  const maxBytes = 256 * 1024;
  const first = open(1, maxBytes);
  const second = open(2, maxBytes);
  const fill = (readings: PolicyResponseCache, from: number, to: number) => {
    for (let number = from; number < to; number++)
      readings.entry(requestOf(number), 'token').keep(responseTo(number, incompressible(450)));
    readings.close();
  };
  const isKnown = (number: number) => second.entry(requestOf(number), 'token').find() !== undefined;
  fill(first, 0, 500);
  const oldest = Array.from({ length: 500 }, (_, number) => number).find(isKnown) ?? 0;
  fill(second, 1000, 1100);
  const third = open(3, maxBytes);
  onTestFinished(() => third.close());
  const known = (number: number) => third.entry(requestOf(number), 'token').find() !== undefined;
  expect([oldest, oldest + 1, 1099].map(known)).toEqual([true, false, true]);
});

test('A response is found again before and after it is written, with the headers that plans need', async () => {
  const { open } = await newCache();
  const response = responseTo(1, 'here');
  const headers = { ...response.headers, date: 'Sun, 01 Mar 2026 12:00:00 GMT', 'x-oauth-scopes': 'repo', server: 'x' };
  const cached = {
    headers: {
      'content-type': 'application/json',
      date: 'Sun, 01 Mar 2026 12:00:00 GMT',
      etag: '"1"',
      'x-oauth-scopes': 'repo',
    },
    body: Buffer.from('{"text":"here"}'),
  };
  const first = open(1);
  first.entry(requestOf(1), 'token').keep({ ...response, headers });
  expect(first.entry(requestOf(1), 'token').find()).toEqual(cached);
  first.close();
  const second = open(1);
  onTestFinished(() => second.close());
  expect(second.entry(requestOf(1), 'token').find()).toEqual(cached);
  expect(second.entry(requestOf(1), 'another').find()).toBeUndefined();
  expect(second.entry(requestOf(1), undefined).find()).toBeUndefined();
});

test('Two runs at the same time share the cache', async () => {
  const { open } = await newCache();
  const [one, other] = [open(1), open(1)];
  onTestFinished(() => other.close());
  one.entry(requestOf(1), 'token').keep(responseTo(1, 'one'));
  other.entry(requestOf(2), 'token').keep(responseTo(2, 'other'));
  one.close();
  expect(other.entry(requestOf(1), 'token').find()?.body.toString()).toBe('{"text":"one"}');
});

/** Returns the file of a cache with a response of an earlier run, and how a later run opens it. */
async function cacheOfEarlierRun() {
  const { file, open } = await newCache();
  const earlier = open(1);
  earlier.entry(requestOf(1), 'token').keep(responseTo(1, 'kept'));
  earlier.close();
  const later = () => {
    const readings = open(1);
    onTestFinished(() => readings.close());
    return readings;
  };
  return { file, later };
}

test('What another run prevents from being written is lost, and the rest can still be read', async () => {
  const { file, later } = await cacheOfEarlierRun();
  const second = later();
  const other = new DatabaseSync(file);
  other.exec('BEGIN IMMEDIATE');
  for (let number = 2; number < 300; number++)
    second.entry(requestOf(number), 'token').keep(responseTo(number, 'lost'));
  other.exec('ROLLBACK');
  other.close();
  expect([1, 2].map((number) => second.entry(requestOf(number), 'token').find() !== undefined)).toEqual([true, false]);
});

/** Returns what a script prints whose garbage is collected only when it asks for that, or when there is much of it. */
async function printedBy(script: string): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'forgectl-readings-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const env = { FORGECTL_CACHE_DIR: join(parent, 'cache'), FORGECTL_CONFIG_DIR: join(parent, 'settings') };
  const words = ['--expose-gc', '--no-incremental-marking', '--input-type=module', '-e', script];
  const { stdout } = await promisify(execFile)(process.execPath, words, { env: { ...process.env, ...env } });
  return stdout;
}

/** Prints the bytes of buffers that collections of young objects leave of 4,000 responses of 1 KB. */
const script = `
import { openPolicyResponseCache } from '${new URL('../../src/fleet/readings/readings.ts', import.meta.url)}';
const readings = openPolicyResponseCache(process.env);
const body = Buffer.from(JSON.stringify('x'.repeat(1024)));
for (let number = 0; number < 4000; number++) {
  const request = { method: 'GET', url: 'https://ghe.example.com/' + number, headers: {} };
  readings.entry(request, 'token').keep({ status: 200, url: request.url, headers: { etag: '"1"' }, body });
  if (number % 100 === 0) gc({ type: 'minor' });
}
gc({ type: 'minor' });
gc({ type: 'minor' });
console.log(process.memoryUsage().arrayBuffers);
readings.close();
`;

test('Responses that have been written are collected with young objects', async () => {
  expect(Number(await printedBy(script))).toBeLessThan(1024 * 1024);
});

test('A planted journal is removed before SQLite reads it, with the other files beside the database', async () => {
  const { file, later } = await cacheOfEarlierRun();
  const victim = join(dirname(file), 'victim.txt');
  await writeFile(victim, 'mine');
  for (const suffix of ['-journal', '-wal', '-shm'])
    await writeFile(`${file}${suffix}`, hotJournal(victim), { mode: 0o644 });
  const second = later();
  expect(second.entry(requestOf(1), 'token').find()?.body.toString()).toBe('{"text":"kept"}');
  expect(await readdir(dirname(file))).toEqual(['readings.sqlite', 'victim.txt']);
});

test('A run leaves no file beside the database, even while it writes', async () => {
  const { file, open } = await newCache();
  const readings = open(1);
  onTestFinished(() => readings.close());
  for (let number = 0; number < 300; number++) readings.entry(requestOf(number), 'token').keep(responseTo(number, 'x'));
  expect(await readdir(dirname(file))).toEqual(['readings.sqlite']);
});

test.each(['-journal', '-wal', '-shm'])('A %s file that cannot be removed disables the cache', async (suffix) => {
  const { file, open } = await newCache();
  open(1).close();
  await mkdir(`${file}${suffix}`);
  expect(() => open(1)).toThrow(`${file}${suffix} is not a regular file of this user`);
});

test('A response is not found while another run has locked the file, and is found later', async () => {
  const { file, later } = await cacheOfEarlierRun();
  const second = later();
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  const whileLocked = second.entry(requestOf(1), 'token').find();
  other.exec('ROLLBACK');
  other.close();
  expect(whileLocked).toBeUndefined();
  expect(second.entry(requestOf(1), 'token').find()?.body.toString()).toBe('{"text":"kept"}');
});

/** Prints the bytes that collections of young objects leave of 10,000 responses, after the table of a batch has become old. */
const collectingScript = `
import { openPolicyResponseCache } from '${new URL('../../src/fleet/readings/readings.ts', import.meta.url)}';
const readings = openPolicyResponseCache(process.env);
const collect = () => {
  gc({ type: 'minor' });
  gc({ type: 'minor' });
};
let before;
for (let number = 0; number < 11_000; number++) {
  if (number === 1000) {
    collect();
    before = process.memoryUsage().heapUsed;
  }
  const request = { method: 'GET', url: 'https://ghe.example.com/api/v3/repos/acme/r-' + number, headers: {} };
  const response = { status: 200, url: request.url, headers: { etag: '"' + number + '"' }, body: Buffer.from('{}') };
  readings.entry(request, 'token').keep(response);
}
collect();
console.log(process.memoryUsage().heapUsed - before);
readings.close();
`;

test('Responses are collected once they are written, while earlier ones are still in memory', async () => {
  expect(Number(await printedBy(collectingScript))).toBeLessThan(1024 * 1024);
});
