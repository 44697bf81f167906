/** Finds the resources in a path, and hides those that the caller may not see. */
import type { Caller } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { found, notFound } from './refusals.ts';
import { isVisible } from './roles.ts';
import type { Account, OrganizationState } from './state/accounts.ts';
import type { RepositoryState } from './state/repositories.ts';

/** The organization or repository in a path, and the account that owns it. */
export interface Resources {
  readonly organization?: OrganizationState;
  readonly repository?: RepositoryState;
  readonly account?: Account;
  /** Whether the resource is public. */
  readonly isPublic: boolean;
  /** Whether the path names the enterprise, which owns all organizations. */
  readonly isEnterprise?: boolean;
}

/** Slug of the only enterprise. */
const enterprise = 'sandbox';

/** Throws 404 for resources that do not exist, or that the caller may not see. Names are case-insensitive. */
export function resolve(
  platform: SandboxPlatform,
  caller: Caller,
  path: Readonly<Record<string, string | number>>,
): Resources {
  if (path.enterprise !== undefined) {
    if (String(path.enterprise).toLowerCase() !== enterprise) throw notFound();
    return { isPublic: false, isEnterprise: true };
  }
  if (path.org !== undefined) {
    const organization = found(platform.accounts.organization(String(path.org)));
    const repository = repositoryIn(platform, caller, path)?.repository;
    return { organization, account: organization, ...(repository && { repository }), isPublic: true };
  }
  const named = repositoryIn(platform, caller, path);
  return named ? { ...named, isPublic: named.repository.visibility === 'public' } : { isPublic: true };
}

/** Throws 404 for a repository that the caller may not see; undefined for a path without a repository. */
function repositoryIn(platform: SandboxPlatform, caller: Caller, { owner, repo }: Readonly<Record<string, unknown>>) {
  if (owner === undefined || repo === undefined) return undefined;
  const account = platform.accounts.account(String(owner));
  const repository = account && platform.repositories.find(account, String(repo));
  if (!repository || !isVisible(platform, caller, repository)) throw notFound();
  return { repository, account };
}
