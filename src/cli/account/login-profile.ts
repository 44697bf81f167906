/** Which profile a login is for, and which platform. */
import { type NamedProfile, settingGiven } from './connection.ts';
import { checkProfileName, type Settings } from './settings.ts';

export interface LoginProfile extends NamedProfile {
  /** Absent where neither the command nor the profile names one. */
  readonly baseUrl: string | undefined;
}

/**
 * Chooses the profile. One that is named is taken, whether it is there yet or not. Otherwise it is the active one when no
 * base URL is given; for a base URL the profile that has its origin, else `default` if that is free, else a new one that
 * is called like the host: a login never takes another platform's place unasked.
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

const originOf = (baseUrl: string | undefined) => (baseUrl === undefined ? undefined : new URL(baseUrl).origin);
