/** What the object of a write shows about it: its value before, and whether a write without a response happened. */
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/client/request.ts';
import type { Finding } from '../../src/fleet/journal/lines.ts';
import { writtenObject } from '../../src/fleet/written-object.ts';
import { platformAt, testClient } from '../support/client.ts';
import { type Script, scriptedPlatform } from '../support/platform.ts';

const write = (origin: string, [route, body]: readonly [route: string, body?: object]): HttpRequest => {
  const [method, path] = route.split(' ');
  const url = `${origin}/api/v3${path}`;
  return { method: method as HttpRequest['method'], url, headers: {}, ...(body && { body: JSON.stringify(body) }) };
};

async function objectOf(request: readonly [route: string, body?: object], script: Script) {
  const platform = await scriptedPlatform(script);
  const { origin } = new URL(platform.baseUrl);
  const object = writtenObject(write(origin, request), platformAt(platform.baseUrl));
  return { object, client: testClient(origin), requests: platform.requests };
}

const guard = { name: 'Guard', enforcement: 'active', rules: [{ type: 'deletion' }, { type: 'update' }] };
const liveGuard = { ...guard, id: 7, source_type: 'Repository', rules: [{ type: 'update' }, { type: 'deletion' }] };
const rulesets = '/repos/acme/site/rulesets';
const listed = (...records: readonly object[]) => ({ [`GET ${rulesets}`]: { body: records } });
const shown = (record: object) => ({ [`GET ${rulesets}/7`]: { body: record } });

const site = { id: 9, name: 'site', description: 'old', homepage: null, has_wiki: true, size: 4 };
const live = (change: object = {}) => ({ 'GET /repos/acme/site': { body: { ...site, ...change } } });
const describing = ['PATCH /repos/acme/site', { description: 'new' }] as const;

const npm = { id: 3, name: 'NPM', registry_type: 'npm_registry', url: 'https://npm.example.com', visibility: 'all' };
/** The platform identifies registries by name. */
const { id: _none, ...shownNpm } = npm;
const registries = '/orgs/acme/private-registries';
const secret = { encrypted_value: 'c2VjcmV0', key_id: '1' };

describe('the value before a write', () => {
  it.each<[what: string, request: readonly [route: string, body?: object], script: Script, before: object | undefined]>(
    [
      ['of an update has its fields and the ID', describing, live(), { id: 9, description: 'old' }],
      [
        'of a deletion has all that can be set',
        [`DELETE ${rulesets}/7`],
        shown({ ...liveGuard, node_id: 'x', _links: {} }),
        { id: 7, name: 'Guard', enforcement: 'active', rules: liveGuard.rules },
      ],
      ['of a create is not read', [`POST ${rulesets}`, guard], listed(liveGuard), undefined],
      ['of what cannot be found is unknown', describing, {}, undefined],
      ['of what is not permitted is unknown', describing, { 'GET /repos/acme/site': { status: 403 } }, undefined],
      [
        'never has fields that are only written',
        [`PATCH ${registries}/NPM`, { ...secret, visibility: 'all' }],
        { [`GET ${registries}/NPM`]: { body: { ...npm, encrypted_value: 'never shown' } } },
        { id: 3, visibility: 'all' },
      ],
      [
        'follows an encoded name',
        ['PATCH /repos/acme/a%2Eb', { size: 1 }],
        { 'GET /repos/acme/a.b': { body: site } },
        { id: 9, size: 4 },
      ],
    ],
  )('%s', async (_what, request, script, before) => {
    const { object, client } = await objectOf(request, script);
    expect(await object?.before(client)).toEqual(before);
  });

  it.each([
    ['POST /repos/acme/site/dispatches'],
    ['PATCH /orgs/acme/properties/values'],
    ['POST /graphql'],
    ['PATCH /repos/acme/%FF'],
  ])('%s has no object', async (route) => {
    expect((await objectOf([route, { a: 1 }], {})).object).toBeUndefined();
  });
});

const grant = '/orgs/acme/teams/release/repos/acme/site';
const granting = [`PUT ${grant}`, { permission: 'push' }] as const;
const collaborator = '/repos/acme/site/collaborators/PaperFox';
const direct = (...people: readonly object[]) => ({ 'GET /repos/acme/site/collaborators': { body: people } });
const writer = { id: 3, login: 'paperfox', role_name: 'write' };
const alerts = '/repos/acme/site/vulnerability-alerts';

describe('access and switches without a response', () => {
  it.each<
    [what: string, request: readonly [route: string, body?: object], script: Script, before: unknown, found: Finding]
  >([
    [
      'a team has the role',
      granting,
      { [`GET ${grant}`]: { body: { id: 9, role_name: 'write' } } },
      undefined,
      'wanted',
    ],
    [
      'a team has its role from before',
      granting,
      { [`GET ${grant}`]: { body: { id: 9, role_name: 'read' } } },
      { id: 9, permission: 'pull' },
      'before',
    ],
    ['a team has no access', granting, {}, undefined, 'other'],
    ['a team lost its access', [`DELETE ${grant}`], {}, { id: 9, permission: 'push' }, 'wanted'],
    ['a person has the role', [`PUT ${collaborator}`, { permission: 'push' }], direct(writer), undefined, 'wanted'],
    [
      'a person has no access of their own',
      [`PUT ${collaborator}`, { permission: 'push' }],
      direct(),
      undefined,
      'other',
    ],
    ['a person lost their access', [`DELETE ${collaborator}`], direct(), { id: 3, permission: 'push' }, 'wanted'],
    [
      'a person has kept their access',
      [`DELETE ${collaborator}`],
      direct(writer),
      { id: 3, permission: 'push' },
      'before',
    ],
    [
      'an invitation is gone',
      ['DELETE /repos/acme/site/invitations/7'],
      { 'GET /repos/acme/site/invitations': { body: [] } },
      { id: 7, permissions: 'write' },
      'wanted',
    ],
    ['alerts are enabled', [`PUT ${alerts}`], { [`GET ${alerts}`]: { status: 204 } }, { enabled: false }, 'wanted'],
    ['alerts are still disabled', [`PUT ${alerts}`], {}, { enabled: false }, 'before'],
    ['alerts are disabled', [`DELETE ${alerts}`], {}, { enabled: true }, 'wanted'],
    ['alerts cannot be seen', [`DELETE ${alerts}`], {}, undefined, 'other'],
    [
      'alerts are not permitted',
      [`PUT ${alerts}`],
      { [`GET ${alerts}`]: { status: 403 } },
      { enabled: false },
      'other',
    ],
  ])('%s', async (_what, request, script, before, found) => {
    const { object, client } = await objectOf(request, script);
    expect(await object?.verify(client, before)).toBe(found);
  });

  it('asks for the role of a team, and for the people with access of their own', async () => {
    const held = { [`GET ${grant}`]: { body: { id: 9, role_name: 'Security Engineer' } } };
    const team = await objectOf(granting, held);
    expect(await team.object?.before(team.client)).toEqual({ id: 9, permission: 'Security Engineer' });
    expect(team.requests[0]?.headers.accept).toBe('application/vnd.github.v3.repository+json');
    const person = await objectOf([`DELETE ${collaborator}`], direct(writer));
    expect(await person.object?.before(person.client)).toEqual({ id: 3, permission: 'push' });
    expect(person.requests[0]?.url).toBe('/api/v3/repos/acme/site/collaborators?affiliation=direct&per_page=100');
    const alert = await objectOf([`DELETE ${alerts}`], {});
    expect(await alert.object?.before(alert.client)).toEqual({ enabled: false });
  });
});

describe('a create without a response', () => {
  it.each<[what: string, script: Script, found: Finding]>([
    ['is absent from the list', listed(), 'absent'],
    ['is there as wanted', { ...listed(liveGuard), ...shown(liveGuard) }, 'wanted'],
    ['is there with another value', { ...listed(liveGuard), ...shown({ ...liveGuard, rules: [] }) }, 'other'],
    ['has a namesake', { ...listed(liveGuard, { ...liveGuard, id: 8 }), ...shown(liveGuard) }, 'other'],
    ['has a namesake of the organization', listed({ ...liveGuard, source_type: 'Organization' }), 'absent'],
    ['cannot be listed', {}, 'other'],
    ['cannot be read', listed(liveGuard), 'other'],
  ])('%s', async (_what, script, found) => {
    const { object, client } = await objectOf([`POST ${rulesets}`, guard], script);
    expect({ key: object?.hasListedKey, found: await object?.verify(client, undefined) }).toEqual({ key: true, found });
  });

  it('requests the repository’s own rulesets', async () => {
    const { object, client, requests } = await objectOf([`POST ${rulesets}`, guard], listed());
    await object?.verify(client, undefined);
    expect(requests.map(({ url }) => url)).toEqual([`/api/v3${rulesets}?includes_parents=false&per_page=100`]);
  });

  it.each<[what: string, records: readonly object[], found: Finding]>([
    ['is absent without a record of its key', [{ ...npm, url: 'https://other.example.com' }], 'absent'],
    ['is in doubt beside one of its key, whose secret is not shown', [shownNpm], 'other'],
  ])('of a registry %s', async (_what, configurations, found) => {
    const { object, client } = await objectOf(
      [`POST ${registries}`, { registry_type: 'npm_registry', url: npm.url, visibility: 'all', ...secret }],
      {
        [`GET ${registries}`]: { body: { total_count: configurations.length, configurations } },
        [`GET ${registries}/NPM`]: { body: shownNpm },
      },
    );
    expect(await object?.verify(client, undefined)).toBe(found);
  });

  it.each<[what: string, parent: object | null, found: Finding]>([
    ['is found by its name and read by its slug', { id: 3, slug: 'platform' }, 'wanted'],
    ['is in doubt with another parent', null, 'other'],
  ])('of a team %s', async (_what, parent, found) => {
    const team = { id: 9, name: 'Site Reliability', slug: 'site-reliability', parent };
    const body = { name: 'Site Reliability', parent_team_id: 3 };
    const { object, client } = await objectOf(['POST /orgs/acme/teams', body], {
      'GET /orgs/acme/teams': { body: [team] },
      'GET /orgs/acme/teams/site-reliability': { body: team },
    });
    expect(await object?.verify(client, undefined)).toBe(found);
  });

  it('of a registry without a secret is found by its name', async () => {
    const body = { registry_type: 'npm_registry', url: npm.url, visibility: 'all' };
    const { object, client } = await objectOf([`POST ${registries}`, body], {
      [`GET ${registries}`]: { body: { total_count: 1, configurations: [shownNpm] } },
      [`GET ${registries}/NPM`]: { body: shownNpm },
    });
    expect(await object?.verify(client, undefined)).toBe('wanted');
  });

  it.each<[product: string, found: Finding]>([
    ['actions', 'wanted'],
    ['packages', 'absent'],
  ])('of a budget next to one for actions compares the product: %s', async (product, found) => {
    const budgets = '/organizations/acme/settings/billing/budgets';
    const budget = { budget_scope: 'organization', budget_type: 'ProductPricing', budget_amount: 5 };
    const body = { ...budget, budget_product_sku: product };
    const { object, client } = await objectOf([`POST ${budgets}`, body], {
      [`GET ${budgets}`]: { body: { budgets: [{ id: 'b1', ...budget, budget_product_skus: ['actions'] }] } },
      [`GET ${budgets}/b1`]: { body: { id: 'b1', ...budget, budget_product_sku: 'actions' } },
    });
    expect(await object?.verify(client, undefined)).toBe(found);
  });

  it('of a label is read by its name', async () => {
    const label = { id: 208, name: 'needs triage', color: 'b60205', description: null, default: false };
    const { object, client } = await objectOf(['POST /repos/acme/site/labels', { name: label.name, color: 'b60205' }], {
      'GET /repos/acme/site/labels': { body: [label] },
      'GET /repos/acme/site/labels/needs%20triage': { body: label },
    });
    expect(await object?.verify(client, undefined)).toBe('wanted');
  });

  it('of a comment, which has no key, is in doubt', async () => {
    const { object, client } = await objectOf(['POST /repos/acme/site/commits/abc/comments', { body: 'x' }], {});
    expect({ key: object?.hasListedKey, found: await object?.verify(client, undefined) }).toEqual({
      key: false,
      found: 'other',
    });
  });
});

describe('an update without a response', () => {
  const before = { id: 9, description: 'old' };

  it.each<[what: string, script: Script, before: unknown, found: Finding]>([
    ['is there', live({ description: 'new' }), before, 'wanted'],
    ['is there, whatever was before', live({ description: 'new' }), undefined, 'wanted'],
    ['did not happen', live(), before, 'before'],
    ['may not have happened, if nothing is known of before', live(), undefined, 'other'],
    ['met another change', live({ description: 'third' }), before, 'other'],
    ['met a repository with another ID', live({ id: 10 }), before, 'other'],
    ['met a repository with another ID, as wanted', live({ id: 10, description: 'new' }), before, 'other'],
    ['is not shown', live({ description: undefined }), before, 'other'],
    ['cannot be read', {}, before, 'other'],
  ])('%s', async (_what, script, known, found) => {
    const { object, client } = await objectOf(describing, script);
    expect(await object?.verify(client, known)).toBe(found);
  });

  it('of topics matches in any order', async () => {
    const { object, client } = await objectOf(['PUT /repos/acme/site/topics', { names: ['web', 'api'] }], {
      'GET /repos/acme/site/topics': { body: { names: ['api', 'web'] } },
    });
    expect(await object?.verify(client, { names: [] })).toBe('wanted');
  });

  it('of a text to none matches null', async () => {
    const { object, client } = await objectOf(['PATCH /repos/acme/site', { homepage: '' }], live());
    expect(await object?.verify(client, { id: 9, homepage: 'https://example.com' })).toBe('wanted');
  });

  it.each<[what: string, visibility: string, found: Finding]>([
    ['is there with its other fields', 'private', 'wanted'],
    ['did not happen, like its other fields', 'all', 'before'],
  ])('of a secret %s', async (_what, visibility, found) => {
    const { object, client } = await objectOf([`PATCH ${registries}/NPM`, { ...secret, visibility: 'private' }], {
      [`GET ${registries}/NPM`]: { body: { ...npm, visibility } },
    });
    expect(await object?.verify(client, { id: 3, visibility: 'all' })).toBe(found);
  });

  it.each([[{ ...secret }], [{ ...secret, visibility: 'all' }]])(
    'of a secret that changes nothing else is in doubt: %o',
    async (body) => {
      const { object, client } = await objectOf([`PATCH ${registries}/NPM`, body], {
        [`GET ${registries}/NPM`]: { body: npm },
      });
      expect(await object?.verify(client, { id: 3, visibility: 'all' })).toBe('other');
    },
  );
});

it('a value that the journal masks proves no change', async () => {
  const url = (password: string) => `https://u:${password}@npm.example.com`;
  const { object, client } = await objectOf([`PATCH ${registries}/NPM`, { ...secret, url: url('p') }], {
    [`GET ${registries}/NPM`]: { body: { ...npm, url: url('p') } },
  });
  expect(await object?.verify(client, { id: 3, url: url('********') })).toBe('other');
  expect(await object?.verify(client, { id: 3, url: url('q') })).toBe('wanted');
});

it('a person whose invitation or addition got no response is added again unless the person was there before', async () => {
  for (const request of [
    ['PUT /orgs/acme/memberships/paperfox', { role: 'member' }],
    ['PUT /orgs/acme/teams/platform/memberships/paperfox', { role: 'member' }],
  ] as const) {
    const { object, client } = await objectOf(request, {});
    expect([await object?.verify(client, undefined), await object?.verify(client, { role: 'member' })]).toEqual([
      'before',
      'other',
    ]);
  }
});

describe('a deletion without a response', () => {
  const before = { id: 7, ...guard };

  it.each<[what: string, script: Script, before: unknown, found: Finding]>([
    ['happened', listed({ ...liveGuard, id: 8 }), before, 'wanted'],
    ['did not happen', { ...shown(liveGuard), ...listed(liveGuard) }, before, 'before'],
    ['met another change', shown({ ...liveGuard, enforcement: 'disabled' }), before, 'other'],
    ['is hidden, but listed', listed(liveGuard), before, 'other'],
    ['is hidden with the list', {}, before, 'other'],
    ['was never seen', listed(), undefined, 'other'],
  ])('%s', async (_what, script, known, found) => {
    const { object, client } = await objectOf([`DELETE ${rulesets}/7`], script);
    expect(await object?.verify(client, known)).toBe(found);
  });

  it('of a team is in doubt while a list has its slug', async () => {
    const team = { id: 9, name: 'Site Reliability', slug: 'site-reliability' };
    for (const [teams, found] of [
      [[team], 'other'],
      [[], 'wanted'],
    ] as const) {
      const script = { 'GET /orgs/acme/teams': { body: teams } };
      const { object, client } = await objectOf(['DELETE /orgs/acme/teams/site-reliability'], script);
      expect(await object?.verify(client, { id: 9 })).toBe(found);
    }
  });

  it('of a membership in a team happened if the person was in it before', async () => {
    const { object, client } = await objectOf(['DELETE /orgs/acme/teams/platform/memberships/paperfox'], {});
    expect(await object?.verify(client, { role: 'member' })).toBe('wanted');
  });

  it('of a repository happened if it was there before', async () => {
    const { object, client } = await objectOf(['DELETE /repos/acme/site'], {});
    expect(await object?.verify(client, { id: 9 })).toBe('wanted');
    expect(await object?.verify(client, undefined)).toBe('other');
  });
});

describe('the reset of a hook without a response', () => {
  const own = 'https://ghe.example.com/api/v3/repos/acme/site/pre-receive-hooks/5';
  const before = { id: 5, enforcement: 'disabled' };

  it.each<[what: string, hook: object, found: Finding]>([
    [
      'happened if the setting is inherited',
      { configuration_url: own.replace('repos/acme/site', 'orgs/acme') },
      'wanted',
    ],
    ['did not happen', { configuration_url: own }, 'before'],
    ['met another change', { configuration_url: own, enforcement: 'testing' }, 'other'],
    ['is in doubt without the place of the setting', {}, 'other'],
  ])('%s', async (_what, hook, found) => {
    const { object, client } = await objectOf(['DELETE /repos/acme/site/pre-receive-hooks/5'], {
      'GET /repos/acme/site/pre-receive-hooks/5': { body: { ...before, ...hook } },
    });
    expect(await object?.verify(client, before)).toBe(found);
  });
});
