/** Guards that stop an apply before its first write. */
import { askingChanges } from '../../platform/asking.ts';
import type { PlannedChange } from './change.ts';
import { kinds } from './kinds/index.ts';

/** Fewer deletions are always allowed. */
const fewestDeletions = 10;

/** The fraction of the objects of a kind that may be deleted. */
const largestPart = 1 / 4;

/**
 * Returns why there are too many deletions: at least ten of a kind, and more than a quarter of its objects in the
 * targets that lose some. Undefined if there are not, or if `allowed` covers them.
 */
export function tooManyDeletions(steps: readonly PlannedChange[], allowed = 0): string | undefined {
  const deletions = steps.filter(({ action, of }) => (action === 'delete' || action === 'unset') && of !== 0);
  if (deletions.length <= allowed) return undefined;
  for (const [kind, its] of Map.groupBy(deletions, (step) => step.kind)) {
    const owned = new Map(its.map(({ target, of = 1 }) => [target, of]));
    const total = [...owned.values()].reduce((sum, count) => sum + count, 0);
    if (its.length >= fewestDeletions && its.length > total * largestPart)
      return `${its.length} of ${total} ${kinds[kind].section} would be deleted or reset. To allow that, add --allow-deletes ${deletions.length}.`;
  }
  return undefined;
}

/** Repository changes that are hard to undo. Going private detaches forks and loses stars. */
type GuardedChange = 'archived' | 'visibility';

const guardedChanges: Readonly<Record<string, GuardedChange>> = {
  archived: 'archived',
  visibility: 'visibility',
  private: 'visibility',
};

/** Returns whether a change sets values that require confirmation, and no flag of their own. */
export const asks = ({ action, kind, body = {}, before }: PlannedChange): boolean =>
  action === 'update' && kind === 'settings' && askingChanges(body, before).some(({ path }) => !guardedChanges[path]);

/** Returns the repositories for each hard-to-undo change that is not allowed. */
export function changesToAllow(
  steps: readonly PlannedChange[],
  allowed: readonly string[],
): ReadonlyMap<GuardedChange, number> {
  const found = new Map<GuardedChange, Set<string>>();
  for (const { kind, target, body = {} } of steps)
    for (const name of kind === 'settings' && target.includes('/') ? Object.keys(body) : []) {
      const change = guardedChanges[name];
      if (change && !allowed.includes(change)) found.set(change, (found.get(change) ?? new Set()).add(target));
    }
  return new Map([...found].map(([change, targets]) => [change, targets.size]));
}
