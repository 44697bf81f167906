/**
 * Declares resources: their owners and operations, and the differences between their records and the bodies that
 * create and update them. The writable fields are those of the bodies.
 */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isObject } from '../json/exact-json.ts';
import type { Endpoint, PagedEndpoint, Route } from './endpoint.ts';
import { type Given, joinPath } from './validate.ts';

/** The path parameters that identify an owner. */
interface OwnerPaths {
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly organization: { readonly org: string };
  readonly enterprise: { readonly enterprise: string };
  readonly user: { readonly user_id: string };
  /** The token's owner. */
  readonly caller: Readonly<Record<string, never>>;
}

type OwnerKind = keyof OwnerPaths;

/** The operations on the resources of one owner. An owner without `list` and `create` has exactly one resource. */
export interface Operations {
  readonly list?: PagedEndpoint;
  readonly get?: Endpoint;
  readonly create?: Endpoint;
  readonly update?: Endpoint;
  /** Removes the owner's setting but keeps the resource itself. */
  readonly unset?: Endpoint;
  readonly delete?: Endpoint;
}

export type Owners = { readonly [K in OwnerKind]?: Operations };

export interface ResourceDeclaration {
  readonly owners: Owners;
  /** The fields that together identify a resource among those of its owner, on any platform. */
  readonly key?: readonly string[];
  /** Fields that only the platform sets, in addition to those of `isSetEverywhere`. */
  readonly readOnly?: readonly string[];
  /** Fields whose null is omitted from a body. Text that may be empty is cleared instead. */
  readonly nullable?: readonly string[];
  /**
   * Converts fields whose form differs between record and body. Fields already in the form of the body stay unchanged.
   */
  readonly toBody?: (record: Given) => Given;
  /**
   * Returns whether a record belongs to the owner itself and not to its parents; undefined if the record does not show
   * it.
   */
  readonly isOwn?: (record: Given, owner: Readonly<Record<string, string>>) => boolean | undefined;
  /** The query of the list that returns the owner's own objects only. */
  readonly ownQuery?: Given;
  /** Returns whether a switch is on. It has no body: an update turns it on, a deletion off, and 404 means off. */
  readonly isOn?: (record: Given) => boolean;
  /** True if an update creates an object that does not exist. */
  readonly updateCreates?: true;
  /** Fields of bodies that responses omit. */
  readonly writeOnly?: readonly string[];
  /** Paths of lists without a meaningful order, such as `rules.parameters.workflows`. */
  readonly sets?: readonly string[];
  /** The fields that identify an element of such a list, by its path. Other elements are identified by their value. */
  readonly identity?: Readonly<Record<string, readonly string[]>>;
  /** Mutually exclusive fields of the object at a path. */
  readonly alternatives?: Readonly<Record<string, readonly string[]>>;
}

type KindOf<P> = { [K in OwnerKind]: P extends OwnerPaths[K] ? K : never }[OwnerKind];

export interface Resource<O extends Owners> extends ResourceDeclaration {
  readonly owners: O;
  /** Returns the operations on this owner's resources; null, for an unknown owner, returns those of an organization. */
  of<P extends OwnerPaths[OwnerKind & keyof O] | null>(owner: P): O[KindOf<NonNullable<P>> & keyof O];
  /** Returns the routes of an operation, one per kind of owner that supports it. */
  routes(operation: keyof Operations): readonly Route[];
}

export function resource<const O extends Owners>(
  declaration: ResourceDeclaration & { readonly owners: O },
): Resource<O> {
  const owners: Owners = declaration.owners;
  return {
    ...declaration,
    of: (owner) => owners[kindOf(owner)] as never,
    routes: (operation) => Object.values(owners).flatMap(({ [operation]: endpoint }) => endpoint?.route ?? []),
  };
}

function kindOf(owner: OwnerPaths[OwnerKind] | null): OwnerKind {
  if (owner === null) return 'organization';
  if ('repo' in owner) return 'repository';
  if ('enterprise' in owner) return 'enterprise';
  if ('user_id' in owner) return 'user';
  return 'org' in owner ? 'organization' : 'caller';
}

/** Returns whether a field is an ID, a link, a time or a count, which no body accepts. */
export const isSetEverywhere = (name: string): boolean => /^(?:id|node_id|url|_links|.+_(?:url|at|count))$/.test(name);

/**
 * Converts a record returned by the platform to the body of an endpoint: drops read-only fields, fields of other
 * endpoints, and null for fields without a value. A value that is already a body stays unchanged. `ignored` lists the
 * dropped fields.
 */
export function bodyOfRecord(
  { owners, readOnly = [], nullable = [], toBody = (given) => given }: ResourceDeclaration,
  { route, body }: Pick<Endpoint, 'route' | 'body'>,
  record: Given,
): { readonly body: Given; readonly ignored: readonly string[] } {
  // Every record has an ID, a link or a time. A value without any of them is a body, which is sent unchanged.
  if (!Object.keys(record).some(isSetEverywhere)) return { body: record, ignored: [] };
  const fields = fieldsOf(body);
  const isOfOther = (name: string) =>
    Object.values(owners).some(({ create, update }) =>
      [create, update].some((other) => Object.hasOwn(other?.body?.entries ?? {}, name)),
    );
  const ignored: string[] = [];
  const members = Object.entries(toBody(record)).flatMap(([name, value]): [string, unknown][] => {
    const schema = fields.get(name);
    const isCleared = value === null && schema !== undefined && !v.is(schema, null) && v.is(schema, '');
    if (isCleared) return route.startsWith('POST ') ? [] : [[name, '']];
    const isIgnored = schema
      ? value === null && nullable.includes(name)
      : readOnly.includes(name) || isSetEverywhere(name) || isOfOther(name);
    if (!isIgnored) return [[name, value]];
    ignored.push(name);
    return [];
  });
  // fromEntries keeps a field named `__proto__` a plain field.
  return { body: Object.fromEntries(members), ignored };
}

/** By body: an export converts thousands of records. */
const knownFields = new WeakMap<object, ReadonlyMap<string, v.GenericSchema>>();

function fieldsOf(body: Endpoint['body']): ReadonlyMap<string, v.GenericSchema> {
  const entries = (body?.entries ?? {}) as Readonly<Record<string, v.GenericSchema>>;
  const fields = knownFields.get(entries) ?? new Map(Object.entries(entries));
  knownFields.set(entries, fields);
  return fields;
}

/** Returns whether two records have the same value at a path. Lists in `sets` are compared without regard to order. */
export function isSame(path: string, a: unknown, b: unknown, sets: readonly string[] = []): boolean {
  if (isObject(a) && isObject(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].every((name) => isSame(joinPath(path, name), a[name], b[name], sets));
  }
  if (!Array.isArray(a) || !Array.isArray(b)) return isDeepStrictEqual(a, b);
  if (a.length !== b.length) return false;
  if (!sets.includes(path)) return a.every((element, index) => isSame(path, element, b[index], sets));
  const others = [...b];
  return a.every((element) => {
    const index = others.findIndex((other) => isSame(path, element, other, sets));
    if (index !== -1) others.splice(index, 1);
    return index !== -1;
  });
}
