import { ownMember } from '../../json/exact-json.ts';
import * as endpoints from '../endpoints/grants.ts';
import { listCollaborators } from '../endpoints/repos.ts';
import { resource } from '../resource.ts';
import type { Given } from '../validate.ts';

const permissions: Readonly<Record<string, string>> = { read: 'pull', write: 'push' };

/** Bodies have the permission of a role, which has the name of the role except for two. */
function withPermission(record: Given): Given {
  const { role_name: role } = record;
  return typeof role === 'string' ? { ...record, permission: ownMember(permissions, role) ?? role } : record;
}

/** The access of a team to a repository. */
export const teamGrants = resource({
  toBody: withPermission,
  owners: {
    organization: {
      get: endpoints.getTeamRepository,
      update: endpoints.grantTeam,
      delete: endpoints.revokeTeam,
    },
  },
});

/** The access that people were given by name. Their role in the list may come from elsewhere. */
export const directGrants = resource({
  key: ['login'],
  toBody: withPermission,
  ownQuery: { affiliation: 'direct' },
  owners: {
    repository: {
      list: listCollaborators,
      update: endpoints.addCollaborator,
      delete: endpoints.removeCollaborator,
    },
  },
});

export const repositoryInvitations = resource({
  owners: {
    repository: {
      list: endpoints.listInvitations,
      update: endpoints.updateInvitation,
      delete: endpoints.cancelInvitation,
    },
  },
});
