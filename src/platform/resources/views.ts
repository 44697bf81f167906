import { createOrganizationView, createUserView } from '../endpoints/views.ts';
import { resource } from '../resource.ts';

export const projectViews = resource({
  key: ['name'],
  readOnly: ['number', 'creator'],
  owners: { organization: { create: createOrganizationView }, user: { create: createUserView } },
});
