/** Checks flags that apply to only one kind of target. */

import { type InvalidArgument, invalidArgument, isRepo, type Target, targetName } from '../cli/input/args.ts';
import { invalid, type Problem } from '../platform/validate.ts';

/** Returns a problem if a flag for organizations is given with a repository. */
export function onlyForOrganizations(flag: string, given: boolean, target: Target | InvalidArgument): Problem[] {
  if (!given || !isRepo(target)) return [];
  return [invalid(flag, `requires an organization, but ${targetName(target)} is a repository`)];
}

/** Returns a problem if a flag for repositories is given with an organization. */
export function onlyForRepositories(flag: string, given: boolean, target: Target | InvalidArgument): Problem[] {
  if (!given || target === invalidArgument || isRepo(target)) return [];
  return [invalid(flag, `requires a repository, but ${targetName(target)} is an organization`)];
}
