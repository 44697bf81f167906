/**
 * What endpoints need of a token: the permission map joined with what endpoints declare of themselves. An endpoint that
 * is declared tells scopes, roles and token kinds as well; one that is only in the map tells its permission.
 */
import * as v from 'valibot';
import type { Declaration, Endpoint, Method, Route } from './endpoint.ts';
import { allEndpoints, endpointsByRoute } from './endpoints/index.ts';
import { type Level, permissionMap } from './permission-map.ts';

type Access = Pick<Declaration, 'permission' | 'scopes' | 'role' | 'tokens' | 'anonymous' | 'editions' | 'closingDown'>;

export interface Requirements extends Access {
  readonly route: Route;
  readonly method: Method;
  /** With `{parameters}`, and `<alerts>`, `<assistant>` and `<vendor>` for the platform's own words. */
  readonly path: string;
  /** The specification's (*): the endpoint needs several permissions, or takes a different one. */
  readonly marked: boolean;
  /** False where only the map names the endpoint: then scopes, role, token kinds and editions are not known. */
  readonly declared: boolean;
}

/** The platform's own words inside paths. */
export interface PlatformWords {
  readonly vendor: string;
  readonly alertsSegment: string;
}

export interface Permission {
  readonly permission: string;
  readonly level: Level;
}

/** Reads the platform's header syntax: alternatives, each of them a set of which all are needed. */
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

/** The permission map by route. A route that several groups name takes either permission. */
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

/** Everything that is known: the map in its order, then the endpoints that only declare themselves, by path. */
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

function accessOf({ permission, scopes, role, tokens, anonymous, editions, closingDown }: Endpoint): Access {
  return { permission, scopes, role, tokens, anonymous, editions, closingDown };
}

/**
 * What a request needs of a token; undefined where neither the map nor a declaration knows the endpoint.
 *
 * @param method in any case; HEAD needs what GET does
 * @param path as it is sent or as a template, with or without base URL, `/api/v3` and query; a literal segment goes before
 * a parameter, so `…/private-registries/public-key` is never taken for a secret's name
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

/** A path as it stands below the base URL. */
export const pathBelow = (path: string): string => `/${segmentsOf(path).join('/')}`;

/**
 * Every endpoint as it reads with the values of `path` in its parameters: what a request that is not known is compared
 * with, to find the one that was meant.
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

/** The segments of a path below the base URL. */
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

/** Whether a path parameter takes a value: one of a few words takes no other, so that it does not swallow every path. */
function takes(route: Route, name: string, value: string): boolean {
  const schema = endpointsByRoute.get(route)?.path?.[name] as v.GenericSchema | undefined;
  return !schema || v.is(schema, value) || v.is(schema, Number(value));
}

/** All ways to write a segment that holds one of the platform's own words. */
function spellings(segment: string, { vendor = 'github', alertsSegment = 'dependabot' }: Partial<PlatformWords>) {
  if (!segment.includes('<')) return [segment];
  const all = [segment, segment.replace('<alerts>', 'depalerts'), segment.replace('<alerts>', 'dependabot')];
  return [...all, spelledPath(segment, { vendor, alertsSegment })];
}

/** A path as the platform has it, with its own words in it. */
export function spelledPath(path: string, { vendor, alertsSegment }: PlatformWords): string {
  return path.replaceAll('<alerts>', alertsSegment).replaceAll('<assistant>', 'copilot').replaceAll('<vendor>', vendor);
}

/** True where `one` has a literal segment at the first place where the two differ in kind. */
function isCloser(one: Requirements, other: Requirements): boolean {
  const kinds = ({ path }: Requirements) =>
    segmentsOf(path)
      .map((segment) => (isParameter(segment) ? 1 : 0))
      .join('');
  return kinds(one) < kinds(other);
}
