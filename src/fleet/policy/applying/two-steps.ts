/** Changes that are made in two steps; the second has a reference to the first. */
import { checkBody, type Given } from '../../../platform/validate.ts';
import { type FieldChange, merge, withoutLabels } from '../../diff.ts';
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

/** Splits an update of which parts may move to another object, or from one. */
function split(change: ApplicableChange): readonly Step[] {
  if (change.action !== 'update' || !isMadeLast(change)) return [change];
  const { before, body } = change;
  const first = tightened(change, before, body);
  if (first.changes.length === 0) return [change];
  // Those of the plan have names in place of IDs.
  const [made, rest] = [change.changes.filter(first.isMade), change.changes.filter((each) => !first.isMade(each))];
  return inSteps({ ...change, effect: 'tightens', changes: made, body: first.body }, { ...change, changes: rest });
}

/** Returns the part of a change of a value that tightens, as far as the platform accepts that alone. */
function tightened(change: PlannedChange, from: Given, to: Given) {
  const { kind, target } = change;
  const { comparison, request } = kindNamed(kind);
  const rivals = Object.entries(comparison(change).alternatives ?? {}).flatMap(([path, names]) =>
    names.map((name) => `${path}.${name}`),
  );
  const tightens = (each: FieldChange) => jointEffect(kindNamed(kind), [each]) === 'tightens';
  const made = (isMade: (each: FieldChange) => boolean) => {
    const { value, changes } = merge(to, from, { ...comparison(change), allows: isMade });
    const body = Object.fromEntries(Object.entries(value as Given).filter(([name]) => Object.hasOwn(to, name)));
    return { body, changes, isMade };
  };
  // An object has one of several fields: it gets another one together with the loss of its own.
  const whole = made((each) => tightens(each) && !rivals.includes(withoutLabels(each.path)));
  const { endpoint } = request({ ...change, body: whole.body } as PlannedChange, [target]);
  const refused = new Set(checkBody(endpoint, whole.body).problems.map(({ field }) => withoutLabels(field)));
  // A list that may not be empty loses its last element together with the addition of another.
  return refused.size === 0 ? whole : made((each) => whole.isMade(each) && !refused.has(withoutLabels(each.path)));
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

/** Returns the body of the first of two steps that lead from one value to another. */
export function firstBody(change: PlannedChange, from: Given, to: Given): Given {
  const { madeFirst } = kindNamed(change.kind);
  return madeFirst ? madeFirst(from, to) : tightened(change, from, to).body;
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
