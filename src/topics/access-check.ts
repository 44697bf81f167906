/** Compares the known access of a token with the requirements of endpoints. */

import type { Account } from '../cli/account/account.ts';
import type { NamedCommand } from '../cli/lookup/command-words.ts';
import { appKeyName, permissionText, tokenKindNames } from '../cli/report/advice.ts';
import type { TokenKind } from '../platform/endpoint.ts';
import {
  type PlatformWords,
  permissionSets,
  type Requirements,
  requirementsFor,
  spelledPath,
} from '../platform/permissions.ts';
import type { Installation } from '../platform/records.ts';
import { holdsScope } from '../platform/scopes.ts';

/** `partly`: only some of the requests or some accounts. `unknown`: the platform does not report what decides. */
type Can = 'yes' | 'no' | 'partly' | 'unknown';

/** The known access of the token. */
export interface Held extends Pick<Account, 'tokenKind' | 'scopes' | 'platformVersion'> {
  /** The app's installations, with their permissions, for an app and an app user token; null for other kinds. */
  readonly installations: readonly Pick<Installation, 'account' | 'permissions'>[] | null;
  /** Whether the private key of the app is in use. */
  readonly isApp?: boolean;
}

interface Verdict {
  readonly can: Can;
  /** What is missing, or further conditions; may be empty. */
  readonly why: string;
}

export interface CommandVerdict extends Verdict {
  readonly command: string;
  readonly requests: readonly (Verdict & { readonly endpoint: string })[];
}

/** Returns whether a token can run a command, or which of its requests, with the platform's own path segments. */
export function checkCommand({ name, requests }: NamedCommand, held: Held, words: PlatformWords): CommandVerdict {
  const verdicts = requests.flatMap((route) => {
    const needs = requirementsFor(...(route.split(' ') as [string, string]));
    return needs ? [{ endpoint: spelledPath(route, words), ...judge(needs, held) }] : [];
  });
  return { command: name, ...summary(verdicts), requests: verdicts };
}

function summary(verdicts: CommandVerdict['requests']): Verdict {
  const [first] = verdicts;
  if (!first) return { can: 'yes', why: 'has no requests of its own' };
  const cans = new Set(verdicts.map(({ can }) => can));
  const can = cans.size === 1 ? first.can : cans.has('no') || cans.has('partly') ? 'partly' : 'unknown';
  if (verdicts.every(({ why }) => why === first.why)) return { can, why: first.why };
  const reasons = verdicts.filter(({ why }) => why !== '').map(({ endpoint, why }) => `${endpoint}: ${why}`);
  return { can, why: reasons.join('; ') };
}

/** Returns whether a token can access an endpoint. Roles depend on the target, so they are listed as conditions. */
function judge(needs: Requirements, held: Held): Verdict {
  const impossible = wrongEdition(needs, held) ?? wrongKind(needs, held);
  if (impossible !== undefined) return { can: 'no', why: impossible };
  const verdict = usesScopes(held) ? byScopes(needs, held) : byPermissions(needs, held);
  if (verdict.can === 'no') return verdict;
  return { can: verdict.can, why: [verdict.why, ...conditions(needs, held)].filter(Boolean).join('; ') };
}

/** Only self-managed platforms report their version. */
function wrongEdition({ editions }: Requirements, { platformVersion }: Held): string | undefined {
  if (!editions || platformVersion === null || editions.includes('self-managed')) return undefined;
  return `only on ${editions.join(', ')}, and this platform is self-managed`;
}

/** A token of unknown kind has no scopes, which the platform would report, and belongs to a user. */
function wrongKind({ tokens, asApp }: Requirements, { tokenKind, isApp }: Held): string | undefined {
  if (asApp) return isApp ? undefined : `requires ${appKeyName}`;
  const kinds: readonly TokenKind[] = tokenKind ? [tokenKind] : ['fine_grained', 'app_user'];
  if (!tokens || kinds.some((kind) => tokens.includes(kind))) return undefined;
  return `requires ${tokenKindNames(tokens)}`;
}

const usesScopes = ({ tokenKind }: Held) => tokenKind === 'classic' || tokenKind === 'oauth';

function byScopes({ scopes, permission, anonymous }: Requirements, { scopes: held }: Held): Verdict {
  if (!scopes) return { can: 'yes', why: permission && !anonymous ? 'no scope documented' : '' };
  const wanted = scopes.join(' or ');
  if (held === null) return { can: 'unknown', why: `depends on the scope ${wanted}` };
  if (scopes.some((scope) => holdsScope(held, scope))) return { can: 'yes', why: '' };
  return { can: 'no', why: `missing scope ${wanted}` };
}

function byPermissions({ permission, scopes, anonymous }: Requirements, { installations }: Held): Verdict {
  if (!permission) return { can: 'yes', why: scopes && !anonymous ? 'no permission documented' : '' };
  if (installations) return byInstallations(permission, anonymous ?? false, installations);
  const wanted = permissionText(permission);
  return anonymous
    ? { can: 'yes', why: `public resources; private resources depend on the permission ${wanted}` }
    : { can: 'unknown', why: `depends on the permission ${wanted}` };
}

function byInstallations(
  permission: string,
  anonymous: boolean,
  installations: NonNullable<Held['installations']>,
): Verdict {
  const permitted = installations.filter((installation) => satisfies(installation.permissions, permission));
  if (permitted.length > 0 && permitted.length === installations.length) return { can: 'yes', why: '' };
  const missing = `missing permission ${permissionText(permission)}`;
  if (permitted.length > 0) {
    const accounts = permitted.map(({ account }) => account?.login).filter((login) => login !== undefined);
    return { can: 'partly', why: `only for ${accounts.join(', ')}; otherwise ${missing}` };
  }
  return anonymous
    ? { can: 'yes', why: `public resources; ${missing} for private resources` }
    : { can: 'no', why: missing };
}

const levels = ['read', 'write', 'admin'];

/**
 * Returns whether the permissions include one of the required sets. Specification, Authentication: write satisfies
 * read.
 */
function satisfies(held: Readonly<Record<string, string>> | null | undefined, permission: string): boolean {
  return permissionSets(permission).some((set) =>
    set.every((one) => levels.indexOf(held?.[one.permission] ?? '') >= levels.indexOf(one.level)),
  );
}

function conditions({ role, editions }: Requirements, { tokenKind, platformVersion }: Held): string[] {
  return [
    ...(role && tokenKind !== 'installation' ? [`required role: ${role}`] : []),
    ...(editions && platformVersion === null ? [`only on ${editions.join(', ')}`] : []),
  ];
}
