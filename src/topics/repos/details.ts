/** The details of a repository; JSON output has every field. */
import type { Column } from '../../output/table/columns.ts';
import type { Repository } from '../../platform/records.ts';
import { allowed, booleanLabel, grouped, namesOn } from '../detail-words.ts';
import { visibility } from './columns.ts';

const about: readonly Column<Repository>[] = [
  { header: 'Name', get: 'full_name', link: true },
  { header: 'ID', get: 'id' },
  { header: 'Description', get: 'description' },
  { header: 'URL', get: 'html_url', link: true },
  { header: 'Homepage', get: (repository) => repository.homepage || undefined },
  { header: 'Fork of', get: 'parent.full_name' },
  { header: 'Template', get: (repository) => repository.is_template || undefined },
];

const access: readonly Column<Repository>[] = [
  { header: 'Visibility', get: visibility, as: 'state' },
  { header: 'Archived', get: 'archived', as: 'state' },
  { header: 'Disabled', get: 'disabled', as: 'state' },
  { header: 'Forking', get: ({ allow_forking: may }) => allowed(may) },
  { header: 'Your permissions', get: ({ permissions }) => permissions && namesOn(permissions) },
];

const content: readonly Column<Repository>[] = [
  { header: 'Default branch', get: 'default_branch' },
  { header: 'Size', get: 'size', as: 'kilobytes' },
  { header: 'Language', get: 'language' },
  { header: 'License', get: ({ license }) => license?.spdx_id ?? license?.name },
  { header: 'Topics', get: ({ topics }) => (topics?.length ? topics : undefined) },
  { header: 'Open issues', get: 'open_issues_count', as: 'count' },
  { header: 'Stars', get: 'stargazers_count', as: 'count' },
  { header: 'Forks', get: 'forks_count', as: 'count' },
  { header: 'Pushed', get: 'pushed_at', as: 'age' },
  { header: 'Created', get: 'created_at', as: 'age' },
];

const settings: readonly Column<Repository>[] = [
  {
    header: 'Features',
    get: (repository) =>
      namesOn({
        issues: repository.has_issues,
        projects: repository.has_projects,
        wiki: repository.has_wiki,
        pages: repository.has_pages,
        discussions: repository.has_discussions,
        downloads: repository.has_downloads,
      }),
  },
  {
    header: 'Merge methods',
    get: (repository) =>
      namesOn({
        'merge commit': repository.allow_merge_commit,
        squash: repository.allow_squash_merge,
        rebase: repository.allow_rebase_merge,
      }),
  },
  { header: 'Auto-merge', get: ({ allow_auto_merge: may }) => allowed(may) },
  { header: 'Merged branches', get: ({ delete_branch_on_merge: deleted }) => booleanLabel(deleted, 'deleted', 'kept') },
];

const security: readonly Column<Repository>[] = [
  { header: 'Advanced security', get: securityStatus('advanced_security'), as: 'state' },
  { header: 'Secret scanning', get: securityStatus('secret_scanning'), as: 'state' },
  { header: 'Push protection', get: securityStatus('secret_scanning_push_protection'), as: 'state' },
  { header: 'Non-provider patterns', get: securityStatus('secret_scanning_non_provider_patterns'), as: 'state' },
];

function securityStatus(feature: string): (repository: Repository) => string | undefined {
  return ({ security_and_analysis: features }) => features?.[feature]?.status;
}

export const repositoryDetails: readonly Column<Repository>[] = [
  ...grouped('Repository', about),
  ...grouped('Access', access),
  ...grouped('Content', content),
  ...grouped('Settings', settings),
  ...grouped('Security', security),
];
