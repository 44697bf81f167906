import type { Column } from '../../output/table/columns.ts';
import type { Repository } from '../../platform/records.ts';

export const repositoryColumns: readonly Column<Repository>[] = [
  { header: 'Name', get: 'full_name', as: 'name', priority: 1, link: true },
  { header: 'Visibility', get: visibility, as: 'state', priority: 1 },
  { header: 'Archived', get: 'archived', as: 'state' },
  { header: 'Pushed', get: 'pushed_at', as: 'age' },
  { header: 'ID', get: 'id' },
  { header: 'Description', get: 'description', as: 'text', priority: 3 },
];

/** Returns undefined if the platform reports neither. */
export function visibility({ visibility: word, private: isPrivate }: Repository): string | undefined {
  if (word !== undefined || isPrivate === undefined) return word;
  return isPrivate ? 'private' : 'public';
}

/** The contents of a repository, shown before it is deleted or archived. */
export const contentColumns: readonly Column<Repository>[] = [
  { header: 'Name', get: 'full_name' },
  { header: 'Visibility', get: visibility, as: 'state' },
  { header: 'Archived', get: 'archived', as: 'state' },
  { header: 'Size', get: 'size', as: 'kilobytes' },
  { header: 'Forks', get: 'forks_count', as: 'count' },
  { header: 'Stars', get: 'stargazers_count', as: 'count' },
  { header: 'Open issues and pull requests', get: 'open_issues_count', as: 'count' },
  { header: 'Pushed', get: 'pushed_at', as: 'age' },
];
