import {
  createRegistry,
  deleteRegistry,
  getRegistry,
  listRegistries,
  updateRegistry,
} from '../endpoints/registries.ts';
import { resource } from '../resource.ts';

/** The platform derives the name from the registry type. */
export const registries = resource({
  key: ['registry_type', 'url'],
  readOnly: ['name'],
  writeOnly: ['encrypted_value', 'key_id', 'selected_repository_ids'],
  sets: ['selected_repository_ids'],
  owners: {
    organization: {
      list: listRegistries,
      get: getRegistry,
      create: createRegistry,
      update: updateRegistry,
      delete: deleteRegistry,
    },
  },
});
