/** The access that people were given to repositories by name. */
import type { SandboxPlatform } from '../platform.ts';
import type { Collection } from '../store.ts';
import type { OrganizationState, User } from './accounts.ts';
import type { RepositoryState } from './repositories.ts';
import { membershipsIn, type TeamPermission, teamPermissions, teamsOf, teamsOfRepository } from './teams.ts';

/**
 * Repositories that an outside collaborator of the first organization has access to: its first one, and its first
 * private one.
 */
const invitedTo: readonly number[] = [100_001, 100_003];

/** Returns the permissions given in a repository, by the ID of the person. */
export const directGrants = (
  { accounts, store }: SandboxPlatform,
  { id }: RepositoryState,
): Collection<TeamPermission> =>
  store.collection<TeamPermission>('collaborators', id, () => {
    const invited = invitedTo.includes(id) ? accounts.user('copperbee') : undefined;
    return invited ? [[invited.id, 'push']] : [];
  });

/** Takes away all access that somebody was given to repositories of an organization. */
export function removeGrants(platform: SandboxPlatform, organization: OrganizationState, { id }: User): void {
  for (const repository of platform.repositories.all(organization)) directGrants(platform, repository).delete(id);
}

/** Gives a member by name what the member has by teams. */
export function keepTeamAccess(platform: SandboxPlatform, organization: OrganizationState, { id }: User): void {
  const own = teamsOf(organization).filter((team) => membershipsIn(platform, team).some(({ user }) => user.id === id));
  for (const repository of platform.repositories.all(organization)) {
    const grants = directGrants(platform, repository);
    const held = teamsOfRepository(platform, repository).filter(({ team }) => own.some((each) => each.id === team.id));
    const all = [grants.get(id), ...held.map(({ permission }) => permission)];
    const highest = teamPermissions.findLast((permission) => all.includes(permission));
    if (highest) grants.set(id, highest);
  }
}
