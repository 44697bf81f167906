/** Flags that make sense for one kind of target only. */
import { invalid, type Problem } from '../../platform/validate.ts';
import { type Target, targetName } from '../args.ts';

/** A flag that only repositories have, given with an organization. */
export function onlyForRepositories(flag: string, value: unknown, target: Target): Problem[] {
  return value === undefined
    ? []
    : [invalid(flag, `goes only with a repository, and ${targetName(target)} is an organization`)];
}
