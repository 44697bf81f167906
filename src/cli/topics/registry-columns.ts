/** What tables show of private registries. */
import type { Column } from '../../output/columns.ts';
import type { PrivateRegistry } from '../../platform/records.ts';

export const registryColumns: readonly Column<PrivateRegistry>[] = [
  { header: 'Name', get: 'name', as: 'name', priority: 1 },
  { header: 'Type', get: 'registry_type', priority: 1 },
  { header: 'Username', get: 'username', as: 'text' },
  { header: 'Visibility', get: 'visibility', as: 'state', priority: 1 },
  { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
];
