import { expect, test } from 'vitest';
import { sandboxForTests } from './support.ts';

const { ask, advance } = sandboxForTests();

const actions = async (query: string) =>
  (await ask(`GET /orgs/acme/audit-log?${query}`)).body.map(({ action }: { action: string }) => action);

test('the audit log records actions, newest first', async () => {
  await ask('POST /orgs/acme/repos', { body: { name: 'logged' } });
  advance(60_000);
  for (const body of [{ has_wiki: false }, { archived: true }, { archived: false }, { visibility: 'private' }])
    await ask('PATCH /repos/acme/logged', { body });
  await ask('PATCH /repos/acme/logged', { body: { name: 'renamed' } });
  await ask('PATCH /orgs/acme', { body: { location: 'Oslo' } });
  await ask('DELETE /repos/acme/renamed');
  expect(await actions('per_page=8')).toEqual([
    'repo.destroy',
    'org.update',
    'repo.rename',
    'repo.access',
    'repo.unarchived',
    'repo.archived',
    'repo.update',
    'repo.create',
  ]);
  const [destroyed] = (await ask('GET /orgs/acme/audit-log')).body;
  expect(destroyed).toMatchObject({ actor: 'admin', org: 'acme', repo: 'acme/renamed' });
  expect(destroyed['@timestamp']).toBe(Date.parse('2026-11-20T12:31:00Z'));
});

test('a new repository is recorded under its own name, where it was created', async () => {
  await ask('POST /orgs/acme/repos', { body: { name: 'hand book' } });
  await ask('POST /repos/acme/site/forks', { body: { organization: 'globex', name: 'copy' } });
  const [created] = (await ask('GET /orgs/acme/audit-log')).body;
  expect(created).toMatchObject({ action: 'repo.create', org: 'acme', repo: 'acme/hand-book' });
  const [forked] = (await ask('GET /orgs/globex/audit-log')).body;
  expect(forked).toMatchObject({ action: 'repo.create', org: 'globex', repo: 'globex/copy' });
});

test('a rejected write leaves no entry', async () => {
  await ask('PATCH /repos/acme/site', { as: 'member', body: { archived: true } });
  expect(await actions('phrase=action:repo.archived+repo:acme/site')).toEqual([]);
});

test('events are filtered by action, actor, repository and day', async () => {
  await ask('PUT /repos/acme/site/topics', { body: { names: ['web'] } });
  for (const phrase of [
    'action:repo.update_topics',
    'repo:acme/site+actor:admin',
    'created:>=2026-11-20+update_topics',
  ])
    expect(await actions(`phrase=${phrase}`)).toContain('repo.update_topics');
  expect(await actions('phrase=created:>2026-11-20')).toEqual([]);
  expect(new Set(await actions('include=git'))).toEqual(new Set(['git.push']));
});

test('pages continue by cursor, in either order', async () => {
  const { body: first, headers } = await ask('GET /orgs/acme/audit-log?per_page=3');
  const next = new URL(/<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? '');
  const { body: second } = await ask(`GET /orgs/acme/audit-log${next.search}`);
  const { body: all } = await ask('GET /orgs/acme/audit-log?per_page=6');
  expect([...first, ...second]).toEqual(all);
  const times = (await ask('GET /orgs/acme/audit-log?order=asc')).body.map(
    (event: { created_at: number }) => event.created_at,
  );
  expect(times).toEqual(times.toSorted((one: number, other: number) => one - other));
  expect((await ask('GET /orgs/acme/audit-log?after=nowhere')).status).toBe(422);
});

test('it is for owners, and for enterprise administrators in an enterprise', async () => {
  expect((await ask('GET /orgs/acme/audit-log', { as: 'member' })).status).toBe(403);
  expect((await ask('GET /enterprises/sandbox/audit-log', { as: 'owner' })).status).toBe(403);
  expect((await ask('GET /enterprises/sandbox/audit-log')).status).toBe(200);
});
