/** Commands that read before they write: no write follows from a record that lacks what the decision rests on. */
import { expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const membership = { role: 'admin', state: 'active', user: { login: 'ada', id: 3 } };
const team = { id: 5, slug: 'top', organization: { login: 'acme' } };
const site = { id: 1, full_name: 'acme/site' };

/** The bodies of GET requests, by path. */
const healthy: Readonly<Record<string, unknown>> = {
  '/user': { login: 'ada' },
  '/orgs/acme/memberships/ada': membership,
  '/orgs/acme/members': [{ login: 'ada' }, { login: 'bob' }],
  '/orgs/acme/teams/top': team,
  '/orgs/acme/teams/core': { ...team, id: 6, slug: 'core' },
  '/orgs/acme/teams/core/memberships/ada': { role: 'maintainer', state: 'active' },
  '/orgs/acme/custom-repository-roles': { total_count: 1, custom_roles: [{ id: 9, name: 'Releaser' }] },
  '/organizations/acme/settings/billing/budgets': { total_count: 2, budgets: [{ id: 'fe0c-1' }, { id: 'ab' }] },
  '/repos/acme/site': site,
  '/repos/acme/site/invitations': [],
  '/user/migrations/78/repositories': [{ name: 'site', full_name: 'acme/site' }],
};

const demotion = 'members set acme ada --role member';
const removal = 'members remove acme ada --yes --allow-self';
const revocation = 'repos revoke acme/site --user ada --yes --allow-self';
const unlocking = 'migrations unlock 78 --all --yes';
const immutable = 'orgs immutable-releases remove acme acme/site --yes';

it.each<readonly [line: string, code: number, path: string, body: unknown]>([
  [demotion, 12, '/user', { login: '' }],
  [demotion, 12, '/orgs/acme/memberships/ada', { ...membership, role: 'ADMIN' }],
  [removal, 12, '/orgs/acme/members', [{ login: 'ada' }, { login: '' }]],
  [removal, 12, '/orgs/acme/members', [{}]],
  [removal, 8, '/orgs/acme/memberships/ada', { ...membership, role: '' }],
  ['repos revoke acme/site --user ada --yes', 12, '/user', { login: '' }],
  [revocation, 8, '/repos/acme/site/invitations', [{ id: 7, invitee: {} }]],
  ['teams create acme Fresh --parent top', 8, '/orgs/acme/teams/top', { ...team, id: undefined }],
  ['teams update acme core --parent top', 8, '/orgs/acme/teams/top', { ...team, id: null }],
  ['teams delete acme top --yes', 8, '/orgs/acme/teams/top', { ...team, organization: null }],
  ['teams add acme core ada', 8, '/orgs/acme/teams/core/memberships/ada', { state: 'active' }],
  [
    'repos grant acme/site --team core --role releaser',
    8,
    '/orgs/acme/custom-repository-roles',
    { custom_roles: [{}] },
  ],
  [
    'budgets delete acme fe0c --yes',
    8,
    '/organizations/acme/settings/billing/budgets',
    { budgets: [{ id: 'fe0c-1' }, {}] },
  ],
  ['registries update acme NPM --selected-repositories acme/site', 8, '/repos/acme/site', { ...site, id: '1' }],
  [immutable, 8, '/repos/acme/site', { ...site, id: null }],
  [immutable, 12, '/repos/acme/site', { ...site, full_name: 'acme/other' }],
  [unlocking, 8, '/user/migrations/78/repositories', [{ name: 'site', full_name: 'acme/site' }, { name: 0 }]],
  [unlocking, 8, '/user/migrations/78/repositories', [{ name: 0, full_name: 'acme/site' }]],
  ['repos delete acme/site --yes', 8, '/repos/acme/site', { full_name: 'acme/site' }],
])('%s exits with %i and writes nothing if GET %s returns %j', async (line, code, path, body) => {
  const writes: string[] = [];
  const answer = async (bodies: Readonly<Record<string, unknown>>) => {
    const { env } = await scriptedPlatform(({ method, url }) => {
      if (method !== 'GET') writes.push(`${method} ${url}`);
      return { body: bodies[url.replace(/^\/api\/v3|\?.*/g, '')] ?? {} };
    });
    return run(line.split(' '), { env });
  };
  expect(await answer({ ...healthy, [path]: body })).toMatchObject({ code, stdout: '' });
  expect(writes).toEqual([]);
  await answer(healthy);
  expect(writes.length).toBe(/allow-self|delete|remove|teams|grant|registries|unlock/.test(line) ? 1 : 0);
});
