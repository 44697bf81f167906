/** Chooses the profile and the platform of a login. */
import { tokenKinds } from '../../platform/endpoint.ts';
import { tokenOfKind } from '../report/advice.ts';
import type { Account } from './account.ts';
import { settingGiven } from './connection.ts';
import type { NamedProfile } from './settings.ts';
import { checkProfileName, type Settings } from './settings.ts';

export interface LoginProfile extends NamedProfile {
  /** Absent if neither the command nor the profile has one. */
  readonly baseUrl: string | undefined;
}

/**
 * Returns the profile for a login. A named profile is used whether it exists yet or not. Otherwise: without a base URL,
 * the active profile; with one, the profile of its origin, else `default` if that is free, else a new profile named
 * after the host. A login never replaces that of another platform unless asked to.
 */
export function chooseProfile(
  { active, profiles }: Pick<Settings, 'active' | 'profiles'>,
  flags: { readonly profile?: string | undefined; readonly 'base-url'?: string | undefined },
  env: NodeJS.ProcessEnv,
): LoginProfile {
  const given = settingGiven('base-url', flags['base-url'], env)?.value as string | undefined;
  const named = flags.profile ?? (env.FORGECTL_PROFILE || undefined);
  const name = named === undefined ? unnamed({ active, profiles }, given) : checkProfileName(named);
  const profile = profiles.get(name) ?? {};
  return { name, profile, baseUrl: given ?? profile['base-url'] };
}

const firstName = 'default';

function unnamed(
  { active = firstName, profiles }: Pick<Settings, 'active' | 'profiles'>,
  baseUrl: string | undefined,
): string {
  if (baseUrl === undefined) return active;
  const { origin, host } = new URL(baseUrl);
  const candidates = [active, ...profiles.keys()];
  const known = candidates.find((name) => originOf(profiles.get(name)?.['base-url']) === origin);
  if (known !== undefined) return known;
  if (profiles.get(firstName)?.['base-url'] === undefined) return firstName;
  return host.replace(/[^A-Za-z0-9.-]/g, '-');
}

/**
 * Returns what a login would replace and its replacement, each as `a classic personal access token of ada for
 * https://…`; undefined if the profile has no token, or one of the same login, kind and origin.
 */
export function replacedLogin(
  { profile: { token: old } }: LoginProfile,
  { login, tokenKind }: Account,
  baseUrl: string,
): { readonly old: string; readonly new: string } | undefined {
  if (!old) return undefined;
  const { origin } = new URL(baseUrl);
  const same = old.login === (login ?? undefined) && old.kind === (tokenKind ?? undefined) && old.origin === origin;
  return same ? undefined : { old: named(old), new: named({ origin, login, kind: tokenKind }) };
}

function named({
  kind,
  login,
  origin,
}: {
  readonly origin: string;
  readonly login?: string | null;
  readonly kind?: string | null;
}): string {
  const known = tokenKinds.find((each) => each === kind);
  return `${known ? tokenOfKind(known) : 'a token'}${login ? ` of ${login}` : ''} for ${origin}`;
}

const originOf = (baseUrl: string | undefined) => (baseUrl === undefined ? undefined : new URL(baseUrl).origin);
