import type { listCollaborators } from '../../../platform/endpoints/repos.ts';
import type { Collaborator, CollaboratorPermission } from '../../../platform/records.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { highestGrantOf, isDirectCollaborator, isOutsideCollaborator } from '../../roles.ts';
import type { Call } from '../../route.ts';
import type { User } from '../../state/accounts.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { type Grant, permissionOf, roleName } from '../../state/repository-roles.ts';
import { actorView } from '../../views/actor.ts';
import { permissionsUpTo } from '../../views/team.ts';

type Wanted = Call<typeof listCollaborators>['query'];

interface Access {
  readonly user: User;
  readonly grant: Grant;
}

/** Returns who has access to a repository, whatever its visibility gives to others. */
export function collaborators(platform: SandboxPlatform, repository: RepositoryState, wanted: Wanted): Access[] {
  const { affiliation = 'all', permission } = wanted;
  return platform.accounts.users.flatMap((user): Access[] => {
    const grant = highestGrantOf(platform, user, repository);
    if (grant === undefined || (permission && permissionOf(grant) !== permission)) return [];
    if (affiliation === 'direct' && !isDirectCollaborator(platform, user, repository)) return [];
    if (affiliation === 'outside' && !isOutsideCollaborator(platform, user, repository)) return [];
    return [{ user, grant }];
  });
}

export const collaboratorView = (platform: SandboxPlatform, { user, grant }: Access): Collaborator => ({
  ...actorView(platform, user),
  permissions: permissionsUpTo(grant),
  role_name: roleName(grant),
});

/** The names that roles had first, by permission. */
const olderNames = { pull: 'read', triage: 'read', push: 'write', maintain: 'write', admin: 'admin' } as const;

/** Returns the highest role of a person, who may have none. */
export function permissionOfPerson(
  platform: SandboxPlatform,
  repository: RepositoryState,
  user: User,
): CollaboratorPermission {
  const grant = highestGrantOf(platform, user, repository) ?? (repository.visibility === 'public' ? 'pull' : undefined);
  const held = grant === undefined ? 'none' : olderNames[permissionOf(grant)];
  return { permission: held, role_name: grant === undefined ? held : roleName(grant), user: actorView(platform, user) };
}
