/** How requests are authorized: with a token that stays the same, or with tokens from a source that renews them. */
import type { RequestSummary } from './errors.ts';
import type { HttpResponse } from './http.ts';

/** A token, and the only origin (scheme, host, port) that it may be sent to. */
export interface StaticToken {
  readonly token: string;
  readonly origin: string;
}

/** Provides tokens, which may be sent to one origin only. */
export interface TokenSource {
  readonly origin: string;
  /** Returns the authorization of one request, with all its attempts. */
  authorize(asked: RequestSummary): Authorization;
  /** Returns an identifier of all tokens with the same read access as the token of a request; undefined without one. */
  identify?(asked: RequestSummary): Promise<string | undefined>;
  /** Closes its own connections. */
  close?(): Promise<void>;
}

export type Credential = StaticToken | TokenSource;

export interface Authorization {
  /** The rate limit that the request counts against, if the credential has several. */
  readonly quota?: string;
  /** Returns the token of the next attempt. Throws a ClientError if there is none. */
  token(): Promise<string>;
  /** Returns how many milliseconds after a 401 to try again; undefined if the refusal is final. */
  retryAfter(response: HttpResponse): number | undefined;
}

/** In characters. Far longer than any platform's tokens, far shorter than the maximum of a header. */
const longestToken = 8192;

/**
 * Returns the problem with a token, worded to follow its source and never repeating it; undefined if it is valid.
 * Tokens become part of a header, which allows only visible ASCII.
 */
export function tokenProblem(token: unknown): string | undefined {
  if (typeof token !== 'string') return 'is not text';
  if (token === '') return 'is empty';
  if (token.length > longestToken) return `is longer than ${longestToken.toLocaleString('en-US')} characters`;
  if (/\s/.test(token)) return 'contains a space or a line break';
  if (!/^[\x21-\x7e]+$/.test(token)) return 'contains an invalid character';
  return undefined;
}

export function authorizationOf(credential: Credential, asked: RequestSummary): Authorization {
  if ('authorize' in credential) return credential.authorize(asked);
  return { token: async () => credential.token, retryAfter: () => undefined };
}
