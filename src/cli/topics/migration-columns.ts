/** What tables show of migrations: what their owner decides on. */
import type { Column } from '../../output/columns.ts';
import type { Migration } from '../../platform/records.ts';

export const migrationColumns: readonly Column<Migration>[] = [
  { header: 'Id', get: 'id', priority: 1 },
  { header: 'State', get: 'state', as: 'state', priority: 1 },
  { header: 'Locks', get: 'lock_repositories', priority: 3 },
  { header: 'Started', get: 'created_at', as: 'age' },
  { header: 'Changed', get: 'updated_at', as: 'age', priority: 3 },
  {
    header: 'Repositories',
    get: (migration) => migration.repositories?.map(({ full_name }) => full_name).join(', '),
    as: 'text',
  },
];
