/** The undo plan: restores the state before an apply. */
import { asText } from '../../../json/exact-json.ts';
import type { Given } from '../../../platform/validate.ts';
import { type FieldChange, fieldsOf, merge } from '../../diff.ts';
import { kindNamed } from '../kinds/lookup.ts';
import type { PlannedKind } from '../kinds/names.ts';
import type { PropertyDefinitions } from '../kinds/property-definitions.ts';
import {
  type ApplicableChange,
  byTarget,
  countOf,
  type PlannedChange,
  type Removal,
  type Resend,
  type Step,
  type Update,
} from '../live/change.ts';
import { jointEffect } from '../live/effects.ts';
import { digestOfPlan } from '../planning/digest.ts';
import { createdTeams, namesTeam } from '../planning/people-ids.ts';
import type { SavedPlan } from '../planning/plan-file.ts';
import { containsOpenSecret } from '../wanted/open-secrets.ts';
import { ownerOf } from '../wanted/target.ts';
import { withIdsOfMade } from './references.ts';
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
  const made = withIdsOfMade(changesOf(steps)).filter((change) => change.action !== 'resend');
  const whole = made.flatMap((change): readonly (Exclude<ApplicableChange, Resend> & Pick<Step, 'createdId'>)[] => {
    const { nameBefore = ({ name }) => name } = kindNamed(change.kind);
    const name = nameBefore(change, made);
    return name === undefined ? [] : [{ ...change, name }];
  });
  const undoing = whole.flatMap((change) => undone(fromDefaults(change, definitions)));
  // Teams that were deleted get new IDs.
  const created = createdTeams(undoing);
  const changes = undoing
    .map(({ team_id, parent_id, ...change }) =>
      namesTeam(change as PlannedChange, created)
        ? (change as PlannedChange)
        : ({ ...change, ...(team_id && { team_id }), ...(parent_id && { parent_id }) } as PlannedChange),
    )
    .toSorted(byTarget);
  const { reviewed_from: _, ...header } = planned;
  const plan = {
    ...header,
    plan: 2,
    changes,
    summary: {
      ...countOf(changes),
      unchanged: 0,
      skipped: 0,
      unreadable: changes.filter(({ action }) => action === 'unresolved').length,
    },
  } as const;
  return { ...plan, digest: digestOfPlan(plan) };
}

/** Returns a change that starts from no value where it starts from a default of the organization, without what it then keeps. */
function fromDefaults<C extends PlannedChange>(change: C, definitions: ReadonlyMap<string, PropertyDefinitions>): C {
  const { kind, target, before } = change;
  const { ownValues, comparison } = kindNamed(kind);
  const defined = definitions.get(ownerOf(target));
  if (!ownValues || !before || !defined) return change;
  const own = ownValues(before, defined);
  const { body = {}, between = own } = change;
  const changesFrom = (from: Given, to: Given) => merge(to, from, comparison(change)).changes;
  const isChanged = (name: string) =>
    [own, between].some((from) => changesFrom({ [name]: from[name] }, { [name]: body[name] }).length > 0);
  const changed = (given: Given) => Object.fromEntries(Object.entries(given).filter(([name]) => isChanged(name)));
  const [from, to] = [changed(own), changed(body)];
  return {
    ...change,
    before: from,
    body: to,
    ...(change.between && { between: changed(between) }),
    changes: changesFrom(from, to),
  };
}

function undone(change: Exclude<ApplicableChange, Resend> & Pick<Step, 'createdId'>): readonly PlannedChange[] {
  const { name, createdId } = change;
  const why = change.action === 'create' ? kindNamed(change.kind).notUndone : undefined;
  if (why !== undefined) return [unresolved(change, why)];
  // A repository that stays has nothing to go back to.
  if (change.new_repository) return [];
  const common = commonOf(change);
  const { deletion: effect, creation, irreplaceable, isNamedByOthers, actions } = kindNamed(change.kind);
  const { id: _, ...withoutId } = common;
  switch (change.action) {
    case 'create':
      return [
        {
          ...(isNamedByOthers ? withoutId : common),
          ...(createdId !== undefined && { id: createdId }),
          ...{ action: actions.includes('unset') ? 'unset' : 'delete', name, changes: [], effect, before: change.body },
        },
      ];
    case 'unset':
      return [{ ...common, action: 'create', name, body: change.before }];
    case 'delete': {
      const { id, before } = change;
      const reason = irreplaceable?.(before) ?? (containsOpenSecret(before) ? whyMasked : undefined);
      if (reason !== undefined) return [unresolved(change, `cannot be created: ${reason}`)];
      const made = creation(before);
      const own = name.endsWith(` (${id})`) ? name.slice(0, -` (${id})`.length) : name;
      const fields = { changes: fieldsOf(before), ...(made && { effect: made }), body: before };
      // Without its ID, a team that is created again is a new one, which others cannot name by the earlier ID.
      const { sent, ...asNew } = withoutId;
      const start = isNamedByOthers ? (id === undefined ? asNew : common) : { ...asNew, sent };
      return [{ ...start, ...idsNamed(change), name: own, ...fields, action: 'create' }];
    }
    case 'update':
      return change.inherited
        ? [{ ...common, action: 'unset', name, changes: [], effect, before: change.body }]
        : undoneUpdate(change, common);
  }
}

/** Returns the IDs of the team or the person whose membership or access was deleted. */
function idsNamed(change: Removal): Pick<PlannedChange, 'team_id' | 'user_id'> {
  const { id, kind } = change;
  const { team, user } = kindNamed(kind).peopleIn?.(change) ?? {};
  if (typeof id !== 'number') return {};
  return { ...(team !== undefined && { team_id: id }), ...(user !== undefined && { user_id: id }) };
}

/** Returns the fields shared by a change and its undo, and the reversed changes of fields. */
function commonOf({
  kind,
  target,
  repository_id,
  organization_id,
  team_id,
  user_id,
  source,
  id,
  changes,
}: Exclude<ApplicableChange, Resend>) {
  return {
    kind,
    target,
    ...(repository_id !== undefined && { repository_id }),
    ...(organization_id !== undefined && { organization_id }),
    ...(team_id !== undefined && { team_id }),
    ...(user_id !== undefined && { user_id }),
    source,
    changes: changes.map(({ path, from, to }) => ({
      path,
      ...(to !== undefined && { from: to }),
      ...(from !== undefined && { to: from }),
    })),
    ...(id !== undefined && { id }),
    sent: true,
  } as const;
}

/** Plans would mask it. */
const whyMasked = 'it contains what looks like a secret';

/** Returns the update that restores fields, and a line for each that cannot be restored. */
function undoneUpdate(change: Update, common: ReturnType<typeof commonOf>): readonly PlannedChange[] {
  const { kind, target, name, before, body, between } = change;
  const whyLost = ({ path, to }: FieldChange) =>
    kindNamed(kind).irreversible?.(path, to, target) ?? (containsOpenSecret(to) ? whyMasked : undefined);
  const lost = common.changes.filter((each) => whyLost(each) !== undefined);
  const rest = common.changes
    .filter((each) => !lost.includes(each))
    .map((each) => (each.to === null ? { ...each, to: sentValue(kind, target, each.path, null) } : each));
  const refused = lost.map((each) =>
    unresolved(change, `${each.path} cannot be changed back to ${asText(each.to)}: ${whyLost(each)}`),
  );
  if (rest.length === 0) return refused;
  const sent = Object.fromEntries(Object.entries(body).filter(([field]) => !lost.some(({ path }) => path === field)));
  const update: PlannedChange = {
    ...common,
    action: 'update',
    name: name && asText(before.name ?? name),
    changes: rest,
    // From a value in between, where only tightenings were made, the way back loosens.
    ...(between ? { between } : effectOf(kind, rest)),
    before: { ...sent, ...(change.parent_id !== undefined && { parent_id: change.parent_id }) },
    body: restored(change, sent),
    ...(typeof before.parent_id === 'number' && { parent_id: before.parent_id }),
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
  const effect = jointEffect(kindNamed(kind), changes);
  return effect ? { effect } : {};
}

/** Returns the body that restores fields. Fields that were sent unchanged are sent again, as others may require them. */
const restored = ({ kind, target, before }: Update, body: Given): Given =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name,
      Object.hasOwn(before, name) ? sentValue(kind, target, name, before[name]) : value,
    ]),
  );

/** Returns the value that is sent for an earlier one. */
function sentValue(kind: PlannedKind, target: string, field: string, earlier: unknown): unknown {
  const { cleared } = kindNamed(kind);
  return earlier === null && cleared ? cleared(field, target) : earlier;
}
