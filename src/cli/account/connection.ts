/**
 * Resolves the platform, token and transport settings of a command: flag, environment, profile, default, in this order.
 */
import type { Platform } from '../../client/platform.ts';
import { type TokenKind, tokenKinds } from '../../platform/endpoint.ts';
import { NotLoggedInError, UsageError } from '../errors.ts';
import { parseDuration } from '../input/duration.ts';
import { ambientHosts } from './ambient.ts';
import { BadSetting } from './bad-setting.ts';
import { Credentials, type SourcedCredential } from './credentials.ts';
import { findToken } from './find-token.ts';
import type { Keyring } from './keyring.ts';
import { checkSetting, type SettingKey, settingDefaults, settingVariables } from './setting-keys.ts';
import type { NamedProfile } from './settings.ts';
import { type Profile, readSettings, type Settings } from './settings.ts';
import { tokenKindOf } from './token-kind.ts';
import { requireUsable } from './unusable.ts';

/** The flags that select a platform and configure the connection; durations are in milliseconds. */
export interface ConnectionFlags {
  readonly profile?: string;
  /** True to send no token. */
  readonly anonymous?: boolean;
  readonly 'base-url'?: string;
  readonly 'api-version'?: string;
  readonly timeout?: number;
  readonly 'max-wait'?: number;
  readonly concurrency?: number;
  /** Login detects the rest and stores it. */
  readonly vendor?: string | undefined;
  readonly 'alerts-segment'?: string | undefined;
  readonly 'ca-file'?: string | undefined;
  /** The part of a run, counted from 1. */
  readonly shard?: { readonly index: number } | undefined;
}

export interface Connection {
  readonly platform: Platform;
  /** The source of the base URL in messages: a flag, a variable or a profile. */
  readonly baseUrlFrom: string;
  /** The command that logs in to this platform, without replacing the login to another one. */
  readonly loginCommand: string;
  /** Name of the profile in use. */
  readonly profile: string | undefined;
  readonly credential: SourcedCredential | undefined;
  readonly tokenKind: TokenKind | undefined;
  /** ISO 8601, as reported at login; absent for a token from the environment. */
  readonly tokenExpiresAt: string | undefined;
  readonly timeoutMs: number;
  readonly maxWaitMs: number;
  readonly concurrency: number | undefined;
  readonly output: string | undefined;
  readonly caFile: string | undefined;
  /** The profile's proxy; absent if the environment names one, which takes precedence. */
  readonly proxy: string | undefined;
  /** Sentences, each about a token that is available but not used. */
  readonly ignoredTokens: readonly string[];
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
  requireUsable(settings, inUse?.name, { directory, flags: { ...flags, token: flags.anonymous }, env });
  const anonymous = anonymousConnection(flags, env, inUse, version);
  if (flags.anonymous) return { ...anonymous, ignoredTokens: ['--anonymous ignores it.'] };
  const { origin } = new URL(anonymous.platform.baseUrl);
  const exported = settingGiven('base-url', undefined, env)?.value as string | undefined;
  const given = { flag: flags['base-url'], exported, shard: flags.shard };
  const { credential, ignoredTokens } = await findToken(origin, given, env, inUse, new Credentials(directory, keyring));
  const stored = credential?.source === 'environment' ? undefined : inUse?.profile.token;
  return {
    ...anonymous,
    credential,
    tokenKind: credential && kindOf(credential, inUse?.profile),
    tokenExpiresAt: credential && stored?.['expires-at'],
    ignoredTokens,
  };
}

/** Returns a connection that sends no token. Throws UsageError as `resolveConnection` does. */
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
  const named = settingInUse('base-url', flags['base-url'], env, profile);
  if (named.value === undefined)
    throw new UsageError(
      'No platform selected: no base URL is set.',
      'Log in with “forgectl auth login --base-url URL”, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.',
    );
  return {
    platform: {
      baseUrl: String(named.value),
      apiVersion: value('api-version') ?? settingDefaults['api-version'],
      vendor: value('vendor') ?? settingDefaults.vendor,
      alertsSegment: value('alerts-segment') ?? settingDefaults['alerts-segment'],
      userAgent: `forgectl/${version}`,
    },
    baseUrlFrom: named.variable ?? (named.source === 'flag' ? '--base-url' : `profile ${inUse?.name}`),
    loginCommand: loginCommand(String(named.value), inUse),
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
    ignoredTokens: [],
  };
}

/**
 * Returns the profile selected by `--profile`, the environment or the settings. Throws UsageError if it does not exist.
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

/** Throws UsageError for an unknown profile. */
export function findProfile({ profiles }: Settings, name: string, advice?: string): Profile {
  const profile = profiles.get(name);
  if (profile) return profile;
  const known = [...profiles.keys()].join(', ') || 'none';
  throw new UsageError(
    `Unknown profile ${name} (known: ${known}).`,
    advice ?? `Create it with “forgectl auth login --profile ${name} --base-url URL”.`,
  );
}

/** A setting's value and its source; both are absent if it is not set. */
interface SettingInUse {
  readonly value?: string | number;
  readonly source?: 'flag' | 'environment' | 'profile' | 'default';
  /** The environment variable that it came from. */
  readonly variable?: string;
}

/**
 * Returns the effective value of a setting: flag, environment, profile, default. Throws UsageError for an invalid one.
 */
export function settingInUse(
  key: SettingKey,
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
  profile: Profile | undefined,
): SettingInUse {
  const given = settingGiven(key, flag, env);
  if (given) return given;
  const kept = profile?.[key];
  if (kept !== undefined) return { value: kept, source: 'profile' };
  // Variables of other programs rank after those of forgectl.
  const variable = key === 'base-url' ? ambientHosts.find((name) => env[name]) : undefined;
  if (variable) return { value: checked(key, env[variable] ?? '', variable), source: 'default', variable };
  const value = (settingDefaults as Partial<Record<SettingKey, string>>)[key];
  return value === undefined ? {} : { value, source: 'default' };
}

/** Returns a setting from a flag or one of forgectl's own variables. Throws UsageError as `settingInUse` does. */
export function settingGiven(
  key: SettingKey,
  flag: string | undefined,
  env: NodeJS.ProcessEnv,
): SettingInUse | undefined {
  if (flag !== undefined) return { value: checked(key, flag, `--${key}`), source: 'flag' };
  // Shells and CI jobs pass an empty variable for an unset one.
  const variable = settingVariables[key]?.find((name) => env[name]);
  if (!variable) return undefined;
  return { value: checked(key, env[variable] ?? '', variable), source: 'environment', variable };
}

function checked(key: SettingKey, text: string, source: string): string | number {
  // Proxy variables are shared with other programs, so the transport validates them as those do.
  if (key === 'proxy') return text;
  try {
    return checkSetting(key, text);
  } catch (error) {
    if (error instanceof BadSetting) throw new UsageError(`${source}: ${error.message}`);
    throw error;
  }
}

/**
 * Returns the error for a command that needs a token and has none; it names the tokens that belong to other platforms.
 */
export function notLoggedIn(
  { platform: { baseUrl }, ignoredTokens, loginCommand }: Connection,
  alternative = '',
): NotLoggedInError {
  return new NotLoggedInError(
    [`No token for ${baseUrl}.`, ...ignoredTokens].join(' '),
    `Log in with “${loginCommand}”, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.${alternative}`,
  );
}

/** Names the profile in use, unless that belongs to another platform, whose login would be replaced. */
function loginCommand(baseUrl: string, inUse: NamedProfile | undefined): string {
  const own = inUse?.profile['base-url'];
  const belongsHere = own === undefined || new URL(own).origin === new URL(baseUrl).origin;
  return `forgectl auth login${inUse && belongsHere ? ` --profile ${inUse.name}` : ''} --base-url ${baseUrl}`;
}

/** The kind found at login is more precise than the token's prefix. */
function kindOf(credential: SourcedCredential, profile: Profile | undefined): TokenKind | undefined {
  if (credential.app) return 'installation';
  const { source, token } = credential;
  const found = source === 'environment' ? undefined : tokenKinds.find((kind) => kind === profile?.token?.kind);
  return found ?? tokenKindOf(token);
}
