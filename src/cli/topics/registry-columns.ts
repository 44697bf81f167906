import type { Column } from '../../output/columns.ts';
import type { PrivateRegistry } from '../../platform/records.ts';

export const registryColumns: readonly Column<PrivateRegistry>[] = [
  { header: 'Name', get: 'name' },
  { header: 'Type', get: 'registry_type' },
  { header: 'Username', get: 'username' },
  { header: 'Visibility', get: 'visibility' },
  { header: 'Updated', get: 'updated_at', as: 'age' },
];
