/**
 * The settings file: profiles, the active one, and where each token is stored. It never contains tokens.
 *
 * Reading is a plain parse; fields that this version does not know are kept.
 */
import { join } from 'node:path';
import { asText, isObject, type JsonObject } from '../../json/exact-json.ts';
import type { Format } from '../../output/render.ts';
import { UsageError } from '../errors.ts';
import { filesInWords } from './app/sign-words.ts';
import { BadSetting } from './bad-setting.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { checkSetting, isSettingKey, type SettingKey } from './setting-keys.ts';

/** Facts about a profile's token, without the token. */
export interface TokenRecord {
  /** `program` if a program signs in place of an app's key. */
  readonly storage: 'keyring' | 'file' | 'program';
  /** Scheme, host and port that the token was given for; it is sent nowhere else. */
  readonly origin: string;
  /** As detected at login; a newer version may know more kinds. */
  readonly kind?: string | undefined;
  readonly login?: string | undefined;
  /** ISO 8601. */
  readonly 'expires-at'?: string | undefined;
  /** Present if the secret is the private key of an app, whose tokens are created on demand. */
  readonly app?: AppRecord | undefined;
}

/** The login of an app, without its key. */
export interface AppRecord {
  readonly id: string;
  /** ID, or login of the organization. */
  readonly installation?: string | undefined;
  /** The key file, if the key is not in the keyring. */
  readonly 'private-key-file'?: string | undefined;
  /** The program that signs in place of a key, with its arguments. */
  readonly 'sign-command'?: readonly string[] | undefined;
  /** Names of the environment variables that the program gets. */
  readonly 'sign-env'?: readonly string[] | undefined;
  readonly permissions?: Readonly<Record<string, string>> | undefined;
  readonly repositories?: readonly string[] | undefined;
}

export type Profile = { readonly [K in Exclude<SettingKey, 'concurrency'>]?: string } & {
  readonly concurrency?: number;
  readonly token?: TokenRecord;
};

export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
}

/** An invalid value in the file. It stays until it is changed or removed. */
interface UnusableValue {
  readonly profile: string;
  /** A setting, or `token`. */
  readonly key: string;
  readonly value: unknown;
  /** A sentence with the setting and the allowed values. */
  readonly message: string;
}

export interface Settings {
  /** Name of the profile used by default. */
  readonly active: string | undefined;
  /** Without invalid values. */
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly unusable: readonly UnusableValue[];
}

export const settingsFile = 'config';

export const settingsPath = (directory: string): string => join(directory, `${settingsFile}.json`);

/** Profile names become part of commands and of keyring entries. */
export function checkProfileName(name: string): string {
  if (!/^[A-Za-z0-9._-]+$/.test(name))
    throw new UsageError('Profile names contain only letters, digits, dots, underscores and hyphens.');
  return name;
}

/** Reads the settings; a missing file counts as empty. Throws UsageError for an invalid file. */
export function readSettings(directory: string): Settings {
  return settingsOf(readJsonFile(directory, settingsFile), settingsPath(directory));
}

/**
 * Returns the output format set in the profile in use, or the reason why it is unknown. Broken settings do not stop a
 * command that needs only this one.
 */
export function outputSetting(
  directory: string,
  profile: string | undefined,
): { readonly format?: Format | undefined; readonly problem?: string | undefined } {
  try {
    const { active, profiles, unusable } = readSettings(directory);
    const name = profile ?? active ?? '';
    const bad = unusable.find((value) => value.profile === name && value.key === 'output');
    return bad
      ? { problem: `${settingsPath(directory)}: ${bad.message}` }
      : { format: profiles.get(name)?.output as Format | undefined };
  } catch (error) {
    if (error instanceof UsageError) return { problem: error.message };
    throw error;
  }
}

/** Updates the settings and returns the new ones. Concurrent updates by several processes are all kept. */
export async function changeSettings(directory: string, change: (settings: Settings) => Settings): Promise<Settings> {
  const file = await changeJsonFile(directory, settingsFile, (before) => {
    const { active, profiles, unusable } = change(settingsOf(before, settingsPath(directory)));
    const written = [...profiles].map(([name, profile]): [string, JsonObject] => {
      const kept = unusable.filter((value) => value.profile === name).map(({ key, value }) => [key, value]);
      return [name, { ...Object.fromEntries(kept), ...profile }];
    });
    return { ...before, profile: active, profiles: Object.fromEntries(written) };
  });
  return settingsOf(file, settingsPath(directory));
}

/** Returns the settings with one profile added or replaced. The first profile becomes the active one. */
export function withProfile({ active, profiles, unusable }: Settings, name: string, profile: Profile): Settings {
  return { active: active ?? name, profiles: new Map(profiles).set(name, profile), unusable };
}

/** Returns the settings without one profile; none is active if it was the active one. */
export function withoutProfile({ active, profiles, unusable }: Settings, name: string): Settings {
  const others = new Map(profiles);
  others.delete(name);
  return { active: active === name ? undefined : active, profiles: others, unusable };
}

/** Returns the settings without one value of a profile, valid or not. */
export function withoutValue(settings: Settings, name: string, key: SettingKey | 'token'): Settings {
  const { [key]: _removed, ...others } = settings.profiles.get(name) ?? {};
  const unusable = settings.unusable.filter((value) => value.profile !== name || value.key !== key);
  return withProfile({ ...settings, unusable }, name, others);
}

/** Returns the private key files of all profiles, and what their sign commands may name as such, also of those whose token is unusable otherwise. */
export function keyFilesIn({ profiles, unusable }: Settings): readonly string[] {
  const tokens = [...[...profiles.values()].map(({ token }) => token), ...unusable.map(({ value }) => value)];
  return tokens.flatMap((token) => {
    const app = isObject(token) ? token.app : undefined;
    if (!isObject(app)) return [];
    const { 'private-key-file': file, 'sign-command': words } = app;
    return [...(typeof file === 'string' ? [file] : []), ...filesInWords(words)];
  });
}

function settingsOf(file: JsonObject, path: string): Settings {
  const refuse = (message: string): never => {
    throw new UsageError(`${path}: ${message}`, `Fix the file, or move it away to start over.`);
  };
  const { profile: active, profiles = {} } = file;
  if (active !== undefined && typeof active !== 'string') return refuse('profile must be a profile name.');
  if (!isObject(profiles)) return refuse('profiles must be an object.');
  const unusable: UnusableValue[] = [];
  const read = Object.entries(profiles).map(([name, value]): [string, Profile] => {
    if (!isObject(value)) return refuse(`profile “${name}” must be an object.`);
    return [name, profileOf(name, value, unusable)];
  });
  return { active, profiles: new Map(read), unusable };
}

/** Returns the valid values of a profile; adds the others to `unusable`. */
function profileOf(profile: string, values: JsonObject, unusable: UnusableValue[]): Profile {
  const usable = Object.entries(values).flatMap(([key, value]): [string, unknown][] => {
    try {
      return [[key, usableValue(key, value)]];
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error;
      unusable.push({ profile, key, value, message: error.message });
      return [];
    }
  });
  return Object.fromEntries(usable);
}

/** Throws BadSetting. */
function usableValue(key: string, value: unknown): unknown {
  if (key === 'token') return tokenRecordOf(value);
  return isSettingKey(key) ? checkSetting(key, asText(value)) : value;
}

function tokenRecordOf(value: unknown): TokenRecord {
  const said = isObject(value) ? value : {};
  const storages: readonly unknown[] = ['keyring', 'file', 'program'];
  if (!storages.includes(said.storage) || typeof said.origin !== 'string')
    throw new BadSetting('token must contain the storage and the origin of the token.');
  return said as unknown as TokenRecord;
}
