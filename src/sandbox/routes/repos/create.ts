import type * as v from 'valibot';
import type { createOrganizationRepository } from '../../../platform/endpoints/repos.ts';
import { invalid, type Problem } from '../../../platform/validate.ts';
import { type Caller, hasScope, usesScopes } from '../../callers.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { forbidden, unprocessable, validationFailed } from '../../refusals.ts';
import { hasRole, userOf } from '../../roles.ts';
import { gitignoreTemplates } from '../../seed/gitignore-templates.ts';
import { type Account, isoSeconds, type OrganizationState } from '../../state/accounts.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { defaultFeatures } from '../../state/security.ts';
import { grantTeams, hasTeam } from '../../state/teams.ts';
import { isLicense } from '../../views/repository.ts';

type Body = v.InferInput<(typeof createOrganizationRepository)['body']>;

/** Specification, POST /orgs/{org}/repos. */
export function createRepository(
  platform: SandboxPlatform,
  organization: OrganizationState,
  caller: Caller,
  body: Body,
): RepositoryState {
  const visibility = body.visibility ?? (body.private ? 'private' : 'public');
  if (visibility !== 'public' && usesScopes(caller) && !hasScope(caller, 'repo'))
    throw forbidden('You need at least repo scope to create a private repository.');
  requireCreationRight(platform, caller, organization, visibility);
  const creator = userOf(platform, caller);
  if (body.delete_branch_on_merge && !(creator && hasRole(platform, caller, organization, 'owner')))
    throw forbidden('Only an organization owner may set delete_branch_on_merge.');
  const name = repositoryName(body.name);
  refuseBadFields(platform, { ...body, name }, organization);
  refuseTakenName(platform, organization, name);
  const now = isoSeconds(platform.clock());
  const repository = platform.repositories.create({
    owner_id: organization.id,
    name,
    description: body.description ?? null,
    homepage: body.homepage ?? null,
    language: null,
    visibility,
    parent_id: null,
    archived: false,
    is_template: body.is_template ?? false,
    has_issues: body.has_issues ?? true,
    has_projects: body.has_projects ?? organization.settings.has_repository_projects === true,
    has_wiki: body.has_wiki ?? true,
    has_pages: false,
    has_downloads: body.has_downloads ?? true,
    has_discussions: false,
    allow_squash_merge: body.allow_squash_merge ?? true,
    allow_merge_commit: body.allow_merge_commit ?? true,
    allow_rebase_merge: body.allow_rebase_merge ?? true,
    allow_auto_merge: body.allow_auto_merge ?? false,
    delete_branch_on_merge: body.delete_branch_on_merge ?? false,
    use_squash_pr_title_as_default: body.use_squash_pr_title_as_default ?? false,
    squash_merge_commit_title: body.squash_merge_commit_title ?? 'COMMIT_OR_PR_TITLE',
    squash_merge_commit_message: body.squash_merge_commit_message ?? 'COMMIT_MESSAGES',
    merge_commit_title: body.merge_commit_title ?? 'MERGE_MESSAGE',
    merge_commit_message: body.merge_commit_message ?? 'PR_TITLE',
    security_features: defaultFeatures(organization),
    custom_properties: body.custom_properties ?? {},
    stargazers_count: 0,
    // Repositories get an initial commit with a readme, an ignore file or a license; otherwise they are empty.
    size: body.auto_init || body.gitignore_template || body.license_template ? 1 : 0,
    open_issues_count: 0,
    default_branch: String(organization.settings.default_repository_branch),
    topics: [],
    license: body.license_template ?? null,
    created_at: now,
    updated_at: now,
    pushed_at: now,
    ...(creator && { creator_id: creator.id }),
  });
  if (body.team_id !== undefined) grantTeams(platform, repository, [body.team_id]);
  return repository;
}

/** Returns a valid name: invalid characters become hyphens. */
export const repositoryName = (asked: string): string => asked.trim().replace(/[^\w.-]+/g, '-');

export function nameProblems(name: string): Problem[] {
  if (/[\w-]/.test(name) && !/\.(git|wiki)$/i.test(name) && name.length <= 100) return [];
  return [invalid('name', 'must have from 1 to 100 letters, digits, dots, hyphens and underscores, not end in .git')];
}

/** Throws 403 if members may not create repositories of this visibility. */
export function requireCreationRight(
  platform: SandboxPlatform,
  caller: Caller,
  organization: OrganizationState,
  visibility: RepositoryState['visibility'],
): void {
  if (hasRole(platform, caller, organization, 'owner')) return;
  const { settings } = organization;
  const isMember = hasRole(platform, caller, organization, 'member');
  if (
    !isMember ||
    !settings.members_can_create_repositories ||
    !settings[`members_can_create_${visibility}_repositories`]
  )
    throw forbidden(`You may not create ${visibility} repositories in ${organization.login}.`);
}

function refuseBadFields(platform: SandboxPlatform, body: Body, organization: OrganizationState): void {
  const problems = nameProblems(body.name);
  if (body.license_template !== undefined && !isLicense(body.license_template))
    problems.push(invalid('license_template', 'is not the keyword of a license'));
  if (body.gitignore_template !== undefined && !gitignoreTemplates.has(body.gitignore_template))
    problems.push(invalid('gitignore_template', 'is not the name of a .gitignore template'));
  if (body.team_id !== undefined && !hasTeam(platform, organization, body.team_id))
    problems.push(invalid('team_id', `is not the id of a team of ${organization.login}`));
  if (body.has_projects && organization.settings.has_repository_projects === false)
    problems.push(invalid('has_projects', 'the organization disables repository projects'));
  if (problems.length) throw validationFailed('Repository', problems);
}

export function refuseTakenName(platform: SandboxPlatform, owner: Account, name: string): void {
  if (!platform.repositories.find(owner, name)) return;
  throw unprocessable('Repository creation failed.', [
    { resource: 'Repository', code: 'custom', field: 'name', message: 'name already exists on this account' },
  ]);
}
