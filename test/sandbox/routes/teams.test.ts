import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

test('teams have parents, and each organization’s teams have their own IDs', async () => {
  const { body } = await ask('GET /orgs/globex/teams');
  expect(body.map(({ id, slug }: { id: number; slug: string }) => [id, slug])).toEqual([
    [4, 'platform'],
    [5, 'engineering'],
    [6, 'interns'],
  ]);
  expect(body[2]).toMatchObject({ name: 'Interns', parent: { id: 5, slug: 'engineering' } });
  expect(body[0].parent).toBeNull();
});

test('members of the organization can list teams', async () => {
  expect((await ask('GET /orgs/acme/teams', { as: 'member' })).body).toHaveLength(3);
  expect(await ask('GET /orgs/acme/teams', { as: 'outside_collaborator' })).toMatchObject({
    status: 403,
    body: { message: 'You must be an owner or a member of the organization.' },
  });
});

test('members of a child team are members of its parent, too', async () => {
  const { body } = await ask('GET /orgs/acme/teams/Engineering/members');
  const shown = body.map(({ login, role, inherited }: Record<string, unknown>) => [login, role, inherited]);
  expect(shown).toEqual([
    ['admin', 'maintainer', true],
    ['riverotter', 'maintainer', false],
    ['paperfox', 'member', false],
    ['tealheron', 'member', false],
    ['marblecat', 'member', false],
    ['quietowl', 'member', false],
    ['lunarcrab', 'member', false],
    ['mosshare', 'member', false],
  ]);
  expect((await ask('GET /orgs/acme/teams/engineering/members?role=maintainer')).body).toHaveLength(2);
  expect((await ask('GET /orgs/acme/teams/engineering/members?role=owner')).status).toBe(422);
  expect((await ask('GET /orgs/acme/teams/nobody/members')).status).toBe(404);
});

test('a team has its role in each of its repositories, including new ones', async () => {
  const roles = async (as = 'classic') => {
    const { body } = await ask('GET /orgs/acme/teams/engineering/repos', { as });
    return body.map(({ name, role_name }: Record<string, string>) => `${name} ${role_name}`);
  };
  const seeded = [
    'identity-client write',
    'fleet-api triage',
    'finance-service maintain',
    'directory-config write',
    'checkout-proxy write',
    'site maintain',
  ];
  expect(await roles()).toEqual(seeded);
  await ask('POST /orgs/acme/repos', { body: { name: 'handbook', private: true, team_id: 2 } });
  await ask('POST /orgs/acme/repos', { body: { name: 'diary', private: true } });
  expect(await roles()).toEqual(['handbook write', ...seeded]);
});

test('a child team has the access of its parent, and its own if that is higher', async () => {
  const roles = async (team: string) => {
    const { body } = await ask(`GET /orgs/globex/teams/${team}/repos`);
    return Object.fromEntries(body.map(({ name, role_name }: Record<string, string>) => [name, role_name]));
  };
  const parent = {
    'identity-proxy': 'triage',
    'inventory-sdk': 'triage',
    'ledger-agent': 'write',
    'loyalty-tests': 'triage',
    'metrics-config': 'write',
    'orders-service': 'write',
    'payments-web': 'write',
    site: 'maintain',
  };
  expect(await roles('engineering')).toEqual(parent);
  expect(await roles('interns')).toEqual({
    ...parent,
    'loyalty-tests': 'maintain',
    'mobile-importer': 'write',
    'pricing-client': 'maintain',
  });
});

test('members see all members, others the public ones; only owners can use filters', async () => {
  const count = async (query: string, as: string) => (await ask(`GET /orgs/acme/members${query}`, { as })).body.length;
  expect([await count('', 'member'), await count('', 'outside_collaborator')]).toEqual([10, 7]);
  expect((await ask('GET /orgs/acme/members', { as: null })).body).toHaveLength(7);
  expect([await count('?role=admin', 'member'), await count('?role=member', 'member')]).toEqual([2, 8]);
  expect([await count('?filter=2fa_disabled', 'owner'), await count('?filter=2fa_insecure', 'owner')]).toEqual([2, 1]);
  expect(await ask('GET /orgs/acme/members?filter=2fa_disabled', { as: 'member' })).toMatchObject({
    status: 422,
    body: { message: 'Only owners can use this filter.' },
  });
});

const bodyOf = async (request: string, body: unknown, as?: string) =>
  (await ask(request, { body, ...(as && { as }) })).body;
const statusOf = async (request: string, as = 'classic', body?: unknown) => (await ask(request, { as, body })).status;
const inTeam = async (team: string, login: string) => {
  const { status, body } = await ask(`GET /orgs/initech/teams/${team}/memberships/${login}`);
  return status === 200 ? `${body.role} ${body.state}` : status;
};

test('the slug follows from the name, which is unique in the organization', async () => {
  const created = await bodyOf('POST /orgs/initech/teams', { name: 'My TEam Rosé' });
  expect(created).toMatchObject({
    slug: 'my-team-rose',
    privacy: 'secret',
    members_count: 1,
    organization: { login: 'initech' },
  });
  expect(await ask('POST /orgs/initech/teams', { body: { name: 'my team rose' } })).toMatchObject({
    status: 422,
    body: { errors: [{ resource: 'Team', code: 'already_exists', field: 'name' }] },
  });
  expect((await bodyOf('PATCH /orgs/initech/teams/my-team-rose', { name: 'Builders' })).slug).toBe('builders');
  expect(await statusOf('GET /orgs/initech/teams/my-team-rose')).toBe(404);
  expect(await bodyOf('PATCH /orgs/initech/teams/builders', { name: 'Builders' })).toMatchObject({ id: created.id });
  expect(await statusOf('PATCH /orgs/initech/teams/builders', 'classic', { name: 'Builders' })).toBe(200);
  expect(await statusOf('DELETE /orgs/initech/teams/builders')).toBe(204);
});

test('teams form a tree of closed teams, which is deleted with its root', async () => {
  const { id: root } = await bodyOf('POST /orgs/initech/teams', { name: 'Root', privacy: 'closed' });
  const { id: middle } = await bodyOf('POST /orgs/initech/teams', { name: 'Middle', parent_team_id: root });
  await bodyOf('POST /orgs/initech/teams', { name: 'Leaf', parent_team_slug: 'middle' });
  const { id: secret } = await bodyOf('POST /orgs/initech/teams', { name: 'Hidden' });
  for (const [team, body] of [
    ['root', { parent_team_id: root }],
    ['root', { parent_team_id: middle }],
    ['root', { privacy: 'secret' }],
    ['leaf', { privacy: 'secret' }],
    ['leaf', { parent_team_id: secret }],
    ['leaf', { parent_team_id: 1 }],
    ['leaf', { parent_team_slug: 'nosuch' }],
  ] as const)
    expect(
      await statusOf(`PATCH /orgs/initech/teams/${team}`, 'classic', body),
      `${team} ${JSON.stringify(body)}`,
    ).toBe(422);
  expect((await ask('GET /orgs/initech/teams/root/teams')).body).toMatchObject([
    { slug: 'middle', parent: { id: root } },
  ]);
  expect(await bodyOf('PATCH /orgs/initech/teams/leaf', { parent_team_id: null })).toMatchObject({ parent: null });
  expect(await bodyOf('PATCH /orgs/initech/teams/leaf', { parent_team_id: middle })).toMatchObject({
    parent: { id: middle },
  });
  expect(await statusOf('DELETE /orgs/initech/teams/root')).toBe(204);
  for (const team of ['root', 'middle', 'leaf']) expect(await statusOf(`GET /orgs/initech/teams/${team}`)).toBe(404);
});

test('only owners and members see a secret team, and only owners and maintainers change it', async () => {
  await ask('POST /orgs/acme/teams', { as: 'owner', body: { name: 'Rescue', maintainers: ['stonewren'] } });
  const slugs = async (as: string) =>
    (await ask('GET /orgs/acme/teams', { as })).body.map(({ slug }: { slug: string }) => slug);
  expect([await slugs('owner'), await slugs('member')]).toEqual([
    ['platform', 'engineering', 'interns', 'rescue'],
    ['platform', 'engineering', 'interns'],
  ]);
  for (const path of ['', '/teams', '/members', '/repos', '/memberships/stonewren'])
    expect(await statusOf(`GET /orgs/acme/teams/rescue${path}`, 'member'), path).toBe(404);
  const added = { as: 'bypass_reviewer', body: { role: 'member' } };
  expect((await ask('PUT /orgs/acme/teams/rescue/memberships/paperfox', added)).body).toMatchObject({
    role: 'member',
    state: 'active',
  });
  expect(await statusOf('GET /orgs/acme/teams/rescue', 'member')).toBe(200);
  for (const request of [
    'PATCH /orgs/acme/teams/rescue',
    'DELETE /orgs/acme/teams/rescue',
    'PUT /orgs/acme/teams/rescue/memberships/quietowl',
  ])
    expect(await statusOf(request, 'member', {}), request).toBe(403);
  // Only an owner invites people to the organization.
  expect(await statusOf('PUT /orgs/acme/teams/rescue/memberships/velvetmole', 'bypass_reviewer', {})).toBe(403);
  expect(await statusOf('DELETE /orgs/acme/teams/rescue', 'bypass_reviewer')).toBe(204);
});

test('a membership is pending until the person joins, and ends with the membership in the organization', async () => {
  const [team] = ['platform'];
  expect(await bodyOf(`PUT /orgs/initech/teams/${team}/memberships/copperbee`, { role: 'maintainer' })).toMatchObject({
    state: 'pending',
  });
  expect((await ask('GET /orgs/initech/memberships/copperbee')).body).toMatchObject({
    role: 'member',
    state: 'pending',
  });
  const logins = async () =>
    (await ask(`GET /orgs/initech/teams/${team}/members`)).body.map(({ login }: { login: string }) => login);
  expect(await logins()).not.toContain('copperbee');
  expect(
    await bodyOf('PATCH /user/memberships/orgs/initech', { state: 'active' }, 'outside_collaborator'),
  ).toMatchObject({ state: 'active' });
  expect([await inTeam(team, 'copperbee'), await logins()]).toEqual([
    'maintainer active',
    expect.arrayContaining(['copperbee']),
  ]);
  await ask('DELETE /orgs/initech/memberships/copperbee');
  await ask('PUT /orgs/initech/memberships/copperbee', { body: { role: 'member' } });
  await ask('PATCH /user/memberships/orgs/initech', { as: 'outside_collaborator', body: { state: 'active' } });
  expect(await inTeam(team, 'copperbee')).toBe(404);
  expect(await statusOf('PATCH /user/memberships/orgs/initech', 'billing_manager', { state: 'active' })).toBe(404);
});

test('owners are maintainers, organizations no members, and members of child teams are not removed from the parent', async () => {
  expect(await bodyOf('PUT /orgs/initech/teams/platform/memberships/admin', { role: 'member' })).toMatchObject({
    role: 'maintainer',
  });
  expect(await statusOf('PUT /orgs/initech/teams/platform/memberships/globex', 'classic', {})).toBe(422);
  await bodyOf('PUT /orgs/initech/teams/interns/memberships/mosshare', {});
  await ask('DELETE /orgs/initech/teams/engineering/memberships/mosshare');
  expect(await statusOf('DELETE /orgs/initech/teams/engineering/memberships/mosshare')).toBe(404);
  expect(await inTeam('engineering', 'mosshare')).toMatch(/^member /);
});

test('the members of a team with an LDAP group are managed there', async () => {
  const ldap_dn = 'cn=ops,ou=teams,dc=example,dc=com';
  expect(await bodyOf('POST /orgs/initech/teams', { name: 'Directory', ldap_dn })).toMatchObject({ ldap_dn });
  const listed = (await ask('GET /orgs/initech/teams')).body.at(-1);
  // Public description: lists of teams have no such field.
  expect(listed).toMatchObject({ slug: 'directory' });
  expect(listed).not.toHaveProperty('ldap_dn');
  for (const method of ['PUT', 'DELETE'])
    expect(await statusOf(`${method} /orgs/initech/teams/directory/memberships/admin`, 'classic', {}), method).toBe(
      403,
    );
  expect(await statusOf('PATCH /orgs/initech/teams/directory', 'classic', { description: 'By LDAP' })).toBe(201);
});

test('a new team has access to the given repositories and the given maintainers', async () => {
  const body = { name: 'Writers', repo_names: ['globex/site'] };
  expect((await bodyOf('POST /orgs/globex/teams', body)).repos_count).toBe(1);
  expect((await ask('GET /orgs/globex/teams/writers/repos')).body).toMatchObject([{ name: 'site', role_name: 'read' }]);
  expect(await statusOf('POST /orgs/globex/teams', 'classic', { name: 'A', repo_names: ['acme/site'] })).toBe(422);
  expect(await statusOf('POST /orgs/globex/teams', 'classic', { name: 'A', maintainers: ['velvetmole'] })).toBe(422);
  expect(await statusOf('POST /orgs/acme/teams', 'outside_collaborator', { name: 'A' })).toBe(403);
});

test('members have the access of their teams and of the parents of these, until they leave', async () => {
  const { id } = await bodyOf('POST /orgs/acme/teams', {
    name: 'Guild',
    privacy: 'closed',
    repo_names: ['acme/forecast-web'],
  });
  await bodyOf('POST /orgs/acme/teams', { name: 'Chapter', parent_team_id: id });
  await bodyOf('PUT /orgs/acme/teams/chapter/memberships/stonewren', {});
  const role = async () => {
    const { body } = await ask('GET /repos/acme/forecast-web/collaborators');
    return body.find(({ login }: { login: string }) => login === 'stonewren')?.role_name;
  };
  await ask('PATCH /orgs/acme', { body: { default_repository_permission: 'none' } });
  expect(await role()).toBe('read');
  await ask('PUT /orgs/acme/teams/guild/repos/acme/forecast-web', { body: { permission: 'maintain' } });
  expect(await role()).toBe('maintain');
  await ask('PATCH /orgs/acme/teams/chapter', { body: { parent_team_id: null } });
  expect(await role()).toBeUndefined();
});

test('administrators of the organization or of one of its repositories can list custom roles', async () => {
  expect((await ask('GET /orgs/acme/custom-repository-roles', { as: 'owner' })).body.total_count).toBe(2);
  expect((await ask('GET /orgs/acme/custom-repository-roles', { as: 'member' })).status).toBe(403);
  await ask('POST /orgs/acme/repos', { as: 'member', body: { name: 'mine', visibility: 'public' } });
  expect((await ask('GET /orgs/acme/custom-repository-roles', { as: 'member' })).status).toBe(200);
});

test('owners can list the installations of an organization', async () => {
  const { body } = await ask('GET /orgs/globex/installations');
  expect(body).toMatchObject({
    total_count: 1,
    installations: [{ account: { login: 'globex' }, app_slug: 'sandbox-app' }],
  });
  expect((await ask('GET /orgs/initech/installations')).body).toEqual({ total_count: 0, installations: [] });
  expect((await ask('GET /orgs/acme/installations', { as: 'member' })).status).toBe(403);
});
