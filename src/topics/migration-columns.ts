/** Columns and choices of migrations. */

import type { PickList } from '../cli/command/picking.ts';
import { asText } from '../json/exact-json.ts';
import type { Column } from '../output/table/columns.ts';
import { listMigrations } from '../platform/endpoints/migrations.ts';
import type { Migration } from '../platform/records.ts';

export const migrationColumns: readonly Column<Migration>[] = [
  { header: 'ID', get: 'id', priority: 1 },
  { header: 'State', get: 'state', as: 'state', priority: 1 },
  { header: 'Locks', get: 'lock_repositories', priority: 3 },
  { header: 'Started', get: 'created_at', as: 'age' },
  { header: 'Changed', get: 'updated_at', as: 'age', priority: 3 },
  {
    header: 'Repositories',
    get: repositoryNames,
    as: 'text',
  },
];

function repositoryNames({ repositories }: Migration): string | undefined {
  return repositories?.map(({ full_name }) => full_name).join(', ');
}

/** The choices of a prompt for a migration. */
export const ownMigrations = (): PickList<Migration> => ({
  question: 'Which migration?',
  list: (session, cut) => session.list(listMigrations, {}, cut, {}),
  // The list of repositories comes last, since a long line is cut off at its end.
  choice: (migration) => {
    const { id, state } = migration;
    return { name: [id, state, repositoryNames(migration)].filter(Boolean).join(', '), short: asText(id), value: id };
  },
});
