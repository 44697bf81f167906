/** Removes the changes from a saved plan that its reviewer dropped. */
import { effectOf } from '../applying/derive.ts';
import { followsOwner } from '../applying/phases.ts';
import { isCreation, isMadeLast, kindNamed } from '../kinds/lookup.ts';
import { countOf, isStep, type PlannedChange } from '../live/change.ts';
import { ownerOf } from '../wanted/target.ts';
import { digestOfPlan } from './digest.ts';
import { namedTeams, namesTeam } from './people-ids.ts';
import type { SavedPlan } from './plan-file.ts';

interface Review {
  readonly plan: SavedPlan;
  /** The changes that were dropped because they depend on one that the reviewer dropped. */
  readonly dependent: readonly PlannedChange[];
}

/**
 * Returns a plan without the changes that its reviewer dropped, and without those that depend on one of them: a change that
 * loosens, or may loosen, depends on the creations and tightenings that are made before it, the reset of a repository’s
 * own setting on the setting of its organization, and everything in a new repository on its creation.
 */
export function reviewedPlan(plan: SavedPlan, dropped: ReadonlySet<PlannedChange>): Review {
  const gone = new Set(dropped);
  const steps = plan.changes.filter(isStep);
  const tightenings = steps.filter((step) => gone.has(step) && protects(step) && !isMadeLast(withEffect(step)));
  const targets = new Set(tightenings.map(({ target }) => target));
  const owners = new Set(tightenings.map(({ target }) => ownerOf(target)));
  const follows = ({ target }: PlannedChange) =>
    targets.has(target) || targets.has(ownerOf(target)) || (owners.has(target) && ownerOf(target) === target);
  const uncreated = new Set(steps.filter((step) => gone.has(step) && isCreation(step)).map(({ target }) => target));
  for (const step of steps) if (uncreated.has(step.target)) gone.add(step);
  dropWithTeams(steps, gone);
  for (const step of steps.filter(protects)) {
    const derived = withEffect(step);
    if (derived.effect !== 'neutral' && isMadeLast(derived) && follows(step)) gone.add(step);
  }
  const lost = steps.filter((step) => gone.has(step));
  for (const step of steps) if (followsOwner(step, lost)) gone.add(step);
  const changes = plan.changes.filter((change) => !gone.has(change));
  const targetsOf = (some: readonly PlannedChange[]) =>
    new Set(some.filter(({ action }) => action !== 'unverified').map(({ target }) => target)).size;
  const unchanged = plan.summary.unchanged + targetsOf(plan.changes) - targetsOf(changes);
  const summary = { ...plan.summary, ...countOf(changes), unchanged };
  const reviewed = { ...plan, plan: 3, reviewed_from: plan.digest, changes, summary } as const;
  return {
    plan: { ...reviewed, digest: digestOfPlan(reviewed) },
    dependent: plan.changes.filter((change) => gone.has(change) && !dropped.has(change)),
  };
}

/** Drops what names teams whose creation or renaming was dropped, and the child teams that are created below them. */
function dropWithTeams(steps: readonly PlannedChange[], gone: Set<PlannedChange>): void {
  for (let count = -1; count !== gone.size; ) {
    count = gone.size;
    const teams = namedTeams(steps.filter((step) => gone.has(step)));
    for (const step of steps) if (namesTeam(step, teams)) gone.add(step);
  }
}

/** Returns whether a change is one of protection: the access of one person does not depend on that of another. */
const protects = ({ kind }: PlannedChange): boolean => !kindNamed(kind).takesAccess;

/** Returns a change with its derived effect, because the one in the file cannot be trusted. */
function withEffect(change: PlannedChange): PlannedChange {
  const { effect: _, ...given } = change;
  const effect = effectOf(change);
  return { ...given, ...(effect && { effect }) } as PlannedChange;
}
