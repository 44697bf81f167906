import { getBypassRequest, listOrganizationBypassRequests, listRepositoryBypassRequests } from '../endpoints/bypass.ts';
import { resource } from '../resource.ts';

export const bypassRequests = resource({
  owners: {
    organization: { list: listOrganizationBypassRequests },
    repository: { list: listRepositoryBypassRequests, get: getBypassRequest },
  },
});
