/**
 * Renamed and transferred repositories and organizations. The platform redirects from their former names, so a request
 * may reach another object than the one that it names.
 */
import { isObject } from '../json/exact-json.ts';
import { type Rename, RenamedError, type RequestSummary } from './errors.ts';
import type { HttpResponse } from './http.ts';
import type { Platform } from './platform.ts';
import { invalidResponse, parse } from './response.ts';

/** The repository or organization of a URL. */
export interface Place {
  /** The path of its record. */
  readonly record: string;
  /** `acme/site` or `acme`; absent if the URL contains an ID. */
  readonly name: string | undefined;
  /** The rest of the URL, with the query. */
  readonly rest: string;
}

/** Platforms, and proxies before them, may ignore capitals and empty segments. */
const inPath = /^\/+(?:repos\/+([^/?]+)\/+([^/?]+)|(repositories|orgs|organizations)\/+([^/?]+))([/?].*)?$/is;

type Base = Pick<Platform, 'baseUrl'>;

/** Returns the repository or organization of a URL; undefined if it belongs to neither. */
export const placeIn = (base: Base, url: string): Place | undefined => placeAt(pathBelow(base, url));

/**
 * Returns the repository or organization of the URL of a write as `placeIn` does. Platforms, and proxies before them, may decode
 * more than clients encode.
 */
export const writtenPlace = (base: Base, url: string): Place | undefined =>
  placeAt(unencoded(pathBelow(base, url)).replace(/[^/?]+/g, encodeURIComponent));

/** Returns the part of a URL below the base URL, which may itself be encoded. */
const pathBelow = ({ baseUrl }: Base, url: string): string =>
  url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : '';

function placeAt(path: string): Place | undefined {
  const [, owner, repo, collection, key = '', rest = ''] = inPath.exec(path) ?? [];
  if (owner !== undefined) return { record: `/repos/${owner}/${repo}`, name: decoded(`${owner}/${repo}`), rest };
  if (collection === undefined) return undefined;
  const kind = collection.toLowerCase();
  const isId = kind === 'repositories' || (kind === 'organizations' && /^\d+$/.test(key));
  return isId
    ? { record: `/${kind}/${key}`, name: undefined, rest }
    : { record: `/orgs/${key}`, name: decoded(key), rest };
}

/** Returns whether a URL is that of a repository or organization itself, or of `below` in it, and not of anything else in it. */
export const isOfPlace = ({ rest }: Place, below = ''): boolean =>
  [below, ''].includes((/^[^?]*/.exec(rest)?.[0] ?? '').replace(/^\/+|\/+$/g, '').toLowerCase());

/**
 * Returns the name of the repository or organization that a write to a URL changes or transfers itself; undefined for
 * something in it, and for a URL with an ID.
 */
export function changedAt(base: Base, url: string): string | undefined {
  const place = writtenPlace(base, url);
  return place && isOfPlace(place, 'transfer') ? place.name : undefined;
}

/** Returns text without percent-encoding; undefined if it is invalid. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns text without percent-encoding, except where that is invalid, also if it is encoded several times: a proxy may decode it
 * before the platform does. The limit keeps long texts fast.
 */
export function unencoded(text: string, most = 4): string {
  const plain = text.replace(
    /(?:%[\da-f]{2})+/gi,
    // The rest of an invalid sequence may be a slash or a dot.
    (encoded) => decoded(encoded) ?? encoded.replace(/%[0-7][\da-f]/gi, (one) => decodeURIComponent(one)),
  );
  return plain === text || most === 1 ? plain : unencoded(plain, most - 1);
}

/** Returns a name for a place that cannot be read. */
export const placeName = ({ name, record }: Place): string =>
  name ?? record.replace('/repositories/', 'repository ').replace('/organizations/', 'organization ');

/** Returns whether two names are the same to the platform. */
export const isSameName = (one: unknown, other: unknown): boolean =>
  typeof one === 'string' && typeof other === 'string' && one.toLowerCase() === other.toLowerCase();

/** What the record of a place says of it. */
export interface PlaceFacts {
  readonly name: string;
  readonly id: unknown;
}

/** Returns the name and the ID in the record of a place. Throws InvalidResponseError if it has no name. */
export function factsIn({ record }: Place, response: HttpResponse, asked: RequestSummary): PlaceFacts {
  const value = parse(response, asked);
  const { [record.startsWith('/repo') ? 'full_name' : 'login']: name, id } = isObject(value) ? value : {};
  if (typeof name === 'string' && name !== '') return { name, id };
  throw invalidResponse(asked, 'a record without a name');
}

/** Rejects redirected reads; see `Client.onRename`. */
export function refuseRename(rename: Rename, asked: RequestSummary): never {
  throw new RenamedError(asked, rename);
}
