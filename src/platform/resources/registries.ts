import * as endpoints from '../endpoints/registries.ts';
import { resource } from '../resource.ts';

/** The platform derives the name from the registry type. */
export const registries = resource({
  key: ['registry_type', 'url'],
  readOnly: ['name'],
  writeOnly: ['encrypted_value', 'key_id', 'selected_repository_ids'],
  sets: ['selected_repository_ids'],
  owners: {
    organization: {
      list: endpoints.listRegistries,
      get: endpoints.getRegistry,
      create: endpoints.createRegistry,
      update: endpoints.updateRegistry,
      delete: endpoints.deleteRegistry,
    },
  },
});
