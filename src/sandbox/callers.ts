/** Tokens, their owners, and their access. */
import { createHash } from 'node:crypto';
import type { TokenKind } from '../platform/endpoint.ts';
import type { Level } from '../platform/permission-map.ts';
import { permissionSets } from '../platform/permissions.ts';
import { holdsScope } from '../platform/scopes.ts';
import { Refusal } from './refusals.ts';
import type { Account } from './state/accounts.ts';
import { installationOn } from './state/installations.ts';
import type { Collection, Store } from './store.ts';

/** The access of a token. */
export interface Grant {
  readonly kind: TokenKind;
  /** Login of the token's owner; absent for installation tokens. */
  readonly login?: string;
  /**
   * Login of the only account whose private resources the token can access; absent: everything that its owner can
   * access.
   */
  readonly account?: string;
  /** For classic and OAuth tokens. */
  readonly scopes?: readonly string[];
  /** For the other kinds: fine-grained permissions by name; `*` is the default. */
  readonly permissions?: Readonly<Record<string, Level>>;
}

/** The caller of a request. Without a token only `anonymous` is set. */
export interface Caller extends Partial<Grant> {
  readonly anonymous: boolean;
  /** Key of the quota. */
  readonly id: string;
}

/** The valid tokens, by their digests, and the revoked ones. */
export class Tokens {
  readonly #grants: ReadonlyMap<string, Grant>;
  readonly #revoked: Collection<true>;

  /** @param grants by token */
  constructor(grants: Readonly<Record<string, Grant>>, store: Store) {
    this.#grants = new Map(Object.entries(grants).map(([token, grant]) => [digest(token), grant]));
    this.#revoked = store.collection<true>('revoked tokens');
  }

  /** Returns the owner of the token in an `Authorization` header. Throws 401 for an invalid token. */
  caller(authorization: string | undefined): Caller {
    if (authorization === undefined) return { anonymous: true, id: 'anonymous' };
    const token = /^(?:bearer|token)\s+(\S+)\s*$/i.exec(authorization)?.[1];
    const id = token && digest(token);
    const grant = id && this.#grants.get(id);
    if (!grant || this.#revoked.get(id)) throw new Refusal(401, 'Bad credentials');
    return { ...grant, anonymous: false, id };
  }

  revoke({ id }: Caller): void {
    this.#revoked.set(id, true);
  }
}

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

export const hasScope = (caller: Caller, scope: string): boolean => holdsScope(caller.scopes ?? [], scope);

/** Whether the caller has a fine-grained permission; write includes read. Specification, Authentication, 5. */
export function hasPermission(caller: Caller, name: string, level: Level): boolean {
  const held = caller.permissions?.[name] ?? caller.permissions?.['*'];
  return held === 'write' || held === level;
}

/** Whether the caller has one of the sets of permissions in a declaration, in the platform's header syntax. */
export function satisfies(caller: Caller, permission: string): boolean {
  return permissionSets(permission).some((set) =>
    set.every(({ permission: name, level }) => hasPermission(caller, name, level)),
  );
}

/** Whether the token belongs to an app, which can act only where it is installed. */
export const isApp = (caller: Caller): boolean => caller.kind === 'installation' || caller.kind === 'app_user';

/** Whether the token has access to an account. */
export function reaches(caller: Caller, account: Account): boolean {
  if (isApp(caller) && installationOn(account) !== 'active') return false;
  return caller.account === undefined || caller.account === account.login;
}

export const usesScopes = (caller: Caller): boolean => caller.kind === 'classic' || caller.kind === 'oauth';
