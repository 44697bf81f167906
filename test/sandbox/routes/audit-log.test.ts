import { describe, expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

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

describe('a phrase', () => {
  const found = async (phrase: string) => new Set(await actions(`per_page=100&phrase=${encodeURIComponent(phrase)}`));

  test('filters by action, actor, repository and time', async () => {
    await ask('PUT /repos/acme/site/topics', { body: { names: ['web'] } });
    for (const phrase of [
      'action:repo.update_topics',
      'action:repo repo:"acme/site" actor:admin',
      'operation:modify created:>=2026-11-20',
      'created:2026-11-20T12:30:00Z..2026-11-20T12:32:00+00:00',
      'country:NO -operation:create',
    ])
      expect(await found(phrase)).toContain('repo.update_topics');
    expect(await found('created:>2026-11-20')).toEqual(new Set());
    expect(await found('country:Norway created:<2026-11-20T12:30:00Z')).not.toContain('repo.update_topics');
    expect(new Set(await actions('include=git'))).toEqual(new Set(['git.push']));
  });

  test('excludes values with a minus sign', async () => {
    expect(await found('action:repo')).toContain('repo.destroy');
    const others = await found('-action:repo.destroy -action:org');
    expect(others).toContain('repo.create');
    expect(others).not.toContain('repo.destroy');
    expect(others).not.toContain('org.add_member');
  });

  test('takes several values of a qualifier as alternatives', async () => {
    expect(await found('action:repo.destroy action:org.add_member')).toEqual(
      new Set(['repo.destroy', 'org.add_member']),
    );
  });

  test('finds the person whom an action affects', async () => {
    const [added] = (await ask('GET /orgs/acme/audit-log?phrase=action:org.add_member')).body;
    const { body } = await ask(`GET /orgs/acme/audit-log?phrase=user:${added.user}`);
    expect(body).toContainEqual(added);
    expect(new Set(body.map(({ user }: { user: string }) => user))).toEqual(new Set([added.user]));
  });

  test.each(['update_topics', 'ip:10.0.0.1', '-text', 'created:yesterday', 'action:'])(
    '%s is refused',
    async (phrase) => {
      const { status, body } = await ask(`GET /orgs/acme/audit-log?phrase=${encodeURIComponent(phrase)}`);
      expect(status).toBe(422);
      expect(body.errors).toMatchObject([{ field: 'phrase' }]);
    },
  );
});

test('actions are named after what happened', async () => {
  const budgets = '/organizations/acme/settings/billing/budgets';
  await ask('POST /orgs/acme/advanced_security/enable_all');
  await ask('POST /orgs/acme/dependabot_alerts/disable_all');
  await ask('POST /repos/acme/site/rulesets', {
    body: { name: 'named', enforcement: 'active', rules: [{ type: 'deletion' }] },
  });
  const [hook] = (await ask('GET /orgs/acme/pre-receive-hooks')).body;
  await ask(`PATCH /orgs/acme/pre-receive-hooks/${hook.id}`, { body: { enforcement: 'enabled' } });
  const [budget] = (await ask(`GET ${budgets}`)).body.budgets;
  expect((await ask(`PATCH ${budgets}/${budget.id}`, { body: { budget_amount: 12 } })).status).toBe(200);
  await ask('POST /repos/acme/site/dispatches', { body: { event_type: 'unrecorded' } });
  expect(await actions('per_page=5')).toEqual([
    'billing.budget_update',
    'pre_receive_hook.enforcement',
    'repository_ruleset.create',
    'dependabot_alerts.disable',
    'org.advanced_security_enabled_on_all_repos',
  ]);
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
