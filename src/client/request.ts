/** Builds requests from endpoints and input. Pure: sends nothing and handles no tokens. */
import { asText, parseJson } from '../json/exact-json.ts';
import type { AnyInput, Declaration, Endpoint, InputOf, Method } from '../platform/endpoint.ts';
import { type RequestSummary, UnsafeRequestError } from './errors.ts';
import type { Platform } from './platform.ts';

/** A request as it is sent, except for the `Authorization` that the transport adds. */
export interface HttpRequest {
  readonly method: Method | 'HEAD';
  readonly url: string;
  /** By lower-case name, except the version header, whose name contains the vendor's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Returns the value of a body, or its text if that is not JSON, such as a form. */
export function valueOfBody(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

/** Returns the content type of a body; empty without one. */
export const contentTypeOf = (headers: HttpRequest['headers'] = {}): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';

/** Returns whether a body with these headers is JSON, as it is without a `Content-Type`. */
export const isJsonBody = (headers: HttpRequest['headers']): boolean => /^$|[/+]json\b/i.test(contentTypeOf(headers));

/** A request that has been built and not sent. It contains no token: the client that sends it adds one. */
export class PlannedRequest<D extends Declaration = Declaration> {
  readonly request: HttpRequest;
  /** The request in messages and errors. */
  readonly asked: RequestSummary;
  /** Absent for a request that no endpoint declares. */
  readonly endpoint: Endpoint<D> | undefined;

  constructor(request: HttpRequest, asked: RequestSummary, endpoint?: Endpoint<D>) {
    this.request = request;
    this.asked = asked;
    this.endpoint = endpoint;
  }
}

export interface RequestOptions {
  /** The name of one of the endpoint's media types. */
  readonly format?: string | undefined;
  readonly perPage?: number | undefined;
  readonly page?: number | undefined;
}

/** Plans a call of an endpoint. Throws UnsafeRequestError like `buildRequest`. */
export function planRequest<D extends Declaration>(
  platform: Platform,
  endpoint: Endpoint<D>,
  input: InputOf<D>,
  options?: RequestOptions,
): PlannedRequest<D> {
  const request = buildRequest(platform, endpoint, input, options);
  const sentFields = Object.keys((input as AnyInput).body ?? {});
  return new PlannedRequest(request, { ...askedOf(platform, request), endpoint, sentFields }, endpoint);
}

/** Returns a request in the form of messages. */
export function askedOf({ baseUrl }: Platform, { method, url }: HttpRequest): RequestSummary {
  const path = url.startsWith(`${baseUrl}/`) ? url.slice(baseUrl.length) : new URL(url).pathname;
  return { method, path: path.split('?')[0] as string };
}

/** Builds the request for an endpoint. Throws UnsafeRequestError for a path parameter that would leave its segment. */
export function buildRequest<D extends Declaration>(
  platform: Platform,
  endpoint: Endpoint<D>,
  input: InputOf<D>,
  options: RequestOptions = {},
): HttpRequest {
  const { path, query, body } = input as AnyInput;
  const search = searchOf({ ...query, per_page: options.perPage, page: options.page });
  const carriesBody = endpoint.body !== undefined && body !== undefined;
  return {
    method: endpoint.method,
    url: `${platform.baseUrl}${pathOf(platform, endpoint, path ?? {})}${search}`,
    headers: headersOf(platform, acceptOf(endpoint, options.format), carriesBody),
    ...(carriesBody ? { body: JSON.stringify(body) } : {}),
  };
}

/** Returns the headers of every request. Specification, Conventions that apply to every endpoint. */
export function headersOf(platform: Platform, accept: string, carriesBody: boolean): Record<string, string> {
  const { vendor } = platform;
  return {
    accept: accept.replaceAll('<vendor>', vendor),
    [`X-${vendor}-Api-Version`]: platform.apiVersion,
    'user-agent': platform.userAgent,
    ...(carriesBody ? { 'content-type': 'application/json' } : {}),
  };
}

export const defaultAccept = 'application/vnd.<vendor>+json';

function acceptOf(endpoint: Endpoint, format: string | undefined): string {
  if (format === undefined) return endpoint.accept ?? defaultAccept;
  const accept = endpoint.mediaTypes?.[format];
  if (accept === undefined) throw new TypeError(`${endpoint.route} has no format ${format}`);
  return accept;
}

function pathOf(platform: Platform, endpoint: Endpoint, values: NonNullable<AnyInput['path']>): string {
  const asked = { method: endpoint.method, path: endpoint.template };
  return endpoint.template
    .replaceAll('<alerts>', () => segment(asked, 'alerts-segment', platform.alertsSegment))
    .replace(/\{([^}]+)\}/g, (_, name: string) => segment(asked, name, values[name]));
}

/** Encodes a value as one path segment. `.` and `..` cannot be encoded: URL parsers treat `%2e` as a dot. */
function segment(asked: RequestSummary, name: string, value: string | number | undefined): string {
  const text = asText(value ?? '');
  const reason = text === '' ? 'is empty' : text === '.' || text === '..' ? `is “${text}”` : unsafeCharacters(text);
  if (reason)
    throw new UnsafeRequestError(
      asked,
      `Nothing was sent: ${name} ${reason}, but ${asked.method} ${asked.path} requires a name or number.`,
    );
  return encodeURIComponent(text);
}

/** Returns why a text must not become part of a URL; undefined if it may. */
export function unsafeCharacters(text: string): string | undefined {
  if (/\p{Cc}/u.test(text)) return 'contains control characters';
  return text.isWellFormed() ? undefined : 'is not valid Unicode';
}

/**
 * Returns the query string, with its question mark. Lists become repeated `name[]=`, the form in the public platform's
 * API description (`owner[]=octocat1,owner[]=octocat2`).
 */
export function searchOf(query: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (Array.isArray(value)) for (const element of value) pairs.push(pairOf(`${name}[]`, asText(element)));
    else if (value !== undefined) pairs.push(pairOf(name, asText(value)));
  }
  return pairs.length ? `?${pairs.join('&')}` : '';
}

/** Most parameters need no encoding, which takes longer than the rest of a request. */
const pairOf = (name: string, value: string): string =>
  /^[\w.*-]+$/.test(name + value) ? `${name}=${value}` : String(new URLSearchParams([[name, value]]));
