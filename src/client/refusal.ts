/** Converts a refusal to an error with the reason and the access that the platform accepts. */
import { asText } from '../json/exact-json.ts';
import {
  ApiError,
  ApiVersionError,
  AuthenticationError,
  type FieldError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  type Refusal,
  type RequestSummary,
  ServerError,
} from './errors.ts';
import { type HttpResponse, isRead, leavesOutcomeUnknown } from './http.ts';
import { shortened } from './redact.ts';
import { errorBody, maxErrorBytes, mediaType, messageOf } from './response.ts';
import { isRateLimited, limitEnd } from './transport/limits.ts';

export interface RefusalContext {
  readonly asked: RequestSummary;
  readonly vendor: string;
  readonly apiVersion: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns the error for a response with a status of 400 or above. */
export function errorFor(response: HttpResponse, { asked, vendor, apiVersion, now }: RefusalContext): ApiError {
  const refusal = readRefusal(response, vendor);
  if (isRateLimited(response)) return new RateLimitError(asked, refusal, limitEnd(response, now));
  const { status, message } = refusal;
  if (status === 401) return new AuthenticationError(asked, refusal);
  if (status === 403) return new PermissionError(asked, refusal);
  if (status === 404) return new NotFoundError(asked, refusal);
  if (status >= 500 || (leavesOutcomeUnknown(status) && !isRead(asked.method))) return new ServerError(asked, refusal);
  if ((status === 400 || status === 410) && /api[ -]?version/i.test(message))
    return new ApiVersionError(asked, refusal, apiVersion);
  return new ApiError(asked, refusal);
}

const maxMessageLength = 1000;

/** Maximum number of rejected fields in an error. */
const maxFields = 20;

function readRefusal(response: HttpResponse, vendor: string): Refusal {
  const { status, headers } = response;
  const body = errorBody(response);
  const stated = messageOf(response);
  const documentationUrl = body.documentation_url;
  const errors = errorList(body.errors);
  return {
    status,
    message: shortened(stated ?? fallbackMessage(response), maxMessageLength),
    ...optional('mediaType', stated === undefined ? foreignType(response) : undefined),
    fields: errors.slice(0, maxFields).map(fieldError),
    moreFields: Math.max(0, errors.length - maxFields),
    ...optional('requestId', requestIdOf(response, vendor)),
    ...optional('documentationUrl', typeof documentationUrl === 'string' ? documentationUrl : undefined),
    ...optional('heldScopes', scopesIn(headers['x-oauth-scopes'])),
    ...optional('acceptedScopes', scopesIn(headers['x-accepted-oauth-scopes'])),
    ...optional('acceptedPermissions', headers[`x-accepted-${vendor}-permissions`.toLowerCase()]),
    ...optional('ssoUrl', /url=([^;\s]+)/.exec(headers[`x-${vendor}-sso`.toLowerCase()] ?? '')?.[1]),
  };
}

/** Returns the ID under which the platform's support finds the request. */
function requestIdOf({ headers }: Pick<HttpResponse, 'headers'>, vendor: string): string | undefined {
  return headers[`x-${vendor}-request-id`.toLowerCase()] ?? headers['x-request-id'];
}

/** Describes a response without a reason, to follow the status; never quotes the page itself. */
function fallbackMessage(response: HttpResponse): string {
  // An import of node:http would also load undici, which changes globals.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  const name = STATUS_CODES[response.status] ?? 'without a reason';
  if (response.body.length > maxErrorBytes) return `${name} with more than ${maxErrorBytes / 1024 / 1024} MiB`;
  const type = foreignType(response);
  return type === undefined ? name : `${name} with ${type} instead of JSON`;
}

/** Returns the media type of a body that is not JSON; undefined for JSON, and for a response without a body or a type. */
function foreignType({ headers, body }: HttpResponse): string | undefined {
  const type = headers['content-type'];
  return body.length === 0 || type === undefined || /json/i.test(type) ? undefined : mediaType(type);
}

/** Returns the `errors` of a 422: texts, or objects with a field. A single text is also accepted. */
function errorList(errors: unknown): readonly unknown[] {
  return Array.isArray(errors) ? errors : errors === undefined || errors === null ? [] : [errors];
}

function fieldError(error: unknown): FieldError {
  if (typeof error !== 'object' || error === null) return { message: shortened(asText(error), maxMessageLength) };
  const given = error as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    (['resource', 'field', 'code', 'message'] as const).flatMap((name) =>
      typeof given[name] === 'string' ? [[name, shortened(given[name], maxMessageLength)]] : [],
    ),
  );
}

/** Parses `X-OAuth-Scopes`; an empty header means none. */
function scopesIn(header: string | undefined): string[] | undefined {
  return header
    ?.split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '');
}

function optional<K extends string, T>(name: K, value: T | undefined): { [P in K]?: T } {
  return value === undefined ? {} : ({ [name]: value } as { [P in K]: T });
}
