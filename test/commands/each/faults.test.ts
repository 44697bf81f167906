/** forgectl each as a process of its own, against real sockets: killed, interrupted, and in shards. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { readJournal } from '../../../src/fleet/journal/read.ts';
import { classicToken } from '../../support/platform.ts';
import { type Running, start } from '../../support/process.ts';
import { temporaryDirectory } from '../../support/run.ts';
import { json, type ReceivedRequest, startServer } from '../../support/server.ts';

vi.setConfig({ testTimeout: 120_000 });

/** A file with as many targets, and a journal beside it. */
async function fleet(count: number) {
  const directory = await temporaryDirectory();
  const targets = Array.from({ length: count }, (_, index) => `acme/service-${index}`);
  const file = join(directory, 'targets.txt');
  writeFileSync(file, targets.join('\n'));
  const journal = join(directory, 'run.ndjson');
  const each = (
    origin: string,
    flags: readonly string[] = ['--resume-or-start', journal],
    through: readonly string[] = [],
  ) =>
    start(['each', '--from', file, ...flags, '--', 'repos', 'update', '{}', '--description', 'new'], {
      env: {
        HOME: directory,
        FORGECTL_CONFIG_DIR: join(directory, 'config'),
        FORGECTL_BASE_URL: `${origin}/api/v3`,
        FORGECTL_TOKEN: classicToken,
      },
      through,
    });
  return { targets, journal, each };
}

/** Starts a platform that makes every change; `answer` responds to the writes. */
async function startPlatform(answer: (response: ServerResponse, count: number) => void) {
  const changes = new Map<string, object>();
  const writes: ReceivedRequest[] = [];
  const { origin } = await startServer((response, request) => {
    const { method, url, body } = request;
    if (method === 'GET') return json(response, { id: 1, description: 'old', ...changes.get(url) });
    changes.set(url, JSON.parse(body));
    answer(response, writes.push(request));
  });
  return { origin, writes };
}

/** Returns the targets that were written to, one for each write. */
const changed = (writes: readonly ReceivedRequest[]) =>
  writes.map(({ url }) => url.replace('/api/v3/repos/', '')).sort();

const moments = ['never answered', 'answered'] as const;

/** Each costs the start of a program; `FLEET_KILLS=100` is for a deliberate trial. */
const kills = Number(process.env.FLEET_KILLS ?? 4);

it(`killed ${kills} times, it repeats no write and skips no target`, async () => {
  const { targets, journal, each } = await fleet(200);
  let running: Running | undefined;
  let killAt: number | undefined;
  let moment: (typeof moments)[number] = 'answered';
  const { origin, writes } = await startPlatform((response, count) => {
    const isLast = count === killAt;
    if (isLast && moment === 'never answered') return void running?.child.kill('SIGKILL');
    json(response, {});
    if (isLast) running?.child.kill('SIGKILL');
  });
  for (let killed = 0; killed <= kills; killed++) {
    moment = moments[killed % moments.length] ?? 'answered';
    killAt = killed < kills ? writes.length + 1 + ((killed * 37) % Math.ceil(100 / kills)) : undefined;
    running = each(origin);
    const { code, signal } = await running.ended;
    if (killed < kills) expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
  }
  expect(changed(writes)).toEqual([...targets].sort());
  const counts = readJournal(journal).state?.counts();
  expect(counts).toEqual({ done: targets.length, failed: 0, unknown: 0, open: 0 });
});

it('interrupted by Ctrl-C, it waits for the response to its write and explains how to continue', async () => {
  const { targets, journal, each } = await fleet(6);
  let held: ServerResponse | undefined;
  const first = Promise.withResolvers<void>();
  const { origin, writes } = await startPlatform((response, count) => {
    if (count > 1) return json(response, {});
    held = response;
    first.resolve();
  });
  const { child, ended } = each(origin, ['--concurrency', '1', '--resume-or-start', journal]);
  await first.promise;
  child.kill('SIGINT');
  let said = '';
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('Press Ctrl-C again')) break;
  }
  if (held) json(held, {});
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(said).toContain('Waiting for the response to 1 write. Press Ctrl-C again to stop at once.');
  expect(stderr).toContain(`\n  forgectl each --concurrency 1 --resume ${journal}\n`);
  expect(writes).toHaveLength(1);
  expect(await each(origin).ended).toMatchObject({ code: 0 });
  expect(changed(writes)).toEqual([...targets].sort());
});

it('processes each target once in eight concurrent shards, whose journals merge into one', async () => {
  const { targets, journal, each } = await fleet(40);
  const { origin, writes } = await startPlatform((response) => json(response, {}));
  const shards = [1, 2, 3, 4, 5, 6, 7, 8];
  const ended = await Promise.all(
    shards.map((index) => each(origin, ['--shard', `${index}/8`, '--resume-or-start', `${journal}.${index}`]).ended),
  );
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(changed(writes)).toEqual([...targets].sort());
  const merged = await start(['journal', 'merge', ...shards.map((index) => `${journal}.${index}`)]).ended;
  expect(JSON.parse(merged.stdout.split('\n')[1] ?? '').targets).toHaveLength(targets.length);
});

it('stops where its journal cannot grow, and has sent no write that the journal does not have', async () => {
  const { targets, journal, each } = await fleet(40);
  const { origin, writes } = await startPlatform((response) => json(response, {}));
  // A file-size limit of 8 KiB or 4 KiB, depending on the shell, is the nearest thing to a full disk on every system.
  const { code, stderr } = await each(
    origin,
    ['--resume-or-start', journal],
    ['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh'],
  ).ended;
  expect({ code, last: stderr.trimEnd().split('\n').slice(-3) }).toEqual({
    code: 1,
    last: [
      `forgectl: Cannot write the journal ${journal}: the file is too large for the file system.`,
      'Continue with:',
      `  forgectl each --resume ${journal}`,
    ],
  });
  const text = readFileSync(journal, 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  for (const name of changed(writes)) expect(text).toContain(`{"target":"${name}","sending":"PATCH /repos/${name}"`);
  expect(writes.length).toBeLessThan(targets.length);
  expect(await each(origin).ended).toMatchObject({ code: 0 });
  expect(changed(writes)).toEqual([...targets].sort());
});

it('rejects a second run on the same journal', async () => {
  const { journal, each } = await fleet(3);
  const first = Promise.withResolvers<ServerResponse>();
  const { origin } = await startPlatform((response, count) =>
    count === 1 ? first.resolve(response) : json(response, {}),
  );
  const running = each(origin);
  const held = await first.promise;
  expect(await each(origin).ended).toMatchObject({
    code: 2,
    stderr: `forgectl: Another run is using ${journal}. Nothing was sent.\n`,
  });
  json(held, {});
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(readFileSync(journal, 'utf8').match(/"outcome":"ok"/g)).toHaveLength(3);
});
