import * as endpoints from '../endpoints/members.ts';
import { resource } from '../resource.ts';

/** The membership of one person in an organization. */
export const memberships = resource({
  updateCreates: true,
  readOnly: ['state', 'organization', 'user', 'direct_membership', 'permissions'],
  owners: {
    organization: {
      get: endpoints.getMembership,
      update: endpoints.setMembership,
      delete: endpoints.removeMembership,
    },
  },
});
