import { expect, test } from 'vitest';
import { type Answer, sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

const names = (answer: Answer): string[] => answer.body.map(({ full_name }: { full_name: string }) => full_name);
const fork = (repository: string, body: object = {}, as = 'classic') =>
  ask(`POST /repos/${repository}/forks`, { as, body });

test('forks are listed newest first, or in the requested order', async () => {
  const newest = await ask('GET /repos/acme/site/forks', { as: null });
  expect(newest.status).toBe(200);
  expect(names(newest)).toEqual([
    'riverotter/site',
    'paperfox/site',
    'tealheron/site',
    'marblecat/site',
    'quietowl/site',
  ]);
  expect(newest.body[0]).toMatchObject({ fork: true, parent: { full_name: 'acme/site' } });
  expect(names(await ask('GET /repos/acme/site/forks?sort=newest'))).toEqual(names(newest));
  expect(names(await ask('GET /repos/acme/site/forks?sort=oldest'))).toEqual(names(newest).reverse());
  for (const [sort, member] of [
    ['stargazers', 'stargazers_count'],
    ['watchers', 'watchers_count'],
  ] as const) {
    const counts = (await ask(`GET /repos/acme/site/forks?sort=${sort}`)).body.map(
      (each: Record<string, number>) => each[member],
    );
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
  }
});

test('an unknown order of forks is 400', async () => {
  const { status, body } = await ask('GET /repos/acme/site/forks?sort=size');
  expect([status, body.status]).toEqual([400, '400']);
});

test('a fork is accepted with 202, and its git objects follow a moment later', async () => {
  const created = await fork('globex/site');
  expect(created.status).toBe(202);
  expect(created.body).toMatchObject({ full_name: 'admin/site', fork: true, parent: { full_name: 'globex/site' } });
  expect((await ask('GET /repos/admin/site')).status).toBe(200);
  for (const path of ['commits', 'contributors', 'languages', 'activity', 'codeowners/errors'])
    expect(await ask(`GET /repos/admin/site/${path}`)).toMatchObject({
      status: 409,
      body: { message: 'Git Repository is empty.' },
    });
  sandbox.advance(2000);
  for (const path of ['commits', 'contributors', 'languages', 'activity', 'codeowners/errors'])
    expect((await ask(`GET /repos/admin/site/${path}`)).status).toBe(200);
  expect((await ask('GET /repos/globex/site')).body.forks_count).toBe(1);
  expect((await ask('GET /repos/admin/site/commits')).body[0].sha).toBe(
    (await ask('GET /repos/globex/site/commits')).body[0].sha,
  );
});

test('a fork can go into an organization, under a name, with the default branch only', async () => {
  const body = { organization: 'Globex', name: 'mirror', default_branch_only: true };
  expect((await fork('acme/site', body)).body).toMatchObject({
    full_name: 'globex/mirror',
    organization: { login: 'globex' },
  });
  sandbox.advance(2000);
  expect((await ask('GET /repos/globex/mirror/codeowners/errors?ref=main')).status).not.toBe(409);
  const refs = (await ask('GET /repos/globex/mirror/activity?per_page=100')).body.map(
    ({ ref }: { ref: string }) => ref,
  );
  expect(new Set(refs)).toEqual(new Set(['refs/heads/main']));
});

test('forking again into the same account returns the existing fork', async () => {
  const body = { organization: 'initech', name: 'once' };
  const first = await fork('acme/site', body);
  const second = await fork('acme/site', { organization: 'initech' });
  expect([second.status, second.body.id]).toEqual([202, first.body.id]);
});

test('a taken name is rejected if it was requested, and numbered otherwise', async () => {
  const { body } = await ask('GET /orgs/globex/repos?type=sources&per_page=100');
  const source = body.find(
    (each: { name: string; size: number; visibility: string }) =>
      each.name !== 'site' && each.size > 0 && each.visibility === 'public',
  );
  await ask('POST /orgs/initech/repos', { body: { name: source.name } });
  expect((await fork(source.full_name, { organization: 'initech', name: 'site' })).status).toBe(422);
  expect((await fork(source.full_name, { organization: 'initech' })).body.name).toBe(`${source.name}-1`);
});

test('a fork’s name is checked like that of any repository', async () => {
  for (const name of ['a.git', '...', 'n'.repeat(101)]) {
    const answer = await fork('initech/site', { organization: 'globex', name });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ resource: 'Repository', field: 'name' })]);
  }
  expect((await fork('initech/site', { organization: 'globex', name: 'two words' })).body.full_name).toBe(
    'globex/two-words',
  );
});

test('a repository that cannot be forked is 403: an empty one, and a private one against the organization’s policy', async () => {
  const { body: empty } = await ask('POST /orgs/acme/repos', { body: { name: 'vacant' } });
  expect((await fork(empty.full_name)).status).toBe(403);
  const full = { name: 'closed', private: true, auto_init: true };
  const { body: closed } = await ask('POST /orgs/acme/repos', { body: full });
  expect(closed.allow_forking).toBe(false);
  expect(await fork(closed.full_name)).toMatchObject({
    status: 403,
    body: { message: 'Forking is disabled for this repository.' },
  });
  await ask('PATCH /orgs/acme', { body: { members_can_fork_private_repositories: true } });
  expect((await fork(closed.full_name)).status).toBe(202);
});

test('an unknown organization is 404, and an app requires one with its installation', async () => {
  expect((await fork('acme/site', { organization: 'nobody' })).status).toBe(404);
  expect((await fork('acme/site', {}, 'installation')).status).toBe(403);
  expect((await fork('acme/site', { organization: 'globex' }, 'installation')).status).toBe(403);
  expect((await fork('globex/nothing')).status).toBe(404);
});

test('the commits of an empty repository are 409, others are paged', async () => {
  const { body } = await ask('POST /orgs/acme/repos', { body: { name: 'barren' } });
  expect((await ask(`GET /repos/${body.full_name}/commits`)).status).toBe(409);
  const all = await ask('GET /repos/acme/site/commits?per_page=100');
  expect(all.body).toHaveLength(100);
  expect(all.body[0]).toMatchObject({
    sha: expect.stringMatching(/^[0-9a-f]{40}$/),
    commit: { message: 'Change number 120', author: { email: expect.stringContaining('@') } },
    parents: [{ sha: all.body[1].sha }],
  });
  expect((await ask('GET /repos/acme/site/commits?per_page=100&page=2')).body).toHaveLength(20);
});
