/** Which platform a command talks to, as whom and how: flag, environment, profile, default, in this order. */
import type { Platform } from '../../client/platform.ts';
import { type TokenKind, tokenKinds } from '../../platform/endpoint.ts';
import { parseDuration } from '../duration.ts';
import { NotLoggedInError, UsageError } from '../errors.ts';
import { Credentials } from './credentials.ts';
import type { Keyring } from './keyring.ts';
import { BadSetting, checkSetting, type SettingKey, settingDefaults, settingVariables } from './setting-keys.ts';
import { type Profile, readSettings, type Settings } from './settings.ts';
import { tokenKindOf, tokenProblem } from './token-kind.ts';
import { requireUsable } from './unusable.ts';

/** The flags that choose a platform and how to talk to it; lengths of time are in milliseconds. */
export interface ConnectionFlags {
  readonly profile?: string;
  readonly 'base-url'?: string;
  readonly 'api-version'?: string;
  readonly timeout?: number;
  readonly 'max-wait'?: number;
  readonly concurrency?: number;
  /** The rest is asked for at login, and kept from then on. */
  readonly vendor?: string | undefined;
  readonly 'alerts-segment'?: string | undefined;
  readonly 'ca-file'?: string | undefined;
}

/** A token, and the only origin that it may be sent to. */
export interface Credential {
  readonly token: string;
  readonly origin: string;
  /** Where the token is kept; `environment` where it was given for this run alone. */
  readonly source: 'environment' | 'keyring' | 'file';
}

export interface Connection {
  readonly platform: Platform;
  /** Name of the profile in use. */
  readonly profile: string | undefined;
  readonly credential: Credential | undefined;
  readonly tokenKind: TokenKind | undefined;
  /** ISO 8601, as the login found it; absent for a token of the environment. */
  readonly tokenExpiresAt: string | undefined;
  readonly timeoutMs: number;
  readonly maxWaitMs: number;
  readonly concurrency: number | undefined;
  readonly output: string | undefined;
  readonly caFile: string | undefined;
  /** The proxy of the profile; absent where the environment names one, which goes before it. */
  readonly proxy: string | undefined;
  /** Why no token goes with the requests although there is one; for the person, not for the result. */
  readonly withheld: string | undefined;
}

/** A profile with its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/**
 * Resolves what a command needs to talk to a platform.
 *
 * @param directory of the settings
 * @param version of forgectl, for the User-Agent
 * @throws UsageError when no base URL is given anywhere, or a value cannot be used
 */
export async function resolveConnection(
  flags: ConnectionFlags,
  env: NodeJS.ProcessEnv,
  directory: string,
  version: string,
  keyring?: Keyring,
): Promise<Connection> {
  const settings = readSettings(directory);
  const inUse = profileInUse(settings, flags.profile, env);
  requireUsable(settings, inUse?.name, { directory, flags: { ...flags }, env });
  const anonymous = anonymousConnection(flags, env, inUse, version);
  const { origin } = new URL(anonymous.platform.baseUrl);
  const { credential, withheld } = await findCredential(env, origin, inUse, new Credentials(directory, keyring));
  const stored = credential?.source === 'environment' ? undefined : inUse?.profile.token;
  return {
    ...anonymous,
    credential,
    tokenKind: credential && kindOf(credential, inUse?.profile),
    tokenExpiresAt: credential && stored?.['expires-at'],
    withheld,
  };
}

/** A connection without a token, whether there is one or not. Throws UsageError as `resolveConnection` does. */
export function anonymousConnection(
  flags: ConnectionFlags,
  env: NodeJS.ProcessEnv,
  inUse: NamedProfile | undefined,
  version: string,
): Connection {
  const profile = inUse?.profile ?? {};
  const value = (key: SettingKey & keyof ConnectionFlags) =>
    settingInUse(key, flags[key] as string | undefined, env, profile).value as string | undefined;
  const proxy = settingInUse('proxy', undefined, env, profile);
  const baseUrl = value('base-url');
  if (baseUrl === undefined)
    throw new UsageError(
      'There is no base URL, so no platform to talk to.',
      'Log in with “forgectl auth login --base-url URL”, or set FORGECTL_BASE_URL, and FORGECTL_TOKEN with it.',
    );
  return {
    platform: {
      baseUrl,
      apiVersion: value('api-version') ?? settingDefaults['api-version'],
      vendor: value('vendor') ?? settingDefaults.vendor,
      alertsSegment: value('alerts-segment') ?? settingDefaults['alerts-segment'],
      userAgent: `forgectl/${version}`,
    },
    profile: inUse?.name,
    credential: undefined,
    tokenKind: undefined,
    tokenExpiresAt: undefined,
    timeoutMs: flags.timeout ?? parseDuration(profile.timeout ?? settingDefaults.timeout),
    maxWaitMs: flags['max-wait'] ?? parseDuration(profile['max-wait'] ?? settingDefaults['max-wait']),
    concurrency: flags.concurrency ?? profile.concurrency,
    output: profile.output,
    caFile: value('ca-file'),
    proxy: proxy.source === 'profile' ? profile.proxy : undefined,
    withheld: undefined,
  };
}

/**
 * The profile that `--profile`, the environment or the settings name. Throws UsageError when one is named that is not
 * there.
 */
export function profileInUse(
  settings: Settings,
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
): NamedProfile | undefined {
  const named = flag ?? (env.FORGECTL_PROFILE || undefined);
  if (named !== undefined) return { name: named, profile: findProfile(settings, named) };
  if (settings.active === undefined) return undefined;
  const advice = 'Choose one with “forgectl auth switch PROFILE”.';
  return { name: settings.active, profile: findProfile(settings, settings.active, advice) };
}

/** Throws UsageError when there is no such profile. */
export function findProfile({ profiles }: Settings, name: string, advice?: string): Profile {
  const profile = profiles.get(name);
  if (profile) return profile;
  const known = [...profiles.keys()].join(', ') || 'none';
  throw new UsageError(
    `There is no profile ${name}. Profiles: ${known}.`,
    advice ?? `Make it with “forgectl auth login --profile ${name} --base-url URL”.`,
  );
}

/** A setting's value and what gave it; both are absent where nothing does. */
export interface SettingInUse {
  readonly value?: string | number;
  readonly source?: 'flag' | 'environment' | 'profile' | 'default';
}

/** The value of a setting that counts: flag, environment, profile, default. Throws UsageError for one that cannot be used. */
export function settingInUse(
  key: SettingKey,
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: Profile | undefined,
): SettingInUse {
  if (flag !== undefined) return { value: checked(key, flag, `--${key}`), source: 'flag' };
  // An empty variable is how a shell or a CI job says that there is none.
  const variable = settingVariables[key]?.find((name) => env[name]);
  if (variable) return { value: checked(key, env[variable] ?? '', variable), source: 'environment' };
  const kept = profile?.[key];
  if (kept !== undefined) return { value: kept, source: 'profile' };
  const value = (settingDefaults as Partial<Record<SettingKey, string>>)[key];
  return value === undefined ? {} : { value, source: 'default' };
}

function checked(key: SettingKey, text: string, source: string): string | number {
  // What a proxy variable may hold is for every program that reads it to say; the transport reads it as others do.
  if (key === 'proxy') return text;
  try {
    return checkSetting(key, text);
  } catch (error) {
    if (error instanceof BadSetting) throw new UsageError(`${source}: ${error.message}`);
    throw error;
  }
}

interface Found {
  readonly credential?: Credential;
  readonly withheld?: string;
}

/**
 * The token for an origin. A token goes only to the origin that it belongs to:
 *
 * - `FORGECTL_TOKEN` belongs to `FORGECTL_BASE_URL`. Without that variable it belongs to the platform that the command
 *   names, by `--base-url` or by its profile, as both were chosen for the same run.
 * - A stored token belongs to the origin that it was checked against at login, whatever base URL is in use now.
 *
 * Where the environment's token belongs elsewhere, the profile's own may still fit. Where none fits, the request goes
 * without one.
 */
async function findCredential(
  env: NodeJS.ProcessEnv,
  origin: string,
  inUse: NamedProfile | undefined,
  credentials: Credentials,
): Promise<Found> {
  const token = env.FORGECTL_TOKEN;
  if (!token) return storedCredential(inUse, origin, credentials);
  const problem = tokenProblem(token);
  if (problem) throw new UsageError(`FORGECTL_TOKEN ${problem}.`);
  const { value: exported } = settingInUse('base-url', undefined, env, undefined);
  const home = exported === undefined ? origin : new URL(exported).origin;
  if (home === origin) return { credential: { token, origin, source: 'environment' } };
  const stored = await storedCredential(inUse, origin, credentials);
  if (stored.credential) return stored;
  return { withheld: `FORGECTL_TOKEN belongs to ${home}, as FORGECTL_BASE_URL says, and is not sent to ${origin}.` };
}

async function storedCredential(
  inUse: NamedProfile | undefined,
  origin: string,
  credentials: Credentials,
): Promise<Found> {
  const record = inUse?.profile.token;
  if (!record) return {};
  if (record.origin !== origin)
    return { withheld: `The token of profile ${inUse.name} belongs to ${record.origin} and is not sent to ${origin}.` };
  const token = await credentials.read({ profile: inUse.name, origin }, record.storage);
  if (token !== undefined) return { credential: { token, origin, source: record.storage } };
  const place = record.storage === 'keyring' ? 'the system keyring' : 'the credentials file';
  return { withheld: `The token of profile ${inUse.name} is no longer in ${place}.` };
}

/** What a command that is about the token ends with where there is none. */
export function notLoggedIn({ platform: { baseUrl }, withheld }: Connection): NotLoggedInError {
  return new NotLoggedInError(
    withheld ?? `There is no token for ${baseUrl}.`,
    `Log in with “forgectl auth login --base-url ${baseUrl}”, or set FORGECTL_TOKEN.`,
  );
}

/** What the login found out says more than the token's prefix does. */
function kindOf({ token, source }: Credential, profile: Profile | undefined): TokenKind | undefined {
  const found = source === 'environment' ? undefined : tokenKinds.find((kind) => kind === profile?.token?.kind);
  return found ?? tokenKindOf(token);
}
