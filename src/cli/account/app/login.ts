/** The login of an app: its ID, its installation, and its private key or a program that signs in its place. */
import { basename, resolve } from 'node:path';
import type { Narrowing } from '../../../client/installation-tokens.ts';
import { settingsDirectory } from '../../../disk/locations.ts';
import { whyUntrusted } from '../../../disk/private-files.ts';
import { NotLoggedInError, UsageError } from '../../errors.ts';
import { exposureNotice } from '../exposed-file.ts';
import { type AppRecord, settingsPath } from '../settings.ts';
import { appIdProblem } from './id.ts';
import { readKeyFile, type Sign, signerFor } from './key.ts';
import { areSignEnvNames, signEnv, signEnvNamesIn, signEnvProblem } from './sign-env.ts';
import { signWordsIn, signWordsProblem } from './sign-words.ts';

export interface AppLogin {
  /** App ID or client ID. */
  readonly id: string;
  /** ID, or login of the organization. */
  readonly installation: string | undefined;
  readonly narrowing: Narrowing;
  readonly sign: Sign;
  /** The private key in PEM, to mask it; absent if a program signs. */
  readonly key?: string | undefined;
  /** Names of the additional environment variables of a program that signs. */
  readonly signEnv?: readonly string[] | undefined;
  /** A sentence to show before the first request: others can read the key. */
  readonly warning?: string | undefined;
}

type Signer = Pick<AppLogin, 'sign' | 'key' | 'signEnv' | 'warning'>;

/** Returns the login set by environment variables. Throws UsageError, and NotLoggedInError for an unusable key. */
export async function appOfEnvironment(env: NodeJS.ProcessEnv): Promise<AppLogin> {
  const id = env.FORGECTL_APP_ID ?? '';
  const problem = appIdProblem(id);
  if (problem) throw new UsageError(`FORGECTL_APP_ID ${problem}.`);
  const installation = env.FORGECTL_APP_INSTALLATION || undefined;
  return { id, installation, narrowing: {}, ...(await signerIn(env)) };
}

async function signerIn(env: NodeJS.ProcessEnv): Promise<Signer> {
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
    const words = signWordsIn(value);
    if (!words) throw new UsageError(`${name} ${signWordsProblem}.`);
    return signingWith(words, name, env, exportedNames(env) ?? []);
  }
  if (name === 'FORGECTL_APP_PRIVATE_KEY_FILE') return keyIn(value, name);
  // Variables of CI systems often have line breaks as \n.
  const key = value.replaceAll('\\n', '\n');
  return { key, sign: signerFor(key, name) };
}

async function keyIn(file: string, source: string, flag = source): Promise<Signer & { readonly key: string }> {
  const key = await readKeyFile(file, flag);
  return { key, sign: signerFor(key, source), warning: exposureNotice(file, 'the private key') };
}

/** @param named variables that the program gets */
async function signingWith(
  words: readonly string[],
  source: string,
  env: NodeJS.ProcessEnv,
  named: readonly string[],
): Promise<Signer> {
  const { signCommand } = await import('./sign-command.ts');
  return { sign: signCommand(words, source, signEnv(env, named, process.platform)), signEnv: named };
}

/** Returns the variables listed in `FORGECTL_APP_SIGN_ENV`; undefined if it is not set. Throws UsageError. */
function exportedNames({ FORGECTL_APP_SIGN_ENV: list }: NodeJS.ProcessEnv): readonly string[] | undefined {
  if (!list) return undefined;
  const names = signEnvNamesIn(list);
  if (!names) throw new UsageError(`FORGECTL_APP_SIGN_ENV ${signEnvProblem}.`);
  return names;
}

/**
 * Returns the login given by flags, and the part that a profile stores. Paths become absolute. Throws UsageError for an
 * unreadable key, and NotLoggedInError for an unusable one.
 */
export async function readAppLogin(given: AppRecord, env: NodeJS.ProcessEnv) {
  const { id, installation, permissions, repositories, 'sign-command': words, 'sign-env': named } = given;
  const login = { id, installation, narrowing: { permissions, repositories } };
  if (words) {
    const [program = '', ...args] = words;
    const command = [basename(program) === program ? program : resolve(program), ...args];
    const app: AppLogin = {
      ...login,
      ...(await signingWith(command, '--app-sign-command', env, named ?? exportedNames(env) ?? [])),
    };
    return { app, record: { ...given, 'sign-command': command } };
  }
  const file = resolve(given['private-key-file'] ?? '');
  const app: AppLogin = { ...login, ...(await keyIn(file, file, '--private-key-file')) };
  return { app, record: { ...given, 'private-key-file': file } };
}

/**
 * Returns the login of a profile.
 *
 * @param key from the keyring; absent if it stays in the profile's key file
 */
export async function appOfProfile(record: AppRecord, env: NodeJS.ProcessEnv, key?: string): Promise<AppLogin> {
  const { id, permissions, repositories } = record;
  return {
    id,
    installation: env.FORGECTL_APP_INSTALLATION || record.installation,
    narrowing: { permissions, repositories },
    ...(await signerOfProfile(record, env, key)),
  };
}

async function signerOfProfile(
  { 'sign-command': words, 'sign-env': named = [], 'private-key-file': file = '' }: AppRecord,
  env: NodeJS.ProcessEnv,
  key: string | undefined,
): Promise<Signer> {
  if (key !== undefined) return { key, sign: signerFor(key, 'The private key in the system keyring') };
  if (words === undefined) return keyIn(file, file, '');
  const command = signWordsIn(JSON.stringify(words));
  if (!command) throw new UsageError(`The sign command of the profile ${signWordsProblem}.`, 'Log in again.');
  if (!areSignEnvNames(named)) throw new UsageError(`The sign-env of the profile ${signEnvProblem}.`, 'Log in again.');
  const settings = settingsPath(settingsDirectory(env));
  const reason = whyUntrusted(settings);
  if (reason !== undefined)
    throw new UsageError(
      `The sign command of the profile was not run: ${reason}.`,
      'Other users could replace the program. Remove their write access, and log in again.',
    );
  return signingWith(command, 'The sign command of the profile', env, exportedNames(env) ?? named);
}
