/** The section `access`: teams and people in a repository. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { derivePlan } from '../../../../../src/fleet/policy/applying/derive.ts';
import { tooManyDeletions } from '../../../../../src/fleet/policy/applying/guards.ts';
import { findChange } from '../../../../../src/fleet/policy/applying/steps.ts';
import { isRefused, type PlannedChange } from '../../../../../src/fleet/policy/live/change.ts';
import { parsePlan, planText } from '../../../../../src/fleet/policy/planning/plan-file.ts';
import { highestGrantOf } from '../../../../../src/sandbox/roles.ts';
import { directGrants, invitations, invitationsTo } from '../../../../../src/sandbox/state/collaborators.ts';
import { highestGrant, roleName } from '../../../../../src/sandbox/state/repository-roles.ts';
import {
  membershipsIn,
  saveTeam,
  setTeamGrant,
  teamsOf,
  teamsOfRepository,
} from '../../../../../src/sandbox/state/teams.ts';
import { embeddedPlatform } from '../../../../support/embedded-platform.ts';
import { embeddedPolicies, policyOf, stepsFor, undoOf } from '../../embedded-policies.ts';

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 40);
vi.setConfig({ testTimeout: 60_000 + numRuns * 1000 });

const teams = ['platform', 'engineering', 'interns'];
// An owner, three members, an outside collaborator and a stranger.
const users = ['riverotter', 'paperfox', 'stonewren', 'lunarcrab', 'copperbee', 'velvetmole'];
const roles = ['read', 'triage', 'write', 'maintain', 'admin'] as const;
const permissionOf = { read: 'pull', triage: 'triage', write: 'push', maintain: 'maintain', admin: 'admin' } as const;

type Role = (typeof roles)[number];
type Grants = Readonly<Record<string, Role>>;

function onPlatform() {
  const embedded = embeddedPlatform();
  const { platform } = embedded;
  const organization = platform.accounts.organization('acme');
  const repository = organization && platform.repositories.find(organization, 'site');
  if (!organization || !repository) throw new Error('There is no acme/site.');
  const userNamed = (login: string) => {
    const user = platform.accounts.user(login);
    if (!user) throw new Error(`There is no ${login}.`);
    return user;
  };
  const teamNamed = (slug: string) => teamsOf(platform, organization).find((team) => team.slug === slug);
  /** Sets what teams and people were given, and removes all invitations. A team that was renamed gets its name back. */
  const give = (ofTeams: Grants, ofUsers: Grants) => {
    const renamed = teamNamed('core');
    if (renamed) saveTeam(platform, { ...renamed, name: 'Engineering', slug: 'engineering' });
    for (const team of teamsOf(platform, organization)) {
      const role = ofTeams[team.slug];
      setTeamGrant(platform, repository, team, role && permissionOf[role]);
    }
    for (const { id } of invitationsTo(platform, repository)) invitations(platform).delete(id);
    platform.accounts.setOutside(userNamed('copperbee'), organization, true);
    for (const login of users) {
      const [user, role] = [userNamed(login), ofUsers[login]];
      if (role) directGrants(platform, repository).set(user.id, permissionOf[role]);
      else directGrants(platform, repository).delete(user.id);
    }
  };
  /** Returns the roles of teams, and what people have by name or by an invitation, all at least what they have anyway. */
  const held = (): Record<string, string> => {
    const ofTeams = teamsOfRepository(platform, repository).map(({ team, permission }) => [
      `team:${team.slug}`,
      roleName(permission),
    ]);
    const ofUsers = users.flatMap((login) => {
      const user = userNamed(login);
      const pending = invitationsTo(platform, repository).find(({ invitee_id }) => invitee_id === user.id);
      const given = directGrants(platform, repository).get(user.id) ?? pending?.grant;
      const highest = given && highestGrant([given, highestGrantOf(platform, user, repository), ...byTeams(login)]);
      return highest ? [[`user:${login}`, roleName(highest)]] : [];
    });
    return Object.fromEntries([...ofTeams, ...ofUsers].toSorted());
  };
  const byTeams = (login: string) =>
    teamsOfRepository(platform, repository).flatMap(({ team, permission }) =>
      membershipsIn(platform, team).some(({ user, state }) => user.login === login && state === 'active')
        ? [permission]
        : [],
    );
  return { ...embedded, ...embeddedPolicies(embedded), organization, repository, teamNamed, give, held };
}

const onSite = (sections: object, ofOrganization: object = {}) =>
  policyOf({
    'p.yaml': {
      organizations: ['acme'],
      ...ofOrganization,
      repositories: [{ select: { names: ['site'] }, ...sections }],
    },
  });

/** Renames a team, with and without declared access. */
const renaming = { teams: [{ name: 'Core', was: 'Engineering' }] };

/** Returns grants by what teams are called after the renaming. */
const asRenamed = (grants: Grants): Grants =>
  Object.fromEntries(Object.entries(grants).map(([name, role]) => [name.replace(/^engineering$/, 'core'), role]));

/** The teams give paperfox the role that an undo restores by name. */
const hiddenByTeams: [
  live: { teams: Grants; users: Grants },
  declared: { teams: Grants; users: Grants },
  isManaged: boolean,
  renames: boolean,
] = [
  { teams: { platform: 'write', interns: 'maintain' }, users: { paperfox: 'admin' } },
  { teams: { platform: 'admin', interns: 'admin' }, users: { paperfox: 'write' } },
  false,
  false,
];

const rank = (role: string | undefined): number => roles.indexOf(role as Role);

describe('whatever grants a repository has and a policy declares', () => {
  // The members of the embedded organization may read everything, which no grant undercuts.
  const some = (names: readonly string[]): fc.Arbitrary<Grants> =>
    fc
      .subarray([...names])
      .chain((chosen) => fc.tuple(...chosen.map((name) => fc.constantFrom(...roles).map((role) => [name, role]))))
      .map((entries) => Object.fromEntries(entries));
  const grants = fc.record({ teams: some(teams), users: some(users) });
  // An outside collaborator is the only one of these who is no member, and has access by name.
  const before = fc.record({ teams: some(teams), users: some(users.slice(0, 5)) });

  it('its plan is empty after an export and an apply, what is not declared stays or goes, and an undo leads back', async () => {
    const { planOf, apply, exported, give, held } = onPlatform();
    await fc.assert(
      fc.asyncProperty(before, grants, fc.boolean(), fc.boolean(), async (live, given, isManaged, renames) => {
        const declared = renames ? { ...given, teams: asRenamed(given.teams) } : given;
        give(live.teams, live.users);
        const files = Object.entries(await exported()).filter(([path]) => path.startsWith('acme/repositories/'));
        const ofExport = await planOf(await policyOf(Object.fromEntries(files)));
        expect(ofExport.changes.filter(({ kind }) => kind === 'grant')).toEqual([]);

        const first = held();
        const sections = { access: declared, ...(isManaged && { manage: { access: 'all' } }) };
        const wanted = await onSite(sections, renames ? renaming : {});
        const plan = await planOf(wanted);
        expect(plan.changes.filter(isRefused)).toEqual([]);
        expect((await apply(parsePlan('plan.ndjson', planText(plan)))).failures).toEqual([]);
        // Taking a role away can show one that it has hidden: of a child team, and then of its members.
        const hidden: PlannedChange[] = [];
        for (const mayBe of ['team:interns', 'user:']) {
          const shown = await planOf(wanted);
          expect(shown.changes.filter(({ name }) => !name.startsWith('user:') && name !== mayBe)).toEqual([]);
          expect((await apply(shown)).failures).toEqual([]);
          hidden.push(...shown.changes);
        }
        expect((await planOf(wanted)).changes).toEqual([]);
        const last = held();
        const names = { team: declared.teams, user: declared.users };
        const named = Object.fromEntries(
          Object.entries(first).map(([name, role]) => [renames ? name.replace(/:engineering$/, ':core') : name, role]),
        );
        for (const [name, role] of Object.entries({ ...named, ...last })) {
          const [type = '', called = ''] = name.split(':');
          const asked = names[type as 'team' | 'user'][called];
          if (asked) expect(rank(last[name])).toBeGreaterThanOrEqual(rank(asked));
          else if (!isManaged) expect([name, last[name]]).toEqual([name, type === 'team' ? last[name] : role]);
          else if (type === 'user') expect([name, last[name]]).toEqual([name, undefined]);
        }

        if (hidden.length > 0) return;
        expect((await apply(undoOf(plan))).failures).toEqual([]);
        expect(held()).toEqual(first);
      }),
      { numRuns, seed: Number(process.env.POLICY_SEED ?? 1), endOnFailure: true, examples: [hiddenByTeams] },
    );
  });
});

describe('access', () => {
  const namesOf = (writes: readonly { method: string; url: string; body?: string }[]) =>
    writes.map(({ method, url, body }) =>
      [method, url.split('/v3')[1]?.replace(/\d+$/, 'ID'), body].filter(Boolean).join(' '),
    );

  it('is given, changed and taken away, in two requests, and a third for who was not given any by name', async () => {
    const { client, planOf, apply, give, writes } = onPlatform();
    give({ platform: 'admin', engineering: 'write' }, { lunarcrab: 'triage', copperbee: 'write' });
    const wanted = {
      access: {
        teams: { Platform: 'maintain', engineering: 'push' },
        users: { velvetmole: 'pull', LunarCrab: 'Security engineer' },
      },
      absent: { access: { users: ['copperbee'] } },
    };
    const plan = await planOf(await onSite(wanted));
    expect(plan.changes.map(({ action, name, effect, changes }) => [action, name, effect, changes[0]?.to])).toEqual([
      ['update', 'team:Platform', 'tightens', 'maintain'],
      ['update', 'user:LunarCrab', undefined, 'Security engineer'],
      ['delete', 'user:copperbee', 'tightens', undefined],
      ['create', 'user:velvetmole', 'loosens', 'read'],
    ]);
    expect((await apply(plan)).failures).toEqual([]);
    expect(namesOf(writes)).toEqual([
      'PUT /repos/acme/site/collaborators/LunarCrab {"permission":"Security engineer"}',
      'PUT /repos/acme/site/collaborators/velvetmole {"permission":"pull"}',
      'DELETE /repos/acme/site/collaborators/copperbee',
      'PUT /orgs/acme/teams/Platform/repos/acme/site {"permission":"maintain"}',
    ]);
    const { access } = wanted;
    const { changes, requests } = await planOf(await onSite({ access: { teams: access.teams } }));
    expect(changes).toEqual([]);
    // The caller, the repositories, the teams, and the people.
    expect(requests.sent).toBe(4);
    writes.length = 0;
    // An invitation that is pending counts as there, and can change.
    expect((await planOf(await onSite({ access: { users: { velvetmole: 'read' } } }))).requests.sent).toBe(5);
    await apply(await planOf(await onSite({ access: { users: { velvetmole: 'triage' } } })));
    const users = { LunarCrab: 'Security engineer' };
    const cancels = await planOf(await onSite({ access: { ...access, users }, manage: { access: 'all' } }));
    expect(cancels.changes.map(({ action, name, undeclared, of }) => [action, name, undeclared, of])).toEqual([
      ['delete', 'user:velvetmole', true, 4],
    ]);
    expect((await derivePlan(parsePlan('plan.ndjson', planText(cancels)), { client })).changes).toEqual(
      cancels.changes,
    );
    await apply(cancels);
    expect(namesOf(writes)).toEqual([
      'PATCH /repos/acme/site/invitations/ID {"permissions":"triage"}',
      'DELETE /repos/acme/site/invitations/ID',
    ]);
  });

  it('is not planned for teams, people and roles that do not exist, all of which the plan names', async () => {
    const { planOf, give } = onPlatform();
    give({}, {});
    const access = { teams: { ghosts: 'read', platform: 'boss' }, users: { nobody: 'read', paperfox: 'read' } };
    const { changes } = await planOf(await onSite({ access }));
    expect(changes.map(({ action, name, reason }) => [action, name, reason])).toEqual([
      ['unresolved', 'team:ghosts', 'no team “ghosts” in acme'],
      ['unresolved', 'team:platform', 'no role “boss” in acme'],
      ['unresolved', 'user:nobody', 'no user “nobody”; the login may have changed'],
      ['create', 'user:paperfox', undefined],
    ]);
  });

  it('of a team that the policy renames is that of its new name', async () => {
    const { planOf, give } = onPlatform();
    give({ engineering: 'maintain' }, {});
    const plan = (access: Grants) => onSite({ access: { teams: access } }, renaming).then(planOf);
    const { changes } = await plan({ core: 'read', engineering: 'write' });
    expect(changes.map(({ action, name, before, body, reason }) => ({ action, name, before, body, reason }))).toEqual([
      { action: 'update', name: 'Core', before: { name: 'Engineering' }, body: { name: 'Core' } },
      { action: 'update', name: 'team:core', before: { role: 'maintain' }, body: { role: 'read' } },
      { action: 'unresolved', name: 'team:engineering', reason: 'the policy renames this team to “core”' },
    ]);
    expect((await plan({ core: 'maintain' })).changes.map(({ name }) => name)).toEqual(['Core']);
    // The role of its child team comes from it.
    expect((await plan({ core: 'maintain', interns: 'maintain' })).changes.map(({ name }) => name)).toEqual(['Core']);
  });

  it('is not taken from a team that inherits it', async () => {
    const { planOf, give } = onPlatform();
    give({ engineering: 'maintain' }, {});
    const without = (...names: string[]) => onSite({ absent: { access: { teams: names } } }).then(planOf);
    expect((await without('interns')).changes.map(({ action, reason }) => [action, reason])).toEqual([
      ['unresolved', 'inherits its role from the team “engineering”'],
    ]);
    expect((await without('interns', 'engineering')).changes.map(({ action, name }) => [action, name])).toEqual([
      ['delete', 'team:engineering'],
      ['delete', 'team:interns'],
    ]);
  });

  it('of a team that the policy renames is not taken away by its earlier name', async () => {
    const { planOf, give } = onPlatform();
    give({ engineering: 'maintain' }, {});
    const { changes } = await planOf(await onSite({ absent: { access: { teams: ['engineering'] } } }, renaming));
    expect(changes.map(({ action, name, reason }) => [action, name, reason])).toEqual([
      ['update', 'Core', undefined],
      ['unresolved', 'team:engineering', 'the policy renames this team to “core”'],
    ]);
    const taken = await planOf(await onSite({ absent: { access: { teams: ['core'] } } }, renaming));
    expect(taken.changes.map(({ action, name }) => [action, name])).toEqual([
      ['update', 'Core'],
      ['delete', 'team:core'],
    ]);
  });

  it('counts as given to a person who is listed since, with a higher role of a team', async () => {
    const { client, planOf, give } = onPlatform();
    give({}, {});
    const plan = await planOf(await onSite({ access: { users: { lunarcrab: 'triage' } } }));
    const found = async (ofTeams: Grants, ofUsers: Grants) => {
      give(ofTeams, ofUsers);
      return Promise.all(stepsFor(plan).map((step) => findChange(step, client)));
    };
    expect(await found({ engineering: 'write' }, { lunarcrab: 'triage' })).toEqual(['wanted']);
    expect(await found({ engineering: 'write' }, {})).toEqual(['absent']);
    expect(await found({}, { lunarcrab: 'write' })).toEqual(['other']);
  });

  it('is guarded from three removals on, and taken from nobody if an addition failed', async () => {
    const { planOf, apply, give, held, writes, organization, platform } = onPlatform();
    give({ platform: 'admin' }, { paperfox: 'maintain', lunarcrab: 'maintain', copperbee: 'maintain' });
    const all = { manage: { access: 'all' } };
    const plan = await planOf(await onSite({ ...all, access: { teams: { platform: 'admin' } } }));
    expect(plan.changes.map(({ action, undeclared, of }) => ({ action, undeclared, of }))).toEqual(
      Array.from({ length: 3 }, () => ({ action: 'delete', undeclared: true, of: 4 })),
    );
    expect(tooManyDeletions(stepsFor(plan))).toBe(
      '3 of 4 grants of acme/site would be removed. To allow that, add --allow-deletes 3.',
    );
    const base = { default_repository_permission: 'write' } as const;
    platform.accounts.changeOrganization(organization, base, platform.clock());
    const failing = await planOf(await onSite({ ...all, access: { users: { stonewren: 'read' } } }));
    const before = held();
    expect((await apply(failing)).failures).toHaveLength(1);
    expect(held()).toEqual(before);
    expect(namesOf(writes)).toEqual(['PUT /repos/acme/site/collaborators/stonewren {"permission":"pull"}']);
  });
});
