/** What holds of the teams of an organization and their members, whatever its state and its policy are. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { derivePlan } from '../../../../../src/fleet/policy/applying/derive.ts';
import { parsePlan, planText } from '../../../../../src/fleet/policy/planning/plan-file.ts';
import type { OrganizationState } from '../../../../../src/sandbox/state/accounts.ts';
import { membershipsIn, teamsOf } from '../../../../../src/sandbox/state/teams.ts';
import { embeddedPlatform } from '../../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from '../../embedded-policies.ts';

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 40);
const seed = Number(process.env.POLICY_SEED ?? 1);
vi.setConfig({ testTimeout: 60_000 + numRuns * 1000 });

const embedded = embeddedPlatform();
const { client, platform } = embedded;
const { planOf, apply, exported } = embeddedPolicies(embedded);
const acme = platform.accounts.organization('acme') as OrganizationState;

/** An owner and other members. The platform does not show whether a pending membership is that of a child team. */
const people = ['riverotter', 'paperfox', 'quietowl', 'stonewren', 'mosshare'];
const owners = ['admin', 'riverotter'];

const names = ['Alpha', 'Beta Crew', 'Gamma', 'Délta'] as const;
const slugs: Readonly<Record<string, string>> = {
  Alpha: 'alpha',
  'Beta Crew': 'beta-crew',
  Gamma: 'gamma',
  Délta: 'delta',
};

const role = fc.constantFrom('maintainers', 'members', undefined, undefined);

const team = fc.record({
  isDeclared: fc.boolean(),
  /** The place of the parent among the teams before this one; none if it is not declared. */
  parent: fc.option(fc.integer({ min: 0, max: 2 })),
  fields: fc.record(
    { description: fc.constantFrom('', 'Some people'), notifications: fc.boolean(), privacy: fc.constant('closed') },
    { requiredKeys: ['privacy'] },
  ),
  people: fc.option(fc.tuple(...people.map(() => role))),
});

const random = fc.record({
  teams: fc.tuple(...names.map(() => team)),
  order: fc.shuffledSubarray([...names], { minLength: names.length }),
  undeclared: fc.constantFrom('left', 'absent', 'all'),
  renames: fc.boolean(),
});

type Random = typeof random extends fc.Arbitrary<infer R> ? R : never;

const closed = (parent: number | null, fields: Random['teams'][number]['fields'] = { privacy: 'closed' }) => ({
  ...{ isDeclared: true, parent, fields, people: null },
});

/** Alpha moves below Gamma, which was two levels below it and changes otherwise. */
const inverted: [Random, boolean][] = [
  [
    {
      teams: [closed(null), { ...closed(null), isDeclared: false }, closed(1), closed(0)],
      order: ['Alpha', 'Délta', 'Gamma', 'Beta Crew'],
      ...{ undeclared: 'all', renames: false },
    },
    false,
  ],
  [
    {
      teams: [closed(2), closed(null), closed(1, { privacy: 'closed', notifications: false }), closed(0)],
      order: ['Beta Crew', 'Délta', 'Gamma', 'Alpha'],
      ...{ undeclared: 'left', renames: false },
    },
    true,
  ],
];

const live = () =>
  teamsOf(platform, acme).map((each) => ({
    ...each,
    parent: teamsOf(platform, acme).find(({ id }) => id === each.parent_id)?.slug ?? null,
    people: Object.fromEntries(
      membershipsIn(platform, each)
        .filter(({ inherited }) => !inherited)
        .map(({ user, role: its }) => [user.login, its]),
    ),
  }));

/** Returns the declared teams of a random policy; one that does not exist may have had the name of an undeclared one. */
function declaredTeams({ teams, order, renames }: Random) {
  const declared = order.filter((name) => teams[names.indexOf(name)]?.isDeclared);
  const isLive = (name: string) => live().some(({ slug }) => slug === slugs[name]);
  const free = names.filter((name) => !declared.includes(name) && isLive(name));
  return declared.map((name, at) => {
    const { parent, fields, people: its } = teams[names.indexOf(name)] as Random['teams'][number];
    const above = parent === null ? undefined : declared.slice(0, at)[parent];
    const listed = (key: string) => people.filter((_, place) => its?.[place] === key);
    const was = renames && !isLive(name) ? free.shift() : undefined;
    return {
      name,
      ...(was !== undefined && { was }),
      ...fields,
      parent: above ?? null,
      ...(its && { maintainers: listed('maintainers'), members: listed('members') }),
    };
  });
}

function documentsOf(given: Random, teams: ReturnType<typeof declaredTeams>): Record<string, object> {
  const others = names.filter((name) => !teams.some((each) => each.name === name || each.was === name));
  const organizations = ['acme'];
  return {
    'a.yaml': {
      organizations,
      teams: teams.slice(0, 2),
      ...(given.undeclared === 'all' && { manage: { teams: 'all' } }),
    },
    'b.yaml': {
      organizations,
      teams: teams.slice(2),
      ...(given.undeclared === 'absent' && { absent: { teams: others } }),
    },
  };
}

/** Returns what an undo restores: the teams with their fields, and the members of those that were not deleted. */
const restorable = (gone: ReadonlySet<string>) =>
  live()
    .map(({ name, description, parent, privacy, notification_setting, people: its }) => {
      return { name, description, parent, privacy, notification_setting, people: gone.has(name) ? undefined : its };
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

describe('the teams of an organization', () => {
  beforeAll(async () => {
    const start = await planOf(
      await policyOf({ 'p.yaml': { organizations: ['acme'], manage: { teams: 'all' }, teams: [] } }),
    );
    expect((await apply(start)).failures).toEqual([]);
  });

  it('are as declared after an apply, and an undo leads back', async () => {
    await fc.assert(
      fc.asyncProperty(random, fc.boolean(), async (given, isUndone) => {
        const files = Object.entries(await exported({ repositories: false }));
        const ofExport = files.filter(([path]) => path === 'acme/teams.yaml');
        expect((await planOf(await policyOf(Object.fromEntries(ofExport)))).changes).toEqual([]);
        const before = live();
        const declared = declaredTeams(given);
        const documents = documentsOf(given, declared);
        const wanted = await policyOf(documents);
        const plan = await planOf(wanted);
        const reversed = Object.fromEntries(Object.entries(documents).reverse());
        expect(planText(await planOf(await policyOf(reversed)))).toBe(planText(plan));
        const withoutOf = ({ of: _, ...change }: (typeof plan.changes)[number]) => change;
        const read = await derivePlan(parsePlan('plan.ndjson', planText(plan)), { client });
        const isRenamed = plan.changes.some(({ kind, body }) => kind === 'team' && body?.name !== undefined);
        const compared = isRenamed ? withoutOf : (change: object) => change;
        expect(read.changes.map(compared)).toEqual(plan.changes.map(compared));
        expect(plan.changes.filter(({ reason }) => reason !== undefined)).toEqual([]);

        const applied = await apply(plan);
        expect(applied).toMatchObject({ failures: [], isWhole: true });
        const after = live();
        for (const { name, was, parent, maintainers, members, ...fields } of declared) {
          const found = after.find((each) => each.name === name);
          expect(found?.parent).toBe(parent && slugs[parent]);
          if ('description' in fields) expect(found?.description ?? '').toBe(fields.description);
          if ('notifications' in fields)
            expect(found?.notification_setting).toBe(
              fields.notifications ? 'notifications_enabled' : 'notifications_disabled',
            );
          for (const login of [...(maintainers ?? []), ...(members ?? [])])
            expect(found?.people[login]).toBe(
              owners.includes(login) || maintainers?.includes(login) ? 'maintainer' : 'member',
            );
          const earlier = before.find((each) => each.name === name || each.name === was);
          const undeclared = Object.keys(found?.people ?? {}).filter(
            (login) => ![...(maintainers ?? []), ...(members ?? [])].includes(login),
          );
          const kept = given.undeclared === 'all' && maintainers ? [] : Object.keys(earlier?.people ?? {});
          expect(undeclared.filter((login) => !kept.includes(login))).toEqual([]);
        }
        const extra = after.filter(({ name }) => !declared.some((each) => each.name === name));
        if (given.undeclared !== 'left') expect(extra).toEqual([]);
        expect((await planOf(wanted)).changes).toEqual([]);

        if (!isUndone) return;
        expect((await apply(undoOf(plan))).failures).toEqual([]);
        const gone = new Set(
          plan.changes.filter(({ kind, action }) => kind === 'team' && action === 'delete').map(({ name }) => name),
        );
        const now = restorable(gone);
        expect(now.map(({ name }) => name)).toEqual(before.map(({ name }) => name).toSorted());
        for (const each of before) {
          const found = now.find(({ name }) => name === each.name);
          expect(found?.parent).toBe(each.parent);
          expect(found?.description ?? '').toBe(each.description ?? '');
          if (!gone.has(each.name)) expect(found?.people).toEqual(each.people);
        }
      }),
      { numRuns, seed, endOnFailure: true, examples: inverted },
    );
  });
});
