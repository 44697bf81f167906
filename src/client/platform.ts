/** The platform's settings, and normalization of base URLs. */
import { BaseUrlError } from './errors.ts';

export interface Platform {
  /** Scheme, host, port and path prefix, without a trailing slash. */
  readonly baseUrl: string;
  /** The API version to request, such as `2022-11-28`. */
  readonly apiVersion: string;
  /** The platform's name in header names and media types. */
  readonly vendor: string;
  /** Path segment of the dependency-alert product. */
  readonly alertsSegment: string;
  readonly userAgent: string;
}

/** Defaults for settings that are not configured. */
export const platformDefaults = { apiVersion: '2022-11-28', vendor: 'github', alertsSegment: 'dependabot' } as const;

/**
 * Completes a base URL as users type it: `ghe.example.com` becomes `https://ghe.example.com/api/v3`, and `github.com`
 * or `acme.ghe.com` becomes the API host of that hosted platform. Specification, What the service does: self-managed
 * base URLs end with `/api/v3`, those of hosted variants have no prefix. A given path is kept.
 *
 * Throws a BaseUrlError, whose message contains nothing but the host.
 */
export function normalizeBaseUrl(text: string): string {
  const url = parse(text.trim());
  if (url.username || url.password)
    throw new BaseUrlError(
      `The base URL for ${url.host} must not contain a user name or password; tokens are set at login.`,
    );
  if (/[?#]/.test(text)) throw new BaseUrlError(`The base URL for ${url.host} must not contain a query or fragment.`);
  requireSafeScheme(url);
  const prefix = url.pathname.replace(/\/+$/, '');
  const hosted = hostedApiHost(url.hostname);
  if (hosted !== undefined) {
    if (prefix !== '' && prefix !== '/api/v3')
      throw new BaseUrlError(`The base URL for ${url.host} is https://${hosted}, without a path.`);
    url.hostname = hosted;
    return url.origin;
  }
  if (prefix !== '') return `${url.origin}${prefix}`;
  return url.hostname.startsWith('api.') ? url.origin : `${url.origin}/api/v3`;
}

function parse(text: string): URL {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  // “https:/ghe.example.com” is no host named “https”.
  const isMistyped = /^https?:(?!\/\/|\d)/i.test(text);
  if (!url?.hostname || isMistyped)
    throw new BaseUrlError('The base URL is not a valid URL. Example: https://ghe.example.com');
  return url;
}

function requireSafeScheme(url: URL): void {
  if (url.protocol === 'https:' || isPlainLoopback(url)) return;
  throw new BaseUrlError(
    url.protocol === 'http:'
      ? `The base URL for ${url.host} must start with https:// (plain http is only allowed for this machine).`
      : `The base URL for ${url.host} must start with https://.`,
  );
}

/** Returns the API host of a hosted platform, given its web or API host; undefined for all other hosts. */
function hostedApiHost(hostname: string): string | undefined {
  if (hostname === 'github.com' || hostname === 'www.github.com' || hostname === 'api.github.com')
    return 'api.github.com';
  const subdomain = /^(?:api\.)?([a-z0-9-]+)\.ghe\.com$/.exec(hostname)?.[1];
  return subdomain === undefined || subdomain === 'api' ? undefined : `api.${subdomain}.ghe.com`;
}

/** True for plain http to this machine: the only case in which a token may travel unencrypted. */
export function isPlainLoopback(url: URL): boolean {
  return url.protocol === 'http:' && isLoopback(url.hostname);
}

/** True for `localhost`, 127.0.0.0/8 and ::1, as the URL parser writes host names. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
