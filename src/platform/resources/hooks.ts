import * as endpoints from '../endpoints/hooks.ts';
import { resource } from '../resource.ts';

/** The platform's pre-receive hooks, with their effective settings in an organization or repository. */
export const preReceiveHooks = resource({
  key: ['name'],
  readOnly: ['name', 'script', 'script_repository', 'environment'],
  // A setting belongs to where it is configured.
  isOwn: ({ configuration_url: url }, { org, owner, repo }) => {
    if (typeof url !== 'string') return undefined;
    const path = repo === undefined ? `/orgs/${org}/` : `/repos/${owner}/${repo}/`;
    return url.toLowerCase().includes(`${path}pre-receive-hooks/`.toLowerCase());
  },
  owners: {
    repository: {
      list: endpoints.listRepositoryHooks,
      get: endpoints.getRepositoryHook,
      update: endpoints.setRepositoryHook,
      unset: endpoints.unsetRepositoryHook,
    },
    organization: {
      list: endpoints.listOrganizationHooks,
      get: endpoints.getOrganizationHook,
      update: endpoints.setOrganizationHook,
      unset: endpoints.unsetOrganizationHook,
    },
  },
});
