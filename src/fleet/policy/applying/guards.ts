/** Guards that stop an apply before its first write. */

import type { GuardContext, GuardedChange } from '../kinds/kind.ts';
import { kindNamed, scopeOf } from '../kinds/lookup.ts';
import type { PlannedKind } from '../kinds/names.ts';
import type { PlannedChange } from '../live/change.ts';

/** Fewer deletions are always allowed. */
const fewestDeletions = 10;

/** The fraction of the objects of a kind that may be deleted. */
const largestPart = 1 / 4;

/**
 * Returns why a plan deletes more than `allowed` covers: at least ten objects of a kind that are more than a quarter of those in
 * the scopes that lose some, or in those that lose more than a quarter, fewer in one scope of kinds that say so, or undeclared
 * ones that are all that a scope has of a kind, at least two, or any undeclared registry. Undefined if it does not.
 */
export function tooManyDeletions(steps: readonly PlannedChange[], allowed = 0): string | undefined {
  const deletions = steps.filter(({ action, of }) => (action === 'delete' || action === 'unset') && of !== 0);
  if (deletions.length <= allowed) return undefined;
  const byKind = [...Map.groupBy(deletions, ({ kind }) => kind)];
  const reasons = byKind.flatMap(([kind, ofKind]) => whyTooMany(kind, ofKind) ?? []);
  return reasons.length ? `${reasons.join(' ')} To allow that, add --allow-deletes ${deletions.length}.` : undefined;
}

function whyTooMany(kind: PlannedKind, deletions: readonly PlannedChange[]): string | undefined {
  const { plural, guarded, guardedFrom } = kindNamed(kind);
  const scopes = [...Map.groupBy(deletions, scopeOf)].map(([scope, lost]) => ({
    scope,
    lost,
    owned: lost.reduce((most, { of = 0 }) => Math.max(most, of), lost.length),
  }));
  const large = scopes.filter(({ lost, owned }) => lost.length > owned * largestPart);
  for (const { scope, lost, owned } of large)
    if (guardedFrom !== undefined && lost.length >= guardedFrom)
      return `${lost.length} of ${owned} ${plural} of ${scope} would be removed.`;
  // A few deletions in large targets do not hide these.
  for (const [some, where] of [[scopes, ''] as const, [large, ` of ${namesOf(large)}`] as const]) {
    const lost = some.reduce((sum, each) => sum + each.lost.length, 0);
    const owned = some.reduce((sum, each) => sum + each.owned, 0);
    if (lost >= fewestDeletions && lost > owned * largestPart)
      return `${lost} of ${owned} ${plural}${where} would be deleted or reset.`;
  }
  const undeclared = deletions.filter((step) => step.undeclared);
  if (guarded && undeclared.length) return guarded(undeclared.length);
  for (const { scope, lost, owned } of large)
    if (lost.some((step) => step.undeclared) && lost.length > 1 && lost.length === owned)
      return `${scope} would keep none of its ${lost.length} ${plural}.`;
  return undefined;
}

const namesOf = (scopes: readonly { readonly scope: string }[]): string =>
  scopes.length === 1 ? String(scopes[0]?.scope) : `${scopes.length} targets`;

/** Returns why the guards of kinds refuse changes. Throws the client's errors. */
export async function refusalsOf(
  steps: readonly PlannedChange[],
  context: Omit<GuardContext, 'target'>,
): Promise<readonly string[]> {
  const refusals: string[] = [];
  for (const ofKind of Map.groupBy(steps, ({ kind, target }) => `${kind} ${target}`).values()) {
    const [{ kind, target }] = ofKind as [PlannedChange];
    refusals.push(...((await kindNamed(kind).guard?.(ofKind, { target, ...context })) ?? []));
  }
  return refusals;
}

/** Returns whether a change sets values that require confirmation, and no flag of their own. */
export function asks({ action, kind, body = {}, before, between = before }: PlannedChange): boolean {
  const { confirmedFields, guardedFields } = kindNamed(kind);
  if (action !== 'update') return false;
  const confirmed = [before, between].flatMap((from) => confirmedFields?.(body, from) ?? []);
  return confirmed.some((field) => !guardedFields?.has(field));
}

/** Returns the repositories for each hard-to-undo change that is not allowed. */
export function changesToAllow(
  steps: readonly PlannedChange[],
  allowed: readonly string[],
): ReadonlyMap<GuardedChange, number> {
  const found = new Map<GuardedChange, Set<string>>();
  for (const step of steps)
    for (const change of guardedIn(step))
      if (!allowed.includes(change)) found.set(change, (found.get(change) ?? new Set()).add(step.target));
  return new Map([...found].map(([change, targets]) => [change, targets.size]));
}

/** Returns what a flag must allow of a change. A new repository has nothing to lose; its creation may expose a template. */
function guardedIn({ action, kind, target, body = {}, new_repository }: PlannedChange): readonly GuardedChange[] {
  const { guardedCreation, guardedFields } = kindNamed(kind);
  if (action === 'create') return [guardedCreation?.(body) ?? []].flat();
  if (new_repository || !target.includes('/')) return [];
  return Object.keys(body).flatMap((name) => guardedFields?.get(name) ?? []);
}
