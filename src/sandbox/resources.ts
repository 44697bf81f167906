/** Finding what a path names, and hiding what its caller may not see. */
import type { Caller } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { notFound } from './refusals.ts';
import { isVisible } from './roles.ts';
import type { Account, OrganizationState } from './state/accounts.ts';
import type { RepositoryState } from './state/repositories.ts';

/** The organization or repository that a path names, and the account that it belongs to. */
export interface Resources {
  readonly organization?: OrganizationState;
  readonly repository?: RepositoryState;
  readonly account?: Account;
  /** Whether everybody may see what the path names. */
  readonly isPublic: boolean;
  /** Whether the path names the enterprise, which all organizations belong to. */
  readonly isEnterprise?: boolean;
}

/** The slug of the one enterprise. */
const enterprise = 'sandbox';

/** Throws 404 for what does not exist and for what the caller may not see. Names are compared without regard to case. */
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
    const organization = platform.accounts.organization(String(path.org));
    if (!organization) throw notFound();
    return { organization, account: organization, isPublic: true };
  }
  if (path.owner === undefined || path.repo === undefined) return { isPublic: true };
  const account = platform.accounts.account(String(path.owner));
  const repository = account && platform.repositories.find(account, String(path.repo));
  if (!repository || !isVisible(platform, caller, repository)) throw notFound();
  return { repository, account, isPublic: repository.visibility === 'public' };
}
