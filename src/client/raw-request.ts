/** Requests that no endpoint declares: a method and a path as the user typed them. Pure, like request.ts. */
import { UnsafeRequestError } from './errors.ts';
import { isRead } from './http.ts';
import { unencoded } from './moves.ts';
import type { Platform } from './platform.ts';
import {
  askedOf,
  defaultAccept,
  type HttpRequest,
  headersOf,
  PlannedRequest,
  searchOf,
  unsafeCharacters,
} from './request.ts';

export interface RawRequest {
  readonly method: HttpRequest['method'];
  /**
   * Path below the base URL, with or without leading slash and query; a full URL on the base URL's origin, for writes below the
   * base URL, or that of GraphQL or of a release's files; or `graphql`, the platform's GraphQL address.
   */
  readonly path: string;
  /** Added to the query in `path`. */
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  /** Override the default headers, except `Authorization` and connection headers. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Previews to accept, by name, beside an `Accept` among the headers. */
  readonly previews?: readonly string[] | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged instead of a body; `headers` contain its media type. */
  readonly text?: string | undefined;
}

/** The token comes from the credential, which is bound to its origin; the other headers belong to the connection. */
const reservedHeaders: readonly string[] = [
  'authorization',
  'proxy-authorization',
  'cookie',
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'expect',
  'upgrade',
];

/** The path that means the GraphQL address. */
export const graphqlPath = 'graphql';

/** Returns the GraphQL address: `/api/graphql` beside `/api/v3`, or `/graphql` of an API host. */
const graphqlUrl = (baseUrl: string): string => `${besideVersion(baseUrl)}/graphql`;

const besideVersion = (baseUrl: string): string => baseUrl.replace(/\/v3$/, '');

const releaseFiles = /^\/uploads\/repos\/[\w.-]+\/[\w.-]+\/releases\/\d+\/assets$/;

/** Plans the request. Throws UnsafeRequestError like `rawRequest`. */
export function planRawRequest(platform: Platform, raw: RawRequest): PlannedRequest {
  const request = rawRequest(platform, raw);
  return new PlannedRequest(request, askedOf(platform, request));
}

/** Builds the request. Throws UnsafeRequestError for a path outside of the platform, or a reserved header. */
export function rawRequest(platform: Platform, raw: RawRequest): HttpRequest {
  const { method, path, query = {}, headers = {}, previews = [], body, text } = raw;
  const refuse = (reason: string) =>
    new UnsafeRequestError({ method, path: path.split('?')[0] ?? '' }, `Nothing was sent: ${reason}.`);
  const reserved = Object.keys(headers).find((name) => reservedHeaders.includes(name.toLowerCase()));
  if (reserved !== undefined) throw refuse(`the ${reserved} header cannot be set`);
  const url = targetOf(platform, raw, refuse);
  const search = searchOf(query);
  if (search) url.search = url.search ? `${url.search}&${search.slice(1)}` : search;
  return {
    method,
    url: url.href,
    headers: overridden(headersOf(platform, defaultAccept, body !== undefined), accepting(headers, previews, platform)),
    ...(text === undefined ? {} : { body: text }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

function targetOf({ baseUrl }: Platform, { method, path }: RawRequest, refuse: (reason: string) => Error): URL {
  const unsafe = unsafeCharacters(path);
  if (unsafe) throw refuse(`the path ${unsafe}`);
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(path);
  const url = URL.parse(
    full ? path : path === graphqlPath ? graphqlUrl(baseUrl) : `${baseUrl}/${path.replace(/^\//, '')}`,
  );
  if (!url) throw refuse('the path is not valid in a URL');
  if (url.origin !== new URL(baseUrl).origin || url.username || url.password)
    throw refuse(`${url.origin} is not the platform’s origin, ${new URL(baseUrl).origin}`);
  const target = `${url.origin}${url.pathname}`;
  const isOutside = path !== graphqlPath && !target.startsWith(`${baseUrl}/`);
  if (isOutside && !full) throw refuse(`the path is outside ${baseUrl}`);
  if (isOutside && !isRead(method) && !isWrittenBeside(baseUrl, target))
    throw refuse(`the URL of a write must start with ${baseUrl}/`);
  // A platform, or a proxy before it, may resolve them after all checks.
  if (!isRead(method) && /[/\\]\.{1,2}(?:[/\\?#]|$)/.test(unencoded(url.pathname)))
    throw refuse('the path of a write must not contain . or .. as an encoded segment');
  url.hash = '';
  return url;
}

/**
 * Returns whether a URL outside the base URL may be written to: that of GraphQL, or of a release's files. Any other may be below
 * the base URL in another spelling, where no check would find what the write changes.
 */
const isWrittenBeside = (baseUrl: string, target: string): boolean =>
  target === graphqlUrl(baseUrl) || releaseFiles.test(target.replace(besideVersion(baseUrl), ''));

/** Returns the headers with previews as further media types; only the first is JSON by name, as `gh` has it. */
function accepting(
  headers: Readonly<Record<string, string>>,
  previews: readonly string[],
  { vendor }: Platform,
): Readonly<Record<string, string>> {
  if (previews.length === 0) return headers;
  const name = Object.keys(headers).find((each) => each.toLowerCase() === 'accept') ?? 'accept';
  const types = previews.map((preview, at) => `application/vnd.${vendor}.${preview}-preview${at === 0 ? '+json' : ''}`);
  return { ...headers, [name]: [headers[name], ...types].filter(Boolean).join(', ') };
}

/** Merges headers; names are case-insensitive. */
function overridden(
  headers: Readonly<Record<string, string>>,
  by: Readonly<Record<string, string>>,
): Record<string, string> {
  const replaced = new Set(Object.keys(by).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !replaced.has(name.toLowerCase()));
  return Object.fromEntries([...kept, ...Object.entries(by)]);
}
