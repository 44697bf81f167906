/**
 * The one way to declare a kind of thing that has a life on the platform: whose it is, what can be done with it, and how
 * its records differ from the bodies that create and update them. What can be written is what those bodies declare.
 */
import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { isObject } from '../json/exact-json.ts';
import type { Endpoint, PagedEndpoint, Route } from './endpoint.ts';
import { type Given, joinPath } from './validate.ts';

/** The path parameters that name an owner. */
interface OwnerPaths {
  readonly repository: { readonly owner: string; readonly repo: string };
  readonly organization: { readonly org: string };
  readonly enterprise: { readonly enterprise: string };
  readonly user: { readonly user_id: string };
  /** Whoever the token belongs to. */
  readonly caller: Readonly<Record<string, never>>;
}

type OwnerKind = keyof OwnerPaths;

/** What can be done with the resources of one owner. Where there is neither list nor creation, the owner has just one. */
export interface Operations {
  readonly list?: PagedEndpoint;
  readonly get?: Endpoint;
  readonly create?: Endpoint;
  readonly update?: Endpoint;
  /** Removes what is set at this owner; the thing itself stays. */
  readonly unset?: Endpoint;
  readonly delete?: Endpoint;
}

export type Owners = { readonly [K in OwnerKind]?: Operations };

export interface ResourceDeclaration {
  readonly owners: Owners;
  /** The members that, together, tell one apart from all others of its owner, on any platform. */
  readonly key?: readonly string[];
  /** Set by the platform alone, beside what `isSetEverywhere` names. */
  readonly readOnly?: readonly string[];
  /** Null in a record that has none, and left out of a body then. Text is cleared instead, where it may be empty. */
  readonly nullable?: readonly string[];
  /** Gives the members that a record has in another form than a body theirs. What is a body already stays as it is. */
  readonly toBody?: (record: Given) => Given;
  /** Sent, but missing from responses. */
  readonly writeOnly?: readonly string[];
  /** Missing from responses to those who may read the record, but not change it: missing does not mean empty. */
  readonly restricted?: readonly string[];
  /** The paths of lists whose order means nothing, such as `rules.parameters.workflows`. */
  readonly sets?: readonly string[];
}

type KindOf<P> = { [K in OwnerKind]: P extends OwnerPaths[K] ? K : never }[OwnerKind];

export interface Resource<O extends Owners> extends ResourceDeclaration {
  readonly owners: O;
  /** Returns what can be done with the resources of this owner; of one that is not known (null), of an organization. */
  of<P extends OwnerPaths[OwnerKind & keyof O] | null>(owner: P): O[KindOf<NonNullable<P>> & keyof O];
  /** Returns the routes of an operation, one for each kind of owner that has it. */
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

/** Returns whether a member is an id, a link, a time or a count, which no body takes. */
export const isSetEverywhere = (name: string): boolean => /^(?:id|node_id|url|_links|.+_(?:url|at|count))$/.test(name);

/**
 * Takes the body of an endpoint out of a record as the platform returns it: without what only the platform sets, what
 * only other endpoints of the resource take, and the null that stands for none. What is a body already stays as it is.
 * `ignored` names the members that are left out.
 */
export function bodyOfRecord(
  { owners, readOnly = [], nullable = [], toBody = (given) => given }: ResourceDeclaration,
  { route, body }: Pick<Endpoint, 'route' | 'body'>,
  record: Given,
): { readonly body: Given; readonly ignored: readonly string[] } {
  // Each record has an id, a link or a time. Without any it is a body, and sent as it was written.
  if (!Object.keys(record).some(isSetEverywhere)) return { body: record, ignored: [] };
  const fields = fieldsOf(body);
  const fieldsOfOthers = new Set(
    Object.values(owners).flatMap(({ create, update }) => [
      ...fieldsOf(create?.body).keys(),
      ...fieldsOf(update?.body).keys(),
    ]),
  );
  const ignored: string[] = [];
  const members = Object.entries(toBody(record)).flatMap(([name, value]): [string, unknown][] => {
    const schema = fields.get(name);
    const isCleared = value === null && schema !== undefined && !v.is(schema, null) && v.is(schema, '');
    if (isCleared) return route.startsWith('POST ') ? [] : [[name, '']];
    const isIgnored = schema
      ? value === null && nullable.includes(name)
      : readOnly.includes(name) || isSetEverywhere(name) || fieldsOfOthers.has(name);
    if (!isIgnored) return [[name, value]];
    ignored.push(name);
    return [];
  });
  // fromEntries defines members, so that one named `__proto__` stays a member.
  return { body: Object.fromEntries(members), ignored };
}

const fieldsOf = (body: Endpoint['body']): ReadonlyMap<string, v.GenericSchema> =>
  new Map(Object.entries((body?.entries ?? {}) as Readonly<Record<string, v.GenericSchema>>));

/** Returns whether what two records of a resource have at a path is the same. The lists among `sets` are, in whatever order. */
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
