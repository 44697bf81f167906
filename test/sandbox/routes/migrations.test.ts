import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests({ orgs: 5 });
const { ask } = sandbox;

const start = (body: object) => ask('POST /user/migrations', { body });
const state = async (id: number) => (await ask(`GET /user/migrations/${id}`)).body.state;

/** Where the archive of a migration is stored. */
async function locationOf(id: number): Promise<string> {
  const answer = await ask(`GET /user/migrations/${id}/archive`);
  expect(answer.status).toBe(302);
  return answer.headers.get('location') ?? '';
}

/** The files of a tar archive, by the path in each header. */
function untar(archive: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const text = (at: number, length: number) => archive.toString('latin1', at, at + length).replace(/\0.*$/s, '');
  for (let at = 0; archive[at]; ) {
    const size = Number.parseInt(text(at + 124, 11), 8);
    const prefix = text(at + 345, 155);
    files.set((prefix ? `${prefix}/` : '') + text(at, 100), archive.subarray(at + 512, at + 512 + size));
    at += 512 + Math.ceil(size / 512) * 512;
  }
  return files;
}

test('a migration is pending, then exporting, then exported', async () => {
  const { status, body } = await start({ repositories: ['ACME/Site'], exclude_releases: true });
  expect(status).toBe(201);
  expect(body).toMatchObject({
    id: expect.any(Number),
    guid: expect.stringMatching(/^[0-9a-f-]{36}$/),
    owner: { login: 'admin' },
    state: 'pending',
    lock_repositories: false,
    exclude_metadata: false,
    exclude_git_data: false,
    exclude_attachments: false,
    exclude_releases: true,
    exclude_owner_projects: false,
    org_metadata_only: false,
    repositories: [expect.objectContaining({ full_name: 'acme/site' })],
    url: `${sandbox.baseUrl}/user/migrations/${body.id}`,
    created_at: '2026-11-20T12:30:00Z',
  });
  expect((await ask(`GET /user/migrations/${body.id}/archive`)).status).toBe(404);
  sandbox.advance(1500);
  expect(await state(body.id)).toBe('exporting');
  expect((await ask(`GET /user/migrations/${body.id}/archive`)).status).toBe(404);
  sandbox.advance(2000);
  expect(await state(body.id)).toBe('exported');
  expect((await ask(`GET /user/migrations/${body.id}/archive`)).status).toBe(302);
});

test('a migration with nothing to export fails', async () => {
  const { body } = await start({ repositories: ['acme/site'], exclude_metadata: true, exclude_git_data: true });
  sandbox.advance(5000);
  expect(await state(body.id)).toBe('failed');
  expect((await ask(`GET /user/migrations/${body.id}/archive`)).status).toBe(404);
});

test('the archive is a gzip-compressed tar at a signed URL of another origin', async () => {
  const { body } = await start({ repositories: ['acme/site', 'admin/notes'] });
  sandbox.advance(5000);
  const location = await locationOf(body.id);
  expect(new URL(location).origin).not.toBe(new URL(sandbox.baseUrl).origin);
  const response = await fetch(location);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/gzip');
  const files = untar(gunzipSync(Buffer.from(await response.arrayBuffer())));
  expect([...files.keys()]).toEqual([
    'schema.json',
    'users_000001.json',
    'repositories_000001.json',
    'repositories/acme/site.git/HEAD',
    'repositories/acme/site.git/packed-refs',
    expect.stringMatching(/^repositories\/acme\/site\.git\/objects\/pack\/pack-[0-9a-f]{40}\.pack$/),
    'repositories/admin/notes.git/HEAD',
    'repositories/admin/notes.git/packed-refs',
    expect.stringMatching(/^repositories\/admin\/notes\.git\/objects\/pack\/pack-[0-9a-f]{40}\.pack$/),
  ]);
  expect(String(files.get('repositories/acme/site.git/HEAD'))).toBe('ref: refs/heads/main\n');
  expect(JSON.parse(String(files.get('repositories_000001.json')))).toHaveLength(2);
});

test('a download can be resumed', async () => {
  const { body } = await start({ repositories: ['acme/site'] });
  sandbox.advance(5000);
  const location = await locationOf(body.id);
  const whole = await fetch(location);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const etag = whole.headers.get('etag') ?? '';
  const rest = await fetch(location, { headers: { range: 'bytes=1000-', 'if-range': etag } });
  expect(rest.status).toBe(206);
  expect(rest.headers.get('content-range')).toBe(`bytes 1000-${bytes.length - 1}/${bytes.length}`);
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(1000))).toBe(true);
  expect((await fetch(location, { headers: { range: 'bytes=1000-', 'if-range': '"other"' } })).status).toBe(200);
  expect((await fetch(location, { headers: { range: `bytes=${bytes.length}-` } })).status).toBe(416);
});

test('the storage host rejects tokens and other signatures, and the URL expires', async () => {
  const { body } = await start({ repositories: ['acme/site'] });
  sandbox.advance(5000);
  const location = await locationOf(body.id);
  expect((await fetch(location, { headers: { authorization: 'Bearer x' } })).status).toBe(400);
  expect((await fetch(location.replace(/signature=.{8}/, 'signature=00000000'))).status).toBe(403);
  expect((await fetch(location, { method: 'HEAD' })).status).toBe(200);
  sandbox.advance(6 * 60_000);
  expect((await fetch(location)).status).toBe(403);
});

test('an archive stays for seven days, or until it is deleted', async () => {
  const { body: kept } = await start({ repositories: ['acme/site'] });
  const { body: deleted } = await start({ repositories: ['acme/site'] });
  expect((await ask(`DELETE /user/migrations/${deleted.id}/archive`)).status).toBe(404);
  sandbox.advance(5000);
  const location = await locationOf(deleted.id);
  expect(await ask(`DELETE /user/migrations/${deleted.id}/archive`)).toMatchObject({ status: 204, body: '' });
  expect((await ask(`GET /user/migrations/${deleted.id}/archive`)).status).toBe(404);
  expect((await fetch(location)).status).toBe(404);
  sandbox.advance(6.9 * 86_400_000);
  expect((await ask(`GET /user/migrations/${kept.id}/archive`)).status).toBe(302);
  sandbox.advance(0.2 * 86_400_000);
  expect((await ask(`GET /user/migrations/${kept.id}/archive`)).status).toBe(404);
});

test('locked repositories reject changes until they are unlocked after the export, once', async () => {
  const { body } = await start({ repositories: ['acme/site', 'admin/notes'], lock_repositories: true });
  const dispatch = () => ask('POST /repos/acme/site/dispatches', { body: { event_type: 'go' } });
  expect(await dispatch()).toMatchObject({
    status: 403,
    body: { message: 'Repository has been locked for migration.' },
  });
  const unlock = () => ask(`DELETE /user/migrations/${body.id}/repos/Site/lock`);
  for (const state of ['pending', 'exporting']) {
    expect(await unlock()).toMatchObject({
      status: 403,
      body: { message: `The migration is still ${state}: its repositories can be unlocked once it is exported.` },
    });
    expect((await dispatch()).status).toBe(403);
    sandbox.advance(1500);
  }
  expect(await unlock()).toMatchObject({ status: 204, body: '' });
  expect((await dispatch()).status).toBe(204);
  expect((await unlock()).status).toBe(404);
  expect((await ask(`DELETE /user/migrations/${body.id}/repos/other/lock`)).status).toBe(404);
});

test('a repository that a migration of an organization has locked is unlocked once', async () => {
  const [{ id, repositories }] = (await ask('GET /orgs/hooli/migrations')).body;
  const unlock = () => ask(`DELETE /orgs/hooli/migrations/${id}/repos/${repositories[0].name}/lock`);
  const change = (body: object) => ask(`PATCH /repos/${repositories[0].full_name}`, { body });
  expect((await change({ archived: false })).body.message).toBe('Repository has been locked for migration.');
  expect((await ask(`DELETE /orgs/hooli/migrations/${id}/repos/site/lock`)).status).toBe(404);
  expect(await unlock()).toMatchObject({ status: 204, body: '' });
  expect((await unlock()).status).toBe(404);
  expect((await change({ archived: false })).status).toBe(200);
});

test('migrations and their repositories are listed, newest first', async () => {
  const { body } = await start({ repositories: ['admin/notes'] });
  const list = await ask('GET /user/migrations?per_page=100');
  expect(list.body[0].id).toBe(body.id);
  expect(list.body.at(-1)).toMatchObject({ id: 77, state: 'exported' });
  const repositories = await ask(`GET /user/migrations/${body.id}/repositories`);
  expect(repositories.body).toEqual([expect.objectContaining({ full_name: 'admin/notes' })]);
});

test('exclude omits attributes from the response', async () => {
  const { body } = await start({ repositories: ['acme/site'], exclude: ['repositories'] });
  expect(body).not.toHaveProperty('repositories');
  expect((await ask(`GET /user/migrations/${body.id}`)).body).toHaveProperty('repositories');
  for (const query of ['exclude=repositories', 'exclude[]=repositories'])
    expect((await ask(`GET /user/migrations/${body.id}?${query}`)).body).not.toHaveProperty('repositories');
});

test('org_metadata_only requires no repositories, and other flags are ignored', async () => {
  const { status, body } = await start({ repositories: [], org_metadata_only: true, exclude_metadata: true });
  expect(status).toBe(201);
  expect(body).toMatchObject({ org_metadata_only: true, exclude_metadata: false, repositories: [] });
  expect((await start({ repositories: ['acme/site'], org_metadata_only: true })).status).toBe(422);
});

test('a repeated repository counts once', async () => {
  const { body } = await start({ repositories: ['acme/site', 'admin/notes', 'ACME/Site', 'acme/site'] });
  const names = body.repositories.map(({ full_name }: { full_name: string }) => full_name);
  expect(names).toEqual(['acme/site', 'admin/notes']);
});

test('repositories are required and must exist', async () => {
  expect((await start({})).status).toBe(422);
  expect((await start({ repositories: [] })).status).toBe(422);
  for (const name of ['acme/nothing', 'site', 'acme/site/more']) {
    const answer = await start({ repositories: [name] });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([expect.objectContaining({ resource: 'Migration', field: 'repositories' })]);
  }
});

test('only classic and OAuth tokens are accepted', async () => {
  for (const as of ['fine_grained', 'app_user', 'installation'])
    expect((await ask('GET /user/migrations', { as })).status).toBe(403);
  expect((await ask('GET /user/migrations', { as: 'oauth' })).status).toBe(200);
  expect((await ask('GET /user/migrations', { as: null })).status).toBe(401);
});

test('an unknown migration is 404', async () => {
  for (const request of [
    'GET /user/migrations/1',
    'GET /user/migrations/1/repositories',
    'GET /user/migrations/1/archive',
  ])
    expect((await ask(request)).status).toBe(404);
});
