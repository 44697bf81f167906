/** Access checks of tokens, and the platform's refusals. */
import type { Context } from 'hono';
import type { Declaration } from '../platform/endpoint.ts';
import { type Caller, hasScope, isApp, leavesOut, reaches, satisfies, usesScopes } from './callers.ts';
import type { SandboxPlatform } from './platform.ts';
import { forbidden, Refusal } from './refusals.ts';
import type { Resources } from './resources.ts';
import type { User } from './state/accounts.ts';
import { migrationLocks } from './state/migrations.ts';

/** When the deprecated endpoints were announced, and when they will be removed. */
const closingDown = { deprecation: 'Tue, 10 Mar 2026 00:00:00 GMT', sunset: 'Fri, 10 Mar 2028 00:00:00 GMT' };

/** Headers with the accepted and held scopes; also sent with refusals, for advice. */
export function tellRequirements(
  c: Context,
  { vendor }: SandboxPlatform,
  declaration: Declaration,
  caller: Caller,
): void {
  if (declaration.closingDown) for (const [name, date] of Object.entries(closingDown)) c.header(name, date);
  if (declaration.permission) c.header(`x-accepted-${vendor}-permissions`, declaration.permission);
  if (!usesScopes(caller)) return;
  c.header('x-oauth-scopes', (caller.scopes ?? []).join(', '));
  c.header('x-accepted-oauth-scopes', (declaration.scopes ?? []).join(', '));
}

/** Throws 401 or 403 for a kind of token that the endpoint does not support. */
export function checkKind({ tokens, asApp }: Declaration, caller: Caller): void {
  if (asApp && !caller.asApp) throw new Refusal(401, 'A JSON web token could not be decoded');
  if (!asApp && caller.asApp) throw new Refusal(401, 'Bad credentials');
  if (caller.anonymous || !tokens || (caller.kind && tokens.includes(caller.kind))) return;
  if (tokens.length === 1 && tokens[0] === 'installation')
    throw forbidden('You must authenticate with an installation access token to use this endpoint.');
  throw inaccessible(caller);
}

/** Throws 403 for a token without the scope or permission, or without access to the account. */
export function checkAccess(
  declaration: Declaration,
  caller: Caller,
  { account, repository, isPublic, isEnterprise }: Resources,
): void {
  if (declaration.anonymous && isPublic) return;
  if (usesScopes(caller)) {
    const scopes = declaration.scopes ?? [];
    if (scopes.length && !scopes.some((scope) => hasScope(caller, scope)))
      throw forbidden(`You need at least ${scopes.join(' scope or ')} scope to make this request.`);
    if ((declaration.permission || declaration.role) && caller.scopes?.length === 0)
      throw forbidden('A token without scopes can only read public resources.');
    return;
  }
  const permitted = !declaration.permission || satisfies(caller, declaration.permission);
  const within = isEnterprise ? caller.account === undefined && !isApp(caller) : !account || reaches(caller, account);
  if (!permitted || !within || (repository && leavesOut(caller, repository))) throw inaccessible(caller);
}

/** Throws 403 for a read-only repository. */
export function checkWritable(platform: SandboxPlatform, { repository }: Resources): void {
  if (repository?.archived) throw forbidden('Repository was archived so is read-only.');
  if (repository && migrationLocks(platform).get(repository.id) !== undefined)
    throw forbidden('Repository has been locked for migration.');
}

/** Returns the user whose token is used. Throws 403 for an installation, which is not a user. */
export function requireUser({ accounts }: SandboxPlatform, caller: Caller): User {
  const user = accounts.user(caller.login ?? '');
  if (!user) throw inaccessible(caller);
  return user;
}

/** Returns a 403 in the platform's words for each kind of token. */
export function inaccessible(caller: Caller): Refusal {
  if (caller.kind === 'oauth') return forbidden('Resource not accessible by OAuth app');
  const bearer = isApp(caller) ? 'integration' : 'personal access token';
  return forbidden(`Resource not accessible by ${bearer}`);
}
