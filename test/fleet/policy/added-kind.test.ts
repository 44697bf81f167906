import { expect, it, vi } from 'vitest';
import { Client } from '../../../src/client/client.ts';
import { derivePlan } from '../../../src/fleet/policy/applying/derive.ts';
import { undoPlan } from '../../../src/fleet/policy/applying/undo.ts';
import { isStep } from '../../../src/fleet/policy/live/change.ts';
import { Reader } from '../../../src/fleet/policy/live/requests.ts';
import { exportOwner } from '../../../src/fleet/policy/planning/export.ts';
import { parsePlan, planText } from '../../../src/fleet/policy/planning/plan-file.ts';
import { declaredOfEntries } from '../../../src/fleet/policy/wanted/explain.ts';
import { loadPolicy } from '../../../src/fleet/policy/wanted/load.ts';
import { platformAt, testTransport, token } from '../../support/client.ts';
import { pathOf, scriptedPlatform } from '../../support/platform.ts';
import { embeddedPolicies, policyOf } from './embedded-policies.ts';

// What adding a kind changes beside its own file and its resource.
vi.mock('../../../src/fleet/policy/kinds/names.ts', async (original) => {
  const { sections, plannedKinds } = await original<typeof import('../../../src/fleet/policy/kinds/names.ts')>();
  return { sections: { ...sections, badge: 'badges' }, plannedKinds: [...plannedKinds, 'badge'] };
});
vi.mock('../../../src/fleet/policy/kinds/index.ts', async (original) => {
  const { kinds } = await original<typeof import('../../../src/fleet/policy/kinds/index.ts')>();
  const { badges } = await import('./badge-kind.ts');
  return { kinds: [...kinds, badges] };
});

const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false, visibility: 'private' };

/** A platform with one repository, whose badges can be changed. */
async function platformWith(...badges: { name: string; color: string }[]) {
  const stored = new Map(badges.map((badge) => [badge.name, badge]));
  const platform = await scriptedPlatform((request) => {
    const path = pathOf(request);
    const name = /^\/repos\/acme\/site\/badges\/(.+)$/.exec(path)?.[1] ?? '';
    switch (`${request.method} ${name ? path.replace(name, '{name}') : path}`) {
      case 'GET /user':
        return { body: { login: 'admin' } };
      case 'GET /orgs/acme/repos':
        return { body: [site] };
      case 'GET /repos/acme/site':
        return { body: site };
      case 'GET /repos/acme/site/badges':
        return { body: [...stored.values()] };
      case 'POST /repos/acme/site/badges': {
        const badge = JSON.parse(request.body);
        stored.set(badge.name, badge);
        return { status: 201, body: badge };
      }
      case 'PATCH /repos/acme/site/badges/{name}': {
        const badge = { ...stored.get(name), ...JSON.parse(request.body) };
        stored.set(name, badge);
        return { body: badge };
      }
      case 'DELETE /repos/acme/site/badges/{name}':
        stored.delete(name);
        return { status: 204 };
      default:
        return { status: 404, body: { message: 'Not Found' } };
    }
  });
  const client = new Client({
    platform: platformAt(platform.baseUrl),
    credential: { token, origin: new URL(platform.baseUrl).origin },
    transport: testTransport(),
  });
  const writes = () =>
    platform.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, url, body }) => `${method} ${pathOf({ url })} ${body}`.trim());
  return {
    client,
    writes,
    badges: () => [...stored.values()],
    ...embeddedPolicies({ client, afterWrite: () => () => undefined }),
  };
}

const policy = (section: object) =>
  policyOf({ 'p.yaml': { organizations: ['acme'], repositories: [{ select: { names: ['site'] }, ...section }] } });

const wanted = {
  badges: [
    { name: 'bug', color: 'red' },
    { name: 'idea', color: 'blue' },
  ],
  absent: { badges: ['old'] },
};

it('is planned, saved, applied, exported and undone', async () => {
  const earlier = [
    { name: 'bug', color: 'grey' },
    { name: 'old', color: 'white' },
  ];
  const { client, planOf, apply, writes, badges } = await platformWith(...earlier);
  const plan = await planOf(await policy(wanted));
  expect(plan.changes.map(({ action, kind, name, body, before }) => ({ action, kind, name, body, before }))).toEqual([
    { action: 'update', kind: 'badge', name: 'bug', body: { color: 'red' }, before: { color: 'grey' } },
    { action: 'create', kind: 'badge', name: 'idea', body: { name: 'idea', color: 'blue' }, before: undefined },
    { action: 'delete', kind: 'badge', name: 'old', body: undefined, before: { name: 'old', color: 'white' } },
  ]);
  const saved = await derivePlan(parsePlan('plan.ndjson', planText(plan)), { client });
  expect(saved.changes).toEqual(plan.changes);

  expect(await apply(saved)).toMatchObject({ failures: [], isWhole: true });
  expect(writes()).toEqual([
    'POST /repos/acme/site/badges {"color":"blue","name":"idea"}',
    'PATCH /repos/acme/site/badges/bug {"color":"red"}',
    'DELETE /repos/acme/site/badges/old',
  ]);
  expect((await planOf(await policy(wanted))).changes).toEqual([]);

  const files = await exportOwner({
    reader: new Reader(client),
    owner: { kind: 'organization', name: 'acme' },
    repositories: true,
    warn: () => {},
    lacks: () => {},
  });
  expect(files).toEqual([
    {
      path: 'repositories/site.yaml',
      document: { organizations: ['acme'], repositories: [{ select: { names: ['site'] }, badges: wanted.badges }] },
    },
  ]);

  expect((await apply(undoPlan(plan, plan.changes.filter(isStep)))).failures).toEqual([]);
  expect(badges().toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(earlier);
});

it('is checked, explained and managed', async () => {
  const text = (badges: string) =>
    `organizations: [acme]\nrepositories: [{ select: {}, manage: { badges: all }, badges: ${badges} }]\n`;
  const load = (badges: string) => loadPolicy([{ file: 'p.yaml', text: text(badges) }]);
  await expect(load('[{ name: a, color: 1 }, { name: b, color: x }, { name: b, color: x }]')).rejects.toThrow(
    'p.yaml:2:75: repositories[0].badges[0].color must be a string\np.yaml:2:110: badge “b” is declared twice (first at p.yaml:2:87)',
  );
  const loaded = await load('[{ name: bug, color: red }]');
  expect(declaredOfEntries(loaded.owners[0]?.repositories ?? [])).toEqual([
    { kind: 'badges', field: 'manage', value: 'all', source: 'p.yaml:2' },
    { kind: 'badges', name: 'bug', field: 'color', value: 'red', source: 'p.yaml:2' },
  ]);
  const { planOf } = await platformWith({ name: 'bug', color: 'red' }, { name: 'wip', color: 'red' });
  const { changes } = await planOf(loaded);
  expect(changes.map(({ action, name, undeclared }) => ({ action, name, undeclared }))).toEqual([
    { action: 'delete', name: 'wip', undeclared: true },
  ]);
});
