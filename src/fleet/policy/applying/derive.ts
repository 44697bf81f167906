/**
 * What plans show and guards judge, derived from what each change starts from and what it sends. A saved plan may say
 * anything else.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../../../client/client.ts';
import { asText, isObject } from '../../../json/exact-json.ts';
import type { Given } from '../../../platform/validate.ts';
import { type FieldChange, fieldsOf, merge } from '../../diff.ts';
import { readAll } from '../../read-all.ts';
import type { ListedObject } from '../kinds/kind.ts';
import { kindNamed, scopeOf } from '../kinds/lookup.ts';
import { slugOfTeam } from '../kinds/people/team-names.ts';
import { isStep, type PlannedChange } from '../live/change.ts';
import { combined, type Effect, jointEffect } from '../live/effects.ts';
import type { Names } from '../live/names.ts';
import { ownerReadings } from '../live/owner-readings.ts';
import { Reader } from '../live/requests.ts';
import type { SavedPlan } from '../planning/plan-file.ts';
import { parseReference, withIds } from '../wanted/references.ts';
import { ownerOf } from '../wanted/target.ts';

interface DeriveOptions {
  readonly client: Client;
  /** The number of targets read concurrently. */
  readonly concurrency?: number | undefined;
}

/** Returns a saved plan with derived rows, effects and numbers of objects. Throws the client's errors. */
export async function derivePlan<P extends Pick<SavedPlan, 'changes'>>(
  plan: P,
  { client, concurrency }: DeriveOptions,
): Promise<P> {
  const reader = new Reader(client);
  const names = new Map<string, Names>();
  const namesFor = (target: string) => {
    const owner = ownerOf(target);
    const fields = ['id', 'name', 'full_name'];
    const known = names.get(owner) ?? ownerReadings({ reader, owner, fields, warn: () => {} }).names;
    names.set(owner, known);
    return known;
  };
  const counts = await deletable(plan.changes, reader, concurrency);
  const changes: PlannedChange[] = [];
  for (const change of plan.changes) changes.push(await derived(change, namesFor(change.target), counts(change)));
  return { ...plan, changes };
}

/**
 * Returns the changes of a saved plan with derived rows and effects, without the platform. A row is kept if it differs from the
 * request only by names in place of IDs: only the platform knows whether these are right.
 */
export async function derivedOffline(changes: readonly PlannedChange[]): Promise<readonly PlannedChange[]> {
  return Promise.all(
    changes.map(async (change) => {
      const plain = await derived(change, undefined, change.of);
      if (!differAtMostInNames(change.changes, plain.changes)) return plain;
      return plain.effect === change.effect ? change : ({ ...plain, changes: change.changes } as PlannedChange);
    }),
  );
}

/** Returns whether rows are the derived ones, at most with names in place of their IDs. */
function differAtMostInNames(rows: readonly FieldChange[], plain: readonly FieldChange[]): boolean {
  const [shown, expected] = [rows, plain].map(inOrderOfText) as [readonly TextAndIds[], readonly TextAndIds[]];
  const isNamed = (id: string, given: string | undefined) => id === given || parseReference(id) !== undefined;
  return (
    shown.length === expected.length &&
    shown.every(({ text, ids }, at) => {
      const other = expected[at];
      return text === other?.text && ids.every((id, index) => isNamed(id, other.ids[index]));
    })
  );
}

/** A change as text with the same mark in place of all IDs and references, and these. */
interface TextAndIds {
  readonly text: string;
  readonly ids: readonly string[];
}

const inOrderOfText = (changes: readonly FieldChange[]): readonly TextAndIds[] =>
  changes
    .map(({ path, ...values }) => {
      const ids: string[] = [];
      const mark = (id: unknown) => {
        ids.push(asText(id));
        return '#';
      };
      const text = JSON.stringify([path.replaceAll(idInLabel, mark), withIds(values, ({ value }) => mark(value))]);
      return { text, ids };
    })
    .toSorted((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0));

/** An ID or a reference in the label of an element, with the type of an actor. */
const idInLabel =
  /(?<=[[:])(?:(?:Team|Integration|IntegrationInstallation|RepositoryRole|User):)?(?:\d+|(?:team|app|role|user|repository):[^\]:]+)(?=[\]:])/g;

async function derived(
  change: PlannedChange,
  names: Names | undefined,
  of: number | undefined,
): Promise<PlannedChange> {
  const { effect: _effect, of: _of, ...given } = change;
  const changes = await changesOf(change, names);
  const effect = effectOf(change);
  // Only deletions and resets have a number of objects.
  return { ...given, changes, ...(effect && { effect }), ...(of !== undefined && { of }) } as PlannedChange;
}

/** Without `names`, changes have IDs. */
async function changesOf(change: PlannedChange, names: Names | undefined): Promise<readonly FieldChange[]> {
  const { kind, action, body, before, between, changes, writeOnly, secret } = change;
  if (action === 'unverified') {
    // What cannot be read has no other trace.
    const unread = changes.filter(({ path }) => path !== 'repositories' && path !== 'secret');
    return [...unread, ...unreturned(change)];
  }
  if (!isStep(change) || body === undefined) return [];
  const { inNames } = kindNamed(kind);
  const rowsOf = async (from: Given | undefined) => {
    const rows = from ? differences(change, from) : fieldsOf(body);
    return (names && (await inNames?.({ ...change, before: from } as PlannedChange, rows, names))) ?? rows;
  };
  const first = action === 'create' ? [] : await rowsOf(before ?? {});
  const second = between ? await rowsOf(between) : [];
  const changed = [...first, ...second.filter((each) => !first.some((other) => isDeepStrictEqual(each, other)))];
  // A change without differences is shown as a whole, like a creation.
  const shown = changed.length > 0 ? changed : await rowsOf(undefined);
  return action === 'create' && (writeOnly ?? secret) ? [...shown, ...unreturned(change)] : shown;
}

/** Returns the fields of a registry that responses do not have. */
function unreturned({ writeOnly, secret }: PlannedChange): readonly FieldChange[] {
  const { source: _source, ...location } = secret ?? {};
  return [
    ...(writeOnly ? [{ path: 'repositories', to: writeOnly.selected_repository_ids }] : []),
    ...(secret ? [{ path: 'secret', to: location }] : []),
  ];
}

/** Returns the changes that sending a body makes. In a plan, the body contains everything that is kept. */
function differences(change: PlannedChange, from: Given | undefined): readonly FieldChange[] {
  const { keeps: _, ...comparison } = kindNamed(change.kind).comparison(change);
  return merge(change.body, from ?? {}, { ...comparison, replacesFields: true }).changes;
}

/** Returns the effect of a change; undefined if it is unknown. */
export function effectOf(change: PlannedChange): Effect | undefined {
  const { kind, action, body = {}, before = {}, between, sent } = change;
  const declared = kindNamed(kind);
  if (action === 'create') return declared.creation(body);
  if (action === 'delete' || action === 'unset') return declared.deletion;
  if (action !== 'update') return undefined;
  if (change.new_repository) return 'neutral';
  const replaced = [before, ...(between ? [between] : [])].map((from) => differences(change, from));
  // A sent value may replace an unknown one, and an omitted value may have protected something.
  if (replaced.flat().some((each) => each.omitted || (sent && !isKnown(each)))) return 'loosens';
  // The object may have fields of both values: it is put in force only if it is in force in neither.
  const isInForce = replaced.some((changes) => !changes.some((each) => declared.activates?.(each)));
  const judged = isInForce ? { effects: declared.effects } : declared;
  return combined(replaced.map((changes) => jointEffect(judged, changes)));
}

/** Returns whether the earlier value of a field is known. New elements of a list have no earlier value. */
const isKnown = ({ path, from, to }: FieldChange): boolean =>
  from === undefined ? path.endsWith(']') : covers(from, to);

/** Returns whether a value has all fields of another, also of the elements that lists have in the same place. */
const covers = (value: unknown, other: unknown): boolean =>
  Array.isArray(other) && Array.isArray(value)
    ? other.slice(0, value.length).every((each, at) => covers(value[at], each))
    : !isObject(other) ||
      (isObject(value) &&
        Object.entries(other).every(([name, each]) => Object.hasOwn(value, name) && covers(value[name], each)));

type NamedObject = Pick<ListedObject, 'name'> & Partial<ListedObject>;

/**
 * Returns how many objects the scope of a deletion has: 0 for an object that is gone already, and undefined if that is not
 * known. An object whose name comes from a rename of the plan is not gone. Only what is listed counts: a plan may have any
 * number of deletions that are never made.
 */
async function deletable(
  changes: readonly PlannedChange[],
  reader: Reader,
  concurrency: number | undefined,
): Promise<(change: PlannedChange) => number | undefined> {
  const deletions = changes.filter(({ action }) => action === 'delete' || action === 'unset');
  const mayBeRenamed = namesToBe(changes);
  const groups = Map.groupBy(deletions, (change) => `${change.kind} ${scopeOf(change)}`);
  const read = async ([, group]: [string, PlannedChange[]]) => {
    const [{ kind, target }] = group as [PlannedChange];
    const all = await kindNamed(kind).listed?.(target, reader.forTask(), group, changes);
    if (!all || 'unreadable' in all) return [];
    const isListed = findIn(all.value);
    return group.flatMap((change): readonly (readonly [PlannedChange, number])[] => {
      if (isListed(change)) return [[change, all.value.length]];
      return mayBeRenamed(change) ? [] : [[change, 0]];
    });
  };
  const counts = new Map<PlannedChange, number>();
  for await (const counted of readAll(groups, read, concurrency))
    for (const [change, count] of counted) counts.set(change, count);
  return (change) => counts.get(change);
}

/** Returns a function that returns whether the name of the object of a change, or of the team in it, comes from a rename of the plan. */
function namesToBe(changes: readonly PlannedChange[]): (change: PlannedChange) => boolean {
  const keyOf = ({ kind, target, name }: Pick<PlannedChange, 'kind' | 'target' | 'name'>) =>
    `${kind} ${target} ${kind === 'team' ? slugOfTeam(name) : name}`.toLowerCase();
  const names = new Set(
    changes.flatMap(({ action, kind, target, body }) =>
      action === 'update' && typeof body.name === 'string' ? [keyOf({ kind, target, name: body.name })] : [],
    ),
  );
  return (change) => {
    const { team } = kindNamed(change.kind).peopleIn?.(change) ?? {};
    return (
      names.has(keyOf(change)) ||
      (team !== undefined && names.has(keyOf({ kind: 'team', target: ownerOf(change.target), name: team })))
    );
  };
}

/** Returns a function that returns whether the object of a change is listed: by its ID, or else by its name. */
function findIn(listed: readonly NamedObject[]): (change: PlannedChange) => boolean {
  // Platforms find objects by the text of an ID, and may ignore case.
  const ids = new Set(listed.map(({ id }) => asText(id).toLowerCase()));
  const names = new Set(listed.map(({ name }) => name.toLowerCase()));
  return ({ id, name }) => {
    if (id !== undefined) return ids.has(asText(id).toLowerCase());
    const planned = name.toLowerCase();
    // The ID may follow, and the plan of a registry may have its own name for it.
    return names.has(planned) || names.has(planned.replace(/ \([^(]*\)$/, ''));
  };
}
