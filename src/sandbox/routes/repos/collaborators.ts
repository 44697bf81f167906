import type { listCollaborators } from '../../../platform/endpoints/repos.ts';
import type { Collaborator } from '../../../platform/records.ts';
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
