/** Errors of the client: one class for each way in which callers react. */

import type { Declaration } from '../platform/endpoint.ts';
import { isRead } from './http.ts';
import type { FaultKind } from './transport/failure.ts';

/** A field that the platform rejected, from the `errors` of a 422 or 400. */
export interface FieldError {
  readonly resource?: string;
  readonly field?: string;
  readonly code?: string;
  readonly message?: string;
}

/** A request in messages: method and path below the base URL, without query and secrets. */
export interface RequestSummary {
  readonly method: string;
  readonly path: string;
  /** Absent for a request that no endpoint declares. */
  readonly endpoint?: Declaration;
  /** Names of the fields in its body. */
  readonly sentFields?: readonly string[];
}

/** An invalid base URL. The message contains at most the host, never a user name or password. */
export class BaseUrlError extends Error {
  override name = 'BaseUrlError';
}

/** An invalid public key. Nothing was sent. */
export class PublicKeyError extends Error {
  override name = 'PublicKeyError';

  constructor(keyId: string, expected = '32 bytes in base64') {
    super(`The platform’s public key ${keyId} is invalid: expected ${expected}. Nothing was sent.`);
  }
}

/** An error that says what to do. */
export class AdvisedError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string, options?: ErrorOptions) {
    super(message, options);
    this.advice = advice;
  }
}

/** A local file cannot be written. */
export class FileError extends AdvisedError {
  constructor(message: string, { advice, ...options }: ErrorOptions & { readonly advice?: string | undefined } = {}) {
    super(message, advice, options);
  }
}

/** Base class of all errors of requests to the platform. */
export abstract class ClientError extends Error {
  readonly asked: RequestSummary;

  constructor(asked: RequestSummary, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.asked = asked;
  }
}

/** The reason for a refusal, from status, headers and body. */
export interface Refusal {
  readonly status: number;
  /** The platform's message, or the name of the status; never empty. */
  readonly message: string;
  /** Media type of a response that is not JSON, so a proxy or another server may have sent it. */
  readonly mediaType?: string;
  /** The first rejected fields. */
  readonly fields: readonly FieldError[];
  /** Number of rejected fields beyond these. */
  readonly moreFields: number;
  readonly requestId?: string;
  readonly documentationUrl?: string;
  /** Scopes that the token holds (`X-OAuth-Scopes`); absent if the platform does not send them. */
  readonly heldScopes?: readonly string[];
  /** Scopes of which any one suffices (`X-Accepted-OAuth-Scopes`). */
  readonly acceptedScopes?: readonly string[];
  /** Alternative sets of permissions that suffice (`X-Accepted-<vendor>-Permissions`), as the platform writes them. */
  readonly acceptedPermissions?: string;
  /** URL that starts a single sign-on session (`x-<vendor>-sso`). */
  readonly ssoUrl?: string;
}

/** The platform refused the request: any 4xx except a rate limit. */
export class ApiError extends ClientError {
  readonly refusal: Refusal;

  constructor(asked: RequestSummary, refusal: Refusal) {
    super(asked, refusal.message);
    this.refusal = refusal;
  }
}

/** 400 or 410: the platform does not support the requested API version. */
export class ApiVersionError extends ApiError {
  readonly apiVersion: string;

  constructor(asked: RequestSummary, refusal: Refusal, apiVersion: string) {
    super(asked, {
      ...refusal,
      message: `The platform does not support API version ${apiVersion}: ${refusal.message}`,
    });
    this.apiVersion = apiVersion;
  }
}

/** 401: no token, or an invalid one. */
export class AuthenticationError extends ApiError {}

/** 403 other than a rate limit: missing role, scope, permission, or a disabled feature. */
export class PermissionError extends ApiError {}

/**
 * The platform creates no token for an installation: it is suspended, or lacks a permission or repository that the token
 * is limited to.
 */
export class InstallationRefusedError extends PermissionError {}

/** 404: does not exist, or is hidden from the token. */
export class NotFoundError extends ApiError {
  /** The existing name that the one in the path may misspell. */
  nearest: string | undefined;
}

/** Returns what a read returns; undefined for something that does not exist, or that the token cannot see. */
export async function unlessHidden<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError || error instanceof PermissionError) return undefined;
    throw error;
  }
}

/** 403 or 429: the rate limit lasts longer than the allowed waiting time. */
export class RateLimitError extends ApiError {
  /** When the limit ends, if the platform reports it. */
  readonly retryAt: Date | undefined;
  /** Milliseconds until then, on the platform's clock. */
  readonly retryInMs: number | undefined;

  constructor(asked: RequestSummary, refusal: Refusal, end: { readonly at: Date; readonly ms: number } | undefined) {
    super(asked, refusal);
    this.retryAt = end?.at;
    this.retryInMs = end?.ms;
  }
}

/** 5xx after all retries, or 408 after a write. */
export class ServerError extends ApiError {
  constructor(asked: RequestSummary, refusal: Refusal) {
    super(asked, refusal);
    if (!isRead(asked.method))
      this.message = `${refusal.message.replace(/\.$/, '')}. The change may or may not have been made.`;
  }
}

/**
 * No response: unresolved host name, connection refused or reset, TLS failure, timeout. The request changed nothing.
 */
export class NetworkError extends ClientError {
  readonly kind: FaultKind;
  /** True if the proxy failed, not the platform. */
  readonly atProxy: boolean;

  constructor(asked: RequestSummary, { kind, atProxy = false }: NetworkFault, message: string, options?: ErrorOptions) {
    super(asked, message, options);
    this.kind = kind;
    this.atProxy = atProxy;
  }
}

interface NetworkFault {
  readonly kind: FaultKind;
  readonly atProxy?: boolean;
}

/**
 * An app cannot log in: its key is not accepted, it is not installed there, it has several installations, or this
 * machine's clock is wrong.
 */
export class AppLoginError extends ClientError {
  /** The part of the login that is wrong. */
  readonly wrong: 'key' | 'installation' | 'choice' | 'clock';

  constructor(asked: RequestSummary, wrong: AppLoginError['wrong'], message: string) {
    super(asked, message);
    this.wrong = wrong;
  }
}

/** Returns whether an error means that the platform creates no tokens for one installation of an app. */
export const isRefusedInstallation = (error: unknown): error is ClientError =>
  error instanceof InstallationRefusedError || (error instanceof AppLoginError && error.wrong === 'installation');

/** A write was sent and its response was lost: the change may or may not have been made, and it is not retried. */
export class OutcomeUnknownError extends ClientError {}

/** A response that is not what the endpoint returns: HTML, truncated, wrong shape, a paging loop. */
export class InvalidResponseError extends ClientError {}

/** A web page instead of a response of the API. */
export class WebPageError extends InvalidResponseError {}

/** The request was not sent: plain http, a path parameter that leaves its segment, an invalid proxy or certificates. */
export class UnsafeRequestError extends ClientError {}

/**
 * A redirect that must not be followed: to another origin, too many in a row, or one of a write whose target cannot be
 * verified. A redirected write changed nothing.
 */
export class RedirectError extends ClientError {}

/** A repository or organization was renamed, so the write to its old name was not sent there. */
export class RenamedError extends ClientError {
  /** The name in the request: `acme/site` or `acme`. */
  readonly named: string;
  /** Its current name. */
  readonly current: string;

  constructor(asked: RequestSummary, { named, current }: Rename) {
    super(asked, `${named} is now ${current}. Nothing was changed there.`);
    this.named = named;
    this.current = current;
  }
}

/** A former name, and the current one. */
export interface Rename {
  readonly named: string;
  readonly current: string;
}
