/** Repositories that are changed, renamed, archived, and deleted. */
import { describe, expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

/** A repository of acme's own for one test. */
async function created(name: string): Promise<number> {
  const { status, body } = await ask('POST /orgs/acme/repos', { body: { name, private: true, auto_init: true } });
  expect(status).toBe(201);
  return body.id;
}

const namesOfAcme = async () =>
  (await ask('GET /orgs/acme/repos?per_page=100')).body.map(({ name }: { name: string }) => name);

describe('PATCH /repos/{owner}/{repo}', () => {
  test('changes only the given fields', async () => {
    await created('changing');
    const body = { description: 'New', has_wiki: false, allow_update_branch: true, visibility: 'internal' };
    const security_and_analysis = { secret_scanning: { status: 'enabled' } };
    const changed = await ask('PATCH /repos/acme/changing', { body: { ...body, security_and_analysis } });
    expect(changed).toMatchObject({ status: 200, body: { ...body, has_issues: true, security_and_analysis } });
    expect((await ask('GET /repos/acme/changing')).body).toEqual(changed.body);
  });

  test('redirects from the old name of a renamed repository until another one takes it', async () => {
    const id = await created('old-name');
    const renamed = await ask('PATCH /repos/acme/old-name', { body: { name: 'new-name' } });
    expect(renamed.body).toMatchObject({ id, name: 'new-name', full_name: 'acme/new-name' });
    const { status, headers } = await ask('GET /repos/acme/old-name/languages');
    expect(status).toBe(301);
    expect(headers.get('location')).toMatch(new RegExp(`/repositories/${id}/languages$`));
    expect((await ask('PATCH /repos/acme/old-name', { body: {} })).status).toBe(307);
    await created('old-name');
    expect((await ask('GET /repos/acme/old-name')).status).toBe(200);
  });

  test('renames a seeded repository, which keeps its id and its place in lists', async () => {
    const before = await ask('GET /orgs/globex/repos?per_page=100');
    const { id, name } = before.body[3];
    await ask(`PATCH /repos/globex/${name}`, { body: { name: 'renamed' } });
    expect((await ask('GET /repos/globex/renamed')).body.id).toBe(id);
    expect((await ask(`GET /repositories/${id}`)).body.name).toBe('renamed');
    const after = await ask('GET /orgs/globex/repos?per_page=100');
    expect(after.body.map((each: { id: number }) => each.id)).toEqual(
      before.body.map((each: { id: number }) => each.id),
    );
    await ask('PATCH /repos/globex/renamed', { body: { name } });
    expect((await ask(`GET /repos/globex/${name}`)).body.id).toBe(id);
  });

  test('rejects a taken name, an unknown branch, and no way to merge', async () => {
    await created('refusing');
    const ways = { allow_squash_merge: false, allow_merge_commit: false, allow_rebase_merge: false };
    for (const body of [{ name: 'site' }, { default_branch: 'nowhere' }, ways])
      expect((await ask('PATCH /repos/acme/refusing', { body })).status).toBe(422);
  });

  test('makes a repository read-only while it is archived', async () => {
    await created('archiving');
    expect((await ask('PATCH /repos/acme/archiving', { body: { archived: true } })).body.archived).toBe(true);
    const refused = await ask('PATCH /repos/acme/archiving', { body: { description: 'No' } });
    expect(refused).toMatchObject({ status: 403, body: { message: 'Repository was archived so is read-only.' } });
    expect((await ask('PATCH /repos/acme/archiving', { body: { archived: false } })).body.archived).toBe(false);
  });

  test('is rejected without administration access', async () => {
    expect((await ask('PATCH /repos/acme/site', { as: 'member', body: { description: 'Mine' } })).status).toBe(403);
  });
});

describe('DELETE /repos/{owner}/{repo}', () => {
  test('frees the name for another repository', async () => {
    const id = await created('deleting');
    expect((await ask('DELETE /repos/acme/deleting')).status).toBe(204);
    expect((await ask('GET /repos/acme/deleting')).status).toBe(404);
    expect((await ask(`GET /repositories/${id}`)).status).toBe(404);
    expect(await created('deleting')).not.toBe(id);
  });

  test('deletes a seeded repository permanently, and frees its name', async () => {
    const names = await namesOfAcme();
    const { id } = (await ask(`GET /repos/acme/${names.at(-2)}`)).body;
    await ask(`DELETE /repos/acme/${names.at(-2)}`);
    expect(await namesOfAcme()).toEqual(names.filter((name: string) => name !== names.at(-2)));
    const again = await created(names.at(-2));
    expect(again).not.toBe(id);
    expect((await ask(`GET /repositories/${id}`)).status).toBe(404);
  });

  test('requires the scope delete_repo of classic tokens', async () => {
    const { status, headers } = await ask('DELETE /repos/acme/site', { as: 'oauth' });
    expect(status).toBe(403);
    expect(headers.get('x-accepted-oauth-scopes')).toBe('delete_repo');
  });
});

describe('POST /repos/{owner}/{repo}/transfer', () => {
  test('moves a repository, and redirects from its old location', async () => {
    const id = await created('moving');
    const body = { new_owner: 'globex', new_name: 'moved' };
    const moved = await ask('POST /repos/acme/moving/transfer', { body });
    expect(moved).toMatchObject({ status: 202, body: { full_name: 'acme/moving' } });
    expect((await ask('GET /repos/globex/moved')).body.id).toBe(id);
    expect(await ask('GET /repos/acme/moving')).toMatchObject({ status: 301 });
    expect(await namesOfAcme()).not.toContain('moving');
  });

  test('rejects an unknown owner, the same owner, a taken name and a team of another organization', async () => {
    await created('staying');
    const bodies = [
      { new_owner: 'nobody' },
      { new_owner: 'acme' },
      { new_owner: 'globex', new_name: 'site' },
      { new_owner: 'globex', team_ids: [1] },
    ];
    for (const body of bodies) expect((await ask('POST /repos/acme/staying/transfer', { body })).status).toBe(422);
  });
});

describe('PUT /repos/{owner}/{repo}/topics', () => {
  test('saves topics in lower case, and rejects invalid ones', async () => {
    await created('topical');
    const set = (names: readonly string[]) => ask('PUT /repos/acme/topical/topics', { body: { names } });
    expect((await set(['Web', 'internal-tools'])).body).toEqual({ names: ['web', 'internal-tools'] });
    expect((await ask('GET /repos/acme/topical')).body.topics).toEqual(['web', 'internal-tools']);
    expect((await set([])).body).toEqual({ names: [] });
    for (const names of [['two words'], ['-web'], Array.from({ length: 21 }, (_, index) => `t${index}`)])
      expect((await set(names)).status).toBe(422);
  });
});

describe('GET /repos/{owner}/{repo}/collaborators', () => {
  test('is rejected with read access only', async () => {
    await created('closed');
    expect((await ask('GET /repos/acme/site/collaborators', { as: 'weak' })).status).toBe(403);
    const { body } = await ask('GET /repos/acme/closed/collaborators?affiliation=direct');
    expect(body.map(({ login, role_name }: Record<string, string>) => [login, role_name])).toEqual([
      ['admin', 'admin'],
    ]);
  });
});
