/** Explains the access that an endpoint requires. */

import { UsageError } from '../../cli/errors.ts';
import { appKeyName, permissionText, tokenKindNames } from '../../cli/report/advice.ts';
import { type Edition, type TokenKind, tokenKinds } from '../../platform/endpoint.ts';
import {
  type PlatformWords,
  pathBelow,
  type Requirements,
  readingsOf,
  requirementsFor,
  spelledPath,
} from '../../platform/permissions.ts';
import { closest } from '../../platform/suggest.ts';

export interface Explanation {
  /** Method and path with the platform's own segments. */
  readonly endpoint: string;
  /**
   * In the platform's syntax: `,` means and, `;` means or. Null if fine-grained tokens need none or are not
   * supported.
   */
  readonly permission: string | null;
  /** The specification's (*): requires several permissions or a different one. */
  readonly marked: boolean;
  /** Any one of them suffices. Null if none is required or known. */
  readonly scopes: readonly string[] | null;
  readonly role: string | null;
  /** Null if unknown. */
  readonly token_kinds: readonly TokenKind[] | null;
  /** Whether public resources need no token; null if unknown. */
  readonly anonymous: boolean | null;
  /** Null for all editions, or if unknown. */
  readonly editions: readonly Edition[] | null;
  readonly closing_down: string | null;
  readonly notes: readonly string[];
}

/** Returns the known requirements of an endpoint with the platform's own segments. */
export function explain(needs: Requirements, words: PlatformWords): Explanation {
  const { method, path, permission, marked, declared, scopes, role, asApp, anonymous, editions, closingDown } = needs;
  const tokens = asApp ? [] : needs.tokens;
  return {
    endpoint: `${method} ${spelledPath(path, words)}`,
    permission: permission ?? null,
    marked,
    scopes: scopes ?? null,
    role: role ?? null,
    token_kinds: declared ? (tokens ?? tokenKinds) : null,
    anonymous: declared ? (anonymous ?? false) : null,
    editions: editions ?? null,
    closing_down: closingDown ?? null,
    notes: notesOn(needs, words),
  };
}

function notesOn(needs: Requirements, { vendor }: PlatformWords): string[] {
  const { permission, marked, declared, tokens, asApp, anonymous, editions, closingDown } = needs;
  const header = `X-Accepted-${vendor}-Permissions`;
  return [
    marked && declared && '(*) requires several permissions or a different one; all are listed here',
    marked &&
      !declared &&
      `(*) requires several permissions or a different one; its response lists them in the header ${header}`,
    asApp && `requires ${appKeyName}`,
    tokens && `requires ${tokenKindNames(tokens)}`,
    anonymous && (permission ? 'public resources need no token and no permission' : 'public resources need no token'),
    editions && `only on ${editions.join(', ')}`,
    closingDown && `deprecated: ${closingDown}`,
    !declared && 'only the permission is known, because forgectl has no command for this endpoint',
  ].filter((note) => typeof note === 'string');
}

/** Returns the permission as text: `a (read) and b (read), or c (write)`. */
export function permissionWords({ permission, tokens }: Pick<Requirements, 'permission' | 'tokens'>): string {
  if (tokens?.every((kind) => kind === 'classic' || kind === 'oauth')) return 'not for fine-grained tokens';
  return permission ? permissionText(permission) : 'none';
}

/** Parses `METHOD PATH` from the words of a command line; undefined for other text. */
export function endpointIn(typed: readonly string[]): { readonly method: string; readonly path: string } | undefined {
  const text = typed.join(' ').trim();
  const [, method, path] = /^(?:(get|post|put|patch|delete|head|options)\s+)?(\S+)$/i.exec(text) ?? [];
  if (!path || (!method && !/^\/|^https?:/i.test(path))) return undefined;
  return { method: (method ?? '').toUpperCase(), path };
}

/** Returns the requirements of an endpoint. Throws UsageError with a suggestion for an unknown endpoint. */
export function findRequirements(method: string, path: string, words: PlatformWords): Requirements {
  if (!method) throw new UsageError(`“${path}” has no method.`, 'Give both, such as “GET /orgs/{org}”.');
  const found = requirementsFor(method, path, words);
  if (found) return found;
  throw new UsageError(
    `No permission data for ${method} ${pathBelow(path)}.`,
    [meantEndpoint(method, path, words), 'List all known endpoints with “forgectl permissions list”.']
      .filter(Boolean)
      .join(' '),
  );
}

function meantEndpoint(method: string, path: string, words: PlatformWords): string | undefined {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((other) => requirementsFor(other, path, words));
  if (methods.length) return `The path supports ${methods.join(', ')}.`;
  const readings = readingsOf(path.toLowerCase(), words);
  const near = closest(
    `${method} ${pathBelow(path.toLowerCase())}`,
    readings.map(({ reading }) => reading),
  );
  const meant = readings.find(({ reading }) => reading === near)?.requirements;
  return meant && `Did you mean “${meant.method} ${spelledPath(meant.path, words)}”?`;
}
