/** Token storage: the system keyring or, with consent, a file that only its owner can read. */
import { join } from 'node:path';
import type { StaticToken } from '../../client/credential.ts';
import { isObject, ownMember } from '../../json/exact-json.ts';
import { UsageError } from '../errors.ts';
import type { AppLogin } from './app/login.ts';
import { changeJsonFile, readJsonFile } from './json-file.ts';
import { type Keyring, KeyringError, systemKeyring } from './keyring.ts';
import type { TokenRecord } from './settings.ts';

interface Source {
  /** Where the token or key is stored; `environment` if it was passed for this run only. */
  readonly source: 'environment' | TokenStorage;
  /** The environment variable that it came from. */
  readonly variable?: string;
}

export interface SourcedToken extends StaticToken, Source {
  /** A sentence to show before the first request: others can read the token. */
  readonly warning?: string | undefined;
  readonly app?: undefined;
}

/** The login of an app, whose tokens are created on demand. */
export interface SourcedApp extends Source {
  readonly app: AppLogin;
  readonly origin: string;
  readonly token?: undefined;
}

export type SourcedCredential = SourcedToken | SourcedApp;

/** The owner of a token: a profile, for one origin. */
export interface TokenOwner {
  readonly profile: string;
  readonly origin: string;
}

export type TokenStorage = TokenRecord['storage'];

const fileName = 'credentials';

export const credentialsPath = (directory: string): string => join(directory, `${fileName}.json`);

/** The origin is part of the name, so that a token is never found for another origin. */
const accountOf = ({ profile, origin }: TokenOwner) => `${profile} ${origin}`;

/** The stored tokens of the profiles of one settings directory. */
export class Credentials {
  readonly #directory: string;
  readonly #keyring: Keyring;

  constructor(directory: string, keyring: Keyring = systemKeyring) {
    this.#directory = directory;
    this.#keyring = keyring;
  }

  /** Returns the token of `owner`, or undefined if it is no longer stored. Throws UsageError if the keyring fails. */
  async read(owner: TokenOwner, storage: TokenStorage): Promise<string | undefined> {
    if (storage === 'file') return this.#readFile(owner);
    try {
      return await this.#keyring.get(accountOf(owner));
    } catch (error) {
      throw unusable(
        error,
        `Cannot read the token of profile ${owner.profile} from the system keyring`,
        'Unlock the keyring and try again, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.',
      );
    }
  }

  /** Stores a token in the keyring. Returns false if no keyring accepts it. */
  async keepInKeyring(owner: TokenOwner, token: string): Promise<boolean> {
    try {
      await this.#keyring.set(accountOf(owner), token);
    } catch (error) {
      if (error instanceof KeyringError) return false;
      throw error;
    }
    await this.removeFromFile(owner.profile);
    return true;
  }

  /** Stores a token in the file, unencrypted. Requires the user's consent. */
  async keepInFile({ profile, origin }: TokenOwner, token: string): Promise<void> {
    await changeJsonFile(this.#directory, fileName, (tokens) =>
      Object.fromEntries([...Object.entries(tokens), [profile, { origin, token }]]),
    );
  }

  /** Removes the token of `owner` from all storage. Throws UsageError if it is in the keyring and the keyring fails. */
  async remove(owner: TokenOwner, storage: TokenStorage): Promise<void> {
    if (storage === 'keyring') await this.removeFromKeyring(owner);
    await this.removeFromFile(owner.profile);
  }

  /** Throws UsageError if the keyring fails. */
  async removeFromKeyring(owner: TokenOwner): Promise<void> {
    try {
      await this.#keyring.delete(accountOf(owner));
    } catch (error) {
      throw unusable(
        error,
        `Cannot remove the token of profile ${owner.profile} from the system keyring`,
        'Unlock the keyring and try again.',
      );
    }
  }

  #readFile({ profile, origin }: TokenOwner): string | undefined {
    const tokens = readJsonFile(this.#directory, fileName);
    const kept = ownMember(tokens, profile);
    if (!isObject(kept) || kept.origin !== origin || typeof kept.token !== 'string') return undefined;
    return kept.token;
  }

  /** Removes the tokens of a profile from the file, for all origins. */
  async removeFromFile(profile: string): Promise<void> {
    if (!Object.hasOwn(readJsonFile(this.#directory, fileName), profile)) return;
    await changeJsonFile(this.#directory, fileName, (tokens) =>
      Object.fromEntries(Object.entries(tokens).filter(([name]) => name !== profile)),
    );
  }
}

function unusable(error: unknown, what: string, advice: string): unknown {
  return error instanceof KeyringError ? new UsageError(`${what}: ${error.message}.`, advice) : error;
}
