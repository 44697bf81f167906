/** The owner and the properties of a token, from the platform's responses and their headers. */
import type { Client } from '../../client/client.ts';
import { ApiError, AuthenticationError, NotFoundError, PermissionError } from '../../client/errors.ts';
import type { TokenKind } from '../../platform/endpoint.ts';
import { getAuthenticatedUser, getMeta } from '../../platform/endpoints/accounts.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';

type Headers = Readonly<Record<string, string>>;

export interface Account {
  /** Absent for installation tokens: they act for an app. */
  readonly login: string | null;
  readonly tokenKind: TokenKind | null;
  /** Absent for tokens that have permissions instead of scopes. */
  readonly scopes: readonly string[] | null;
  /** ISO 8601; absent if the token does not expire or the platform does not report it. */
  readonly expiresAt: string | null;
  /** The vendor in header names; absent if the headers do not name one. */
  readonly vendor: string | null;
  /** The release of a self-managed platform. */
  readonly platformVersion: string | null;
}

/**
 * Identifies the client's token with `GET /user` (`GET /installation/repositories` for an app's installation token),
 * then reads the platform's release from `GET /meta`. Throws the client's errors; if the token may send neither
 * request, the error of the first one.
 */
export async function identify(client: Client, expected: TokenKind | undefined): Promise<Account> {
  const { login, headers } = await fetchIdentity(client, expected);
  const scopes = scopesIn(headers);
  const tokenKind = expected ?? (login === null ? 'installation' : scopes ? 'classic' : null);
  const platformVersion = await releaseOf(client, headers);
  return { login, tokenKind, scopes, expiresAt: expiryIn(headers), vendor: vendorIn(headers), platformVersion };
}

async function fetchIdentity(
  client: Client,
  expected: TokenKind | undefined,
): Promise<{ login: string | null; headers: Headers }> {
  try {
    const { data, headers } = await client.send(client.plan(getAuthenticatedUser, {}));
    return { login: data.login, headers };
  } catch (refusal) {
    const maybeInstallation = expected === undefined || expected === 'installation';
    if (!maybeInstallation || !isRefusal(refusal)) throw refusal;
    try {
      const { headers } = await client.send(client.plan(listInstallationRepositories, {}));
      return { login: null, headers };
    } catch (error) {
      throw isRefusal(error) ? refusal : error;
    }
  }
}

const isRefusal = (error: unknown) =>
  error instanceof AuthenticationError || error instanceof PermissionError || error instanceof NotFoundError;

async function releaseOf(client: Client, headers: Headers): Promise<string | null> {
  const reported = versionIn(headers);
  try {
    const { installed_version: installed } = await client.call(getMeta, {});
    return installed ?? reported ?? null;
  } catch (error) {
    if (error instanceof ApiError) return reported ?? null;
    throw error;
  }
}

/** Returns the release in the headers of a self-managed platform. */
export const versionIn = (headers: Headers): string | undefined => headerLike(headers, /^x-.+-enterprise-version$/);

/** Returns the scopes in `X-OAuth-Scopes`. Only classic and OAuth tokens have this header, which may be empty. */
function scopesIn(headers: Headers): readonly string[] | null {
  const listed = headers['x-oauth-scopes'];
  if (listed === undefined) return null;
  return listed
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
}

/** Parses the platform's format `2026-05-01 12:00:00 UTC`, which may have an offset instead of UTC. */
function expiryIn(headers: Headers): string | null {
  const time = new Date(headerLike(headers, /^.+-authentication-token-expiration$/) ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/**
 * Returns the vendor in header names. Proxies add their own request IDs, but only the platform sends a media type
 * header.
 */
export function vendorIn(headers: Headers): string | null {
  const names = Object.keys(headers);
  for (const pattern of [/^x-([a-z0-9-]+)-media-type$/, /^x-([a-z0-9-]+)-request-id$/]) {
    const vendors = new Set(names.flatMap((name) => pattern.exec(name)?.[1] ?? []));
    if (vendors.size === 1) return [...vendors][0] ?? null;
  }
  return null;
}

const headerLike = (headers: Headers, name: RegExp): string | undefined =>
  Object.entries(headers).find(([key]) => name.test(key))?.[1];
