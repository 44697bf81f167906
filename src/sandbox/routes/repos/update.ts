import type * as v from 'valibot';
import type { updateRepository } from '../../../platform/endpoints/repos.ts';
import { invalid, type Problem } from '../../../platform/validate.ts';
import { checkWritable } from '../../access.ts';
import type { Caller } from '../../callers.ts';
import type { SandboxPlatform } from '../../platform.ts';
import { forbidden, validationFailed } from '../../refusals.ts';
import { hasRole } from '../../roles.ts';
import type { Account } from '../../state/accounts.ts';
import { branches } from '../../state/git.ts';
import type { RepositoryState } from '../../state/repositories.ts';
import { repositoryOwner } from '../../views/repository.ts';
import { nameProblems, refuseTakenName, repositoryName } from './create.ts';

type Body = v.InferInput<(typeof updateRepository)['body']>;

/** Changes a repository's settings. Of an archived one nothing changes before it is unarchived, by the same request at best. */
export function changeRepository(
  platform: SandboxPlatform,
  repository: RepositoryState,
  caller: Caller,
  body: Body,
): RepositoryState {
  requireWritable(platform, body.archived === false ? { ...repository, archived: false } : repository);
  const { name: asked, private: isPrivate, visibility: word, security_and_analysis: security, ...rest } = body;
  const owner = repositoryOwner(platform, repository);
  const visibility = word ?? (isPrivate === undefined ? repository.visibility : isPrivate ? 'private' : 'public');
  const name = asked === undefined ? repository.name : repositoryName(asked);
  refuseBadFields(platform, owner, repository, caller, { ...rest, name, visibility });
  if (name.toLowerCase() !== repository.name.toLowerCase()) refuseTakenName(platform, owner, name);
  const switches = Object.entries(security ?? {}).flatMap(([feature, { status } = {}]) =>
    status === undefined ? [] : [[feature, status === 'enabled'] as const],
  );
  return platform.repositories.change(
    repository,
    {
      ...defined(rest),
      name,
      visibility,
      security_and_analysis: { ...repository.security_and_analysis, ...Object.fromEntries(switches) },
    },
    platform.clock(),
  );
}

/** Deletes a repository, archived or not. Throws 403 where its organization keeps that to its owners. */
export function deleteRepository(platform: SandboxPlatform, repository: RepositoryState, caller: Caller): void {
  requireWritable(platform, { ...repository, archived: false });
  const owner = repositoryOwner(platform, repository);
  if (!mayDecide(platform, owner, caller, 'members_can_delete_repositories'))
    throw forbidden('Organization members cannot delete repositories.');
  platform.repositories.delete(repository);
}

const requireWritable = (platform: SandboxPlatform, repository: RepositoryState): void =>
  checkWritable(platform, { repository, isPublic: repository.visibility === 'public' });

/** Returns whether somebody may do what an organization can keep to its owners. */
export function mayDecide(platform: SandboxPlatform, owner: Account, caller: Caller, setting: string): boolean {
  if (owner.type === 'User' || owner.settings[setting] === true) return true;
  return hasRole(platform, caller, owner, 'owner');
}

const defined = <T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;

function refuseBadFields(
  platform: SandboxPlatform,
  owner: Account,
  repository: RepositoryState,
  caller: Caller,
  changed: Pick<RepositoryState, 'name' | 'visibility'> & Omit<Body, 'name' | 'visibility'>,
): void {
  const problems: Problem[] = nameProblems(changed.name);
  if (changed.visibility !== repository.visibility) {
    if (!mayDecide(platform, owner, caller, 'members_can_change_repo_visibility'))
      problems.push(invalid('visibility', 'can only be changed by an organization owner'));
    if (changed.visibility === 'internal' && owner.type === 'User')
      problems.push(invalid('visibility', 'internal is only for repositories of organizations'));
  }
  const { default_branch: branch } = changed;
  if (branch !== undefined && !branches(repository).includes(branch))
    problems.push(invalid('default_branch', `the branch ${branch} was not found`));
  if (changed.has_projects && owner.type === 'Organization' && owner.settings.has_repository_projects === false)
    problems.push(invalid('has_projects', 'the organization disables repository projects'));
  const merges = (['allow_squash_merge', 'allow_merge_commit', 'allow_rebase_merge'] as const).map(
    (way) => changed[way] ?? repository[way],
  );
  if (!merges.includes(true))
    problems.push(invalid('merge_commit_allowed', 'at least one way to merge must be allowed'));
  if (problems.length) throw validationFailed('Repository', problems);
}
