/** Who a token is: what the platform answers when it is asked, and what it says beside that in headers. */
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
  /** ISO 8601; absent where the token does not expire or the platform does not tell. */
  readonly expiresAt: string | null;
  /** The platform's own name, as its headers are called; absent where they do not tell. */
  readonly vendor: string | null;
  /** The release of a self-managed platform. */
  readonly platformVersion: string | null;
}

/**
 * Asks who the client's token is: `GET /user`, which every token may ask but an app's installation token; that one is
 * known by `GET /installation/repositories`. Then `GET /meta` for the platform's release. Throws what the client throws;
 * for a token that may ask neither, the refusal of the first.
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
  const told = headerLike(headers, /^x-.+-enterprise-version$/);
  try {
    const { installed_version: installed } = await client.call(getMeta, {});
    return installed ?? told ?? null;
  } catch (error) {
    if (error instanceof ApiError) return told ?? null;
    throw error;
  }
}

/** Scopes as `X-OAuth-Scopes` lists them; the header is there for classic and OAuth tokens alone, and may be empty. */
function scopesIn(headers: Headers): readonly string[] | null {
  const listed = headers['x-oauth-scopes'];
  if (listed === undefined) return null;
  return listed
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
}

/** The platform writes `2026-05-01 12:00:00 UTC`, and an offset in the place of UTC. */
function expiryIn(headers: Headers): string | null {
  const time = new Date(headerLike(headers, /^.+-authentication-token-expiration$/) ?? '');
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/**
 * The vendor in header names. Others put request ids of their own on an answer, but nobody else names its media type.
 */
function vendorIn(headers: Headers): string | null {
  const names = Object.keys(headers);
  for (const pattern of [/^x-([a-z0-9-]+)-media-type$/, /^x-([a-z0-9-]+)-request-id$/]) {
    const vendors = new Set(names.flatMap((name) => pattern.exec(name)?.[1] ?? []));
    if (vendors.size === 1) return [...vendors][0] ?? null;
  }
  return null;
}

const headerLike = (headers: Headers, name: RegExp): string | undefined =>
  Object.entries(headers).find(([key]) => name.test(key))?.[1];
