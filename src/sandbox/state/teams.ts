/** The teams of organizations, their members, and the repositories that they have access to. */
import type { SandboxPlatform } from '../platform.ts';
import { pick } from '../seed/chance.ts';
import type { Collection } from '../store.ts';
import type { Account, Accounts, OrganizationState, User } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';
import { type Grant, highestGrant } from './repository-roles.ts';

interface TeamRecord {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string | null;
  readonly privacy: 'closed' | 'secret';
  readonly notification_setting: 'notifications_enabled' | 'notifications_disabled';
  /** The ID of the team that it is part of. */
  readonly parent_id: number | null;
  /** The LDAP group that manages the members. */
  readonly ldap_dn?: string;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface TeamState extends TeamRecord {
  readonly organization: OrganizationState;
}

/** Every organization has the same; the last is part of the one before it. */
const seeded = [
  ['Platform', 'Runs what everybody else builds on'],
  ['Engineering', 'Everybody who writes code'],
  ['Interns', 'Engineers for a season'],
] as const;

const firstCreatedId = 1_000_000;

/** IDs of the first teams count up from 1 in the order of the organizations' creation. */
const seededTeams = ({ index, created_at }: OrganizationState): TeamRecord[] =>
  seeded.map(([name, description], place) => {
    const id = index * seeded.length + place + 1;
    return {
      id,
      name,
      slug: name.toLowerCase(),
      description,
      privacy: 'closed',
      notification_setting: 'notifications_enabled',
      parent_id: name === 'Interns' ? id - 1 : null,
      created_at,
      updated_at: created_at,
    };
  });

/** The teams that an empty organization knows, which nobody is in. */
const knownTeams = ({ known }: Accounts, { index, created_at }: OrganizationState): TeamRecord[] =>
  known.teams.map((slug, place) => ({
    ...{ id: 500_001 + index * 10_000 + place, name: slug, slug, description: null, parent_id: null },
    ...{ privacy: 'closed', notification_setting: 'notifications_enabled', created_at, updated_at: created_at },
  }));

const teamsIn = ({ accounts, store }: SandboxPlatform, organization: OrganizationState): Collection<TeamRecord> =>
  store.collection<TeamRecord>('teams', organization.id, () =>
    (organization.isEmpty ? knownTeams(accounts, organization) : seededTeams(organization)).map(
      (team) => [team.id, team] as const,
    ),
  );

export const teamsOf = (platform: SandboxPlatform, organization: OrganizationState): TeamState[] =>
  teamsIn(platform, organization)
    .values()
    .map((team) => ({ ...team, organization }));

/** Returns whether a team is one of an account's; users have none, and an empty organization stands for any. */
export const hasTeam = (platform: SandboxPlatform, account: Account, id: number): boolean =>
  account.type === 'Organization' && (account.isEmpty || teamsIn(platform, account).get(id) !== undefined);

/** Returns the parent of a team, its parent and so on. */
export function ancestorsOf(platform: SandboxPlatform, { parent_id, organization }: TeamState): TeamState[] {
  const parent = teamsOf(platform, organization).find(({ id }) => id === parent_id);
  return parent ? [parent, ...ancestorsOf(platform, parent)] : [];
}

export const childrenOf = (platform: SandboxPlatform, { id, organization }: TeamState): TeamState[] =>
  teamsOf(platform, organization).filter(({ parent_id }) => parent_id === id);

const descendantsOf = (platform: SandboxPlatform, team: TeamState): TeamState[] =>
  childrenOf(platform, team).flatMap((child) => [child, ...descendantsOf(platform, child)]);

/** Adds a team without members. */
export function createTeam(platform: SandboxPlatform, team: Omit<TeamState, 'id'>): TeamState {
  const created = { ...team, id: platform.store.next('teams', firstCreatedId) };
  saveTeam(platform, created);
  return created;
}

export function saveTeam(platform: SandboxPlatform, { organization, ...team }: TeamState): void {
  teamsIn(platform, organization).set(team.id, team);
}

/** Deletes a team with its child teams. */
export function deleteTeam(platform: SandboxPlatform, team: TeamState): void {
  for (const { id } of [team, ...descendantsOf(platform, team)]) teamsIn(platform, team.organization).delete(id);
}

/** Returns the teams that have access to a repository, with the grant of each: its own or that of a parent. */
export function teamsOfRepository(
  platform: SandboxPlatform,
  repository: RepositoryState,
): { team: TeamState; permission: Grant }[] {
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (!organization) return [];
  const permissions = permissionsOn(platform, repository, organization);
  return teamsOf(platform, organization).flatMap((team) => {
    const permission = highestGrant([team, ...ancestorsOf(platform, team)].map(({ id }) => permissions.get(id)));
    return permission === undefined ? [] : [{ team, permission }];
  });
}

/** Returns the grants that a person has in a repository through teams, which include those of their parents. */
export const teamGrants = (platform: SandboxPlatform, { id }: User, repository: RepositoryState): Grant[] =>
  teamsOfRepository(platform, repository)
    .filter(({ team }) => ownMembers(platform, team).get(id) !== undefined)
    .map(({ permission }) => permission);

/** Gives teams of a repository's owner write access, and takes away what other teams had. */
export function grantTeams(platform: SandboxPlatform, repository: RepositoryState, ids: readonly number[]): void {
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (!organization) return;
  const permissions = permissionsOn(platform, repository, organization);
  for (const { id } of teamsOf(platform, organization)) permissions.delete(id);
  for (const id of ids) permissions.set(id, 'push');
}

/** Gives a team access to a repository, or takes away what it was given. */
export function setTeamGrant(
  platform: SandboxPlatform,
  repository: RepositoryState,
  { id, organization }: TeamState,
  grant: Grant | undefined,
): void {
  const permissions = permissionsOn(platform, repository, organization);
  if (grant === undefined) permissions.delete(id);
  else permissions.set(id, grant);
}

type TeamRole = 'member' | 'maintainer';

export interface TeamMembership {
  readonly user: User;
  readonly role: TeamRole;
  /** Pending until the person has joined the organization. */
  readonly state: 'active' | 'pending';
  /** True for a member of a child team only. */
  readonly inherited: boolean;
}

interface OwnMember {
  readonly user: number;
  readonly role: TeamRole;
}

/** The members of a team without those of its child teams. */
const ownMembers = ({ accounts, chance, store }: SandboxPlatform, { id, organization }: TeamState) =>
  store.collection<OwnMember>('team members', id, () =>
    accounts.users
      .filter((user) => id < firstCreatedId && accounts.isSeededMember(user, organization))
      .filter((user) => chance('team', id, user.id) < 0.5)
      .map((user) => [user.id, { user: user.id, role: 'member' }] as const),
  );

/**
 * Returns the members of a team and of its child teams, pending ones included. Owners of the organization are
 * maintainers.
 */
export function membershipsIn(platform: SandboxPlatform, team: TeamState): TeamMembership[] {
  const { accounts } = platform;
  const own = new Map(
    ownMembers(platform, team)
      .values()
      .map(({ user, role }) => [user, role]),
  );
  const below = descendantsOf(platform, team).flatMap((child) => ownMembers(platform, child).values());
  const all = new Set([...own.keys(), ...below.map(({ user }) => user)]);
  return accounts.users.flatMap((user) => {
    const membership = all.has(user.id) ? accounts.membershipOf(user, team.organization) : undefined;
    if (!membership) return [];
    const isOwner = accounts.rolesIn(user, team.organization).includes('owner');
    const role = isOwner ? 'maintainer' : (own.get(user.id) ?? 'member');
    return [{ user, role, state: membership.state, inherited: !own.has(user.id) }];
  });
}

export function setTeamRole(platform: SandboxPlatform, team: TeamState, { id }: User, role: TeamRole): void {
  ownMembers(platform, team).set(id, { user: id, role });
}

/** Returns whether somebody was a member of the team itself. */
export const removeFromTeam = (platform: SandboxPlatform, team: TeamState, { id }: User): boolean =>
  ownMembers(platform, team).delete(id);

/** Removes a person from all teams of an organization. */
export function removeFromTeams(platform: SandboxPlatform, organization: OrganizationState, user: User): void {
  for (const team of teamsOf(platform, organization)) removeFromTeam(platform, team, user);
}

function permissionsOn(platform: SandboxPlatform, repository: RepositoryState, organization: OrganizationState) {
  const { store, chance } = platform;
  // Teams have no access to repositories created since.
  const isSeeded = repository.security_features === undefined;
  return store.collection<Grant>('team permissions', `${organization.id}/${repository.id}`, () => {
    if (!isSeeded) return [];
    return seededTeams(organization)
      .filter(({ id }) => chance('team access', repository.id, id) < 0.6)
      .map(({ id, name }) => {
        const permission = pick(['push', 'triage', 'maintain'] as const, chance('team permission', repository.id, id));
        return [id, name === 'Platform' ? 'admin' : permission] as const;
      });
  });
}
