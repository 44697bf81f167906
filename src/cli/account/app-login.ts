/** The login of an app: its ID, its installation, and its private key or a program that signs in its place. */
import { resolve } from 'node:path';
import type { Narrowing } from '../../client/installation-tokens.ts';
import { NotLoggedInError, UsageError } from '../errors.ts';
import { appIdProblem } from './app-id.ts';
import { readKeyFile, type Sign, signerFor } from './app-key.ts';
import type { AppRecord } from './settings.ts';

export interface AppLogin {
  /** App ID or client ID. */
  readonly id: string;
  /** ID, or login of the organization. */
  readonly installation: string | undefined;
  readonly narrowing: Narrowing;
  readonly sign: Sign;
  /** The private key in PEM, to mask it; absent if a program signs. */
  readonly key?: string | undefined;
}

/** Returns the login set by environment variables. Throws UsageError, and NotLoggedInError for an invalid key. */
export async function appOfEnvironment(env: NodeJS.ProcessEnv): Promise<AppLogin> {
  const id = env.FORGECTL_APP_ID ?? '';
  const problem = appIdProblem(id);
  if (problem) throw new UsageError(`FORGECTL_APP_ID ${problem}.`);
  const installation = env.FORGECTL_APP_INSTALLATION || undefined;
  return { id, installation, narrowing: {}, ...(await signerIn(env)) };
}

async function signerIn(env: NodeJS.ProcessEnv): Promise<Pick<AppLogin, 'sign' | 'key'>> {
  const names = ['FORGECTL_APP_SIGN_COMMAND', 'FORGECTL_APP_PRIVATE_KEY', 'FORGECTL_APP_PRIVATE_KEY_FILE'] as const;
  const [name, ...others] = names.filter((each) => env[each]);
  if (!name)
    throw new NotLoggedInError(
      'FORGECTL_APP_ID is set without a private key.',
      'Set FORGECTL_APP_PRIVATE_KEY, FORGECTL_APP_PRIVATE_KEY_FILE or FORGECTL_APP_SIGN_COMMAND.',
    );
  if (others.length) throw new UsageError(`${[name, ...others].join(' and ')} cannot be used together.`);
  const value = env[name] ?? '';
  if (name === 'FORGECTL_APP_SIGN_COMMAND') {
    const { signCommand } = await import('./app-sign-command.ts');
    return { sign: signCommand(value, env) };
  }
  // Variables of CI systems often have line breaks as \n.
  const key = name === 'FORGECTL_APP_PRIVATE_KEY' ? value.replaceAll('\\n', '\n') : await readKeyFile(value, name);
  return { key, sign: signerFor(key, name) };
}

/** The login of an app as given by flags. */
export interface GivenAppLogin extends Omit<AppRecord, 'private-key-file'> {
  readonly 'private-key-file': string;
}

/** Returns a login with its key, and the part that a profile stores. Throws NotLoggedInError for an unusable key. */
export async function readAppLogin(given: GivenAppLogin) {
  const file = resolve(given['private-key-file']);
  const key = await readKeyFile(file, '--private-key-file');
  const { id, installation, permissions, repositories } = given;
  const app: AppLogin = { id, installation, narrowing: { permissions, repositories }, key, sign: signerFor(key, file) };
  return { key, app, record: { ...given, 'private-key-file': file } };
}

/**
 * Returns the login of a profile.
 *
 * @param key from the keyring; absent if it stays in the profile's key file
 */
export async function appOfProfile(record: AppRecord, env: NodeJS.ProcessEnv, key?: string): Promise<AppLogin> {
  const { id, permissions, repositories, 'private-key-file': file = '' } = record;
  const pem = key ?? (await readKeyFile(file));
  return {
    id,
    installation: env.FORGECTL_APP_INSTALLATION || record.installation,
    narrowing: { permissions, repositories },
    key: pem,
    sign: signerFor(pem, key === undefined ? file : 'The private key in the system keyring'),
  };
}
