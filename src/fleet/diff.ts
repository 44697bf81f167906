/**
 * Merges a wanted value over a live one, and returns the changes and the merged value. Pure and independent of the
 * platform.
 */
import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, ownMember } from '../json/exact-json.ts';

/** How the values of a kind compare. Paths are dotted and skip positions in lists, as `rules.parameters.workflows`. */
export interface Comparison {
  /** Paths of lists without a meaningful order. */
  readonly sets?: readonly string[];
  /** The fields that identify an element of such a list; one without any of them is identified by its whole value. */
  readonly identity?: Readonly<Record<string, readonly string[]>>;
  /** Fields of which an object has at most one: wanting one drops the others. */
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
  /** Returns whether an unwanted element is kept anyway, because this version does not know it. */
  readonly keeps?: (path: string, element: unknown) => boolean;
  /** True if the wanted value replaces each field as a whole: anything that it omits within a field is removed. */
  readonly replacesFields?: true;
  /** Returns whether a change is made; for others, the live value stays (default: all changes). */
  readonly allows?: (change: FieldChange) => boolean;
}

/** A difference. Without `from` the value is added, without `to` removed. */
export interface FieldChange {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
  /** True for a value that is removed only because the wanted value omits it. */
  readonly omitted?: true;
}

/** Returns the fields of a new value as changes. */
export const fieldsOf = (value: JsonObject): readonly FieldChange[] =>
  Object.entries(value).map(([path, to]) => ({ path, to }));

export interface Merged {
  /** The live value with all wanted values; unmanaged fields are carried over. */
  readonly value: unknown;
  readonly changes: readonly FieldChange[];
}

/** Merges the wanted value over the live one. Returns the result in canonical form, and the changes sorted by path. */
export function merge(wanted: unknown, live: unknown, comparison: Comparison = {}): Merged {
  const current = canonical(live, comparison);
  const target = canonical(wanted, comparison);
  // Most objects are as they should be.
  if (isDeepStrictEqual(target, current)) return { value: current, changes: [] };
  const merged = mergeAt('', '', target, current, comparison);
  if (merged.changes.length === 0) return { value: current, changes: [] };
  return { value: canonical(merged.value, comparison), changes: merged.changes.toSorted(byPath) };
}

/** Objects in canonical form, which need not be converted again. */
const known = new WeakMap<object, Comparison>();

/** Returns a value with sorted keys and sorted sets: the same for any order of responses and files. */
export function canonical(value: unknown, comparison: Comparison = {}): unknown {
  if (isObject(value) && known.get(value) === comparison) return value;
  const result = canonicalAt('', value, comparison);
  if (isObject(result)) known.set(result, comparison);
  return result;
}

function canonicalAt(path: string, value: unknown, comparison: Comparison): unknown {
  if (Array.isArray(value)) {
    const elements = value.map((element) => canonicalAt(path, element, comparison));
    return comparison.sets?.includes(path) && elements.length > 1 ? elements.toSorted(byText) : elements;
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.keys(value)
      .toSorted()
      .map((key) => [key, canonicalAt(joined(path, key), value[key], comparison)]),
  );
}

/** `path` is the declared path; `shown` names elements too: `rules[pull_request].parameters`. */
function mergeAt(path: string, shown: string, wanted: unknown, live: unknown, comparison: Comparison): Merged {
  if (isObject(wanted) && isObject(live)) return mergeObjects(path, shown, wanted, live, comparison);
  if (Array.isArray(wanted) && Array.isArray(live)) {
    if (comparison.sets?.includes(path)) return mergeSets(path, shown, wanted, live, comparison);
    return mergeLists(path, shown, wanted, live, comparison);
  }
  if (isDeepStrictEqual(wanted, live)) return { value: live, changes: [] };
  return replaced(shown, live, wanted, comparison);
}

function replaced(path: string, from: unknown, to: unknown, { allows }: Comparison): Merged {
  const change = { path, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  return allows?.(change) === false ? { value: from, changes: [] } : { value: to, changes: [change] };
}

function mergeObjects(
  path: string,
  shown: string,
  wanted: JsonObject,
  live: JsonObject,
  comparison: Comparison,
): Merged {
  const rivals = ownMember(comparison.alternatives ?? {}, path) ?? [];
  const isDropped = (key: string) =>
    rivals.includes(key) && !Object.hasOwn(wanted, key) && rivals.some((rival) => Object.hasOwn(wanted, rival));
  const changes: FieldChange[] = [];
  const members = new Map(Object.entries(live));
  const take = (key: string, merged: Merged) => {
    if (merged.value === undefined) members.delete(key);
    else members.set(key, merged.value);
    for (const change of merged.changes) changes.push(change);
  };
  for (const key of Object.keys(live).filter(isDropped))
    take(key, replaced(joined(shown, key), live[key], undefined, comparison));
  if (comparison.replacesFields && path !== '')
    for (const [key, from] of members) {
      if (!Object.hasOwn(wanted, key))
        take(key, { value: undefined, changes: [{ path: joined(shown, key), from, omitted: true }] });
    }
  for (const [key, value] of Object.entries(wanted))
    take(key, mergeAt(joined(path, key), joined(shown, key), value, ownMember(live, key), comparison));
  return { value: Object.fromEntries(members), changes };
}

/** The comparison without restrictions, to tell whether elements differ at all. */
const whole = ({ allows: _, ...comparison }: Comparison): Comparison => comparison;

/** Lists of the same length merge by position, so that fields of their elements that are not managed stay. */
function mergeLists(
  path: string,
  shown: string,
  wanted: readonly unknown[],
  live: readonly unknown[],
  comparison: Comparison,
): Merged {
  const merged = wanted.map((element, at) => mergeAt(path, shown, element, live[at], whole(comparison)));
  const isSame = wanted.length === live.length && merged.every(({ changes }) => changes.length === 0);
  if (isSame) return { value: live, changes: [] };
  const to = wanted.length === live.length ? merged.map(({ value }) => value) : wanted;
  const { value, changes } = replaced(shown, live, to, comparison);
  const omits = merged.some(({ changes: within }) => within.some(({ omitted }) => omitted));
  return { value, changes: omits ? changes.map((change) => ({ ...change, omitted: true })) : changes };
}

function mergeSets(
  path: string,
  shown: string,
  wanted: readonly unknown[],
  live: readonly unknown[],
  comparison: Comparison,
): Merged {
  const left = [...live];
  const changes: FieldChange[] = [];
  const partners = partnersOf(path, wanted, left, whole(comparison));
  const value: unknown[] = [];
  const take = (merged: Merged) => {
    if (merged.value !== undefined) value.push(merged.value);
    for (const change of merged.changes) changes.push(change);
  };
  const label = (element: unknown) => `${shown}[${labelOf(path, element, comparison)}]`;
  for (const [at, element] of wanted.entries()) {
    const partner = partners.get(at);
    if (partner) take(mergeAt(path, label(element), element, partner.live, comparison));
    else take(replaced(label(element), undefined, element, comparison));
  }
  for (const element of left) {
    if (comparison.keeps?.(path, element)) value.push(element);
    else take(replaced(label(element), element, undefined, comparison));
  }
  return { value, changes };
}

/**
 * Finds the live element of each wanted one, and takes it out of `left`: elements that need no change first, then those
 * with the same identity.
 */
function partnersOf(
  path: string,
  wanted: readonly unknown[],
  left: unknown[],
  comparison: Comparison,
): ReadonlyMap<number, { readonly live: unknown }> {
  const partners = new Map<number, { readonly live: unknown }>();
  const tests = [
    (element: unknown, other: unknown) => isDeepStrictEqual(element, other),
    (element: unknown, other: unknown) =>
      isSameElement(path, element, other, comparison) &&
      mergeAt(path, '', element, other, comparison).changes.length === 0,
    (element: unknown, other: unknown) => isSameElement(path, element, other, comparison),
  ];
  for (const isPartner of tests) {
    for (const [at, element] of wanted.entries()) {
      if (partners.has(at)) continue;
      const index = left.findIndex((other) => isPartner(element, other));
      if (index === -1) continue;
      partners.set(at, { live: left[index] });
      left.splice(index, 1);
    }
  }
  return partners;
}

/** Identity fields that are not wanted are not managed: a check without an app matches any app. */
function isSameElement(path: string, wanted: unknown, live: unknown, { identity }: Comparison): boolean {
  if (!isObject(wanted) || !isObject(live)) return false;
  const fields = (ownMember(identity ?? {}, path) ?? []).filter((field) => Object.hasOwn(wanted, field));
  return fields.length > 0 && fields.every((field) => isDeepStrictEqual(wanted[field], live[field]));
}

function labelOf(path: string, element: unknown, { identity }: Comparison): string {
  if (!isObject(element)) return typeof element === 'string' ? element : JSON.stringify(element);
  const values = (ownMember(identity ?? {}, path) ?? [])
    .map((field) => element[field])
    .filter((value) => value !== undefined);
  if (values.length === 0) return JSON.stringify(element);
  return values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(':');
}

/** Returns the path of a change without the labels of elements, or that of a problem without positions. */
export const withoutLabels = (path: string): string => path.replaceAll(/\[[^\]]*\]/g, '');

const joined = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const byText = (a: unknown, b: unknown): number => compareText(JSON.stringify(a), JSON.stringify(b));

const byPath = (a: FieldChange, b: FieldChange): number =>
  compareText(a.path, b.path) || byText(a.from ?? null, b.from ?? null) || byText(a.to ?? null, b.to ?? null);
