/** Shared by all families of review requests. */

import { inaccessible } from '../access.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';

/** Returns the id of the user who requests or decides. Throws 403 for an installation, which is not a user. */
export function callerId({ accounts }: SandboxPlatform, caller: Caller): number {
  const user = accounts.user(caller.login ?? '');
  if (!user) throw inaccessible(caller);
  return user.id;
}
