/** What an endpoint needs of a token, in full and in words. */

import { UsageError } from '../cli/errors.ts';
import { permissionText, tokenKindNames } from '../cli/report/advice.ts';
import { type Edition, type TokenKind, tokenKinds } from '../platform/endpoint.ts';
import {
  type PlatformWords,
  pathBelow,
  type Requirements,
  readingsOf,
  requirementsFor,
  spelledPath,
} from '../platform/permissions.ts';
import { closest } from '../platform/suggest.ts';

export interface Explanation {
  /** Method and path, with the platform's own words. */
  readonly endpoint: string;
  /** As the platform writes it: `,` means and, `;` means or. Null where a fine-grained token needs none, or cannot. */
  readonly permission: string | null;
  /** The specification's (*): several permissions are needed, or a different one does. */
  readonly marked: boolean;
  /** Any one of them suffices. Null where none is needed, or none is known. */
  readonly scopes: readonly string[] | null;
  readonly role: string | null;
  /** Null where it is not known. */
  readonly token_kinds: readonly TokenKind[] | null;
  /** Whether public resources are served without a token; null where it is not known. */
  readonly anonymous: boolean | null;
  /** Null where all have it, or it is not known. */
  readonly editions: readonly Edition[] | null;
  readonly closing_down: string | null;
  readonly notes: readonly string[];
}

/** What is known of an endpoint, with the platform's own words. */
export function explain(needs: Requirements, words: PlatformWords): Explanation {
  const { method, path, permission, marked, declared, scopes, role, tokens, anonymous, editions, closingDown } = needs;
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
  const { permission, marked, declared, tokens, anonymous, editions, closingDown } = needs;
  const header = `X-Accepted-${vendor}-Permissions`;
  return [
    marked && declared && '(*) needs several permissions, or takes a different one; all are named here',
    marked &&
      !declared &&
      `(*) needs several permissions, or takes a different one; the header ${header} of its answer names them all`,
    tokens && `works only with ${tokenKindNames(tokens)}`,
    anonymous && (permission ? 'public resources need no token and no permission' : 'public resources need no token'),
    editions && `only on ${editions.join(', ')}`,
    closingDown && `closing down: ${closingDown}`,
    !declared && 'only the permission is known: forgectl has no command for this endpoint',
  ].filter((note) => typeof note === 'string');
}

/** The permission as words: `a (read) and b (read), or c (write)`. */
export function permissionWords({ permission, tokens }: Pick<Requirements, 'permission' | 'tokens'>): string {
  if (tokens?.every((kind) => kind === 'classic' || kind === 'oauth')) return 'not for fine-grained tokens';
  return permission ? permissionText(permission) : 'none';
}

/** `METHOD PATH` in the words of a command line, if that is what they are. */
export function endpointIn(typed: readonly string[]): { readonly method: string; readonly path: string } | undefined {
  const text = typed.join(' ').trim();
  const [, method, path] = /^(?:(get|post|put|patch|delete|head|options)\s+)?(\S+)$/i.exec(text) ?? [];
  if (!path || (!method && !/^\/|^https?:/i.test(path))) return undefined;
  return { method: (method ?? '').toUpperCase(), path };
}

/** What is known of an endpoint. Throws UsageError, with what was probably meant, where nothing is. */
export function findRequirements(method: string, path: string, words: PlatformWords): Requirements {
  if (!method) throw new UsageError(`“${path}” is a path without a method.`, 'Write both, such as “GET /orgs/{org}”.');
  const found = requirementsFor(method, path, words);
  if (found) return found;
  throw new UsageError(
    `Nothing is known of ${method} ${pathBelow(path)}.`,
    [meantEndpoint(method, path, words), '“forgectl permissions list” shows all that is known.']
      .filter(Boolean)
      .join(' '),
  );
}

function meantEndpoint(method: string, path: string, words: PlatformWords): string | undefined {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((other) => requirementsFor(other, path, words));
  if (methods.length) return `The path is known with ${methods.join(', ')}.`;
  const readings = readingsOf(path.toLowerCase(), words);
  const near = closest(
    `${method} ${pathBelow(path.toLowerCase())}`,
    readings.map(({ reading }) => reading),
  );
  const meant = readings.find(({ reading }) => reading === near)?.requirements;
  return meant && `Did you mean “${meant.method} ${spelledPath(meant.path, words)}”?`;
}
