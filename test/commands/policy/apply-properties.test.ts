/** policy apply: property values, 30 repositories in a request. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { readJournal } from '../../../src/fleet/journal/read.ts';
import { chance } from '../../support/chance.ts';
import { moments, startKillingPlatform } from '../../support/killing-platform.ts';
import { pathOf, type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { start } from '../../support/process.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

vi.setConfig({ testTimeout: 600_000 });

/** `r1`, `r2`, …: as many names as there are repositories in the platform of a test. */
const names = (count: number) => Array.from({ length: count }, (_, index) => `r${index + 1}`);

const repositoryNamed = (name: string) => ({
  ...{ id: Number(name.slice(1)), name, full_name: `acme/${name}`, owner: { login: 'acme' }, archived: false },
});

interface Write {
  readonly repository_names: readonly string[];
  readonly properties: readonly { readonly property_name: string; readonly value: string }[];
}

/** `lost`: made, without a response; `dropped`: neither. */
type Answer = ScriptedAnswer | 'lost' | 'dropped' | undefined;

/**
 * A platform of repositories without property values, which makes each write unless `refuse` has another answer. `found` returns
 * the record of a repository, or another answer to its request.
 */
async function onRepositories(
  count: number,
  refuse: (write: Write) => Answer | Promise<Answer> = () => undefined,
  found: (name: string) => object | Promise<ScriptedAnswer> = repositoryNamed,
) {
  const values = new Map<string, object>();
  const all = names(count);
  const platform = await scriptedPlatform(async (request) => {
    const [, repository = '', isValues] = /^\/repos\/acme\/([^/]+)(\/properties\/values)?$/.exec(pathOf(request)) ?? [];
    const valuesOf = (name: string) => [values.get(name) ?? []].flat();
    if (request.method === 'PATCH') {
      const { repository_names, properties }: Write = JSON.parse(request.body);
      const answer = (await refuse({ repository_names, properties })) ?? { status: 204 };
      if (answer === 'lost' || (answer !== 'dropped' && answer.status === 204))
        for (const name of repository_names) values.set(name, properties);
      return answer === 'lost' || answer === 'dropped' ? { headers: { 'content-length': '1000' }, body: '{' } : answer;
    }
    if (isValues) return { body: valuesOf(repository) };
    if (repository) {
      const record = found(repository);
      return record instanceof Promise ? record : { body: record };
    }
    switch (pathOf(request)) {
      case '/orgs/acme/repos':
        return { body: all.map(repositoryNamed) };
      case '/orgs/acme/properties/schema':
        return {
          body: [{ property_name: 'tier', value_type: 'single_select', allowed_values: ['gold', 'silver'] }],
        };
      case '/orgs/acme/properties/values':
        return {
          body: all.map((name) => ({
            ...{ repository_id: 1, repository_name: name, repository_full_name: `acme/${name}` },
            properties: valuesOf(name),
          })),
        };
      default:
        return { body: { login: 'admin' } };
    }
  });
  const folder = await temporaryDirectory();
  const file = join(folder, 'p.yaml');
  const journal = join(folder, 'run.ndjson');
  writeFileSync(
    file,
    `organizations: [acme]
repositories:
  - { select: { names: ["*", "!r2"] }, properties: { tier: gold } }
  - { select: { names: [r2] }, properties: { tier: silver } }
`,
  );
  const env = { ...platform.env, XDG_STATE_HOME: folder };
  const apply = (...words: string[]) => run(['policy', 'apply', ...words], { env });
  const writes = () =>
    platform.requests.flatMap(({ method, url, body }) => (method === 'GET' ? [] : [{ method, url, body }]));
  return { ...platform, file, journal, env, apply, writes };
}

const write = (repository_names: readonly string[], value: string) => ({
  method: 'PATCH',
  url: '/api/v3/orgs/acme/properties/values',
  body: JSON.stringify({ repository_names, properties: [{ property_name: 'tier', value }] }),
});

/** 33 repositories, of which r2 gets another value: 30, 2 and 1. */
const [, second = '', ...others] = names(33);
const gold = ['r1', ...others].toSorted();
const [thirty, rest] = [gold.slice(0, 30), gold.slice(30)];

describe('policy apply of property values', () => {
  it('sends one request for at most 30 repositories with the same values, with a result for each', async () => {
    const { file, apply, writes } = await onRepositories(33);
    const { stdout, code, stderr } = await apply(file, '--yes');
    expect(code, stderr).toBe(0);
    expect(writes().toSorted((a, b) => b.body.length - a.body.length)).toEqual([
      write(thirty, 'gold'),
      write(rest, 'gold'),
      write([second], 'silver'),
    ]);
    expect(stdout.match(/^acme\/r\d+\tok\tupdate properties\t$/gm)).toHaveLength(33);
    expect(stderr).toContain('33 done (33 changes) in 0 s.');
  });

  it('shows the same requests with --dry-run, and what an undo sends', async () => {
    const { file, apply, writes, journal } = await onRepositories(33);
    const dryRun = async (...words: string[]) =>
      JSON.parse((await apply(...words, '--dry-run', '--json')).stdout).map(({ body }: { body: Write }) => [
        body.repository_names.length,
        body.properties[0]?.value,
      ]);
    expect(await dryRun(file)).toEqual([
      [1, 'silver'],
      [30, 'gold'],
      [2, 'gold'],
    ]);
    expect(writes()).toEqual([]);
    await apply(file, '--yes', '--undo-out', `${journal}.undo.ndjson`);
    expect(await dryRun(`${journal}.undo.ndjson`)).toEqual([
      [30, null],
      [3, null],
    ]);
  });

  it('sends one request for each repository of a batch that was refused', async () => {
    let isThere = false;
    const { file, apply, writes, journal } = await onRepositories(5, ({ repository_names: all }) =>
      all.includes('r4') && !isThere ? { status: 422, body: { message: 'Validation Failed' } } : undefined,
    );
    const { stdout, code } = await apply(file, '--yes', '--journal', journal);
    expect(code).toBe(9);
    expect(stdout).toBe(`acme/r1\tok\tupdate properties\t
acme/r2\tok\tupdate properties\t
acme/r3\tok\tupdate properties\t
acme/r4\tfailed\t\tPATCH /orgs/acme/properties/values returned 422 Validation Failed
acme/r5\tok\tupdate properties\t
`);
    const ofGold = () => writes().filter(({ body }) => body.includes('gold'));
    expect(ofGold()).toEqual([
      write(['r1', 'r3', 'r4', 'r5'], 'gold'),
      ...['r1', 'r3', 'r4', 'r5'].map((name) => write([name], 'gold')),
    ]);
    isThere = true;
    expect(await apply('--resume', journal, '--only', 'failed', '--yes')).toMatchObject({
      code: 0,
      stdout: 'acme/r4\tok\tupdate properties\t\n',
    });
    expect(ofGold().slice(5)).toEqual([write(['r4'], 'gold')]);
  });

  it('checks each repository again after a rate limit, so that no other with its name is changed', async () => {
    let isLimited = true;
    const { file, apply, writes } = await onRepositories(
      4,
      ({ repository_names: all }) => {
        if (!isLimited || all.length === 1) return undefined;
        isLimited = false;
        return { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down' } };
      },
      (name) => ({ ...repositoryNamed(name), ...(!isLimited && name === 'r3' && { id: 99 }) }),
    );
    const { stdout, code } = await apply(file, '--yes');
    expect(code).toBe(9);
    expect(stdout).toContain('acme/r3\tfailed\t\tacme/r3 is now a different repository: its ID is 99, not 3.');
    expect(writes().filter(({ body }) => body.includes('gold'))).toEqual([
      write(['r1', 'r3', 'r4'], 'gold'),
      write(['r1', 'r4'], 'gold'),
    ]);
  });

  it('checks each repository again if another one of its batch was read after a rate limit', async () => {
    const isRead = Promise.withResolvers<void>();
    let isReplaced = false;
    const { file, apply, writes } = await onRepositories(
      4,
      () => undefined,
      (name) => {
        if (name === 'r1' && !isReplaced)
          return isRead.promise.then(() => {
            isReplaced = true;
            return { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down' } };
          });
        if (name === 'r3') isRead.resolve();
        return { ...repositoryNamed(name), ...(isReplaced && name === 'r3' && { id: 99 }) };
      },
    );
    const { stdout, code } = await apply(file, '--yes');
    expect(code).toBe(9);
    expect(stdout).toContain('acme/r3\tfailed\t\tacme/r3 is now a different repository: its ID is 99, not 3.');
    expect(writes().filter(({ body }) => body.includes('gold'))).toEqual([write(['r1', 'r4'], 'gold')]);
  });

  it('checks each repository of a refused batch again, so that no other with its name is changed', async () => {
    const replaced = new Set<string>();
    const { file, apply, writes } = await onRepositories(
      4,
      ({ repository_names: all }) => {
        if (all.length === 1) return undefined;
        replaced.add('r3');
        return { status: 404, body: { message: 'Not Found' } };
      },
      (name) => ({ ...repositoryNamed(name), ...(replaced.has(name) && { id: 99 }) }),
    );
    const { stdout, code } = await apply(file, '--yes');
    expect(code).toBe(9);
    expect(stdout).toContain('acme/r3\tfailed\t\tacme/r3 is now a different repository: its ID is 99, not ');
    expect(writes().filter(({ body }) => body.includes('gold'))).toEqual([
      write(['r1', 'r3', 'r4'], 'gold'),
      ...['r1', 'r4'].map((name) => write([name], 'gold')),
    ]);
  });

  it.each([
    ['made', 'lost', []],
    ['not made', 'dropped', ['r1', 'r3']],
  ] as const)(
    'at its end, looks at each repository of a batch without a response that was %s',
    async (_, answer, again) => {
      const { file, apply, writes, journal, requests } = await onRepositories(3, ({ repository_names: all }) =>
        all.length > 1 ? answer : undefined,
      );
      const { stdout, code } = await apply(file, '--yes', '--journal', journal);
      expect({ code, ok: stdout.match(/^acme\/r[123]\tok\tupdate properties\t$/gm)?.length }).toEqual({
        code: 0,
        ok: 3,
      });
      const lines = readFileSync(journal, 'utf8');
      for (const name of ['acme/r1', 'acme/r3'])
        expect(lines).toContain(`{"target":"${name}","sending":"update properties","at":`);
      const gold = writes().filter(({ body }) => body.includes('gold'));
      expect(gold).toEqual([write(['r1', 'r3'], 'gold'), ...again.map((name) => write([name], 'gold'))]);
      const reads = requests.slice(requests.findIndex(({ body }) => body.includes('r3')));
      expect(reads.map(({ url }) => url)).toEqual(
        expect.arrayContaining(['/api/v3/repos/acme/r1/properties/values', '/api/v3/repos/acme/r3/properties/values']),
      );
    },
  );
});

/** Each costs the start of a program; `FLEET_KILLS=100` is for a deliberate trial. */
const kills = Number(process.env.FLEET_KILLS ?? 3);
const repositories = Math.max(140, 60 * kills);

/** Every eighth repository of the sandbox is archived. */
const targets = repositories - Math.floor(repositories / 8);

it(`killed ${kills} times, it sets the values of each repository once`, async () => {
  const platform = await startKillingPlatform({ orgs: 1, repos: repositories });
  const directory = await temporaryDirectory();
  const file = join(directory, 'p.yaml');
  const journal = join(directory, 'run.ndjson');
  const env = { ...platform.env, HOME: directory, XDG_STATE_HOME: directory };
  const apply = (...words: string[]) => start(['policy', 'apply', ...words, '--yes'], { env });
  writeFileSync(file, 'organizations: [acme]\nrepositories: [{ select: {}, properties: { team: fleet } }]\n');
  const random = chance(11);
  let words = [file, '--journal', journal];
  for (let killed = 0; killed < kills; killed++) {
    const { child, ended } = apply(...words);
    const moment = moments[Math.floor(random() * moments.length)] ?? 'applied';
    platform.killAt(1 + Math.floor((random() * targets) / 30 / (kills + 1)), moment, child);
    const { signal, code, stderr } = await ended;
    // Other requests are sent while the process is killed: later runs may have fewer left than they should survive.
    if (killed > 0 && code === 0) break;
    expect(signal, stderr).toBe('SIGKILL');
    words = ['--resume', journal];
  }
  const { code, stderr } = await apply(...words).ended;
  expect(code, stderr).toBe(0);
  expect(readJournal(journal).state?.counts()).toEqual({ done: targets, failed: 0, unknown: 0, open: 0 });
  const set = platform.bodies.flatMap((body): readonly string[] => JSON.parse(body).repository_names);
  expect(set).toHaveLength(targets);
  expect(new Set(set).size).toBe(targets);
  expect(await start(['policy', 'plan', file, '--exit-code'], { env }).ended).toMatchObject({ code: 0, stdout: '' });
});

it('interrupted by Ctrl-C, it waits for the response to its request, which is that of each repository', async () => {
  const begun = Promise.withResolvers<void>();
  const held = Promise.withResolvers<Answer>();
  const { file, env, journal, writes } = await onRepositories(4, async ({ repository_names: all }) => {
    if (!all.includes('r1')) return undefined;
    begun.resolve();
    return held.promise;
  });
  const { child, ended } = start(['policy', 'apply', file, '--yes', '--concurrency', '1', '--journal', journal], {
    env,
  });
  await begun.promise;
  child.kill('SIGINT');
  let said = '';
  for await (const chunk of child.stderr.iterator({ destroyOnReturn: false })) {
    said += chunk;
    if (said.includes('Press Ctrl-C again')) break;
  }
  held.resolve(undefined);
  expect(await ended).toMatchObject({ code: 130 });
  expect(said).toContain('Waiting for the response to 1 write. Press Ctrl-C again to stop at once.');
  const ofGold = () => writes().filter(({ body }) => body.includes('gold'));
  expect(ofGold()).toHaveLength(1);
  const { code } = await start(['policy', 'apply', '--resume', journal, '--yes'], { env }).ended;
  expect({ code, writes: ofGold().length }).toEqual({ code: 0, writes: 1 });
  expect(readJournal(journal).state?.counts()).toEqual({ done: 4, failed: 0, unknown: 0, open: 0 });
});
