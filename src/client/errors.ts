/** What can go wrong between asking and having an answer: one class for each reaction. */

import type { Declaration } from '../platform/endpoint.ts';
import type { FaultKind } from './transport/failure.ts';

/** One field that the platform refused, from the `errors` of a 422 or 400. */
export interface FieldError {
  readonly resource?: string;
  readonly field?: string;
  readonly code?: string;
  readonly message?: string;
}

/** What was asked, as people write it: method and path below the base URL, without query and secrets. */
export interface RequestSummary {
  readonly method: string;
  readonly path: string;
  /** Absent where no endpoint declares the request. */
  readonly endpoint?: Declaration;
  /** The names of the fields in its body. */
  readonly sentFields?: readonly string[];
}

/** A base URL that cannot be used. The message names the host at most, never a user name or password. */
export class BaseUrlError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BaseUrlError';
  }
}

/** A public key from the platform that nothing can be sealed with. Nothing was sent. */
export class PublicKeyError extends Error {
  constructor(keyId: string) {
    super(`The platform’s public key ${keyId} is invalid: expected 32 bytes in base64. Nothing was sent.`);
    this.name = 'PublicKeyError';
  }
}

/** A file on this machine that cannot be written. */
export class FileError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FileError';
  }
}

/** The base of every error that talking to the platform can end in. */
export abstract class ClientError extends Error {
  readonly asked: RequestSummary;

  constructor(asked: RequestSummary, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
    this.asked = asked;
  }
}

/** The parts of a refusal that say why, read off status, headers and body. */
export interface Refusal {
  readonly status: number;
  /** The platform's own words; never empty. */
  readonly message: string;
  /** The first of them. */
  readonly fields: readonly FieldError[];
  /** How many came after them. */
  readonly moreFields: number;
  readonly requestId?: string;
  readonly documentationUrl?: string;
  /** Scopes that the token holds (`X-OAuth-Scopes`); absent where the platform does not tell. */
  readonly heldScopes?: readonly string[];
  /** Scopes of which any one would do (`X-Accepted-OAuth-Scopes`). */
  readonly acceptedScopes?: readonly string[];
  /** Permissions that would do, alternatives of sets (`X-Accepted-<vendor>-Permissions`), as the platform writes them. */
  readonly acceptedPermissions?: string;
  /** Where to start a single sign-on session (`x-<vendor>-sso`). */
  readonly ssoUrl?: string;
}

/** The platform answered, and the answer is no: any 4xx but a rate limit. */
export class ApiError extends ClientError {
  readonly refusal: Refusal;

  constructor(asked: RequestSummary, refusal: Refusal) {
    super(asked, refusal.message);
    this.refusal = refusal;
  }
}

/** 400 or 410 that says so: the platform does not know, or no longer has, the version of its API that was asked for. */
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

/** 401: no token, or one that the platform does not accept. */
export class AuthenticationError extends ApiError {}

/** 403 that is no rate limit: role, scope, permission, or a feature that is not enabled. */
export class PermissionError extends ApiError {}

/** 404: not there, or hidden from this token. */
export class NotFoundError extends ApiError {}

/** 403 or 429 that says to come back later, after all waiting that was allowed. */
export class RateLimitError extends ApiError {
  /** When the platform will take requests again, if it told. */
  readonly retryAt: Date | undefined;
  /** How long that is from now on, in milliseconds, on the platform's own clock. */
  readonly retryInMs: number | undefined;

  constructor(asked: RequestSummary, refusal: Refusal, end: { readonly at: Date; readonly ms: number } | undefined) {
    super(asked, refusal);
    this.retryAt = end?.at;
    this.retryInMs = end?.ms;
  }
}

/** 5xx, after the retries that were allowed. */
export class ServerError extends ApiError {
  constructor(asked: RequestSummary, refusal: Refusal) {
    super(asked, refusal);
    if (asked.method !== 'GET' && asked.method !== 'HEAD')
      this.message = `${refusal.message.replace(/\.$/, '')}. The change may or may not have been made.`;
  }
}

/** No answer: name not found, connection refused or reset, TLS failure, time-out. The request changed nothing. */
export class NetworkError extends ClientError {
  readonly kind: FaultKind;
  /** True where the proxy is to blame and not the platform. */
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

/** A write was sent and its answer was lost: it may or may not have happened, and it is not repeated. */
export class OutcomeUnknownError extends ClientError {}

/** An answer came that cannot be what the endpoint answers: HTML, cut short, wrong shape, a paging loop. */
export class InvalidResponseError extends ClientError {}

/** A web page came in the place of an answer. */
export class WebPageError extends InvalidResponseError {}

/** The request was not sent: plain http, a path parameter that leaves its segment, a proxy or certificates that cannot be used. */
export class UnsafeRequestError extends ClientError {}

/** A redirect that must not be followed: another origin, too many hops, or one that would change the method of a write. */
export class RedirectError extends ClientError {}
