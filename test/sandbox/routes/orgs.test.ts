import { expect, test } from 'vitest';
import { type Answer, links, sandboxForTests } from '../support.ts';

const grants = {
  'public-token': { kind: 'classic', login: 'admin', scopes: ['public_repo'] },
  'planless-token': { kind: 'app_user', login: 'admin', permissions: { organization_administration: 'read' } },
} as const;
const sandbox = sandboxForTests({ orgs: 5, grants });
const { ask } = sandbox;

const summaryMembers = [
  'login',
  'id',
  'node_id',
  'url',
  'repos_url',
  'events_url',
  'hooks_url',
  'issues_url',
  'members_url',
  'public_members_url',
  'avatar_url',
  'description',
];

test('organizations are listed in creation order, and paginated only by since', async () => {
  const first = await ask('GET /organizations?per_page=2', { as: null });
  expect(first.body.map(({ login }: { login: string }) => login)).toEqual(['acme', 'globex']);
  expect(Object.keys(first.body[0])).toEqual(summaryMembers);
  expect(links(first, sandbox.baseUrl)).toEqual({ next: '/organizations?per_page=2&since=102' });
  const last = await ask('GET /organizations?per_page=2&since=104&page=1');
  expect(last.body.map(({ login }: { login: string }) => login)).toEqual(['hooli']);
  expect(last.headers.has('link')).toBe(false);
  expect((await ask('GET /organizations?since=105')).body).toEqual([]);
});

test('the full form ends with archived_at and type for callers who do not own the organization', async () => {
  for (const as of [null, 'public-token']) {
    const { status, body } = await ask('GET /orgs/acme', { as });
    expect(status).toBe(200);
    expect(body).toMatchObject({ login: 'acme', id: 101, type: 'Organization', archived_at: null, is_verified: true });
    expect(body).toMatchObject({ has_organization_projects: true, has_repository_projects: true });
    for (const name of ['plan', 'billing_email', 'total_private_repos', 'members_can_create_pages'])
      expect(body).not.toHaveProperty(name);
  }
});

test('owners see billing, plan, counters and member privileges', async () => {
  const { body } = await ask('GET /orgs/acme');
  expect(body).toMatchObject({
    billing_email: 'billing@acme.example',
    plan: { name: 'enterprise', seats: 50, filled_seats: 10 },
    public_repos: 8,
    total_private_repos: 4,
    default_repository_branch: 'main',
    members_can_fork_private_repositories: false,
    secret_scanning_push_protection_custom_link: null,
  });
});

test('apps need the organization-plan permission to see the plan', async () => {
  const { body } = await ask('GET /orgs/acme', { as: 'planless-token' });
  expect(body.billing_email).toBe('billing@acme.example');
  expect(body).not.toHaveProperty('plan');
});

test('an unknown organization is 404', async () => {
  for (const login of ['nobody', 'admin', 'acme-2', 'acme-1'])
    expect((await ask(`GET /orgs/${login}`)).status).toBe(404);
});

test('an update returns the full organization, and persists', async () => {
  const body = { description: 'Rockets', members_can_create_pages: false, deploy_keys_enabled_for_repositories: false };
  const updated = await ask('PATCH /orgs/initech', { body });
  expect(updated.status).toBe(200);
  expect(updated.body).toMatchObject({ ...body, login: 'initech', updated_at: '2026-11-20T12:30:00Z' });
  expect((await ask('GET /orgs/initech')).body).toMatchObject(body);
});

test('an update requires admin:org or repo', async () => {
  expect((await ask('PATCH /orgs/initech', { as: 'oauth', body: {} })).status).toBe(200);
  const refused = await ask('PATCH /orgs/initech', { as: 'public-token', body: {} });
  expect(refused.status).toBe(403);
  expect(refused.headers.get('x-accepted-oauth-scopes')).toBe('admin:org, repo');
});

test('members_allowed_repository_creation_type overrides members_can_create_repositories', async () => {
  const body = { members_allowed_repository_creation_type: 'none', members_can_create_repositories: true };
  expect((await ask('PATCH /orgs/umbrella', { body })).body).toMatchObject({
    members_can_create_repositories: false,
    members_can_create_private_repositories: false,
    members_can_create_internal_repositories: true,
  });
});

test('the creation type follows the switches, and vice versa', async () => {
  const rights = ({ body }: Answer) => [
    body.members_allowed_repository_creation_type,
    body.members_can_create_repositories,
    body.members_can_create_public_repositories,
    body.members_can_create_private_repositories,
    body.members_can_create_internal_repositories,
  ];
  const set = async (body: object) => rights(await ask('PATCH /orgs/globex', { body }));
  const create = (kind: string) => `members_can_create_${kind}repositories`;
  expect(await set({ [create('public_')]: true })).toEqual(['all', true, true, true, true]);
  expect(await set({ [create('public_')]: false })).toEqual(['private', true, false, true, true]);
  expect(rights(await ask('GET /orgs/globex'))).toEqual(['private', true, false, true, true]);
  expect(await set({ [create('')]: true })).toEqual(['private', true, false, true, true]);
  expect(await set({ [create('private_')]: false })).toEqual(['none', true, false, false, true]);
  expect(await set({ [create('internal_')]: false })).toEqual(['none', false, false, false, false]);
  expect(await set({ [create('private_')]: true })).toEqual(['private', true, false, true, false]);
  expect(await set({ [create('')]: false })).toEqual(['none', false, false, false, false]);
  expect(await set({ [create('')]: true })).toEqual(['all', true, true, true, true]);
  expect(await set({ members_allowed_repository_creation_type: 'private' })).toEqual([
    'private',
    true,
    false,
    true,
    true,
  ]);
  expect(await set({ location: 'Oslo' })).toEqual(['private', true, false, true, true]);
});

test('unknown fields are not stored', async () => {
  const { status, body } = await ask('PATCH /orgs/hooli', { body: { location: 'Bergen', colour: 'red', id: 7 } });
  expect(status).toBe(200);
  expect(body.location).toBe('Bergen');
  expect(body.id).toBe(105);
  expect(body).not.toHaveProperty('colour');
});

test('a description has at most 160 characters', async () => {
  expect((await ask('PATCH /orgs/hooli', { body: { description: 'd'.repeat(160) } })).status).toBe(200);
  expect((await ask('PATCH /orgs/hooli', { body: { description: 'd'.repeat(161) } })).status).toBe(422);
});

test('the caller’s organizations require user or read:org, and are empty for fine-grained tokens', async () => {
  expect((await ask('GET /user/orgs')).body).toHaveLength(5);
  expect((await ask('GET /user/orgs', { as: 'oauth' })).body).toHaveLength(5);
  const refused = await ask('GET /user/orgs', { as: 'public-token' });
  expect(refused).toMatchObject({
    status: 403,
    body: { message: 'You need at least user scope or read:org scope to make this request.' },
  });
  for (const as of ['fine_grained', 'app_user', 'installation'])
    expect(await ask('GET /user/orgs', { as })).toMatchObject({ status: 200, body: [] });
});

test('a user’s organizations are the public memberships, for every caller', async () => {
  const anonymous = await ask('GET /users/riverotter/orgs', { as: null });
  expect(anonymous.status).toBe(200);
  expect(anonymous.body.length).toBeGreaterThan(0);
  expect((await ask('GET /users/RiverOtter/orgs')).body).toEqual(anonymous.body);
  expect((await ask('GET /users/nobody/orgs')).status).toBe(404);
});

test('a repository of the organization is removed from immutable releases', async () => {
  const path = 'DELETE /orgs/acme/settings/immutable-releases/repositories';
  expect(await ask(`${path}/100001`)).toMatchObject({ status: 204, body: '' });
  expect((await ask(`${path}/100013`)).status).toBe(404);
  expect((await ask(`${path}/999999999`)).status).toBe(404);
  expect((await ask(`${path}/100001`, { as: 'oauth' })).status).toBe(403);
});

test('immutable releases are enforced in all, no or selected repositories', async () => {
  const path = '/orgs/globex/settings/immutable-releases';
  const set = (body: object) => ask(`PUT ${path}`, { body });
  const enforced = async () => (await ask(`GET ${path}`)).body;
  for (const enforced_repositories of ['all', 'none']) {
    expect(await set({ enforced_repositories })).toMatchObject({ status: 204, body: '' });
    expect(await enforced()).toEqual({ enforced_repositories });
  }
  expect((await set({ enforced_repositories: 'selected', selected_repository_ids: [100_001] })).status).toBe(404);
  expect(await enforced()).toEqual({ enforced_repositories: 'none' });
  expect((await set({ enforced_repositories: 'selected', selected_repository_ids: [100_013] })).status).toBe(204);
  expect(await enforced()).toMatchObject({ enforced_repositories: 'selected' });
  expect((await ask('DELETE /orgs/globex/settings/immutable-releases/repositories/100013')).status).toBe(204);
  expect(await enforced()).toEqual({ enforced_repositories: 'none' });
  expect((await set({ enforced_repositories: 'some' })).status).toBe(422);
});
