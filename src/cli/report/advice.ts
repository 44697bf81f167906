/** Advice after an error: the missing scope, permission or role, the profile in use, the flag to change. */
import {
  ApiError,
  ApiVersionError,
  AppLoginError,
  AuthenticationError,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  PermissionError,
  RateLimitError,
  type Refusal,
  RenamedError,
  ServerError,
  WebPageError,
} from '../../client/errors.ts';
import { isRead } from '../../client/http.ts';
import { isLoopback } from '../../client/platform.ts';
import { counted } from '../../output/amounts.ts';
import type { Declaration, TokenKind } from '../../platform/endpoint.ts';
import { tokenKinds } from '../../platform/endpoint.ts';
import { holdsScope } from '../../platform/scopes.ts';
import { InterruptedError } from '../errors.ts';

/** The access data of an endpoint, from its declaration or the permission map. */
type Access = Pick<
  Declaration,
  'permission' | 'scopes' | 'role' | 'tokens' | 'asApp' | 'editions' | 'refusals' | 'closingDown'
>;

/** The context of an error, as far as it is known. */
export interface AdviceContext {
  readonly endpoint?: Access | undefined;
  /** True for a command that sends no requests. */
  readonly offline?: boolean;
  /** The names of the fields in the request's body. */
  readonly sentFields?: readonly string[] | undefined;
  readonly baseUrl?: string | undefined;
  /** Where the base URL comes from: a flag, a variable, or `profile NAME`. */
  readonly baseUrlFrom?: string | undefined;
  readonly profile?: string | undefined;
  /** The command that logs in to the platform in use. */
  readonly loginCommand?: string | undefined;
  readonly tokenKind?: TokenKind | undefined;
  /** The source of the token; absent if none was sent. */
  readonly tokenSource?: 'environment' | 'keyring' | 'file' | 'program' | undefined;
  /** The environment variable that it came from. */
  readonly tokenVariable?: string | undefined;
  /** The command that shows whether a write happened. */
  readonly verifyCommand?: string | undefined;
}

const kindNames: Readonly<Record<TokenKind, string>> = {
  classic: 'classic personal access token',
  oauth: 'OAuth app token',
  fine_grained: 'fine-grained personal access token',
  app_user: 'app user access token',
  installation: 'app installation access token',
};

/** The name of an app’s own login in messages. */
export const appKeyName = 'the private key of an app';

/** Names token kinds for use in a sentence: `classic personal access tokens and OAuth app tokens`. */
export function tokenKindNames(kinds: readonly TokenKind[]): string {
  return sentenceList(
    kinds.map((kind) => `${kindNames[kind]}s`),
    'and',
  );
}

/** `an OAuth app token` */
export const tokenOfKind = (kind: TokenKind): string => article(kindNames[kind]);

function sentenceList(words: readonly string[], conjunction: 'and' | 'or'): string {
  if (words.length < 2) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words.at(-1)}`;
}

export function adviceFor(error: unknown, context: AdviceContext): string | undefined {
  if (error instanceof PermissionError && isArchived(error.refusal)) {
    if (context.sentFields?.join() === 'archived') return 'The repository is archived already.';
    return 'Archived repositories are read-only. Unarchive the repository first: “forgectl repos unarchive”.';
  }
  const known = error instanceof ApiError ? knownRefusals(error.refusal, context) : [];
  const advice = [...known, ...adviceByKind(error, context)].filter(Boolean);
  return advice.length ? advice.join(' ') : undefined;
}

/**
 * Returns why the platform refused a request, without the request, so that equal refusals can be counted: `archived`, or
 * `403 Resource not accessible; needs administration (write)`.
 */
export function refusalReason(error: ApiError, context: AdviceContext): string {
  const { refusal, message } = error;
  if (isArchived(refusal)) return 'archived';
  const reason = `${refusal.status} ${message}`;
  // The status of a rate limit may be 403, too.
  const permission = error instanceof PermissionError ? neededPermission(refusal, context) : undefined;
  return permission === undefined ? reason : `${reason}; needs ${permissionText(permission)}`;
}

const isArchived = ({ message }: Refusal) => /\barchived\b.*\bread-only\b/i.test(message);

function adviceByKind(error: unknown, context: AdviceContext): string[] {
  if (error instanceof InterruptedError) return verifyAdvice(error.pendingWrites);
  if (error instanceof AppLoginError) return [appLoginAdvice[error.wrong]];
  if (isOfOtherServer(error))
    return [webPageAdvice(context), ...(hasUnknownOutcome(error) ? unknownOutcomeAdvice(context) : [])];
  if (error instanceof AuthenticationError) return [authenticationAdvice(context)];
  if (error instanceof PermissionError) return permissionAdvice(error.refusal, context);
  if (error instanceof NotFoundError && error.nearest !== undefined) return [`Did you mean ${error.nearest}?`];
  if (error instanceof NotFoundError) return notFoundAdvice(error.refusal, context);
  if (error instanceof RateLimitError) return [rateLimitAdvice(error)];
  if (error instanceof RenamedError) return [`To change ${error.current}, use its current name.`];
  if (error instanceof NetworkError) return networkAdvice(error, context);
  if (error instanceof ApiVersionError)
    return [
      `Choose another with --api-version, or permanently with “forgectl config set api-version VERSION${ofProfile(context)}”.`,
    ];
  return hasUnknownOutcome(error) ? unknownOutcomeAdvice(context) : [];
}

const isOfOtherServer = (error: unknown): boolean =>
  error instanceof WebPageError ||
  (error instanceof ApiError && !(error instanceof RateLimitError) && error.refusal.mediaType !== undefined);

/** Errors that suggest a wrong or currently unavailable address. */
const unreachableKinds: readonly NetworkError['kind'][] = ['refused', 'name', 'tls'];

function networkAdvice({ kind, atProxy }: NetworkError, context: AdviceContext): string[] {
  if (kind === 'certificate')
    return [
      `If the platform uses a private certificate authority, run “forgectl config set ca-file FILE${ofProfile(context)}” or set NODE_EXTRA_CA_CERTS.`,
    ];
  if (atProxy || !unreachableKinds.includes(kind)) return [];
  return [
    ...(kind === 'tls' ? plainHttpAdvice(context) : []),
    `Check that the platform is running and ${correctBaseUrl(context)}`,
  ];
}

/** A profile is listed only if it has the base URL: at login it may not exist yet. */
function correctBaseUrl(context: AdviceContext): string {
  const { baseUrlFrom: from = '--base-url', profile } = context;
  if (from === `profile ${profile}`) return `the base URL is correct: forgectl config list${ofProfile(context)}`;
  return `${from === '--base-url' ? 'the base URL' : from} is correct.`;
}

/** On this machine a platform may use plain HTTP, as an embedded one does. */
function plainHttpAdvice({ baseUrl = '' }: AdviceContext): string[] {
  const url = URL.parse(baseUrl);
  if (!url || !isLoopback(url.hostname)) return [];
  return [`If it speaks plain HTTP, use --base-url ${baseUrl.replace(/^https:/, 'http:')}.`];
}

/** The flag that makes another command use the same profile. */
const ofProfile = ({ profile }: AdviceContext): string => (profile === undefined ? '' : ` --profile ${profile}`);

/** True if a write was sent and its outcome is unknown. */
function hasUnknownOutcome(error: unknown): boolean {
  if (error instanceof OutcomeUnknownError) return true;
  return (error instanceof ServerError || error instanceof InvalidResponseError) && !isRead(error.asked.method);
}

/** The only write that an app itself sends creates a token. */
const unknownOutcomeAdvice = (context: AdviceContext): string[] =>
  context.endpoint?.asApp
    ? ['Run the command again: a token whose response was lost expires within an hour.']
    : verifyAdvice([context]);

/** Returns advice on how to find out whether writes happened. */
function verifyAdvice(writes: readonly Pick<AdviceContext, 'verifyCommand'>[]): string[] {
  if (writes.length === 0) return [];
  const commands = new Set(writes.flatMap(({ verifyCommand }) => verifyCommand ?? []));
  const how = commands.size > 0 ? [...commands].join('; ') : 'use the matching get or list command';
  return [`Check the result before you retry: ${how}.`];
}

/** Returns the declared advice for this status; for a field, only if the request contained it. */
function knownRefusals({ status }: Refusal, { endpoint, sentFields }: AdviceContext): string[] {
  return (endpoint?.refusals ?? [])
    .filter((refusal) => refusal.status === status)
    .filter(({ field }) => field === undefined || sentFields?.includes(field))
    .map(({ advice }) => advice);
}

const appLoginAdvice: Readonly<Record<AppLoginError['wrong'], string>> = {
  key: 'Check that the private key belongs to this app and has not been deleted.',
  installation: 'List its installations with “forgectl apps installations”.',
  clock: 'Check the clocks of this machine and of the platform, and correct the wrong one.',
  choice:
    'Select one with FORGECTL_APP_INSTALLATION, or log in with --installation or --organization. For all of them, use --all-installations with each or policy export.',
};

function authenticationAdvice(context: AdviceContext): string {
  const { tokenSource, tokenVariable, profile, loginCommand: login, endpoint } = context;
  if (endpoint?.asApp) return appLoginAdvice.key;
  if (tokenSource === 'environment')
    return `The platform rejected the token${tokenVariable ? ` in ${tokenVariable}` : ''}; it may have expired or been revoked.`;
  if (tokenSource)
    return `The platform rejected the token of profile ${profile}; it may have expired or been revoked. Log in again: ${login}`;
  return `No token was sent. Log in: ${login}`;
}

function permissionAdvice(refusal: Refusal, context: AdviceContext): string[] {
  if (refusal.ssoUrl)
    return [`The organization requires single sign-on. Authorize the token at ${refusal.ssoUrl} and try again.`];
  const kinds = wrongKind(context);
  if (kinds) return [kinds];
  return [...neededAccess(refusal, context), source(context)];
}

/** Returns advice if the endpoint does not, or may not, accept the token's kind. */
function wrongKind({ endpoint, tokenKind }: AdviceContext): string | undefined {
  if (!endpoint?.tokens || endpoint.tokens.length === tokenKinds.length) return undefined;
  if (tokenKind && endpoint.tokens.includes(tokenKind)) return undefined;
  const yours = tokenKind ? `; this one is ${tokenOfKind(tokenKind)}` : '';
  return `This works only with ${tokenKindNames(endpoint.tokens)}${yours}.`;
}

const permissionKinds: readonly TokenKind[] = ['fine_grained', 'app_user', 'installation'];

/** Returns whether the token has scopes and no permissions of its own. */
const hasScopes = ({ heldScopes }: Refusal, { tokenKind }: AdviceContext): boolean =>
  tokenKind === 'classic' || tokenKind === 'oauth' || (tokenKind === undefined && heldScopes !== undefined);

/** Returns the permission that a token with permissions needs for the request. */
function neededPermission(refusal: Refusal, context: AdviceContext): string | undefined {
  const { endpoint } = context;
  const takesPermissions = (endpoint?.tokens ?? tokenKinds).some((kind) => permissionKinds.includes(kind));
  if (!takesPermissions || hasScopes(refusal, context)) return undefined;
  return refusal.acceptedPermissions ?? endpoint?.permission;
}

function neededAccess(refusal: Refusal, context: AdviceContext): string[] {
  const { endpoint } = context;
  const said: string[] = [];
  const accepted = refusal.acceptedScopes?.length ? refusal.acceptedScopes : endpoint?.scopes;
  const held = refusal.heldScopes;
  const lacking = held === undefined || !accepted?.some((scope) => holdsScope(held, scope));
  if (hasScopes(refusal, context) && accepted?.length && lacking) {
    const scopes = sentenceList(accepted, 'or');
    if (held === undefined) said.push(`Required scope: ${scopes}.`);
    else said.push(`Required scope: ${scopes} (the token has ${held.length ? held.join(', ') : 'none'}).`);
  }
  const permission = neededPermission(refusal, context);
  if (permission) said.push(`Fine-grained permission: ${permissionText(permission)}.`);
  if (endpoint?.role) said.push(`Required role: ${endpoint.role}.`);
  return said;
}

const article = (noun: string) => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;

/** The platform's header syntax as words: `a=read,b=read; c=write` → `a (read) and b (read), or c (write)`. */
export function permissionText(permission: string): string {
  return permission
    .split(';')
    .map((set) =>
      set
        .split(',')
        .map((pair) => pair.trim().replace(/^(.*)=(.*)$/, '$1 ($2)'))
        .join(' and '),
    )
    .join(', or ');
}

function notFoundAdvice(refusal: Refusal, context: AdviceContext): string[] {
  const editions = context.endpoint?.editions;
  const where = editions ? ` Available only in: ${editions.join(', ')}.` : '';
  if (!context.tokenSource)
    return [
      `Check the spelling. Without a token, private resources also return 404.${where}`,
      ...basePathAdvice(context),
    ];
  const kinds = wrongKind(context);
  return [
    `Check the spelling. Resources that the token cannot access also return 404.${where}`,
    ...basePathAdvice(context),
    ...(kinds ? [kinds] : neededAccess(refusal, context)),
    source(context),
  ];
}

/**
 * Advice for a base URL with an unexpected path. Specification, What the service does: it ends with `/api/v3`, or has
 * no path.
 */
function basePathAdvice({ baseUrl = '' }: AdviceContext): string[] {
  const url = URL.parse(baseUrl);
  if (!url || url.pathname === '/' || url.pathname.endsWith('/api/v3')) return [];
  return [`The base URL is ${baseUrl}; the API of ${url.host} may be at ${url.origin}/api/v3.`];
}

function source({ tokenSource, tokenVariable, profile }: AdviceContext): string {
  if (tokenSource === 'environment') return tokenVariable ? `Token source: ${tokenVariable}.` : '';
  return profile ? `Profile: ${profile}.` : '';
}

function rateLimitAdvice({ retryAt, retryInMs }: RateLimitError): string {
  const when = retryAt && retryInMs !== undefined ? retryTime(retryAt, retryInMs) : 'in a minute or later';
  return `Retry ${when}, or wait longer with --max-wait.`;
}

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

/** Returns `in 14 minutes, at 12:30 UTC`: rounded up, with the date unless it is today. */
function retryTime(at: Date, ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const minutes = Math.ceil(ms / minuteMs);
  const span =
    seconds <= 90
      ? counted(seconds, 'second')
      : minutes <= 90
        ? counted(minutes, 'minute')
        : counted(Math.ceil(minutes / 60), 'hour');
  const shown = seconds <= 90 ? at : new Date(Math.ceil(at.getTime() / minuteMs) * minuteMs);
  const time = shown.toISOString().slice(11, seconds <= 90 ? 19 : 16);
  const isToday = Math.floor(shown.getTime() / dayMs) === Math.floor((at.getTime() - ms) / dayMs);
  return `in ${span}, ${isToday ? '' : `on ${shown.toISOString().slice(0, 10)} `}at ${time} UTC`;
}

function webPageAdvice({ baseUrl = '' }: AdviceContext): string {
  const lacking = /\/api\//.test(baseUrl) ? '' : `the base URL ${baseUrl} may need /api/v3, or `;
  const said = `${lacking}the response came from a proxy or a sign-in portal`;
  return `${said[0]?.toUpperCase()}${said.slice(1)}.`;
}
