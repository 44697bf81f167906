import type { Repository } from '../../platform/records.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import { hasRole, isVisible, repositoryAccess } from '../roles.ts';
import type { Account } from '../state/accounts.ts';
import { valuesOf } from '../state/properties.ts';
import { isReady, type RepositoryState } from '../state/repositories.ts';
import { isEnabled } from '../state/security.ts';
import { actorView, nodeId } from './actor.ts';

/** Link templates of a repository, relative to it. Specification, Repository. */
const templates = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
  hooks_url: '/hooks',
} as const;

const licenses: Readonly<Record<string, readonly [name: string, spdx: string]>> = {
  'agpl-3.0': ['GNU Affero General Public License v3.0', 'AGPL-3.0'],
  'apache-2.0': ['Apache License 2.0', 'Apache-2.0'],
  'bsd-2-clause': ['BSD 2-Clause "Simplified" License', 'BSD-2-Clause'],
  'bsd-3-clause': ['BSD 3-Clause "New" or "Revised" License', 'BSD-3-Clause'],
  'gpl-3.0': ['GNU General Public License v3.0', 'GPL-3.0'],
  'lgpl-2.1': ['GNU Lesser General Public License v2.1', 'LGPL-2.1'],
  mit: ['MIT License', 'MIT'],
  'mpl-2.0': ['Mozilla Public License 2.0', 'MPL-2.0'],
  unlicense: ['The Unlicense', 'Unlicense'],
};

export const isLicense = (key: string): boolean => Object.hasOwn(licenses, key);

export function repositoryOwner(platform: SandboxPlatform, repository: RepositoryState): Account {
  const owner = platform.accounts.accountById(repository.owner_id);
  if (!owner) throw new Error(`repository ${repository.id} has no owner`);
  return owner;
}

export const fullName = (platform: SandboxPlatform, repository: RepositoryState): string =>
  `${repositoryOwner(platform, repository).login}/${repository.name}`;

/** Specification, Repository: every field, limited by the caller's access. */
export function repositoryView(platform: SandboxPlatform, repository: RepositoryState, caller: Caller): Repository {
  const parent = repository.parent_id === null ? undefined : platform.repositories.byId(repository.parent_id);
  const template =
    repository.template_id === undefined ? undefined : platform.repositories.byId(repository.template_id);
  return {
    ...plainView(platform, repository, caller),
    ...(template &&
      isVisible(platform, caller, template) && { template_repository: plainView(platform, template, caller) }),
    ...(parent && { parent: plainView(platform, parent, caller), source: plainView(platform, parent, caller) }),
  };
}

function plainView(platform: SandboxPlatform, repository: RepositoryState, caller: Caller): Repository {
  const owner = repositoryOwner(platform, repository);
  const access = repositoryAccess(platform, caller, repository);
  const { open_issues_count: issues } = repository;
  return {
    ...addresses(platform, repository),
    homepage: repository.homepage,
    size: isReady(platform, repository) ? repository.size : 0,
    ...usage(platform, repository),
    archived: repository.archived,
    disabled: false,
    open_issues_count: issues,
    open_issues: issues,
    license: licenseView(platform, repository.license),
    allow_forking: mayBeForked(platform, repository),
    is_template: repository.is_template,
    web_commit_signoff_required: signoffRequired(owner, repository),
    topics: [...repository.topics],
    visibility: repository.visibility,
    default_branch: repository.default_branch,
    permissions: { ...access, maintain: access.admin, triage: access.push },
    temp_clone_token: access.push && repository.visibility !== 'public' ? cloneToken(platform, repository) : '',
    ...mergeSettings(repository),
    custom_properties: valuesOf(platform, repository),
    ...(owner.type === 'Organization' && { organization: actorView(platform, owner) }),
    template_repository: null,
    ...((access.admin || isSecurityManager(platform, caller, owner)) && {
      security_and_analysis: securityView(platform, repository),
    }),
  } as Repository;
}

/** Name, owner and links of a repository. */
function addresses(platform: SandboxPlatform, repository: RepositoryState) {
  const owner = repositoryOwner(platform, repository);
  const full = `${owner.login}/${repository.name}`;
  const url = `${platform.baseUrl}/repos/${full}`;
  const html = `${platform.origin}/${full}`;
  const host = new URL(platform.origin).hostname;
  const links = Object.entries(templates).map(([name, template]) => [name, url + template]);
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: full,
    private: repository.visibility !== 'public',
    owner: actorView(platform, owner),
    html_url: html,
    description: repository.description,
    fork: repository.parent_id !== null,
    url,
    ...Object.fromEntries(links),
    created_at: repository.created_at,
    updated_at: repository.updated_at,
    pushed_at: repository.pushed_at,
    git_url: `git://${host}/${full}.git`,
    ssh_url: `git@${host}:${full}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
  };
}

/** Counts, and the features that are switched on. */
function usage(platform: SandboxPlatform, repository: RepositoryState) {
  const forks = platform.repositories.forksOf(repository).length;
  const { stargazers_count: stars } = repository;
  return {
    stargazers_count: stars,
    watchers_count: stars,
    watchers: stars,
    subscribers_count: Math.ceil(stars / 4),
    language: repository.language,
    has_issues: repository.has_issues,
    has_projects: repository.has_projects,
    has_downloads: repository.has_downloads,
    has_wiki: repository.has_wiki,
    has_pages: repository.has_pages,
    has_discussions: repository.has_discussions,
    forks_count: forks,
    forks,
    network_count: forks,
  };
}

const mergeSettings = (repository: RepositoryState) => ({
  allow_squash_merge: repository.allow_squash_merge,
  allow_merge_commit: repository.allow_merge_commit,
  allow_rebase_merge: repository.allow_rebase_merge,
  allow_auto_merge: repository.allow_auto_merge,
  delete_branch_on_merge: repository.delete_branch_on_merge,
  allow_update_branch: repository.allow_update_branch ?? false,
  has_pull_requests: repository.has_pull_requests ?? true,
  pull_request_creation_policy: repository.pull_request_creation_policy ?? 'all',
  use_squash_pr_title_as_default: repository.use_squash_pr_title_as_default,
  squash_merge_commit_title: repository.squash_merge_commit_title,
  squash_merge_commit_message: repository.squash_merge_commit_message,
  merge_commit_title: repository.merge_commit_title,
  merge_commit_message: repository.merge_commit_message,
});

/** Whether the organization or the repository itself requires it. */
const signoffRequired = (owner: Account, repository: RepositoryState): boolean =>
  (owner.type === 'Organization' && owner.settings.web_commit_signoff_required === true) ||
  repository.web_commit_signoff_required === true;

const isSecurityManager = (platform: SandboxPlatform, caller: Caller, owner: Account): boolean =>
  caller.login !== undefined && owner.type === 'Organization' && hasRole(platform, caller, owner, 'security manager');

/** Whether a repository may be forked: public ones always, others if the organization allows it. */
export function mayBeForked(platform: SandboxPlatform, repository: RepositoryState): boolean {
  const owner = repositoryOwner(platform, repository);
  if (repository.visibility === 'public' || owner.type === 'User') return true;
  return repository.allow_forking ?? owner.settings.members_can_fork_private_repositories === true;
}

/** A short-lived secret that clones a private repository without other credentials. */
const cloneToken = (platform: SandboxPlatform, { id }: RepositoryState): string =>
  Array.from({ length: 29 }, (_, index) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(platform.chance('clone token', id, index) * 32),
  ).join('');

function licenseView(platform: SandboxPlatform, key: string | null): object | null {
  const [name, spdx] = (key !== null && licenses[key]) || [];
  if (name === undefined || key === null) return null;
  const url = `${platform.baseUrl}/licenses/${key}`;
  return {
    key,
    name,
    spdx_id: spdx,
    url,
    node_id: nodeId('License', key),
    html_url: `${platform.origin}/licenses/${key}`,
  };
}

function securityView(platform: SandboxPlatform, repository: RepositoryState): Record<string, { status: string }> {
  const status = (enabled: boolean) => ({ status: enabled ? 'enabled' : 'disabled' });
  const features = (
    ['advanced_security', 'dependabot_security_updates', 'secret_scanning', 'secret_scanning_push_protection'] as const
  ).map((feature) => [feature, status(isEnabled(platform, repository, feature))]);
  const patterns =
    !repository.security_features && platform.chance('secret_scanning_non_provider_patterns', repository.id) < 0.5;
  const switched = Object.entries(repository.security_and_analysis ?? {}).map(([name, on]) => [name, status(on)]);
  return {
    ...Object.fromEntries(features),
    secret_scanning_non_provider_patterns: status(patterns),
    ...Object.fromEntries(switched),
  };
}
