import {
  cancelDismissal,
  createDismissal,
  getDismissal,
  listOrganizationDismissals,
  listRepositoryDismissals,
} from '../endpoints/dismissals.ts';
import { resource } from '../resource.ts';

export const dismissalRequests = resource({
  owners: {
    organization: { list: listOrganizationDismissals },
    repository: { list: listRepositoryDismissals, get: getDismissal, create: createDismissal, unset: cancelDismissal },
  },
});
