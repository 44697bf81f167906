/** What tables show of repositories: what an admin decides on. */
import type { Column } from '../output/table/columns.ts';
import type { Repository } from '../platform/records.ts';

export const repositoryColumns: readonly Column<Repository>[] = [
  { header: 'Name', get: 'full_name', as: 'name', priority: 1, link: true },
  { header: 'Visibility', get: visibility, as: 'state', priority: 1 },
  { header: 'Archived', get: 'archived', as: 'state' },
  { header: 'Pushed', get: 'pushed_at', as: 'age' },
  { header: 'Id', get: 'id' },
  { header: 'Description', get: 'description', as: 'text', priority: 3 },
];

/** Unknown where the platform tells neither. */
export function visibility({ visibility: word, private: isPrivate }: Repository): string | undefined {
  if (word !== undefined || isPrivate === undefined) return word;
  return isPrivate ? 'private' : 'public';
}
