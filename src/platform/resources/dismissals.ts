import * as endpoints from '../endpoints/dismissals.ts';
import { resource } from '../resource.ts';

export const dismissalRequests = resource({
  owners: {
    organization: { list: endpoints.listOrganizationDismissals },
    repository: {
      list: endpoints.listRepositoryDismissals,
      get: endpoints.getDismissal,
      create: endpoints.createDismissal,
      unset: endpoints.cancelDismissal,
    },
  },
});
