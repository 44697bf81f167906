/** Tokens, their owners, and their access. */
import { createHash } from 'node:crypto';
import type { TokenKind } from '../platform/endpoint.ts';
import { type Level, levels } from '../platform/permission-map.ts';
import { permissionSets } from '../platform/permissions.ts';
import { holdsScope } from '../platform/scopes.ts';
import { Refusal } from './refusals.ts';
import { type Account, isoSeconds } from './state/accounts.ts';
import type { SandboxApp } from './state/app.ts';
import { installationOn } from './state/installations.ts';
import { randomToken } from './state/token-text.ts';
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
  /** IDs of the only repositories that an installation token can access; absent: all of the account. */
  readonly repositories?: readonly number[];
}

/** The caller of a request. Without a token only `anonymous` is set. */
export interface Caller extends Partial<Grant> {
  readonly anonymous: boolean;
  /** True for a JWT of the app. */
  readonly asApp?: boolean;
  /** Key of the quota. */
  readonly id: string;
}

/** A token of an installation, with its lifetime in epoch milliseconds. */
interface MintedToken {
  readonly grant: Grant;
  readonly from: number;
  readonly until: number;
}

/** For how many milliseconds a token counts as fresh. */
const freshMs = 1000;

interface TokenSettings {
  /** By token. */
  readonly grants: Readonly<Record<string, Grant>>;
  readonly app: SandboxApp;
  /** Of installation tokens, in milliseconds. */
  readonly tokenLifetime: number;
  /** Returns whether the next request with a fresh token fails. */
  readonly failsFresh: () => boolean;
  readonly clock: () => Date;
}

/** The valid tokens, by their digests, and the revoked ones. */
export class Tokens {
  readonly #grants: ReadonlyMap<string, Grant>;
  readonly #minted: Collection<MintedToken>;
  readonly #revoked: Collection<true>;
  readonly #settings: TokenSettings;

  constructor(settings: TokenSettings, store: Store) {
    this.#settings = settings;
    this.#grants = new Map(Object.entries(settings.grants).map(([token, grant]) => [digest(token), grant]));
    this.#minted = store.collection<MintedToken>('minted tokens');
    this.#revoked = store.collection<true>('revoked tokens');
  }

  /** Returns the owner of the token in an `Authorization` header. Throws 401 for an invalid token. */
  caller(authorization: string | undefined): Caller {
    if (authorization === undefined) return { anonymous: true, id: 'anonymous' };
    const token = /^(?:bearer|token)\s+(\S+)\s*$/i.exec(authorization)?.[1] ?? '';
    if (/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) {
      this.#settings.app.check(token);
      return { anonymous: false, asApp: true, id: 'app' };
    }
    const id = digest(token);
    const grant = this.#grants.get(id) ?? this.#valid(this.#minted.get(id));
    if (!grant || this.#revoked.get(id)) throw new Refusal(401, 'Bad credentials');
    return { ...grant, anonymous: false, id };
  }

  /** Returns the grant of a token that has not expired; sometimes undefined for a fresh one, if faults are injected. */
  #valid(minted: MintedToken | undefined): Grant | undefined {
    const now = this.#settings.clock().getTime();
    if (!minted || now >= minted.until) return undefined;
    return now - minted.from < freshMs && this.#settings.failsFresh() ? undefined : minted.grant;
  }

  /** Creates a token of an installation. Returns it with its end in ISO 8601, to the second. */
  mint(grant: Grant): { readonly token: string; readonly expires: string } {
    const token = randomToken('installation');
    const from = this.#settings.clock().getTime();
    const until = Math.ceil((from + this.#settings.tokenLifetime) / 1000) * 1000;
    this.#minted.set(digest(token), { grant, from, until });
    return { token, expires: isoSeconds(until) };
  }

  revoke({ id }: Caller): void {
    this.#revoked.set(id, true);
  }
}

const digest = (token: string): string => createHash('sha256').update(token).digest('hex');

export const hasScope = (caller: Caller, scope: string): boolean => holdsScope(caller.scopes ?? [], scope);

/** Whether the caller has a fine-grained permission; a level includes those below. Specification, Authentication, 5. */
export function hasPermission(caller: Caller, name: string, level: Level): boolean {
  const held = caller.permissions?.[name] ?? caller.permissions?.['*'];
  return held !== undefined && levels.indexOf(held) >= levels.indexOf(level);
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

/** Whether the token is limited to repositories, and not to this one. */
export const leavesOut = ({ repositories }: Caller, { id }: { readonly id: number }): boolean =>
  repositories !== undefined && !repositories.includes(id);

export const usesScopes = (caller: Caller): boolean => caller.kind === 'classic' || caller.kind === 'oauth';
