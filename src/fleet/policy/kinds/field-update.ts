/** Changes of objects that consist of fields: settings, hooks and property values. */
import { isObject } from '../../../json/exact-json.ts';
import type { Given } from '../../../platform/validate.ts';
import { type Comparison, canonical, fieldsOf, merge } from '../../diff.ts';
import type { PlannedChange } from '../live/change.ts';
import { jointEffect, type KindEffects } from '../live/effects.ts';

export interface FieldUpdate extends Pick<PlannedChange, 'changes' | 'effect'> {
  readonly before: Given;
  readonly body: Given;
}

/** Returns the change from live to wanted fields: only differences are sent. */
export function fieldUpdate(
  wanted: Given,
  live: Given,
  kind: KindEffects,
  comparison: Comparison = {},
): FieldUpdate | undefined {
  const only = (given: Given, names: readonly string[]) =>
    canonical(Object.fromEntries(names.map((name) => [name, given[name]])), comparison) as Given;
  const differs = (name: string) => merge(only(wanted, [name]), only(live, [name]), comparison).changes.length > 0;
  const fields = Object.keys(wanted).toSorted().filter(differs);
  if (fields.length === 0) return undefined;
  const [before, body] = [only(live, fields), only(wanted, fields)];
  const { changes } = merge(body, before, comparison);
  const effect = jointEffect(kind, changes);
  return { changes, ...(effect && { effect }), before, body };
}

/** Returns the update of a repository that does not exist yet: what it will have is not known before. */
export function updateOfNew(wanted: Given, comparison: Comparison = {}): FieldUpdate {
  const body = canonical(wanted, comparison) as Given;
  return { changes: fieldsOf(body), effect: 'neutral', before: {}, body };
}

/** Returns the sent fields with the values of a response. Omitted ones are taken as stored. */
export const keptFields = (kept: Given, body: Given): Given =>
  Object.fromEntries(Object.keys(body).map((name) => [name, kept[name] === undefined ? body[name] : kept[name]]));

/** Returns the live values of fields, and of those within them. Text that is empty is null in records and “” in bodies. */
export function liveFields(record: Given, wanted: Given): Given {
  const live = (value: unknown, other: unknown) => {
    if (isObject(value) && isObject(other)) return liveFields(value, other);
    return value === null && other === '' ? '' : value;
  };
  return defined(Object.keys(wanted).map((name) => [name, live(record[name], wanted[name])]));
}

/** Returns whether a change removes an object as it was planned, which is then compared as a whole. */
export const isWholeRemoval = ({ action, sent }: PlannedChange): boolean =>
  (action === 'delete' || action === 'unset') && sent !== true;

/** Returns the live values of the fields that a change starts from or sends: a change of any other value was not planned. */
export const touchedFields = (record: Given, change: Pick<PlannedChange, 'before' | 'body'>): Given =>
  liveFields(record, touched(change.before ?? record, change.before ? (change.body ?? {}) : {}));

function touched(before: Given, body: Given): Given {
  const both = (earlier: unknown, sent: unknown) => {
    if (isObject(earlier) && isObject(sent)) return touched(earlier, sent);
    return earlier === undefined || sent === '' ? sent : earlier;
  };
  const names = new Set([...Object.keys(before), ...Object.keys(body)]);
  return Object.fromEntries([...names].map((name) => [name, both(before[name], body[name])]));
}

const defined = (fields: readonly (readonly [string, unknown])[]): Given =>
  Object.fromEntries(fields.filter(([, value]) => value !== undefined));
