/**
 * The access that endpoints require: the permission map joined with the declarations. Declared endpoints also have
 * scopes, roles and token kinds; endpoints found only in the map have just a permission.
 */
import * as v from 'valibot';
import type { Declaration, Endpoint, Method, Route } from './endpoint.ts';
import { allEndpoints, endpointsByRoute } from './endpoints/index.ts';
import { type Level, permissionMap } from './permission-map.ts';

type Access = Pick<
  Declaration,
  'permission' | 'scopes' | 'role' | 'tokens' | 'asApp' | 'anonymous' | 'editions' | 'closingDown'
>;

export interface Requirements extends Access {
  readonly route: Route;
  readonly method: Method;
  /** The path template with `{parameters}`, `<alerts>`, `<assistant>` and `<vendor>`. */
  readonly path: string;
  /** The specification's (*): the endpoint requires several permissions or a different one. */
  readonly marked: boolean;
  /** False for endpoints found only in the map, whose scopes, role, token kinds and editions are unknown. */
  readonly declared: boolean;
}

/** The platform's own segments in paths. */
export interface PlatformWords {
  readonly vendor: string;
  readonly alertsSegment: string;
}

export interface Permission {
  readonly permission: string;
  readonly level: Level;
}

/** Parses the platform's header syntax into alternative sets of permissions; all permissions of a set are required. */
export function permissionSets(text: string): readonly (readonly Permission[])[] {
  return text.split(';').map((set) =>
    set.split(',').map((pair) => {
      const [permission = '', level = 'read'] = pair.trim().split('=');
      return { permission, level: level as Level };
    }),
  );
}

interface MapEntry {
  readonly permission: string;
  readonly marked: boolean;
}

/** The permission map by route. A route in several groups requires any one of their permissions. */
const mappedRoutes = readMap();

function readMap(): Map<Route, MapEntry> {
  const routes = new Map<Route, MapEntry>();
  for (const { permission, level, endpoints } of permissionMap)
    for (const line of endpoints) {
      const [, methods = '', path = '', mark] = /^([A-Z ]+) (\/\S*)( \(\*\))?$/.exec(line) ?? [];
      for (const method of methods.split(' ')) {
        const route = `${method} ${path}` as Route;
        const other = routes.get(route);
        const one = `${permission}=${level}`;
        routes.set(route, {
          permission: other ? `${other.permission}; ${one}` : one,
          marked: mark !== undefined || other !== undefined,
        });
      }
    }
  return routes;
}

/** All known requirements: the map in its order, then endpoints that are only declared, sorted by path. */
export const allRequirements: readonly Requirements[] = [
  ...[...mappedRoutes.keys()].map(requirementsOf),
  ...allEndpoints
    .filter(({ route }) => !mappedRoutes.has(route))
    .map(({ route }) => requirementsOf(route))
    .sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0)),
];

function requirementsOf(route: Route): Requirements {
  const [method, path] = route.split(' ') as [Method, string];
  const mapped = mappedRoutes.get(route);
  const endpoint = endpointsByRoute.get(route);
  const access: Access = endpoint ? accessOf(endpoint) : { permission: mapped?.permission };
  const several = /[,;]/.test(access.permission ?? '');
  return {
    route,
    method,
    path,
    ...access,
    marked: several || (mapped?.marked ?? false),
    declared: endpoint !== undefined,
  };
}

function accessOf({ permission, scopes, role, tokens, asApp, anonymous, editions, closingDown }: Endpoint): Access {
  return { permission, scopes, role, tokens, asApp, anonymous, editions, closingDown };
}

/**
 * Returns the access that a request requires; undefined for unknown endpoints.
 *
 * @param method in any case; HEAD requires the same access as GET
 * @param path a real path or a template, with or without base URL, `/api/v3` and query; literal segments take
 * precedence over parameters, so `…/private-registries/public-key` never matches a secret's name
 */
export function requirementsFor(
  method: string,
  path: string,
  words: Partial<PlatformWords> = {},
): Requirements | undefined {
  const given = segmentsOf(path);
  const wanted = method.toUpperCase().replace('HEAD', 'GET');
  let best: Requirements | undefined;
  for (const candidate of allRequirements)
    if (candidate.method === wanted && matches(candidate, given, words) && (!best || isCloser(candidate, best)))
      best = candidate;
  return best;
}

/** Returns a path relative to the base URL. */
export const pathBelow = (path: string): string => `/${segmentsOf(path).join('/')}`;

/**
 * Returns every endpoint with the values from `path` in its parameters, to find the closest match for an unknown
 * request.
 */
export function readingsOf(
  path: string,
  words: PlatformWords,
): readonly { readonly reading: string; readonly requirements: Requirements }[] {
  const given = segmentsOf(path);
  return allRequirements.map((requirements) => {
    const { route, method } = requirements;
    const segments = segmentsOf(requirements.path).map((segment, index) => {
      const value = given[index];
      const fits = value !== undefined && isParameter(segment) && takes(route, segment.slice(1, -1), value);
      return fits ? value : segment;
    });
    return { reading: `${method} /${spelledPath(segments.join('/'), words)}`, requirements };
  });
}

/** Returns the segments of a path relative to the base URL. */
function segmentsOf(path: string): readonly string[] {
  const pathname = path.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/, '');
  return pathname
    .replace(/^\/?api\/v3(?=\/|$)/i, '')
    .split('/')
    .filter((segment) => segment !== '');
}

const isParameter = (segment: string) => segment.startsWith('{');

function matches(candidate: Requirements, given: readonly string[], words: Partial<PlatformWords>): boolean {
  const template = segmentsOf(candidate.path);
  if (template.length !== given.length) return false;
  return template.every((segment, index) => {
    const typed = given[index] as string;
    if (isParameter(segment)) return isParameter(typed) || takes(candidate.route, segment.slice(1, -1), typed);
    return spellings(segment, words).some((spelling) => spelling.toLowerCase() === typed.toLowerCase());
  });
}

/**
 * Returns whether a path parameter accepts a value; enumerations accept only their own words, so that they do not
 * match every path.
 */
function takes(route: Route, name: string, value: string): boolean {
  const schema = endpointsByRoute.get(route)?.path?.[name] as v.GenericSchema | undefined;
  return !schema || v.is(schema, value) || v.is(schema, Number(value));
}

/** Returns all spellings of a segment with a placeholder. */
function spellings(segment: string, { vendor = 'github', alertsSegment = 'dependabot' }: Partial<PlatformWords>) {
  if (!segment.includes('<')) return [segment];
  const all = [segment, segment.replace('<alerts>', 'depalerts'), segment.replace('<alerts>', 'dependabot')];
  return [...all, spelledPath(segment, { vendor, alertsSegment })];
}

/** Returns a path with the platform's own segments. */
export function spelledPath(path: string, { vendor, alertsSegment }: PlatformWords): string {
  return path.replaceAll('<alerts>', alertsSegment).replaceAll('<assistant>', 'copilot').replaceAll('<vendor>', vendor);
}

/** Returns whether `one` has a literal segment at the first position where only one of the two does. */
function isCloser(one: Requirements, other: Requirements): boolean {
  const kinds = ({ path }: Requirements) =>
    segmentsOf(path)
      .map((segment) => (isParameter(segment) ? 1 : 0))
      .join('');
  return kinds(one) < kinds(other);
}
