import type { Column } from '../output/table/columns.ts';
import type { Installation } from '../platform/records.ts';

export const permissionList = (permissions: Readonly<Record<string, string>>): string =>
  Object.entries(permissions)
    .map(([name, access]) => `${name}:${access}`)
    .join(', ');

export const installationColumns: readonly Column<Installation>[] = [
  { header: 'ID', get: 'id', priority: 1, link: true },
  { header: 'App', get: 'app_slug', as: 'name', priority: 1 },
  { header: 'Account', get: 'account.login', as: 'name', priority: 1 },
  { header: 'Repositories', get: 'repository_selection' },
  { header: 'Suspended', get: 'suspended_at', as: 'yes-no' },
  { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
  { header: 'Permissions', get: ({ permissions }) => permissionList(permissions), as: 'text', priority: 3 },
];
