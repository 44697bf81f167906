import { expect, test } from 'vitest';
import { type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { links, sandboxForTests } from './support.ts';

/** What a sandbox answers, without the port that it happens to have. */
async function answers(options: SandboxOptions, path: string): Promise<string> {
  const sandbox = await startSandbox(options);
  const headers = { authorization: `Bearer ${sandbox.tokens.classic}` };
  const response = await fetch(sandbox.baseUrl + path, { headers });
  const text = await response.text();
  await sandbox.close();
  return text.replaceAll(new URL(sandbox.baseUrl).port, 'PORT');
}

test('one seed always produces the same data, and another seed different data', async () => {
  const path = '/orgs/globex/repos';
  const first = await answers({ seed: 7, clock: () => new Date('2026-01-01T00:00:00Z') }, path);
  expect(await answers({ seed: 7, clock: () => new Date('2031-06-01T00:00:00Z') }, path)).toBe(first);
  expect(await answers({ seed: 8 }, path)).not.toBe(first);
});

test('tokens do not depend on the seed', async () => {
  const [first, second] = [await startSandbox({ seed: 3 }), await startSandbox({ seed: 3 })];
  await Promise.all([first.close(), second.close()]);
  const tokens = [first, second].flatMap((sandbox) => Object.values(sandbox.tokens));
  expect(new Set(tokens).size).toBe(tokens.length);
});

test('three organizations with twelve repositories are seeded by default', async () => {
  const organizations = JSON.parse(await answers({}, '/organizations'));
  expect(organizations.map(({ login }: { login: string }) => login)).toEqual(['acme', 'globex', 'initech']);
  const repositories = JSON.parse(await answers({}, '/orgs/globex/repos'));
  expect(repositories).toHaveLength(12);
  expect(repositories.at(-1).name).toBe('site');
});

test('the seed mixes visibilities, forks, archived and empty repositories, and wide characters', async () => {
  const repositories = JSON.parse(await answers({}, '/orgs/acme/repos'));
  const count = (has: (repository: Record<string, unknown>) => boolean) => repositories.filter(has).length;
  expect(count(({ visibility }) => visibility === 'private')).toBe(3);
  expect(count(({ visibility }) => visibility === 'internal')).toBe(1);
  expect(count(({ fork }) => fork === true)).toBe(1);
  expect(count(({ archived }) => archived === true)).toBe(1);
  expect(count(({ size }) => size === 0)).toBe(1);
  expect(count(({ description }) => String(description).includes('東京'))).toBe(1);
});

test('an empty organization has an owner and nothing else, and can invite known people', async () => {
  // Of the third organization, policies of the enterprise refuse changes, unless it is empty.
  const knownLogins = ['NewWren', 'paperfox', 'team:Release', 'app:deployer'];
  const sandbox = await startSandbox({ orgs: 2, emptyOrganizations: ['Moved', 'bare'], knownLogins });
  const headers = { authorization: `Bearer ${sandbox.tokens.classic}` };
  const ask = async (path: string, init: RequestInit = {}) =>
    (await fetch(sandbox.baseUrl + path, { headers, ...init })).json();
  const lists = ['repos', 'rulesets', 'properties/schema', 'teams', 'members'].map((list) =>
    ask(`/orgs/moved/${list}`),
  );
  const [release, admin] = [{ slug: 'release' }, { login: 'admin' }].map((part) => expect.objectContaining(part));
  expect(await Promise.all(lists)).toEqual([[], [], [], [release], [admin]]);
  expect(await ask('/orgs/moved/teams/release/members')).toEqual([]);
  expect(await ask('/orgs/bare/installations')).toMatchObject({ installations: [{ app_slug: 'deployer' }] });
  const budgets = await ask('/organizations/moved/settings/billing/budgets');
  expect(budgets).toMatchObject({ budgets: expect.any(Array) });
  expect(await ask('/users/newwren')).toMatchObject({ login: 'NewWren', id: 5000001 });
  expect(await ask('/orgs/acme/memberships/newwren')).toMatchObject({ message: 'Not Found' });
  const role = { method: 'PUT', body: JSON.stringify({ role: 'member' }) };
  expect(await ask('/orgs/moved/memberships/newwren', role)).toMatchObject({
    state: 'pending',
    user: { login: 'NewWren' },
  });
  const actor = { actor_id: 4711, actor_type: 'Team', bypass_mode: 'always' };
  const ruleset = {
    method: 'POST',
    body: JSON.stringify({ name: 'Any', enforcement: 'active', bypass_actors: [actor] }),
  };
  expect(await ask('/orgs/moved/rulesets', ruleset)).toMatchObject({ bypass_actors: [actor] });
  await sandbox.close();
  await expect(startSandbox({ orgs: 1, emptyOrganizations: ['ACME'] })).rejects.toThrow(
    'ACME is the login of an organization',
  );
  await expect(startSandbox({ emptyOrganizations: ['Wren'], knownLogins: ['wren'] })).rejects.toThrow(
    'Wren is the login of a person',
  );
});

const large = sandboxForTests({ orgs: 1000, repos: 1000 });

test('a million repositories can be paged to the end', async () => {
  const last = await large.ask('GET /orgs/octan/repos?per_page=100&page=10');
  expect(last.body).toHaveLength(100);
  expect(last.body.at(-1).full_name).toBe('octan/site');
  const organizations = await large.ask('GET /organizations?per_page=100&since=1050');
  expect(organizations.body).toHaveLength(50);
  expect(links(organizations, large.baseUrl)).toEqual({});
  expect(new Set(organizations.body.map(({ login }: { login: string }) => login)).size).toBe(50);
});

test('every repository of a large sandbox can be found by name, and names are unique', async () => {
  const pages = await Promise.all(
    Array.from({ length: 10 }, (_, page) => large.ask(`GET /orgs/acme/repos?per_page=100&page=${page + 1}`)),
  );
  const all = pages.flatMap(({ body }) => body as { id: number; full_name: string }[]);
  expect(new Set(all.map(({ full_name }) => full_name)).size).toBe(1000);
  for (const { id, full_name } of all.filter((_, index) => index % 37 === 0))
    expect((await large.ask(`GET /repos/${full_name}`)).body.id).toBe(id);
});
