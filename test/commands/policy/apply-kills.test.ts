/** policy apply as a process of its own, killed and interrupted while it writes. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readJournal } from '../../../src/fleet/journal/read.ts';
import { chance } from '../../support/chance.ts';
import { dateBack, moments, startKillingPlatform } from '../../support/killing-platform.ts';
import { classicToken } from '../../support/platform.ts';
import { type ProcessOptions, start } from '../../support/process.ts';
import { temporaryDirectory } from '../../support/run.ts';
import { json, startServer } from '../../support/server.ts';

vi.setConfig({ testTimeout: 3_600_000 });

/** Each costs the start of a program; `FLEET_KILLS=100` is for a deliberate trial. */
const kills = Number(process.env.FLEET_KILLS ?? 3);
const repositories = Math.max(12, 2 * kills);

/** Every eighth repository of the sandbox is archived. */
const targets = repositories - Math.floor(repositories / 8);

const ruleset = (name: string) =>
  `{ name: ${name}, target: branch, enforcement: active, conditions: { ref_name: { include: [~ALL], exclude: [] } }, rules: [{ type: deletion }] }`;

it(`killed ${kills} times, it makes each change once`, async () => {
  const platform = await startKillingPlatform({ orgs: 1, repos: repositories });
  const directory = await temporaryDirectory();
  const file = join(directory, 'p.yaml');
  const journal = join(directory, 'run.ndjson');
  const env = { ...platform.env, HOME: directory, XDG_STATE_HOME: directory };
  const apply = (...words: string[]) => start(['policy', 'apply', ...words, '--yes'], { env });
  const policy = (entry: string) =>
    writeFileSync(file, `organizations: [acme]\nrepositories: [{ select: {}, ${entry} }]\n`);
  policy(`rulesets: [${ruleset('Old')}]`);
  expect(await apply(file).ended).toMatchObject({ code: 0 });
  platform.done.length = 0;
  const others = 'labels: [{ name: new, was: invalid }], topics: [new], access: { users: { velvetmole: read } }';
  policy(`rulesets: [${ruleset('New')}], absent: { rulesets: [Old] }, settings: { description: new }, ${others}`);
  const random = chance(17);
  let words = [file, '--journal', journal];
  for (let killed = 0; killed < kills; killed++) {
    const { child, ended } = apply(...words, '--allow-deletes', String(targets));
    const moment = moments[Math.floor(random() * moments.length)] ?? 'applied';
    platform.killAt(1 + Math.floor((random() * targets * 6) / (kills + 1)), moment, child);
    const { signal, stderr } = await ended;
    expect(signal, stderr).toBe('SIGKILL');
    dateBack(journal);
    words = ['--resume', journal];
  }
  const { code, stderr } = await apply(...words, '--allow-deletes', String(targets)).ended;
  expect(code, stderr).toBe(0);
  expect(readJournal(journal).state?.counts()).toEqual({ done: targets, failed: 0, unknown: 0, open: 0 });
  expect(platform.done.filter((write) => write.startsWith('POST'))).toHaveLength(targets);
  expect(platform.done).toHaveLength(6 * targets);
  expect(new Set(platform.done).size).toBe(6 * targets);
  expect(await start(['policy', 'plan', file, '--exit-code'], { env }).ended).toMatchObject({ code: 0, stdout: '' });
});

it(`killed ${kills} times, it adds and removes people and teams once`, async () => {
  const platform = await startKillingPlatform({ orgs: 1, repos: 1 });
  const directory = await temporaryDirectory();
  const file = join(directory, 'p.yaml');
  const journal = join(directory, 'run.ndjson');
  const env = { ...platform.env, HOME: directory, XDG_STATE_HOME: directory };
  writeFileSync(
    file,
    `organizations: [acme]
members: { owners: [admin, riverotter, paperfox], members: [velvetmole] }
teams:
  - { name: Alpha, parent: Core, maintainers: [paperfox], members: [stonewren, mosshare] }
  - { name: Core, members: [stonewren, lunarcrab] }
  - { name: Engineers, was: Engineering, parent: Alpha }
absent: { members: [tealheron, quietowl], teams: [Interns, Platform] }
`,
  );
  const steps = 1 + 1 + 2 + 1 + 5 + 2 + 2 + 2;
  const random = chance(19);
  let words = [file, '--journal', journal];
  const apply = () => start(['policy', 'apply', ...words, '--yes', '--allow-deletes', '6'], { env });
  for (let killed = 0; killed < Math.min(kills, steps - 1); killed++) {
    const { child, ended } = apply();
    const moment = moments[Math.floor(random() * moments.length)] ?? 'applied';
    platform.killAt(1 + Math.floor(random() * Math.max(1, (steps - killed) / (kills + 1))), moment, child);
    const { signal, stderr } = await ended;
    expect(signal, stderr).toBe('SIGKILL');
    dateBack(journal);
    words = ['--resume', journal];
  }
  const { code, stderr } = await apply().ended;
  expect(code, stderr).toBe(0);
  const sent = platform.done.map((write, at) => `${write} ${platform.bodies[at]}`);
  expect(sent).toHaveLength(steps);
  expect(new Set(sent).size).toBe(steps);
  expect(await start(['policy', 'plan', file, '--exit-code'], { env }).ended).toMatchObject({ code: 0, stdout: '' });
});

describe('on a full disk', () => {
  // A file-size limit of 2 KiB or 1 KiB, depending on the shell, is the nearest thing to a full disk on every system.
  const through = ['sh', '-c', 'ulimit -f 2; exec "$@"', 'sh'];

  async function onPlatform() {
    const { env: access } = await startKillingPlatform({ orgs: 1, repos: 30 });
    const directory = await temporaryDirectory();
    const file = join(directory, 'p.yaml');
    const journal = join(directory, 'run.ndjson');
    writeFileSync(file, 'organizations: [acme]\nrepositories: [{ select: {}, settings: { description: new } }]\n');
    const env = { ...access, HOME: directory, XDG_STATE_HOME: directory };
    const apply = (words: readonly string[], options: ProcessOptions = {}) =>
      start(['policy', 'apply', ...words, '--yes'], { env, ...options }).ended;
    return { directory, file, journal, env, apply };
  }

  it('stops where its journal cannot grow, and explains how to continue', async () => {
    const { file, journal, apply } = await onPlatform();
    await apply([file, '--limit', '1', '--journal', journal]);
    const { code, stderr } = await apply(['--resume', journal], { through });
    expect({ code, last: stderr.trimEnd().split('\n').slice(-3) }).toEqual({
      code: 1,
      last: [
        `forgectl: Cannot write the journal ${journal}: the file is too large for the file system.`,
        'Continue with:',
        `  forgectl policy apply --resume ${journal} --yes`,
      ],
    });
    expect(await apply(['--resume', journal])).toMatchObject({ code: 0 });
  });

  it('keeps the earlier plan if a new one cannot be saved', async () => {
    const { directory, file, env } = await onPlatform();
    const plan = join(directory, 'plan.ndjson');
    const earlier = '{"plan":3}\n';
    writeFileSync(plan, earlier);
    const { code, stderr } = await start(['policy', 'plan', file, '--no-cache', '--out', plan], { env, through }).ended;
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `forgectl: Cannot write ${plan}: the file is too large for the file system.\n`,
    });
    expect(readFileSync(plan, 'utf8')).toBe(earlier);
    expect(readdirSync(directory).filter((name) => name.startsWith('plan'))).toEqual(['plan.ndjson']);
  });

  it('sends nothing if the plan beside the journal cannot be saved, and keeps no journal without it', async () => {
    const { file, journal, apply } = await onPlatform();
    const { code, stderr } = await apply([file, '--no-cache', '--journal', journal], { through });
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `forgectl: Cannot write ${journal}.plan: the file is too large for the file system. Nothing was sent.`,
    });
    expect(await apply([file, '--journal', journal])).toMatchObject({ code: 0 });
  });
});

/** A platform that holds the first request of a method after some writes, and policy apply of a setting of two organizations. */
async function onHoldingPlatform(held: 'GET' | 'PATCH', writes: number) {
  const directory = await temporaryDirectory();
  const file = join(directory, 'p.yaml');
  const journal = join(directory, 'run.ndjson');
  writeFileSync(file, 'organizations: [acme, globex]\nmanage: { hooks: all }\nsettings: { company: x }\n');
  const first = Promise.withResolvers<ServerResponse>();
  const companies = new Map([
    ['/api/v3/orgs/acme', 'old'],
    ['/api/v3/orgs/globex', 'old'],
  ]);
  const server = await startServer((response, { method, url }) => {
    if (method === 'PATCH') companies.set(url, 'x');
    const sent = server.requests.filter((each) => each.method === 'PATCH').length;
    if (method === held && sent === writes) first.resolve(response);
    else json(response, url.includes('/pre-receive-hooks') ? [] : { id: url.length, company: companies.get(url) });
  });
  const env = {
    HOME: directory,
    XDG_STATE_HOME: directory,
    FORGECTL_BASE_URL: `${server.origin}/api/v3`,
    FORGECTL_TOKEN: classicToken,
  };
  const apply = (words: readonly string[]) => start(['policy', 'apply', ...words, '--yes'], { env });
  const begun = apply([file, '--prune', '--concurrency', '1', '--journal', journal, '--undo-out', `${journal}.undo`]);
  const response = await first.promise;
  begun.child.kill('SIGINT');
  return { server, journal, apply, response, ...begun };
}

it('interrupted by Ctrl-C, it waits for the response to its write, counts what is done, and explains how to continue', async () => {
  const { server, journal, apply, response, child, ended } = await onHoldingPlatform('PATCH', 1);
  let said = '';
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('Press Ctrl-C again')) break;
  }
  json(response, { company: 'x' });
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(said).toContain('Waiting for the response to 1 write. Press Ctrl-C again to stop at once.');
  expect(stderr.replace(/in \d+ s/, 'in 1 s')).toContain('1 done, 1 open (1 change) in 1 s.\n');
  expect(stderr).toContain(
    `Continue with:\n  forgectl policy apply --prune --concurrency 1 --undo-out ${journal}.undo --resume ${journal} --yes\n`,
  );
  expect(server.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  expect(await apply(['--prune', '--resume', journal]).ended).toMatchObject({ code: 0 });
  expect(server.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
});

it('interrupted by Ctrl-C, it keeps only what was done in the undo plan', async () => {
  const { journal, ended } = await onHoldingPlatform('GET', 1);
  expect(await ended).toMatchObject({ code: 130 });
  const changes = readFileSync(`${journal}.undo`, 'utf8').split('\n').slice(1, -2);
  expect(changes.map((line) => JSON.parse(line).target)).toEqual(['acme']);
});
