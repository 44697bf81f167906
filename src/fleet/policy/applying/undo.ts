/** The undo plan: restores the state before an apply. */
import type { Given } from '../../../platform/validate.ts';
import { type FieldChange, fieldsOf, merge } from '../../diff.ts';
import { kindNamed } from '../kinds/lookup.ts';
import type { PlannedKind } from '../kinds/names.ts';
import { type PropertyDefinitions, withoutDefaults } from '../kinds/properties.ts';
import { type Action, byTarget, type PlannedChange, type Step } from '../live/change.ts';
import { digestOfPlan } from '../planning/digest.ts';
import type { SavedPlan } from '../planning/plan-file.ts';
import { ownerOf } from '../wanted/target.ts';
import { changesOf } from './two-steps.ts';

/**
 * Returns the plan that undoes steps of another. It is valid however many of them are made: for a step that was not,
 * nothing is sent. `definitions`: the custom properties of organizations, by login.
 */
export function undoPlan(
  planned: SavedPlan,
  steps: readonly Step[],
  definitions: ReadonlyMap<string, PropertyDefinitions> = new Map(),
): SavedPlan {
  // Earlier secrets and selections are not known.
  const made = changesOf(steps).filter(({ action }) => action !== 'resend');
  const changes = made.flatMap((change) => undone(fromDefaults(change, definitions))).toSorted(byTarget);
  const count = (...those: Action[]) => changes.filter(({ action }) => those.includes(action)).length;
  const plan = {
    ...planned,
    changes,
    summary: {
      create: count('create'),
      update: count('update'),
      delete: count('delete', 'unset'),
      unchanged: 0,
      skipped: 0,
      unreadable: count('unresolved'),
    },
  };
  return { ...plan, digest: digestOfPlan(plan) };
}

/** Returns a change of property values that starts from none of its own where it starts from a default. */
function fromDefaults(change: PlannedChange, definitions: ReadonlyMap<string, PropertyDefinitions>): PlannedChange {
  const { kind, target, before } = change;
  const defined = definitions.get(ownerOf(target));
  if (kind !== 'properties' || !before || !defined) return change;
  const own = withoutDefaults(before, defined);
  return { ...change, before: own, changes: merge(change.body, own, kindNamed(kind).comparison(change)).changes };
}

function undone(change: PlannedChange): readonly PlannedChange[] {
  const { action, kind, target, repository_id, name, source, id, before = {}, body = {} } = change;
  const changes = change.changes.map(({ path, from, to }) => ({
    path,
    ...(to !== undefined && { from: to }),
    ...(from !== undefined && { to: from }),
  }));
  const common = {
    kind,
    target,
    ...(repository_id !== undefined && { repository_id }),
    source,
    changes,
    ...(id !== undefined && { id }),
    sent: true,
  } as const;
  switch (action) {
    case 'create':
      return [{ ...common, action: 'delete', name, changes: [], effect: kindNamed(kind).deletion, before: body }];
    case 'delete': {
      const reason = kindNamed(kind).irreplaceable?.(before);
      if (reason !== undefined) return [unresolved(change, `cannot be created: ${reason}`)];
      const { id: _, ...gone } = common;
      const effect = kindNamed(kind).creation(before);
      const own = name.endsWith(` (${id})`) ? name.slice(0, -` (${id})`.length) : name;
      const made = { ...gone, name: own, changes: fieldsOf(before), ...(effect && { effect }), body: before };
      return [{ ...made, action: 'create' }];
    }
    case 'unset':
      return [{ ...common, action: 'create', name, body: before }];
    default:
      if (change.inherited)
        return [{ ...common, action: 'unset', name, changes: [], effect: kindNamed(kind).deletion, before: body }];
      return undoneUpdate(change, common);
  }
}

/** Returns the update that restores fields, and a line for each that cannot be restored. */
function undoneUpdate(
  change: PlannedChange,
  common: Pick<PlannedChange, 'kind' | 'target' | 'repository_id' | 'source' | 'changes' | 'id' | 'sent'>,
): readonly PlannedChange[] {
  const { kind, target, name, before = {}, body = {}, between } = change;
  const whyLost = ({ path, to }: FieldChange) => kindNamed(kind).irreversible?.(path, to, target);
  const lost = common.changes.filter((each) => whyLost(each) !== undefined);
  const rest = common.changes
    .filter((each) => !lost.includes(each))
    .map((each) => (each.to === null ? { ...each, to: sentValue(kind, target, each.path, null) } : each));
  const refused = lost.map((each) =>
    unresolved(change, `${each.path} cannot be changed back to ${each.to}: ${whyLost(each)}`),
  );
  if (rest.length === 0) return refused;
  const sent = Object.fromEntries(Object.entries(body).filter(([field]) => !lost.some(({ path }) => path === field)));
  const update: PlannedChange = {
    ...common,
    action: 'update',
    name: name && String(before.name ?? name),
    changes: rest,
    // From a value in between, where only tightenings were made, the way back loosens.
    ...(between ? { between } : effectOf(kind, rest)),
    before: sent,
    body: restored(change, sent),
  };
  return [update, ...refused];
}

const unresolved = ({ kind, target, name, source }: PlannedChange, reason: string): PlannedChange => ({
  action: 'unresolved',
  kind,
  target,
  name,
  source,
  changes: [],
  reason,
});

function effectOf(kind: PlannedKind, changes: readonly FieldChange[]): Pick<PlannedChange, 'effect'> {
  const effect = kindNamed(kind).effect(changes);
  return effect ? { effect } : {};
}

/** Returns the body that restores fields. Fields that were sent unchanged are sent again, as others may require them. */
const restored = ({ kind, target, before = {} }: PlannedChange, body: Given): Given =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      name in before ? sentValue(kind, target, name, before[name]) : value,
    ]),
  );

/** Returns the value that is sent for an earlier one. */
function sentValue(kind: PlannedKind, target: string, field: string, earlier: unknown): unknown {
  const { cleared } = kindNamed(kind);
  return earlier === null && cleared ? cleared(field, target) : earlier;
}
