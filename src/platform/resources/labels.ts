import * as endpoints from '../endpoints/labels.ts';
import { resource } from '../resource.ts';

export const labels = resource({
  key: ['name'],
  readOnly: ['default'],
  // An update has the name in the path, and only a new one in the body.
  toBody: (record) => ({ ...record, new_name: record.name }),
  owners: {
    repository: {
      list: endpoints.listLabels,
      get: endpoints.getLabel,
      create: endpoints.createLabel,
      update: endpoints.updateLabel,
      delete: endpoints.deleteLabel,
    },
  },
});
