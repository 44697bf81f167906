/** The environment of an extension: that of forgectl with the platform in use, and without tokens and keys. */
import { settingsDirectory } from '../../disk/locations.ts';
import { isOwnCredential } from '../../fleet/policy/wanted/secret-sources.ts';
import { withoutRelative } from '../program-env.ts';
import { profileInUse, resolveConnection, settingInUse } from './connection.ts';
import { readSettings } from './settings.ts';

/** The flags before the name of an extension that it learns of. */
export interface PlatformFlags {
  readonly profile?: string;
  readonly 'base-url'?: string;
  readonly output?: string;
}

/**
 * Returns the variables that an extension gets. With `token`, it gets the token in use, for the platform in use only. Throws
 * UsageError for invalid settings, and for a token that is unavailable.
 */
export async function extensionEnv(
  env: NodeJS.ProcessEnv,
  flags: PlatformFlags,
  { token }: { readonly token: boolean },
): Promise<NodeJS.ProcessEnv> {
  const directory = settingsDirectory(env);
  const inUse = profileInUse(readSettings(directory), flags.profile, env);
  const { value: baseUrl } = settingInUse('base-url', flags['base-url'], env, inUse?.profile);
  const output = flags.output ?? inUse?.profile.output;
  const others = Object.entries(env).filter(([name]) => !isOwnCredential(name) && name !== 'FORGECTL_OUTPUT');
  return {
    ...Object.fromEntries(others.map(([name, value]) => [name, /^PATH$/i.test(name) ? withoutRelative(value) : value])),
    ...(baseUrl !== undefined && { FORGECTL_BASE_URL: String(baseUrl) }),
    ...(inUse && { FORGECTL_PROFILE: inUse.name }),
    ...(output !== undefined && { FORGECTL_OUTPUT: output }),
    ...(token && baseUrl !== undefined && (await credentialsOf(env, flags, directory))),
  };
}

/** Returns the token in use or, for an app in the environment, the variables of the app. */
async function credentialsOf(
  env: NodeJS.ProcessEnv,
  flags: PlatformFlags,
  directory: string,
): Promise<NodeJS.ProcessEnv> {
  const { credential } = await resolveConnection(flags, env, directory, '');
  if (credential?.token !== undefined) return { FORGECTL_TOKEN: credential.token };
  if (credential?.source !== 'environment') return {};
  return Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith('FORGECTL_APP_')));
}
