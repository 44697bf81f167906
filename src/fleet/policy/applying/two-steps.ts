/** Changes that are made in two steps; the second has a reference to the first. */
import type { Given } from '../../../platform/validate.ts';
import { type FieldChange, merge } from '../../diff.ts';
import { isMadeLast, kindNamed } from '../kinds/lookup.ts';
import type { ApplicableChange, PlannedChange, Step, Update } from '../live/change.ts';
import { jointEffect } from '../live/effects.ts';
import { ownerOf } from '../wanted/target.ts';

/**
 * Returns the steps of changes. Updates that both tighten and loosen are split where another loosening could rely on the first
 * part or the first part on it: rules that move from one ruleset to another are in both for a moment. Updates of organizations
 * are split where their repositories may rely on a part of them.
 */
export function inTwoSteps(changes: readonly ApplicableChange[]): readonly Step[] {
  const isMovable = (change: PlannedChange) => kindNamed(change.kind).partsMove === true;
  const loosenings = changes.filter((change) => isMovable(change) && isMadeLast(change));
  const ofTarget = Map.groupBy(loosenings, ({ target }) => target);
  const ofOwner = Map.groupBy(loosenings, ({ target }) => ownerOf(target));
  const related = ({ target }: PlannedChange): number => {
    const owner = ownerOf(target);
    if (owner === target) return ofOwner.get(owner)?.length ?? 0;
    return (ofTarget.get(target)?.length ?? 0) + (ofTarget.get(owner)?.length ?? 0);
  };
  const owners = new Set(
    changes.filter(({ target }) => ownerOf(target) !== target).map(({ target }) => ownerOf(target)),
  );
  return changes.flatMap((change) => {
    if (isMovable(change)) return related(change) > 1 ? split(change) : [change];
    return owners.has(change.target) ? splitForRepositories(change) : [change];
  });
}

function split(change: ApplicableChange): readonly Step[] {
  if (change.action !== 'update' || !isMadeLast(change)) return [change];
  const { kind, before, body } = change;
  const comparison = kindNamed(kind).comparison(change);
  const allows = (each: FieldChange) => jointEffect(kindNamed(kind), [each]) === 'tightens';
  const { value, changes } = merge(body, before, { ...comparison, allows });
  if (changes.length === 0) return [change];
  const tighter = Object.fromEntries(Object.entries(value as Given).filter(([name]) => Object.hasOwn(body, name)));
  // Those of the plan have names in place of IDs.
  const [tightenings, rest] = [change.changes.filter(allows), change.changes.filter((each) => !allows(each))];
  return inSteps({ ...change, effect: 'tightens', changes: tightenings, body: tighter }, { ...change, changes: rest });
}

/** Splits an update of which the changes of repositories may need a part. */
function splitForRepositories(change: ApplicableChange): readonly Step[] {
  const { kind, action, before, body } = change;
  const { madeFirst, comparison } = kindNamed(kind);
  if (action !== 'update' || !madeFirst || !isMadeLast(change)) return [change];
  const first = madeFirst(before, body);
  const changesFrom = (from: Given, to: Given) =>
    merge(to, from, { ...comparison(change), replacesFields: true }).changes;
  const [changes, rest] = [changesFrom(before, first), changesFrom(first, body)];
  return changes.length === 0 ? [change] : inSteps({ ...change, changes, body: first }, { ...change, changes: rest });
}

/** Returns two parts of an update as steps, of which the second starts from what the first has made. */
function inSteps(first: Update, second: Update): readonly Step[] {
  const step: Step = { ...first, leadsTo: second.body };
  return [step, { ...second, before: first.body, sent: true, after: step }];
}

/** Returns steps as changes: the two steps of an update are one. */
export function changesOf(steps: readonly Step[]): readonly ApplicableChange[] {
  const all = new Set(steps);
  const followed = new Set(steps.flatMap(({ after = [] }) => after));
  return steps.flatMap((step): readonly ApplicableChange[] => {
    const { leadsTo: _, after: first, ...change } = step;
    if (followed.has(step)) return [];
    if (change.action !== 'update' || !first || !all.has(first)) return [change];
    const { sent: __, before: between, ...rest } = change;
    return [{ ...rest, before: first.before ?? {}, between, changes: [...first.changes, ...rest.changes] }];
  });
}
