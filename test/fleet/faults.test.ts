/** Runs of a fleet against real sockets, full disks and kills. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { RateLimitError } from '../../src/client/errors.ts';
import { Journal } from '../../src/fleet/journal/journal.ts';
import { readJournal } from '../../src/fleet/journal/read.ts';
import { FleetRun, type TargetError } from '../../src/fleet/runner.ts';
import { getOrganization } from '../../src/platform/endpoints/orgs.ts';
import { chance } from '../support/chance.ts';
import { testClient, testClock } from '../support/client.ts';
import { temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

vi.setConfig({ testTimeout: 120_000 });

const freshPath = async () => join(await temporaryDirectory(), 'run.ndjson');

const orgs = (count: number) => Array.from({ length: count }, (_, index) => `org-${index}`);

/** Reads organizations at `origin`, and returns how many came to which status, and what was waited. */
async function readAll(origin: string, count: number, maxWaitMs = 600_000) {
  const clock = testClock();
  const client = testClient(origin, { ...clock.options, maxWaitMs });
  const run = new FleetRun<string, unknown, TargetError>({
    targets: orgs(count),
    name: (org) => org,
    work: (org) => client.forTask().call(getOrganization, { path: { org } }),
    describe: (error) => ({
      exit: 7,
      code: 'error',
      message: (error as Error).message,
      stops: error instanceof RateLimitError,
    }),
  });
  const statuses: Record<string, number> = {};
  for await (const { status } of run) statuses[status] = (statuses[status] ?? 0) + 1;
  return { statuses, stop: run.stop, waits: clock.waits };
}

describe('a rate limit in the middle of a run', () => {
  it.each<[what: string, status: number, headers: Record<string, string>, ms: number]>([
    ['429 with retry-after', 429, { 'retry-after': '7' }, 7_000],
    ['403 with retry-after', 403, { 'retry-after': '7' }, 7_000],
    ['429 without a word', 429, {}, 60_000],
    ['403 without a quota', 403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772366430' }, 30_000],
  ])('%s makes all targets wait, and loses none', async (_what, status, headers, ms) => {
    const server = await startServer((response, _request, count) =>
      count === 20 ? json(response, { message: 'Slow down' }, headers, status) : json(response, { login: 'x' }),
    );
    const { statuses, waits } = await readAll(server.origin, 60);
    expect(statuses).toEqual({ ok: 60 });
    expect(server.requests).toHaveLength(61);
    expect(new Set(waits)).toEqual(new Set([ms]));
    expect(waits.length).toBeGreaterThanOrEqual(1);
  });

  it('that lasts too long stops the run, and leaves the rest open', async () => {
    const server = await startServer((response, _request, count) =>
      count >= 20
        ? json(response, { message: 'Slow down' }, { 'retry-after': '3600' }, 429)
        : json(response, { login: 'x' }),
    );
    const { statuses, stop, waits } = await readAll(server.origin, 60);
    expect(stop).toMatchObject({ stops: true });
    expect(statuses.ok).toBe(19);
    expect(statuses.failed).toBeLessThanOrEqual(8);
    expect(waits).toEqual([]);
  });
});

it('a temporary outage of the platform loses no target', async () => {
  const server = await startServer((response, _request, count) =>
    count > 15 && count <= 60 ? response.destroy() : json(response, { login: 'x' }),
  );
  const { statuses } = await readAll(server.origin, 60);
  expect(statuses).toEqual({ ok: 60 });
});

/** Where the platform is with a write when the program is killed. */
const moments = ['never received', 'applied late', 'applied', 'answered'] as const;

interface Repository {
  readonly rulesets: string[];
  description: string;
  /** What happens once somebody has looked. */
  late?: (() => void) | undefined;
  writes: number;
}

/** A platform of repositories that has the program killed at a write of the test's choosing. */
async function startPlatform() {
  const repositories = new Map<string, Repository>();
  let writes = 0;
  let kill:
    | { readonly at: number; readonly moment: (typeof moments)[number]; readonly child: ChildProcess }
    | undefined;
  const server = createServer((request, response) => {
    const [, name = '', rulesets] = /^\/repos\/([^/]+\/[^/]+)(\/rulesets)?$/.exec(request.url ?? '') ?? [];
    const repository = repositories.get(name) ?? { rulesets: [], description: 'old', writes: 0 };
    repositories.set(name, repository);
    request.resume();
    if (request.method === 'GET') {
      json(
        response,
        rulesets ? repository.rulesets.map((each) => ({ name: each })) : { description: repository.description },
      );
      repository.late?.();
      repository.late = undefined;
      return;
    }
    const apply = () => {
      repository.writes++;
      if (rulesets) repository.rulesets.push('Guard');
      else repository.description = 'new';
    };
    const now = kill?.at === ++writes ? kill : undefined;
    if (now && now.moment !== 'answered') now.child.kill('SIGKILL');
    // A description that is still the old one is sent again, and may be: only creates are told late.
    if (now?.moment === 'never received' || (now?.moment === 'applied late' && !rulesets)) return;
    if (now?.moment === 'applied late') {
      repository.late = apply;
      return;
    }
    apply();
    if (now?.moment === 'applied') return;
    json(response, {}, {}, rulesets ? 201 : 200);
    now?.child.kill('SIGKILL');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    repositories,
    killAt: (after: number, moment: (typeof moments)[number], child: ChildProcess) => {
      kill = { at: writes + after, moment, child };
    },
  };
}

const writer = fileURLToPath(new URL('../support/fleet-writer.ts', import.meta.url));

const targets = 200;
/** Each costs the start of a program; `FLEET_KILLS=100` is for a deliberate trial. */
const kills = Number(process.env.FLEET_KILLS ?? 10);

it(`killed at ${kills} moments of a run of ${targets} writes, it loses no target and creates nothing twice`, async () => {
  const platform = await startPlatform();
  const path = await freshPath();
  const random = chance(17);
  for (let killed = 0; killed <= kills; killed++) {
    const child = spawn(process.execPath, [writer, path, platform.baseUrl, String(targets)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const moment = moments[Math.floor(random() * moments.length)] ?? 'applied';
    if (killed < kills) platform.killAt(1 + Math.floor((random() * targets) / (kills + 1)), moment, child);
    const [code, signal] = await once(child, 'close');
    expect({ code, signal }).toEqual(killed < kills ? { code: null, signal: 'SIGKILL' } : { code: 0, signal: null });
  }
  const repositories = [...platform.repositories.values()];
  expect(repositories).toHaveLength(targets);
  expect(repositories.filter(({ rulesets, description }) => rulesets.length !== 1 && description !== 'new')).toEqual(
    [],
  );
  expect(repositories.filter(({ writes }) => writes !== 1)).toEqual([]);
  expect(readJournal(path).state?.counts()).toEqual({ done: targets, failed: 0, unknown: 0, open: 0 });
});

describe('a journal', () => {
  it('on a full disk ends the run with one line, and nothing is sent that it does not record', async () => {
    const platform = await startPlatform();
    const path = await freshPath();
    // A limit to the size of files is the nearest thing to a full disk that every system has.
    const child = spawn(
      'sh',
      ['-c', 'ulimit -f 2; exec "$@"', 'sh', process.execPath, writer, path, platform.baseUrl, '200'],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let stderr = '';
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    const [code] = await once(child, 'close');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `Cannot write the journal ${path}: the file is too large for the file system.\n`,
    });
    const text = readFileSync(path, 'utf8');
    expect(text.endsWith('\n')).toBe(true);
    const written = [...platform.repositories].filter(([, { writes }]) => writes > 0);
    expect(written.length).toBeGreaterThan(0);
    for (const [name] of written) expect(text).toContain(`{"target":"${name}","sending":"write"`);
  });

  it('without any disk space is not started, and nothing is sent', async () => {
    const platform = await startPlatform();
    const path = await freshPath();
    const { status, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -f 0; exec "$@"', 'sh', process.execPath, writer, path, platform.baseUrl, '3'],
      { encoding: 'utf8' },
    );
    expect({ status, lines: stderr.trimEnd().split('\n').length, asked: platform.repositories.size }).toEqual({
      status: 1,
      lines: 1,
      asked: 0,
    });
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined();
  });

  it('of a killed process is taken over, that of a running one is not', async () => {
    const path = await freshPath();
    const holder = spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { Journal } from ${JSON.stringify(new URL('../../src/fleet/journal/journal.ts', import.meta.url).href)};
       new Journal(${JSON.stringify(path)}, { platform: 'x' });
       process.stdout.write('open');
       setInterval(() => {}, 1000);`,
    ]);
    await once(holder.stdout, 'data');
    const resume = () => new Journal(path, { platform: 'x' }, { resume: true });
    expect(resume).toThrow(`Another run is using ${path}. Nothing was sent.`);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    resume().close();
  });
});
