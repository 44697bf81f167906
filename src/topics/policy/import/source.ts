/** What formats share when they read the files of other tools. */
import { elements, members, type Place, type Placed, textOf, withParts } from '../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../json/exact-json.ts';
import { joinPath } from '../../../platform/validate.ts';

/** Receives a part of a source that policies cannot express, with the reason; `shown` stands for a value that may be secret. */
export type Lose = (part: Placed, reason: string, shown?: unknown) => void;

/** Rejects the sources: nothing is written, and all such problems are one message. */
export type Refuse = (part: Placed, message: string) => void;

/** The reason for a key that the tool does not have; the report adds its name. */
export const unknownKey = 'has no such key';

/** The message about sources that name no organization. */
export const noOrganization = 'does not specify an organization: add --organization ORG';

/** A value for a place in a policy, such as `['settings', 'has_wiki']` or `['rulesets', 'Guard']`. */
export interface Item {
  readonly path: readonly string[];
  readonly value: Placed;
}

/** A value with a comment for the file to which it is written. */
export interface Commented extends Placed {
  readonly comment?: string | undefined;
}

export const commented = (part: Placed, comment: string): Commented => ({ ...part, comment });

/** Returns a value of the importer itself, all at one position. */
export function placedAt(value: unknown, place: Place): Placed {
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : [];
  return { value, place, parts: new Map(entries.map(([key, part]) => [key, placedAt(part, place)])) };
}

/** Returns a mapping of parts that may have positions of their own. */
export const mappingAt = (place: Place, parts: Iterable<readonly [string, Placed]>): Placed =>
  withParts(placedAt({}, place), parts);

/** Returns a list of parts that may have positions of their own. */
export const listAt = (place: Place, parts: readonly Placed[]): Placed =>
  withParts(placedAt([], place), parts.entries());

/** The position of what no source has. */
export const nowhere: Place = { file: '', line: 1, column: 1 };

/** A value without parts: a scalar, or an empty mapping or list. */
export interface Leaf {
  readonly path: readonly (string | number)[];
  readonly part: Placed;
}

/** Returns the leaves of a value, in its order. */
export function leavesOf(part: Placed, path: readonly (string | number)[] = []): readonly Leaf[] {
  if (part.parts.size === 0) return [{ path, part }];
  return [...part.parts].flatMap(([key, each]) => leavesOf(each, [...path, key]));
}

export const pathText = (path: readonly (string | number)[]): string =>
  path.reduce<string>((text, key) => joinPath(text, key), '');

/** Returns the keys that rows of a table have at a path: its end is a dot. */
export const keysAt = (path: string, rows: readonly { readonly key: string }[]): ReadonlySet<string> =>
  new Set(rows.flatMap(({ key }) => (key.startsWith(path) ? (key.slice(path.length).split(/[.[]/, 1)[0] ?? []) : [])));

/** Returns a table for keys of sources: a name of every object, such as `constructor`, is not in it. */
export const byName = <T>(table: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.assign(Object.create(null) as Record<string, T>, table);

/** Returns the members of a mapping that may be empty, and refuses anything else. */
export function requiredMembers(mapping: Placed, refuse: Refuse): readonly (readonly [string, Placed])[] {
  if (mapping.value !== null && !isObject(mapping.value)) refuse(mapping, 'must be a mapping');
  return members(mapping);
}

/** Returns the elements of a list that are mappings with a name. */
export function namedIn(list: Placed | undefined, key: string, lose: Lose): readonly Placed[] {
  if (!list || list.value === null) return [];
  if (!Array.isArray(list.value)) {
    lose(list, 'must be a list');
    return [];
  }
  return elements(list).filter((element) => {
    const name = textOf(element, key);
    if (name !== undefined && name !== '') return true;
    lose(element, `must have a ${key}`);
    return false;
  });
}

/** Returns the content of a block of Terraform, a mapping or a list of one, and reports others; undefined if there is none. */
export function blockIn(part: Placed | undefined, lose: Lose): Placed | undefined {
  const [first, ...others] = part && Array.isArray(part.value) ? elements(part) : [part];
  for (const other of others) if (other) lose(other, 'must be one block');
  if (!first || first.value === null) return undefined;
  if (isObject(first.value)) return first;
  lose(first, 'must be a block');
  return undefined;
}
