/** Compares the known access of a token with the requirements of endpoints. */

import type { Account } from '../../cli/account/account.ts';
import type { NamedCommand } from '../../cli/lookup/command-words.ts';
import { appKeyName, permissionText, tokenKindNames } from '../../cli/report/advice.ts';
import type { TokenKind } from '../../platform/endpoint.ts';
import {
  type PlatformWords,
  permissionSets,
  type Requirements,
  requirementsFor,
  spelledPath,
} from '../../platform/permissions.ts';
import type { Installation } from '../../platform/records.ts';
import { holdsScope } from '../../platform/scopes.ts';
import { isReading, roleAt, type Standing } from './standing.ts';

/** `unknown`: the platform does not report enough to tell. */
type Answer = 'yes' | 'no' | 'unknown';

/** The known access of the token. */
export interface Held extends Pick<Account, 'tokenKind' | 'scopes' | 'platformVersion'> {
  /** The app's installations, with their permissions, for an app and an app user token; null for other kinds. */
  readonly installations: readonly Pick<Installation, 'account' | 'permissions' | 'repository_selection'>[] | null;
  /** Whether the private key of the app is in use. */
  readonly isApp?: boolean;
}

interface Verdict {
  readonly answer: Answer;
  /** Empty for `yes`. */
  readonly reason: string;
}

export interface CommandVerdict extends Verdict {
  readonly command: string;
  readonly requests: readonly (Verdict & { readonly endpoint: string })[];
}

const yes: Verdict = { answer: 'yes', reason: '' };
const no = (reason: string): Verdict => ({ answer: 'no', reason });
const unknown = (reason: string): Verdict => ({ answer: 'unknown', reason });

/** Returns whether a token can run a command, with the platform's own path segments. */
export function checkCommand(
  { name, requests, takesEither }: NamedCommand,
  held: Held,
  standing: Standing,
  words: PlatformWords,
): CommandVerdict {
  const verdicts = (takesEither ? atTarget(requests, standing) : requests).flatMap((route) => {
    const needs = requirementsFor(...(route.split(' ') as [string, string]));
    return needs ? [{ endpoint: spelledPath(route, words), ...judge(needs, held, standing) }] : [];
  });
  return { command: name, ...summary(verdicts), requests: verdicts };
}

/** Returns the requests for the named target, of a command that works with several kinds of targets. */
function atTarget(requests: NamedCommand['requests'], { repository, org }: Standing): NamedCommand['requests'] {
  const of = (pattern: RegExp) => requests.filter((route) => pattern.test(route));
  const ofRepository = repository ? of(/ \/repos\//) : [];
  const ofTarget = ofRepository.length || org === undefined ? ofRepository : of(/ \/(orgs|organizations)\/\{org\}/);
  return ofTarget.length ? ofTarget : requests;
}

/** A command is impossible if all of its writes are. Otherwise it may not need the requests that are. */
function summary(verdicts: CommandVerdict['requests']): Verdict {
  const writes = verdicts.filter(({ endpoint }) => !endpoint.startsWith('GET '));
  const deciding = [verdicts, writes].find((some) => some.length > 0 && some.every(({ answer }) => answer === 'no'));
  const relevant = deciding ?? verdicts.filter(({ answer }) => answer !== 'yes');
  const [first] = relevant;
  if (!first) return yes;
  const answer = deciding ? 'no' : 'unknown';
  if (relevant.length === verdicts.length && relevant.every(({ reason }) => reason === first.reason))
    return { answer, reason: first.reason };
  const others = relevant.length - 1;
  return { answer, reason: `${first.endpoint}: ${first.reason}${others > 0 ? `; and ${others} more` : ''}` };
}

function judge(needs: Requirements, held: Held, standing: Standing): Verdict {
  const factors = [
    byKind(needs, held),
    usesScopes(held) ? byScopes(needs, held, standing) : byPermissions(needs, held, standing),
    byRole(needs, held, standing),
    byEdition(needs, held),
  ];
  const refused = factors.find(({ answer }) => answer === 'no');
  if (refused) return refused;
  const reasons = factors.filter(({ answer }) => answer === 'unknown').map(({ reason }) => reason);
  return reasons.length ? unknown(reasons.join('; ')) : yes;
}

/** A token of unknown kind has no scopes, which the platform would report, and belongs to a user. */
function byKind({ tokens, asApp }: Requirements, { tokenKind, isApp }: Held): Verdict {
  if (asApp) return isApp ? yes : no(`requires ${appKeyName}`);
  const kinds: readonly TokenKind[] = tokenKind ? [tokenKind] : ['fine_grained', 'app_user'];
  return !tokens || kinds.some((kind) => tokens.includes(kind)) ? yes : no(`requires ${tokenKindNames(tokens)}`);
}

/** Only self-managed platforms report their version. Platforms also serve endpoints that are documented for others. */
function byEdition({ editions }: Requirements, { platformVersion }: Held): Verdict {
  if (!editions || (platformVersion !== null && editions.includes('self-managed'))) return yes;
  return unknown(`documented only for ${editions.join(', ')}`);
}

/** Roles are those of people: the tokens of installations have only permissions. */
function byRole(needs: Requirements, { tokenKind }: Held, standing: Standing): Verdict {
  const required = tokenKind === 'installation' ? undefined : roleAt(needs, standing);
  if (!required || required.holds) return yes;
  if (required.role === undefined) return unknown('required role not documented');
  return required.holds === false ? no(`requires role ${required.role}`) : unknown(`role unknown: ${required.role}`);
}

const usesScopes = ({ tokenKind }: Held) => tokenKind === 'classic' || tokenKind === 'oauth';

function byScopes(needs: Requirements, { scopes: held }: Held, { repository }: Standing): Verdict {
  const { scopes, permission, anonymous, role } = needs;
  if (!scopes) {
    if (anonymous && (!permission || repository?.private === false)) return yes;
    // Public platform, Scopes for OAuth apps: repo grants access to public and private repositories.
    if (anonymous && permission !== undefined && isReading(permission) && held?.includes('repo')) return yes;
    if (anonymous) return unknown('scope for private resources not documented');
    return permission || role ? unknown('no scope documented') : yes;
  }
  const wanted = scopes.join(' or ');
  if (held === null) return unknown(`depends on scope ${wanted}`);
  const matching = scopes.filter((scope) => holdsScope(held, scope));
  if (matching.length === 0)
    return anonymous ? unknown(`only public resources without scope ${wanted}`) : no(`missing scope ${wanted}`);
  if (matching.some((scope) => scope !== 'public_repo') || repository?.private === false) return yes;
  return repository ? no('missing scope repo') : unknown('only public repositories without scope repo');
}

function byPermissions(needs: Requirements, held: Held, standing: Standing): Verdict {
  const { permission, scopes, anonymous } = needs;
  if (!permission) return scopes && !anonymous ? unknown('no permission documented') : yes;
  if (anonymous && standing.repository?.private === false) return yes;
  // The repository has been read.
  if (permission === 'metadata=read' && standing.repository?.private) return yes;
  const text = `${permissionText(permission)}${anonymous ? ' for private resources' : ''}`;
  if (!held.installations) return unknown(`depends on permission ${text}`);
  return byInstallations(needs, installationsAt(held.installations, standing), standing, text);
}

/** Returns the installations on the account of the target. */
function installationsAt(installations: NonNullable<Held['installations']>, { org, repository }: Standing) {
  const account = (org ?? repository?.full_name.split('/')[0])?.toLowerCase();
  return installations.filter(({ account: on }) => !account || !on || on.login?.toLowerCase() === account);
}

function byInstallations(
  { permission = '', anonymous }: Requirements,
  installations: NonNullable<Held['installations']>,
  { repository }: Standing,
  text: string,
): Verdict {
  const refuse = anonymous ? unknown : no;
  if (installations.length === 0) return refuse('the app is not installed');
  const permitted = installations.filter((installation) => satisfies(installation.permissions, permission));
  if (permitted.length === 0) return refuse(`missing permission ${text}`);
  if (permitted.length < installations.length) {
    const accounts = permitted.flatMap(({ account }) => account?.login ?? []);
    return unknown(`only for ${accounts.join(', ')}; otherwise missing permission ${text}`);
  }
  // A public repository can be read without being selected.
  const isSelected = repository?.private || permitted.every(({ repository_selection: all }) => all !== 'selected');
  return !repository || isSelected ? yes : unknown('the installation may not include the repository');
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
