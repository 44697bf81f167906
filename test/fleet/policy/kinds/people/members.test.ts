/** What holds of the members of an organization, whatever its state and its policy are. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { derivePlan } from '../../../../../src/fleet/policy/applying/derive.ts';
import { parsePlan, planText } from '../../../../../src/fleet/policy/planning/plan-file.ts';
import type { OrganizationState } from '../../../../../src/sandbox/state/accounts.ts';
import { embeddedPlatform } from '../../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, undoOf } from '../../embedded-policies.ts';

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 50);
const seed = Number(process.env.POLICY_SEED ?? 1);
vi.setConfig({ testTimeout: 60_000 + numRuns * 1000 });

const embedded = embeddedPlatform();
const { client, platform } = embedded;
const { planOf, apply, exported } = embeddedPolicies(embedded);
const acme = platform.accounts.organization('acme') as OrganizationState;

/** The token’s owner stays an owner. */
const people = platform.accounts.users.map(({ login }) => login).filter((login) => login !== 'admin');

const states = ['none', 'member', 'owner', 'invited member', 'invited owner'] as const;
type State = (typeof states)[number];

function setState(login: string, state: State): void {
  const user = platform.accounts.user(login);
  const role = state.endsWith('owner') ? 'owner' : 'member';
  const record = state.startsWith('invited') ? { roles: [], invited: role } : { roles: state === 'none' ? [] : [role] };
  platform.store.collection('memberships').set(`0/${user?.id}`, record as never);
}

/** Returns the role of each person, with those of invitations. */
const rolesNow = (): Record<string, string> =>
  Object.fromEntries(
    platform.accounts.users.flatMap((user) => {
      const role = platform.accounts.membershipOf(user, acme)?.role;
      return role ? [[user.login, role]] : [];
    }),
  );

const isActive = (login: string): boolean => {
  const user = platform.accounts.user(login);
  return user !== undefined && platform.accounts.isMember(user, acme);
};

const random = fc.record({
  states: fc.tuple(...people.map(() => fc.constantFrom(...states))),
  declared: fc.tuple(...people.map(() => fc.constantFrom('owner', 'member', 'absent', undefined))),
  isManaged: fc.boolean(),
  isShouted: fc.boolean(),
  least: fc.constantFrom(undefined, 1, 3),
});

/** Returns the documents of a random policy: owners and the rest in different files. */
function documentsOf({
  declared,
  isManaged,
  isShouted,
  least,
}: typeof random extends fc.Arbitrary<infer R> ? R : never) {
  const having = (what: string) => people.filter((_, at) => declared[at] === what);
  const written = (logins: readonly string[]) => (isShouted ? logins.map((login) => login.toUpperCase()) : logins);
  const organizations = ['acme'];
  return {
    'owners.yaml': {
      organizations,
      members: { owners: written(['admin', ...having('owner')]), ...(least && { min_owners: least }) },
    },
    'others.yaml': {
      organizations,
      ...(isManaged && { manage: { members: 'all' } }),
      members: { members: written(having('member')) },
      absent: { members: written(having('absent')) },
    },
  };
}

describe('the members of an organization', () => {
  it('are as declared after an apply, which adds before it removes, and an undo leads back', async () => {
    await fc.assert(
      fc.asyncProperty(random, async (given) => {
        for (const [at, login] of people.entries()) setState(login, given.states[at] as State);
        const files = Object.entries(await exported({ repositories: false }));
        const ofExport = files.filter(([path]) => path === 'acme/members.yaml');
        expect((await planOf(await policyOf(Object.fromEntries(ofExport)))).changes).toEqual([]);
        const before = rolesNow();
        const listed = people.filter(isActive);
        const documents = documentsOf(given);
        const plan = await planOf(await policyOf(documents));
        const reversed = Object.fromEntries(Object.entries(documents).reverse());
        expect(planText(await planOf(await policyOf(reversed)))).toBe(planText(plan));
        const read = await derivePlan(parsePlan('plan.ndjson', planText(plan)), { client });
        expect(read.changes).toEqual(plan.changes);
        expect(
          plan.changes.filter(
            ({ before: from, body, least }) => least && (from?.role !== 'admin' || body?.role === 'admin'),
          ),
        ).toEqual([]);

        embedded.writes.length = 0;
        expect(await apply(plan)).toMatchObject({ failures: [], isWhole: true });
        const after = rolesNow();
        for (const [at, login] of people.entries()) {
          const wanted = given.declared[at];
          const isRemoved = wanted === 'absent' || (wanted === undefined && given.isManaged && listed.includes(login));
          const role = wanted === 'owner' ? 'admin' : wanted;
          expect([login, after[login]]).toEqual([login, isRemoved ? undefined : (role ?? before[login])]);
        }
        const takes = embedded.writes.map(({ method, url }) => {
          const login = url.slice(url.lastIndexOf('/') + 1).toLowerCase();
          return method === 'DELETE' || (before[login] === 'admin' && after[login] === 'member');
        });
        expect(takes).toEqual(takes.toSorted((a, b) => Number(a) - Number(b)));
        expect((await planOf(await policyOf(documents))).changes).toEqual([]);

        expect((await apply(undoOf(plan))).failures).toEqual([]);
        expect(rolesNow()).toEqual(before);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });
});
