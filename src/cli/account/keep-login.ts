/** Stores a verified login: the token, and the profile it belongs to. */

import { UsageError } from '../errors.ts';
import type { Account } from './account.ts';
import { Credentials, credentialsPath, type TokenOwner, type TokenStorage } from './credentials.ts';
import type { LoginProfile } from './login-profile.ts';
import { settingDefaults } from './setting-keys.ts';
import { type AppRecord, changeSettings, type Profile, type TokenRecord, withProfile } from './settings.ts';

interface CheckedLogin {
  readonly target: LoginProfile;
  readonly baseUrl: string;
  /** The token, or the private key of an app; absent if a program signs. */
  readonly secret: string | undefined;
  /** Present for an app; names the file of its key, or the program. */
  readonly app?: AppRecord;
  readonly account: Account;
  /** The platform settings given on the command line. */
  readonly given: Pick<Profile, 'api-version' | 'vendor' | 'alerts-segment' | 'ca-file'>;
}

/** Interaction with the user while the login is stored. */
interface KeepLoginOptions {
  /** Returns whether the token may be stored unencrypted in this file. */
  readonly consents: (path: string) => Promise<boolean>;
  readonly notice: (text: string) => void;
  /** True to store the token in the file without trying the keyring. */
  readonly insecurely: boolean;
}

/**
 * Stores the token, then the profile, which becomes the active one: a profile never refers to a missing token. Throws
 * UsageError, with nothing stored, if there is neither a keyring nor consent.
 *
 * @returns where the token is stored
 */
export async function keepLogin(
  directory: string,
  login: CheckedLogin,
  keeping: KeepLoginOptions,
): Promise<TokenStorage> {
  const { target, baseUrl, secret, app, account, given } = login;
  const owner = { profile: target.name, origin: new URL(baseUrl).origin };
  const credentials = new Credentials(directory);
  const storage =
    secret === undefined
      ? await storeNothing(credentials, owner)
      : app
        ? await storeKey(credentials, owner, secret, keeping)
        : await store(credentials, owner, secret, credentialsPath(directory), keeping);
  await forgetReplaced(credentials, target, owner, storage, keeping);
  const record: TokenRecord = {
    storage,
    origin: owner.origin,
    kind: account.tokenKind ?? undefined,
    login: account.login ?? undefined,
    'expires-at': account.expiresAt ?? undefined,
    app: app && { ...app, 'private-key-file': storage === 'file' ? app['private-key-file'] : undefined },
  };
  const vendor = given.vendor ?? foundVendor(account, target);
  const made = defined({ ...given, vendor, 'base-url': baseUrl, token: record });
  await changeSettings(directory, (settings) => {
    const profile = { ...settings.profiles.get(target.name), ...made };
    return { ...withProfile(settings, target.name, profile), active: target.name };
  });
  return storage;
}

async function store(
  credentials: Credentials,
  owner: TokenOwner,
  token: string,
  path: string,
  { insecurely, consents }: KeepLoginOptions,
): Promise<TokenStorage> {
  if (!insecurely) {
    if (await credentials.keepInKeyring(owner, token)) return 'keyring';
    if (!(await consents(path)))
      throw new UsageError(
        'No system keyring available. Nothing was stored.',
        'To store the token unencrypted in a file that only you can read, add --insecure-storage. To store nothing, set FORGECTL_TOKEN and FORGECTL_BASE_URL instead.',
      );
  }
  await credentials.keepInFile(owner, token);
  return 'file';
}

/** Stores the key of an app in the keyring; without one, it stays in its file. */
async function storeKey(
  credentials: Credentials,
  owner: TokenOwner,
  key: string,
  { insecurely }: KeepLoginOptions,
): Promise<TokenStorage> {
  if (!insecurely && (await credentials.keepInKeyring(owner, key))) return 'keyring';
  await credentials.removeFromFile(owner.profile);
  return 'file';
}

async function storeNothing(credentials: Credentials, owner: TokenOwner): Promise<TokenStorage> {
  await credentials.removeFromFile(owner.profile);
  return 'program';
}

/** Removes the profile's previous token unless the new one replaced it. */
async function forgetReplaced(
  credentials: Credentials,
  { name, profile: { token: old } }: LoginProfile,
  owner: TokenOwner,
  storage: TokenStorage,
  { notice }: KeepLoginOptions,
): Promise<void> {
  if (old?.storage !== 'keyring' || (storage === 'keyring' && old.origin === owner.origin)) return;
  try {
    await credentials.removeFromKeyring({ profile: name, origin: old.origin });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    notice(`The profile’s previous token was not removed. ${error.message}`);
  }
}

/** Returns the vendor from the platform's headers if it differs from the profile's or the default. */
const foundVendor = ({ vendor }: Account, { profile }: LoginProfile) =>
  vendor === null || vendor === (profile.vendor ?? settingDefaults.vendor) ? undefined : vendor;

const defined = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;
