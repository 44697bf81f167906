import type { Column } from '../../output/columns.ts';
import type { Repository } from '../../platform/records.ts';

/** What an admin decides on when looking at a list of repositories. */
export const repositoryColumns: readonly Column<Repository>[] = [
  { header: 'Name', get: 'full_name' },
  { header: 'Visibility', get: (repository) => repository.visibility ?? (repository.private ? 'private' : 'public') },
  { header: 'Archived', get: 'archived' },
  { header: 'Pushed', get: 'pushed_at', as: 'age' },
  { header: 'Id', get: 'id' },
  { header: 'Description', get: 'description' },
];
