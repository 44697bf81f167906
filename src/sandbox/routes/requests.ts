/** What the families of review requests share. */

import { inaccessible } from '../access.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';

/** The id of the user who asks or decides. Throws 403 for an installation, which has none. */
export function callerId({ accounts }: SandboxPlatform, caller: Caller): number {
  const user = accounts.user(caller.login ?? '');
  if (!user) throw inaccessible(caller);
  return user.id;
}
