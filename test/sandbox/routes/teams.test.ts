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
