import * as endpoints from '../endpoints/properties.ts';
import { resource } from '../resource.ts';

/** The definition of a custom property. */
export const customProperties = resource({
  key: ['property_name'],
  readOnly: ['property_name', 'source_type'],
  owners: {
    organization: {
      get: endpoints.getProperty,
      update: endpoints.defineProperty,
      delete: endpoints.undefineProperty,
    },
  },
});
