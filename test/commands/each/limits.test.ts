/** forgectl each on real sockets: rate limits, concurrent writes, a platform that is gone, and journals that cannot be used. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json as readJson } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readJournal } from '../../../src/fleet/journal/read.ts';
import { classicToken } from '../../support/platform.ts';
import { instantClock, run, temporaryDirectory } from '../../support/run.ts';
import { json, startServer } from '../../support/server.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `acme/r${index}`);

interface EachOptions {
  readonly journal?: string;
  readonly clock?: ReturnType<typeof instantClock>;
  readonly flags?: readonly string[];
}

async function each(
  origin: string,
  targets: readonly string[],
  { journal, clock = instantClock(), flags = [] }: EachOptions = {},
) {
  const directory = await temporaryDirectory();
  const path = journal ?? join(directory, 'run.ndjson');
  const words = `--from - --resume-or-start ${path} -- repos update {} --description new`.split(' ');
  return run(['each', ...flags, ...words], {
    env: { FORGECTL_BASE_URL: `${origin}/api/v3`, FORGECTL_TOKEN: classicToken },
    stdin: targets.join('\n'),
    clock,
  });
}

describe('a rate limit in the middle of the writes', () => {
  it.each<[number, Record<string, string>, string]>([
    [429, { 'retry-after': '7' }, ''],
    [403, { 'retry-after': '7' }, ''],
    [429, {}, ''],
    [403, {}, 'You have exceeded a secondary rate limit'],
  ])('as %i with %j loses no target and repeats no accepted write', async (status, headers, message) => {
    const accepted: string[] = [];
    let writes = 0;
    const { origin } = await startServer((response, { method, url }) => {
      if (method === 'GET') return json(response, { id: 1, description: 'old' });
      if (++writes === 5) return json(response, { message }, headers, status);
      accepted.push(url.replace('/api/v3/repos/', ''));
      json(response, {});
    });
    const targets = names(12);
    expect(await each(origin, targets)).toMatchObject({ code: 0 });
    expect({ accepted: accepted.sort(), writes }).toEqual({ accepted: [...targets].sort(), writes: 13 });
  });
});

it.each([429, 403])('a rate limit as %i with retry-after stops all workers until it ends', async (status) => {
  const held: (() => void)[] = [];
  const early: string[] = [];
  let isLimited = false;
  const { origin, requests } = await startServer((response, { url }, count) => {
    if (isLimited) early.push(url);
    if (count > 8) return json(response, {});
    if (count < 8) return void held.push(() => json(response, {}));
    isLimited = true;
    json(response, { message: 'Slow down' }, { 'retry-after': '7' }, status);
  });
  const waits: number[] = [];
  const over = Promise.withResolvers<void>();
  let now = 0;
  const sleep = async (ms: number) => {
    // The first wait is of the refused request, and the second of the next target of a worker that got a response.
    if (waits.push(ms) === 1) for (const respond of held.splice(0)) respond();
    else {
      isLimited = false;
      now = 7_000;
      over.resolve();
    }
    await over.promise;
  };
  const { code } = await run(['each', '--from', '-', '--quiet', '--', 'repos', 'get', '{}'], {
    env: { FORGECTL_BASE_URL: `${origin}/api/v3`, FORGECTL_TOKEN: classicToken },
    stdin: names(16).join('\n'),
    clock: { now: () => now, sleep },
  });
  expect({ code, early, waits, requests: requests.length }).toEqual({
    code: 0,
    early: [],
    waits: [7_000, 7_000],
    requests: 17,
  });
});

it('says when to continue after a rate limit that outlasts --max-wait', async () => {
  const message = 'API rate limit exceeded for admin.';
  const { origin } = await startServer((response) => json(response, { message }, { 'retry-after': '3600' }, 429));
  const { stderr, code } = await each(origin, names(12));
  expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
    expect.stringMatching(
      /^forgectl: Stopped: GET \/repos\/acme\/r\d returned 429 API rate limit exceeded for admin; 4 targets not started\.$/,
    ),
    'Retry in 60 minutes, at 13:00 UTC, or wait longer with --max-wait.',
  ]);
  expect(code).toBe(9);
});

it('says when to continue if the last targets fail from a rate limit', async () => {
  const { origin } = await startServer((response) =>
    json(response, { message: 'Slow' }, { 'retry-after': '3600' }, 429),
  );
  const { stderr, code } = await each(origin, names(3));
  expect(stderr.trimEnd().split('\n').slice(-2)).toEqual([
    'forgectl: 3 of 3 targets failed.',
    'Retry in 60 minutes, at 13:00 UTC, or wait longer with --max-wait.',
  ]);
  expect(code).toBe(9);
});

describe('writes', () => {
  it.each<[atOnce: number, flags: readonly string[]]>([
    [4, []],
    [2, ['--concurrency', '2']],
    [12, ['--concurrency', '12']],
  ])('are sent %i at a time if the platform reports no rate limits (%j)', async (atOnce, flags) => {
    const held: ServerResponse[] = [];
    let most = 0;
    const { origin } = await startServer((response, { method }) => {
      if (method === 'GET') return json(response, { id: 1, description: 'old' });
      most = Math.max(most, held.push(response));
      if (held.length === atOnce) for (const open of held.splice(0)) json(open, {});
    });
    expect(await each(origin, names(24), { flags })).toMatchObject({ code: 0 });
    expect(most).toBe(atOnce);
  });

  it('are sent one at a time if it reports rate limits', async () => {
    const headers = { 'x-ratelimit-limit': '5000', 'x-ratelimit-remaining': '4000', 'x-ratelimit-reset': '3600' };
    let [open, most, writes] = [0, 0, 0];
    const { origin } = await startServer(async (response, { method, url }) => {
      if (method === 'PATCH') {
        writes++;
        most = Math.max(most, ++open);
        // Writes that were sent at the same time arrive before the response to a request that was sent later.
        await fetch(new URL('/later', origin));
        open--;
      }
      json(response, url === '/later' ? {} : { id: 1, description: 'old' }, headers);
    });
    expect(await each(origin, names(8))).toMatchObject({ code: 0 });
    expect({ most, writes }).toEqual({ most: 1, writes: 8 });
  });
});

describe('a platform that is gone for a while', () => {
  const targets = names(24);

  /** Starts a platform that loses its connections at the fifth write, and listens again when `reopen` is called. */
  async function startLeaving() {
    const changes = new Map<string, object>();
    const writes: string[] = [];
    let port = 0;
    const server = createServer(async (request, response) => {
      const { method, url = '' } = request;
      if (method === 'GET') return json(response, { id: 1, description: 'old', ...changes.get(url) });
      const change = await readJson(request).catch(() => undefined);
      // The connection was closed before the whole body arrived.
      if (!change) return;
      changes.set(url, change);
      if (writes.push(url.replace('/api/v3/repos/', '')) !== 5) return json(response, {});
      server.close();
      server.closeAllConnections();
    });
    const listen = async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
      ({ port } = server.address() as AddressInfo);
    };
    await listen();
    let reopened: Promise<void> | undefined;
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    return { origin: `http://127.0.0.1:${port}`, writes, reopen: () => (reopened ??= listen()) };
  }

  it.each([
    ['when it is back after the first wait', true],
    ['when the run ends before it is back', false],
  ])('loses no target and repeats no write %s', async (_when, isBackSoon) => {
    const { origin, writes, reopen } = await startLeaving();
    const journal = join(await temporaryDirectory(), 'run.ndjson');
    const clock = instantClock();
    const sleep = async (ms: number) => {
      if (isBackSoon) await reopen();
      await clock.sleep(ms);
    };
    // The responses to the writes in flight are lost in either case.
    expect(await each(origin, targets, { journal, clock: { ...clock, sleep } })).toMatchObject({ code: 9 });
    if (isBackSoon) expect(writes).toContain('acme/r23');
    await reopen();
    expect(await each(origin, targets, { journal })).toMatchObject({ code: 0 });
    expect(writes.sort()).toEqual([...targets].sort());
    expect(readJournal(journal).state?.counts()).toEqual({ done: 24, failed: 0, unknown: 0, open: 0 });
  });
});

it('counts a write whose connection was refused as failed, and --only failed sends it', async () => {
  const writes: string[] = [];
  let isLeaving = true;
  const server = createServer((request, response) => {
    request.resume();
    if (request.method === 'PATCH') writes.push(request.url ?? '');
    else if (isLeaving) server.close();
    json(response, { id: 1, description: 'old' });
  });
  const listen = async (port = 0) => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  onTestFinished(() => void server.close());
  const port = await listen();
  const directory = await temporaryDirectory();
  const journal = join(directory, 'run.ndjson');
  const update = (...flags: readonly string[]) => {
    const resume = flags.length ? '--resume' : '--resume-or-start';
    const words = ['each', '--from', '-', resume, journal, ...flags, '-o', 'ndjson'];
    return run([...words, '--', 'repos', 'update', '{}', '--description', 'new'], {
      env: { FORGECTL_BASE_URL: `http://127.0.0.1:${port}/api/v3`, FORGECTL_TOKEN: classicToken },
      stdin: 'acme/site',
    });
  };
  const refused = await update();
  expect({ ...JSON.parse(refused.stdout), code: refused.code, writes }).toMatchObject({
    status: 'failed',
    error: {
      code: 'network',
      message: `PATCH /repos/acme/site failed: 127.0.0.1:${port} refused the connection.`,
    },
    code: 9,
    writes: [],
  });
  expect(readJournal(journal).state?.counts()).toEqual({ done: 0, failed: 1, unknown: 0, open: 0 });
  isLeaving = false;
  await listen(port);
  expect(await update('--only', 'failed')).toMatchObject({ code: 0 });
  expect(writes).toEqual(['/api/v3/repos/acme/site']);
});

it('rejects a journal in a directory that does not exist', async () => {
  const { origin, requests } = await startServer((response) => json(response, {}));
  const journal = join(await temporaryDirectory(), 'no', 'run.ndjson');
  const { stderr, code } = await each(origin, names(1), { journal });
  expect({ stderr, code }).toEqual({
    stderr: `forgectl: Cannot write ${journal}: the directory does not exist. Nothing was sent.\n`,
    code: 2,
  });
  expect(requests).toEqual([]);
});

it('rejects a journal whose name is too long for its lock', async () => {
  const { origin, requests } = await startServer((response) => json(response, {}));
  const journal = join(await temporaryDirectory(), 'j'.repeat(252));
  const { stderr, code } = await each(origin, names(1), { journal });
  expect({ stderr, code }).toEqual({
    stderr: `forgectl: Cannot lock the journal ${journal}: the name is too long. Nothing was sent.\n`,
    code: 2,
  });
  expect(requests).toEqual([]);
});

describe('a journal', () => {
  const at = '"at":"2026-03-01T12:00:00.000Z"';
  const command = '"command":["repos","update","{}","--description","new"]';

  it('whose last line was cut by a crash is continued, with one write to each other target', async () => {
    const writes: string[] = [];
    const { origin } = await startServer((response, { method, url }) => {
      if (method === 'PATCH') writes.push(url);
      json(response, { id: 1, description: 'old' });
    });
    const path = join(await temporaryDirectory(), 'run.ndjson');
    const done = `{"target":"acme/r0","outcome":"ok",${at}}`;
    const header = `{"journal":2,"platform":"${origin}/api/v3",${command}}`;
    const targets = JSON.stringify({ targets: names(3).map((name) => ({ name })) });
    writeFileSync(path, `${header}\n${targets}\n${done}\n{"target":"acme/r1","send`, { mode: 0o600 });
    expect(await each(origin, names(3), { journal: path })).toMatchObject({ code: 0 });
    expect(writes.sort()).toEqual(['/api/v3/repos/acme/r1', '/api/v3/repos/acme/r2']);
    expect(readJournal(path).state?.counts()).toEqual({ done: 3, failed: 0, unknown: 0, open: 0 });
  });

  it.each<[string, (platform: string) => readonly string[], string]>([
    [
      'of another platform',
      () => [
        `{"journal":2,"platform":"https://ghe.example.com/api/v3",${command}}`,
        '{"targets":[{"name":"acme/r0"},{"name":"acme/r1"}]}',
      ],
      'platform',
    ],
    ['of an unknown version', () => ['{"journal":9}'], 'version 9'],
    [
      'that is damaged in its middle',
      (platform) => [
        `{"journal":2,"platform":"${platform}",${command}}`,
        '{"tar',
        `{"target":"acme/r0","outcome":"ok",${at}}`,
      ],
      'is damaged, line 2',
    ],
  ])('%s is rejected, and nothing is sent', async (_what, lines, message) => {
    const { origin, requests } = await startServer((response) => json(response, {}));
    const path = join(await temporaryDirectory(), 'run.ndjson');
    writeFileSync(
      path,
      lines(`${origin}/api/v3`)
        .map((line) => `${line}\n`)
        .join(''),
      { mode: 0o600 },
    );
    const { code, stderr } = await each(origin, names(2), { journal: path });
    expect({ code, stderr, requests }).toEqual({ code: 2, stderr: expect.stringContaining(message), requests: [] });
  });
});
