import * as endpoints from '../endpoints/teams.ts';
import { resource } from '../resource.ts';
import type { Given } from '../validate.ts';

export const teams = resource({
  key: ['name'],
  readOnly: ['slug', 'permission', 'permissions', 'type', 'organization_id', 'organization', 'parent'],
  writeOnly: ['maintainers', 'repo_names'],
  toBody: ({ parent, ...record }) => ({
    ...record,
    ...(parent !== undefined && { parent_team_id: (parent as Given | null)?.id ?? null }),
  }),
  owners: {
    organization: {
      list: endpoints.listTeams,
      get: endpoints.getTeam,
      create: endpoints.createTeam,
      update: endpoints.updateTeam,
      delete: endpoints.deleteTeam,
    },
  },
});

/** The membership of one person in a team. */
export const teamMemberships = resource({
  updateCreates: true,
  readOnly: ['state'],
  owners: {
    organization: {
      get: endpoints.getTeamMembership,
      update: endpoints.setTeamMembership,
      delete: endpoints.removeTeamMembership,
    },
  },
});
