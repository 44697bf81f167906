/** A request that is reviewed must be the one that was chosen from the list, and must be complete enough to be shown. */
import { GuardError } from '../../cli/errors.ts';
import { isRepo, type Target } from '../../cli/input/args.ts';
import { isSameName } from '../../client/moves.ts';
import type { DismissalRequest } from '../../platform/records.ts';

type Shown = Pick<DismissalRequest, 'id' | 'repository' | 'requester'> & { readonly data: readonly object[] | null };

/** Returns whether a listed request has what the queue shows, and belongs to the repository or organization. */
export function isReviewable<R extends Shown>(request: R, target: Target, number: (request: R) => number): boolean {
  const name: unknown = request?.repository?.full_name;
  if (typeof name !== 'string' || !/^[\w.-]+\/[\w.-]+$/.test(name)) return false;
  const isListed = isRepo(target)
    ? isSameName(`${target.owner}/${target.repo}`, name)
    : isSameName(target.org, name.split('/')[0] ?? '');
  const isShown = typeof request.requester?.actor_name === 'string' && Array.isArray(request.data);
  return isListed && isShown && Number.isInteger(number(request)) && number(request) > 0;
}

/** Throws GuardError if the request that is shown is not the one that was chosen. `number` is that of a record. */
export function requireSameRequest<R extends Shown>(chosen: R, shown: R, number: (request: R) => number): void {
  const name = chosen.repository.full_name;
  const current: unknown = shown.repository?.full_name;
  const isSame = typeof current === 'string' && isSameName(name, current) && shown.id === chosen.id;
  if (isSame && number(shown) === number(chosen)) return;
  throw new GuardError(`Request ${number(chosen)} of ${name} is now a different request. Nothing was sent.`);
}
