/** Guards that stop an apply before its first write. */
import { askingChanges } from '../../../platform/asking.ts';
import { kindNamed } from '../kinds/lookup.ts';
import type { PlannedKind } from '../kinds/names.ts';
import type { PlannedChange } from '../live/change.ts';

/** Fewer deletions are always allowed. */
const fewestDeletions = 10;

/** The fraction of the objects of a kind that may be deleted. */
const largestPart = 1 / 4;

/**
 * Returns why a plan deletes more than `allowed` covers: at least ten objects of a kind that are more than a quarter of
 * those in the targets that lose some, or undeclared ones that are all that a target has of a kind, at least two, or any
 * undeclared registry. Undefined if it does not.
 */
export function tooManyDeletions(steps: readonly PlannedChange[], allowed = 0): string | undefined {
  const deletions = steps.filter(({ action, of }) => (action === 'delete' || action === 'unset') && of !== 0);
  if (deletions.length <= allowed) return undefined;
  const reasons = [...Map.groupBy(deletions, ({ kind }) => kind)].flatMap(([kind, its]) => whyTooMany(kind, its) ?? []);
  return reasons.length ? `${reasons.join(' ')} To allow that, add --allow-deletes ${deletions.length}.` : undefined;
}

function whyTooMany(kind: PlannedKind, deletions: readonly PlannedChange[]): string | undefined {
  const { section, guarded } = kindNamed(kind);
  const byTarget = Map.groupBy(deletions, ({ target }) => target);
  const owned = (its: readonly PlannedChange[]) => Math.max(its.length, ...its.map(({ of = 0 }) => of));
  const total = [...byTarget.values()].reduce((sum, its) => sum + owned(its), 0);
  if (deletions.length >= fewestDeletions && deletions.length > total * largestPart)
    return `${deletions.length} of ${total} ${section} would be deleted or reset.`;
  const undeclared = deletions.filter((step) => step.undeclared);
  if (guarded && undeclared.length) return guarded(undeclared.length);
  for (const { target } of undeclared) {
    const its = byTarget.get(target) ?? [];
    if (its.length > 1 && its.length === owned(its))
      return `${target} would keep none of its ${its.length} ${section}.`;
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
