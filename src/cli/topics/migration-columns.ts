import type { Column } from '../../output/columns.ts';
import type { Migration } from '../../platform/records.ts';

/** What an owner decides on when looking at migrations. */
export const migrationColumns: readonly Column<Migration>[] = [
  { header: 'Id', get: 'id' },
  { header: 'State', get: 'state' },
  { header: 'Locks', get: 'lock_repositories' },
  { header: 'Started', get: 'created_at', as: 'age' },
  { header: 'Changed', get: 'updated_at', as: 'age' },
  { header: 'Repositories', get: (migration) => migration.repositories?.map(({ full_name }) => full_name).join(', ') },
];
