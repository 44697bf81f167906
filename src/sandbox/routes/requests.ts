/** What the families of review requests share. */

import { inaccessible } from '../access.ts';
import type { Caller } from '../callers.ts';
import type { Platform } from '../platform.ts';
import type { OrganizationState } from '../state/accounts.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { isDelegated } from '../state/requests.ts';

/** The repositories of an organization in which decisions are delegated, or the one of that name. */
export function delegatedRepositories(
  platform: Platform,
  organization: OrganizationState,
  name: string | undefined,
): RepositoryState[] {
  const all = platform.repositories.of(organization);
  const wanted = name?.toLowerCase();
  return all
    .slice(0, all.total)
    .filter((repository) => isDelegated(repository) && (!wanted || repository.name.toLowerCase() === wanted));
}

/** The id of the user who asks or decides. Throws 403 for an installation, which has none. */
export function callerId({ accounts }: Platform, caller: Caller): number {
  const user = accounts.user(caller.login ?? '');
  if (!user) throw inaccessible(caller);
  return user.id;
}
