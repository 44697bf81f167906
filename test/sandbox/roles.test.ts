/** Every sentence of the specification about who may do what. The titles quote it; headings name its part. */
import { describe, expect, it } from 'vitest';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { demandsOf } from '../../src/sandbox/demands.ts';
import { commits, sandboxForTests } from './support.ts';

const scopes = (login: string, ...held: string[]) => ({ kind: 'classic', login, scopes: held }) as const;
const planless = { metadata: 'read', organization_administration: 'read' } as const;
const sandbox = sandboxForTests({
  grants: {
    'member-as-app': { kind: 'app_user', login: 'paperfox', permissions: { '*': 'write' } },
    'member-fine-grained': { kind: 'fine_grained', login: 'paperfox', permissions: { '*': 'write' } },
    'owner-without-scopes': scopes('riverotter'),
    'owner-with-repo': scopes('riverotter', 'repo'),
    'owner-with-user': scopes('riverotter', 'user'),
    'planless-app': { kind: 'installation', account: 'acme', permissions: planless },
  },
});
const { ask } = sandbox;

const status = async (request: string, as: string | null, body?: unknown) => (await ask(request, { as, body })).status;

/** The statuses of one request for several tokens, by token. */
async function statuses(request: string, tokens: readonly (string | null)[], body?: unknown) {
  const all: Record<string, number> = {};
  for (const as of tokens) all[String(as)] = await status(request, as, body);
  return all;
}

const [sha] = commits;
const internal = 'acme/directory-config';
const privateRepository = 'acme/dashboard-tests';
const collaborators = 'acme/console-sdk';

it.each(allEndpoints)('$route states its callers, in words that the sandbox enforces', (endpoint) => {
  expect(() => demandsOf(endpoint)).not.toThrow();
});

it('an endpoint for an unknown role is reported when it is called', () => {
  const later = { ...allEndpoints[0], route: 'GET /later', role: 'astronaut' } as (typeof allEndpoints)[number];
  expect(() => demandsOf(later)).toThrow(
    'No role or permission is defined for “astronaut”, which GET /later requires.',
  );
});

describe('Organizations', () => {
  it('“Full details are returned to organization owners. Classic and OAuth tokens need scope `admin:org`.”', async () => {
    const shown = async (as: string | null, login = 'acme') =>
      Object.hasOwn((await ask(`GET /orgs/${login}`, { as })).body, 'billing_email');
    expect(await shown('classic')).toBe(true);
    expect(await shown('owner')).toBe(true);
    expect(await shown('owner', 'globex')).toBe(false);
    for (const as of [null, 'member', 'security_manager', 'billing_manager', 'outside_collaborator', 'weak', 'oauth'])
      expect(await shown(as), String(as)).toBe(false);
    for (const as of ['owner-with-repo', 'member-as-app', 'member-fine-grained'])
      expect(await shown(as), as).toBe(false);
  });

  it('“Apps need the organization-plan permission to see plan information.”', async () => {
    const [planned, without] = [
      await ask('GET /orgs/acme', { as: 'installation' }),
      await ask('GET /orgs/acme', { as: 'planless-app' }),
    ];
    expect(planned.body).toHaveProperty('billing_email');
    expect(without.body).toHaveProperty('billing_email');
    expect(without.body).not.toHaveProperty('plan');
  });

  it('“Caller must be an organization owner. Classic and OAuth tokens need scope `admin:org` or `repo`.”', async () => {
    const tokens = [
      'owner',
      'owner-with-repo',
      'owner-with-user',
      'member',
      'security_manager',
      'billing_manager',
      'member-as-app',
      'member-fine-grained',
      'installation',
      'weak',
    ];
    expect(await statuses('PATCH /orgs/acme', tokens, { location: 'Oslo' })).toEqual({
      owner: 200,
      'owner-with-repo': 200,
      'owner-with-user': 403,
      member: 403,
      security_manager: 403,
      billing_manager: 403,
      'member-as-app': 403,
      'member-fine-grained': 403,
      installation: 200,
      weak: 403,
    });
    expect(await status('PATCH /orgs/globex', 'owner', { location: 'Oslo' })).toBe(403);
    expect((await ask('PATCH /orgs/acme', { as: 'member', body: {} })).body).toMatchObject({
      message: 'You must be an owner of the organization.',
      status: '403',
    });
  });

  it('“closing down […]; require repository admin, or organization owner or security manager”, of whom only an owner may send them', async () => {
    const body = { dependency_graph_enabled_for_new_repositories: true };
    expect(await statuses('PATCH /orgs/acme', ['owner', 'security_manager', 'member'], body)).toEqual({
      owner: 200,
      security_manager: 403,
      member: 403,
    });
  });

  it('“organization owner or member of a team with the security-manager role”', async () => {
    expect(await status('POST /orgs/acme/dependency_graph/enable_all', 'owner')).toBe(204);
    expect(await status('POST /orgs/acme/dependabot_alerts/enable_all', 'security_manager')).toBe(204);
    const refused = [
      'member',
      'bypass_reviewer',
      'billing_manager',
      'outside_collaborator',
      'owner-without-scopes',
      'owner-with-user',
    ];
    for (const as of refused) expect(await status('POST /orgs/acme/secret_scanning/enable_all', as), as).toBe(403);
  });

  it('“Classic and OAuth tokens need `admin:org`. Perm: Administration (organization, write) and Metadata (repository, read)”, for owners', async () => {
    const request = 'DELETE /orgs/acme/settings/immutable-releases/repositories/100001';
    expect(await statuses(request, ['member', 'owner-with-repo', 'member-fine-grained', 'owner'])).toEqual({
      member: 403,
      'owner-with-repo': 403,
      'member-fine-grained': 403,
      owner: 204,
    });
  });

  it('“Classic and OAuth tokens need `user` or `read:org`; otherwise 403. Fine-grained tokens get 200 with an empty list.”', async () => {
    expect(await statuses('GET /user/orgs', ['weak', 'owner-with-repo', 'owner-with-user'])).toEqual({
      weak: 403,
      'owner-with-repo': 403,
      'owner-with-user': 200,
    });
    const logins = async (as: string) =>
      (await ask('GET /user/orgs', { as })).body.map(({ login }: { login: string }) => login);
    expect(await logins('classic')).toEqual(['acme', 'globex', 'initech']);
    expect(await logins('owner')).toContain('acme');
    expect(await logins('member')).toContain('acme');
    expect(await logins('outside_collaborator')).toEqual([]);
    expect(await logins('billing_manager')).toEqual([]);
    expect(await logins('member-fine-grained')).toEqual([]);
  });

  it('“lists public memberships only, whoever calls”', async () => {
    const lists = await Promise.all(['owner', 'member', null].map((as) => ask('GET /users/riverotter/orgs', { as })));
    for (const { body } of lists) expect(body).toEqual(lists[0]?.body);
    expect((await ask('GET /users/copperbee/orgs')).body).toEqual([]);
  });

  it('“organization private registries (organization; read for reads, write for changes)” are for owners', async () => {
    expect(
      await statuses('GET /orgs/acme/private-registries', ['owner', 'member', 'security_manager', 'owner-with-repo']),
    ).toEqual({
      owner: 200,
      member: 403,
      security_manager: 403,
      'owner-with-repo': 403,
    });
    expect(await status('DELETE /orgs/acme/private-registries/NO_SUCH_SECRET', 'member')).toBe(403);
    expect(await status('DELETE /orgs/acme/private-registries/NO_SUCH_SECRET', 'owner')).toBe(404);
  });

  it('“Projects (organization, write)” is for members', async () => {
    const body = { name: 'Board', layout: 'board' };
    const tokens = ['owner', 'member', 'outside_collaborator', 'weak'];
    expect(await statuses('POST /orgs/acme/projectsV2/1/views', tokens, body)).toEqual({
      owner: 201,
      member: 201,
      outside_collaborator: 403,
      weak: 403,
    });
  });
});

describe('Authentication', () => {
  it('“Protected ones answer 401 (requires authentication) or 403/404”: private repositories are 404 to callers without access', async () => {
    const tokens = [
      null,
      'classic',
      'owner',
      'member',
      'security_manager',
      'outside_collaborator',
      'billing_manager',
      'weak',
      'owner-with-user',
    ];
    const visible = { classic: 200, owner: 200, member: 200, security_manager: 200 };
    const hidden = { null: 404, outside_collaborator: 404, billing_manager: 404, weak: 404, 'owner-with-user': 404 };
    expect(await statuses(`GET /repos/${privateRepository}`, tokens)).toEqual({ ...visible, ...hidden });
    expect(await statuses(`GET /repos/${internal}`, tokens)).toEqual({ ...visible, ...hidden });
    expect(await status(`GET /repos/${collaborators}`, 'outside_collaborator')).toBe(200);
    expect(await status('GET /repos/admin/notes', 'owner')).toBe(404);
  });

  it('members read private repositories up to the organization’s base permission', async () => {
    const as = 'bypass_reviewer';
    const setBase = (permission: string) =>
      ask('PATCH /orgs/acme', { body: { default_repository_permission: permission } });
    const permissions = async (repository: string) => (await ask(`GET /repos/${repository}`, { as })).body.permissions;
    await setBase('none');
    expect(await status(`GET /repos/${privateRepository}`, as)).toBe(404);
    expect(await status(`GET /repos/${privateRepository}`, 'security_manager')).toBe(200);
    expect(await permissions(internal)).toMatchObject({ admin: false, push: false, pull: true });
    await setBase('write');
    expect(await permissions(privateRepository)).toMatchObject({ admin: false, push: true, pull: true });
    await setBase('admin');
    expect(await permissions(privateRepository)).toMatchObject({ admin: true, push: true, pull: true });
    await setBase('read');
    expect(await permissions(privateRepository)).toMatchObject({ admin: false, push: false, pull: true });
  });

  it('a list of repositories contains those the caller can see, with the caller’s permissions', async () => {
    const list = async (as: string | null, query = '') =>
      (await ask(`GET /orgs/acme/repos?direction=asc${query}`, { as })).body;
    const names = async (as: string | null, query = '') =>
      (await list(as, query)).map(({ full_name }: { full_name: string }) => full_name);
    expect(await names('member')).toHaveLength(12);
    expect(await names(null)).toHaveLength(8);
    expect(await names('weak')).toHaveLength(8);
    expect(await names('outside_collaborator')).toHaveLength(9);
    expect(await names('outside_collaborator', '&type=member')).toEqual(['acme/site', 'acme/console-sdk']);
    const admin = async (as: string) =>
      (await list(as)).map(({ permissions }: { permissions: { admin: boolean } }) => permissions.admin);
    expect(new Set(await admin('owner'))).toEqual(new Set([true]));
    expect(new Set(await admin('member'))).toEqual(new Set([false]));
  });

  it('a token without scopes reads public data, and changes nothing', async () => {
    expect(await status('GET /user', 'weak')).toBe(200);
    expect(await status('GET /repos/acme/site', 'weak')).toBe(200);
    const requests: [request: string, body?: unknown][] = [
      [`POST /repos/acme/site/commits/${sha}/comments`, { body: 'Hello' }],
      ['POST /repos/acme/site/forks', {}],
      ['POST /repos/acme/site/rulesets', { name: 'New', enforcement: 'active' }],
      ['POST /repos/acme/site/dispatches', { event_type: 'go' }],
      ['GET /enterprises/sandbox/settings/billing/budgets'],
      ['GET /orgs/acme/rulesets'],
      ['GET /repos/acme/site/pre-receive-hooks'],
      ['GET /user/migrations'],
    ];
    for (const [request, body] of requests) expect(await status(request, 'weak', body), request).toBe(403);
  });

  it('“Pre-receive hook operations accept only classic tokens”, of administrators', async () => {
    const tokens = [
      'owner',
      'classic',
      'member',
      'outside_collaborator',
      'oauth',
      'fine_grained',
      'installation',
      'owner-with-user',
    ];
    const refused = { member: 403, outside_collaborator: 403, oauth: 403, fine_grained: 403, installation: 403 };
    expect(await statuses('GET /repos/acme/site/pre-receive-hooks', tokens)).toEqual({
      ...refused,
      owner: 200,
      classic: 200,
      'owner-with-user': 403,
    });
    expect(await statuses('GET /orgs/acme/pre-receive-hooks', ['owner', 'member'])).toEqual({
      owner: 200,
      member: 403,
    });
    expect(
      await statuses('PATCH /repos/acme/site/pre-receive-hooks/1', ['member', 'owner'], { enforcement: 'testing' }),
    ).toEqual({ member: 403, owner: 200 });
  });

  it('“access to that URL is decided at owner or site-admin level”', async () => {
    expect(await statuses('GET /admin/pre-receive-hooks', ['classic', 'owner', 'member'])).toEqual({
      classic: 200,
      owner: 403,
      member: 403,
    });
  });
});

describe('Commit comments', () => {
  it('“Contents (repo, write)” to update and delete, or being the author', async () => {
    const create = async (as: string) =>
      (await ask(`POST /repos/acme/site/commits/${sha}/comments`, { as, body: { body: 'Hello' } })).body.id;
    const [owners, members] = [await create('owner'), await create('bypass_reviewer')];
    const path = (id: number) => `/repos/acme/site/comments/${id}`;
    expect(await status(`PATCH ${path(owners)}`, 'bypass_reviewer', { body: 'Bye' })).toBe(403);
    expect(await status(`DELETE ${path(owners)}`, 'bypass_reviewer')).toBe(403);
    expect(await status(`PATCH ${path(members)}`, 'bypass_reviewer', { body: 'Bye' })).toBe(200);
    expect(await status(`DELETE ${path(members)}`, 'outside_collaborator')).toBe(204);
    expect(await status(`DELETE ${path(owners)}`, 'owner')).toBe(204);
  });
});

describe('Dependency-alert dismissal requests', () => {
  const path = '/repos/acme/site/dismissal-requests/dependabot';
  const reason = { dismissed_reason: 'inaccurate' };

  it('“Classic tokens need scope `security_events`.”', async () => {
    expect(await status(`GET ${path}`, 'owner')).toBe(200);
    expect(await status(`GET ${path}`, 'owner-with-user')).toBe(403);
  });

  it('“caller needs permission to view alerts”', async () => {
    const tokens = ['owner', 'security_manager', 'outside_collaborator', 'bypass_reviewer', 'billing_manager'];
    const expected = {
      owner: 200,
      security_manager: 200,
      outside_collaborator: 200,
      bypass_reviewer: 403,
      billing_manager: 403,
    };
    expect(await statuses(`GET ${path}`, tokens)).toEqual(expected);
    expect(await status(`POST ${path}/9`, 'bypass_reviewer', reason)).toBe(403);
    expect(await status(`POST ${path}/9`, 'outside_collaborator', reason)).toBe(201);
  });

  it('requests are reviewed by reviewers, and can also be cancelled by their authors', async () => {
    expect(await status(`POST ${path}/10`, 'outside_collaborator', reason)).toBe(201);
    const decision = { status: 'deny', message: 'No' };
    expect(await status(`PATCH ${path}/10`, 'outside_collaborator', decision)).toBe(403);
    expect(await status(`DELETE ${path}/10`, 'member')).toBe(403);
    expect(await status(`DELETE ${path}/10`, 'outside_collaborator')).toBe(204);
    expect(await status(`POST ${path}/11`, 'outside_collaborator', reason)).toBe(201);
    expect(await status(`PATCH ${path}/11`, 'bypass_reviewer', decision)).toBe(200);
    const tokens = ['owner', 'security_manager', 'bypass_reviewer', 'member', 'outside_collaborator'];
    expect(await statuses('GET /orgs/acme/dismissal-requests/dependabot', tokens)).toEqual({
      owner: 200,
      security_manager: 200,
      bypass_reviewer: 200,
      member: 403,
      outside_collaborator: 403,
    });
  });
});

describe('Secret-scanning bypass requests', () => {
  it('“the caller must be a bypass reviewer. Classic tokens need `security_events`.”', async () => {
    const tokens = [
      'bypass_reviewer',
      'owner',
      'security_manager',
      'member',
      'outside_collaborator',
      'member-fine-grained',
      'owner-with-user',
      'installation',
    ];
    const expected = {
      bypass_reviewer: 200,
      owner: 200,
      security_manager: 200,
      member: 403,
      outside_collaborator: 403,
      'member-fine-grained': 403,
      'owner-with-user': 403,
      installation: 200,
    };
    const path = '/repos/acme/site/bypass-requests/secret-scanning';
    for (const request of [`GET ${path}`, `GET ${path}/1`, 'GET /orgs/acme/bypass-requests/secret-scanning'])
      expect(await statuses(request, tokens), request).toEqual(expected);
    const decision = { status: 'approve', message: 'Fine' };
    expect((await ask(`PATCH ${path}/1`, { as: 'member', body: decision })).body.message).toBe(
      'You must be an owner, a security manager, or a bypass reviewer of the organization.',
    );
    expect(await status(`PATCH ${path}/1`, 'bypass_reviewer', decision)).toBe(200);
  });

  it('requests to bypass push rules are for owners', async () => {
    const request = 'GET /orgs/acme/bypass-requests/push-rules';
    expect(await statuses(request, ['owner', 'member'])).toEqual({ owner: 200, member: 403 });
  });
});

describe('Budgets', () => {
  const path = '/enterprises/sandbox/settings/billing/budgets';
  interface Seen {
    id: string;
    budget_scope: string;
    budget_entity_name: string;
  }
  const seen = async (as: string): Promise<Seen[]> => (await ask(`GET ${path}?per_page=100`, { as })).body.budgets;
  const budget = (scope: string, entity: string) => ({
    budget_amount: 5,
    prevent_further_usage: true,
    budget_alerting: { will_alert: false, alert_recipients: [] },
    budget_scope: scope,
    budget_entity_name: entity,
    budget_type: 'ProductPricing',
    budget_product_sku: 'packages',
  });

  it('“owners and billing managers see all, organization admins see the organization and repository budgets they administer”', async () => {
    expect(await seen('classic')).toHaveLength(14);
    expect(await seen('billing_manager')).toEqual(await seen('classic'));
    const { id: globex } = (await ask(`POST ${path}`, { body: budget('organization', 'globex') })).body.budget;
    const owners = await seen('owner');
    expect(owners).toEqual((await seen('classic')).filter(({ budget_entity_name: name }) => name === 'acme'));
    expect(owners.length).toBeGreaterThan(0);
    expect(await status(`GET ${path}/${owners[0]?.id}`, 'owner')).toBe(200);
    for (const request of [`GET ${path}/${globex}`, `DELETE ${path}/${globex}`])
      expect(await status(request, 'owner')).toBe(404);
    expect(await status(`PATCH ${path}/${globex}`, 'owner', { budget_amount: 9 })).toBe(404);
    await ask(`DELETE ${path}/${globex}`);
  });

  it('“caller: enterprise admin, organization admin or billing manager”', async () => {
    const body = budget('repository', 'acme/site');
    const tokens = ['classic', 'owner', 'billing_manager', 'member', 'security_manager', 'member-fine-grained', 'weak'];
    const allowed = { classic: 200, owner: 200, billing_manager: 200 };
    const refused = { member: 403, security_manager: 403, 'member-fine-grained': 403, weak: 403 };
    expect(await statuses(`POST ${path}`, tokens, body)).toEqual({ ...allowed, ...refused });
    expect(await statuses(`GET ${path}`, tokens)).toEqual({ ...allowed, ...refused });
    expect(await statuses('GET /organizations/acme/settings/billing/budgets', tokens)).toEqual({
      ...allowed,
      ...refused,
    });
  });

  it('an organization admin cannot set a budget for an entity that somebody else administers', async () => {
    expect(await status(`POST ${path}`, 'owner', budget('organization', 'globex'))).toBe(403);
    expect(await status(`POST ${path}`, 'owner', budget('enterprise', ''))).toBe(403);
    const [own] = await seen('owner');
    expect(await status(`PATCH ${path}/${own?.id}`, 'owner', { budget_entity_name: 'globex' })).toBe(403);
    expect((await ask(`GET ${path}/${own?.id}`)).body.budget_entity_name).toBe(own?.budget_entity_name);
  });
});

describe('Rules and rulesets', () => {
  it('“Perm: Administration (repo, write)” is for administrators of the repository, or of the organization', async () => {
    const body = { name: 'Mine', enforcement: 'active' };
    for (const path of ['/repos/acme/site/rulesets', '/orgs/acme/rulesets'])
      expect(
        await statuses(`POST ${path}`, ['member', 'outside_collaborator', 'security_manager', 'owner'], body),
      ).toEqual({
        member: 403,
        outside_collaborator: 403,
        security_manager: 403,
        owner: 201,
      });
    expect(await statuses('GET /repos/acme/site/rulesets/rule-suites', ['owner', 'member'])).toEqual({
      owner: 200,
      member: 403,
    });
    expect(await statuses('GET /orgs/acme/rulesets', ['owner', 'member'])).toEqual({ owner: 200, member: 403 });
  });

  it('“Perm: Metadata (repo, read). Anonymous OK.”', async () => {
    expect(await statuses('GET /repos/acme/site/rulesets', [null, 'member', 'weak'])).toEqual({
      null: 200,
      member: 200,
      weak: 200,
    });
    const request = `GET /repos/${privateRepository}/rules/branches/main`;
    expect(await statuses(request, [null, 'member', 'weak'])).toEqual({ null: 404, member: 200, weak: 404 });
  });

  it('bypass actors are shown to callers who may change the ruleset, and bypassing depends on the role', async () => {
    const shown = async (as: string) => (await ask('GET /repos/acme/site/rulesets/10001010', { as })).body;
    expect(await shown('owner')).toMatchObject({
      bypass_actors: [{ actor_type: 'OrganizationAdmin' }],
      current_user_can_bypass: 'always',
    });
    expect(await shown('member')).toMatchObject({ current_user_can_bypass: 'never' });
    expect(await shown('member')).not.toHaveProperty('bypass_actors');
  });
});

describe('Forks', () => {
  it('“creates a fork for the caller”, who only needs to see the source', async () => {
    const { status: created, body } = await ask(`POST /repos/${internal}/forks`, { as: 'member', body: {} });
    expect(created).toBe(403);
    expect(body.message).toBe('Forking is disabled for this repository.');
    const fork = await ask('POST /repos/acme/checkout-proxy/forks', { as: 'member', body: {} });
    expect(fork).toMatchObject({
      status: 202,
      body: { full_name: 'paperfox/checkout-proxy', permissions: { admin: true } },
    });
    expect(await status(`POST /repos/${privateRepository}/forks`, 'outside_collaborator', {})).toBe(404);
  });

  it('“fork into that organization” is for its members', async () => {
    const body = { organization: 'acme' };
    const request = 'POST /repos/globex/site/forks';
    expect(await statuses(request, ['outside_collaborator', 'billing_manager'], body)).toEqual({
      outside_collaborator: 403,
      billing_manager: 403,
    });
    expect(await status(request, 'member', body)).toBe(202);
  });
});

describe('Repositories', () => {
  const path = 'POST /orgs/acme/repos';

  it('“Caller must be an organization member.”', async () => {
    expect(await status(path, 'outside_collaborator', { name: 'a' })).toBe(403);
    expect(await status(path, 'billing_manager', { name: 'a' })).toBe(403);
    expect(await status('POST /orgs/initech/repos', 'owner', { name: 'a' })).toBe(403);
    const created = await ask(path, { as: 'member', body: { name: 'a' } });
    expect(created).toMatchObject({ status: 201, body: { permissions: { admin: true } } });
  });

  it('“Classic tokens need `public_repo` or `repo` for public repositories and `repo` for private ones.”', async () => {
    expect(await status(path, 'owner-with-user', { name: 'b' })).toBe(403);
    expect(await status(path, 'owner-with-repo', { name: 'b', private: true })).toBe(201);
  });

  it('members create the repositories that `members_can_create_…` allows', async () => {
    await ask('PATCH /orgs/acme', { body: { members_can_create_public_repositories: false } });
    expect(await statuses(path, ['member', 'owner'], { name: 'c' })).toEqual({ member: 403, owner: 201 });
    expect(await status(path, 'member', { name: 'd', visibility: 'private' })).toBe(201);
    await ask('PATCH /orgs/acme', { body: { members_can_create_repositories: false } });
    expect(await status(path, 'member', { name: 'e', visibility: 'private' })).toBe(403);
    await ask('PATCH /orgs/acme', { body: { members_allowed_repository_creation_type: 'all' } });
  });

  it('“setting true needs an organization owner”', async () => {
    expect(await status(path, 'member', { name: 'f', delete_branch_on_merge: true })).toBe(403);
    expect(await status(path, 'installation', { name: 'f', delete_branch_on_merge: true })).toBe(403);
    expect(await status(path, 'member', { name: 'f', delete_branch_on_merge: false })).toBe(201);
    expect(await status(path, 'owner', { name: 'g', delete_branch_on_merge: true })).toBe(201);
  });

  it('“visible only to admins, owners and security managers”', async () => {
    const shown = async (as: string | null, repository = 'acme/site') =>
      Object.hasOwn((await ask(`GET /repos/${repository}`, { as })).body, 'security_and_analysis');
    for (const as of ['classic', 'owner', 'security_manager', 'installation']) expect(await shown(as), as).toBe(true);
    for (const as of [null, 'member', 'outside_collaborator', 'bypass_reviewer', 'weak'])
      expect(await shown(as), String(as)).toBe(false);
    expect(await shown('member', 'acme/a')).toBe(true);
  });

  it('“Caller needs admin read on the repository.”', async () => {
    const request = 'GET /repos/acme/site/automated-security-fixes';
    const tokens = ['owner', 'member', 'outside_collaborator', 'security_manager', 'weak', 'installation'];
    expect(await statuses(request, tokens)).toEqual({
      owner: 200,
      member: 403,
      outside_collaborator: 403,
      security_manager: 403,
      weak: 403,
      installation: 200,
    });
    expect(await statuses('GET /repos/acme/site/replicas/caches', ['owner', 'member'])).toEqual({
      owner: 200,
      member: 403,
    });
  });

  it('“Classic tokens need `repo`. Perm Contents (repo, write)” is for those who may push', async () => {
    const request = 'POST /repos/acme/site/dispatches';
    const body = { event_type: 'go' };
    expect(
      await statuses(request, ['owner', 'outside_collaborator', 'bypass_reviewer', 'owner-with-user'], body),
    ).toEqual({
      owner: 204,
      outside_collaborator: 204,
      bypass_reviewer: 403,
      'owner-with-user': 403,
    });
  });
});

describe('Dependency snapshots', () => {
  it('“Caller must have access to the repository. Classic tokens need `repo`.”', async () => {
    const body = {
      version: 0,
      job: { id: '7', correlator: 'build' },
      sha,
      ref: 'refs/heads/main',
      detector: { name: 'd', version: '1', url: 'https://d.example' },
      scanned: '2026-03-10T12:00:00Z',
    };
    const tokens = ['owner', 'outside_collaborator', 'bypass_reviewer', 'weak'];
    const expected = { owner: 201, outside_collaborator: 201, bypass_reviewer: 403, weak: 403 };
    expect(await statuses('POST /repos/acme/site/dependency-graph/snapshots', tokens, body)).toEqual(expected);
    const hidden = `POST /repos/${privateRepository}/dependency-graph/snapshots`;
    expect(await status(hidden, 'outside_collaborator', body)).toBe(404);
  });
});

describe('App installations', () => {
  it('“installations where the caller has explicit read, write or admin permission”', async () => {
    const accounts = async (as: string) =>
      (await ask('GET /user/installations', { as })).body.installations.map(
        ({ account }: { account: { login: string } }) => account.login,
      );
    expect(await accounts('classic')).toEqual(['acme', 'globex']);
    expect(await accounts('owner')).toEqual(['acme']);
    expect(await accounts('outside_collaborator')).toEqual(['acme']);
    expect(await accounts('billing_manager')).toEqual([]);
  });
});

describe('Project views', () => {
  it('only its user can change a user’s project', async () => {
    const body = { name: 'Mine', layout: 'table' };
    expect(await statuses('POST /users/paperfox/projectsV2/1/views', ['member', 'owner'], body)).toEqual({
      member: 201,
      owner: 403,
    });
  });

  it('“not usable with app or fine-grained tokens”', async () => {
    const body = { name: 'Mine', layout: 'table' };
    const tokens = ['member-as-app', 'member-fine-grained'];
    expect(await statuses('POST /users/paperfox/projectsV2/1/views', tokens, body)).toEqual({
      'member-as-app': 403,
      'member-fine-grained': 403,
    });
  });
});

describe('User migrations', () => {
  it('“Owner-only”: only administrators of repositories can migrate them', async () => {
    const start = (as: string, ...repositories: string[]) =>
      ask('POST /user/migrations', { as, body: { repositories } });
    expect(await start('member', 'acme/site')).toMatchObject({
      status: 403,
      body: { message: 'Must have admin access to the repository.' },
    });
    expect((await start('outside_collaborator', privateRepository)).status).toBe(422);
    expect((await start('member', 'paperfox/site')).status).toBe(201);
    expect((await start('member', 'paperfox/site', 'acme/site')).status).toBe(403);
    expect((await start('owner', 'acme/site')).status).toBe(201);
    expect((await start('owner', 'globex/site')).status).toBe(403);
  });

  it('“not usable with app tokens or fine-grained tokens”', async () => {
    expect(
      await statuses('GET /user/migrations', ['member', 'member-as-app', 'member-fine-grained', 'installation']),
    ).toEqual({
      member: 200,
      'member-as-app': 403,
      'member-fine-grained': 403,
      installation: 403,
    });
  });

  it('“may be deleted earlier by the owner”, “unlocked by the owner”: the migration is 404 for everyone else', async () => {
    for (const request of [
      'GET /user/migrations/78',
      'GET /user/migrations/78/archive',
      'DELETE /user/migrations/78/archive',
    ])
      expect(await status(request, 'owner'), request).toBe(404);
    expect(await status('DELETE /user/migrations/78/repos/site/lock', 'owner')).toBe(404);
    expect(await status('GET /user/migrations/78', 'classic')).toBe(200);
  });
});
