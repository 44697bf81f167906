/** The teams of organizations, and the repositories that they have access to. */
import type { SandboxPlatform } from '../platform.ts';
import { pick } from '../seed/chance.ts';
import type { Account, OrganizationState, User } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';
import { type Grant, highestGrant } from './repository-roles.ts';

export interface TeamState {
  /** IDs count up from 1 in the order of the organizations' creation. */
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly description: string;
  readonly organization: OrganizationState;
  /** The ID of the team that it is part of. */
  readonly parent_id: number | null;
}

/** Every organization has the same; the last is part of the one before it. */
const seeded = [
  ['Platform', 'Runs what everybody else builds on'],
  ['Engineering', 'Everybody who writes code'],
  ['Interns', 'Engineers for a season'],
] as const;

export const teamsOf = (organization: OrganizationState): TeamState[] =>
  seeded.map(([name, description], place) => {
    const id = organization.index * seeded.length + place + 1;
    return {
      id,
      name,
      slug: name.toLowerCase(),
      description,
      organization,
      parent_id: name === 'Interns' ? id - 1 : null,
    };
  });

/** Returns whether a team is one of an account's; users have none. */
export const hasTeam = (account: Account, id: number): boolean =>
  account.type === 'Organization' && teamsOf(account).some((team) => team.id === id);

/** Returns the teams that have access to a repository, with the grant of each: its own or that of its parent. */
export function teamsOfRepository(
  platform: SandboxPlatform,
  repository: RepositoryState,
): { team: TeamState; permission: Grant }[] {
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (!organization) return [];
  const permissions = permissionsOn(platform, repository, organization);
  const teams = teamsOf(organization);
  const held = ({ id, parent_id }: TeamState): Grant | undefined => {
    const parent = teams.find((team) => team.id === parent_id);
    return highestGrant([permissions.get(id), parent && held(parent)]);
  };
  return teams.flatMap((team) => {
    const permission = held(team);
    return permission === undefined ? [] : [{ team, permission }];
  });
}

/** Gives teams of a repository's owner write access, and takes away what other teams had. */
export function grantTeams(platform: SandboxPlatform, repository: RepositoryState, ids: readonly number[]): void {
  const organization = platform.accounts.organizationById(repository.owner_id);
  if (!organization) return;
  const permissions = permissionsOn(platform, repository, organization);
  for (const { id } of teamsOf(organization)) permissions.delete(id);
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

export interface TeamMembership {
  readonly user: User;
  readonly role: 'member' | 'maintainer';
  /** True for a member of a child team only. */
  readonly inherited: boolean;
}

/** Returns the members of a team and of its child teams. Owners of the organization are maintainers. */
export function membershipsIn(
  { accounts, chance }: SandboxPlatform,
  { id, organization }: TeamState,
): TeamMembership[] {
  const children = teamsOf(organization).filter(({ parent_id }) => parent_id === id);
  const isIn = (team: number, user: User) => chance('team', team, user.id) < 0.5;
  return accounts.users
    .filter((user) => accounts.isMember(user, organization))
    .filter((user) => isIn(id, user) || children.some((child) => isIn(child.id, user)))
    .map((user) => {
      const isOwner = accounts.rolesIn(user, organization).includes('owner');
      return { user, role: isOwner ? 'maintainer' : 'member', inherited: !isIn(id, user) };
    });
}

function permissionsOn(platform: SandboxPlatform, repository: RepositoryState, organization: OrganizationState) {
  const { store, chance } = platform;
  // Teams have no access to repositories created since.
  const isSeeded = repository.security_features === undefined;
  return store.collection<Grant>('team permissions', `${organization.id}/${repository.id}`, () => {
    if (!isSeeded) return [];
    return teamsOf(organization)
      .filter(({ id }) => chance('team access', repository.id, id) < 0.6)
      .map(({ id, name }) => {
        const permission = pick(['push', 'triage', 'maintain'] as const, chance('team permission', repository.id, id));
        return [id, name === 'Platform' ? 'admin' : permission] as const;
      });
  });
}
