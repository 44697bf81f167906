import {
  getOrganizationHook,
  getRepositoryHook,
  listOrganizationHooks,
  listRepositoryHooks,
  setOrganizationHook,
  setRepositoryHook,
  unsetOrganizationHook,
  unsetRepositoryHook,
} from '../endpoints/hooks.ts';
import { resource } from '../resource.ts';

/** The hooks of a platform, as they hold for one of its organizations or repositories. */
export const preReceiveHooks = resource({
  key: ['name'],
  readOnly: ['name', 'script', 'script_repository', 'environment'],
  owners: {
    repository: {
      list: listRepositoryHooks,
      get: getRepositoryHook,
      update: setRepositoryHook,
      unset: unsetRepositoryHook,
    },
    organization: {
      list: listOrganizationHooks,
      get: getOrganizationHook,
      update: setOrganizationHook,
      unset: unsetOrganizationHook,
    },
  },
});
