/** Flags that make sense for one kind of target only. */

import { isRepo, type Target, targetName, type Unread, unread } from '../cli/input/args.ts';
import { invalid, type Problem } from '../platform/validate.ts';

/** What is wrong where a flag that only organizations take is given with a repository. */
export function onlyForOrganizations(flag: string, given: boolean, target: Target | Unread): Problem[] {
  if (!given || !isRepo(target)) return [];
  return [invalid(flag, `goes only with an organization, and ${targetName(target)} is a single repository`)];
}

/** What is wrong where a flag that only repositories take is given with an organization. */
export function onlyForRepositories(flag: string, given: boolean, target: Target | Unread): Problem[] {
  if (!given || target === unread || isRepo(target)) return [];
  return [invalid(flag, `goes only with a repository, and ${targetName(target)} is an organization`)];
}
