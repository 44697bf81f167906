/** The directories of forgectl, according to the environment. */
import { homedir, userInfo } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';

/** Returns the directory of settings, credentials and the cache key. */
export function settingsDirectory(env: NodeJS.ProcessEnv): string {
  if (env.FORGECTL_CONFIG_DIR) return resolve(env.FORGECTL_CONFIG_DIR);
  if (env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME)) return join(env.XDG_CONFIG_HOME, 'forgectl');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'forgectl');
  return resolve(env.HOME || homeOfUser() || '/', '.config', 'forgectl');
}

/** Returns the directories of settings that the user's other runs may have, without the variables that move them, too. */
export function settingsDirectories(env: NodeJS.ProcessEnv): readonly string[] {
  const { FORGECTL_CONFIG_DIR: _own, ...shared } = env;
  const { XDG_CONFIG_HOME: _ofPrograms, ...usual } = shared;
  return [...new Set([env, shared, usual, { HOME: homeOfAccount() }].map(settingsDirectory))];
}

/**
 * Returns the directory of caches. Ignores relative values, which would name a folder in the current directory. Throws
 * if neither a variable nor a home directory is set.
 */
export function cacheDirectory(env: NodeJS.ProcessEnv): string {
  if (env.FORGECTL_CACHE_DIR && isAbsolute(env.FORGECTL_CACHE_DIR)) return resolve(env.FORGECTL_CACHE_DIR);
  if (env.XDG_CACHE_HOME && isAbsolute(env.XDG_CACHE_HOME)) return join(env.XDG_CACHE_HOME, 'forgectl');
  // Not the directory of the settings: the key of the cache must stay outside of the cache.
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'forgectl', 'Cache');
  return join(homeDirectory(env), process.platform === 'darwin' ? 'Library/Caches/forgectl' : '.cache/forgectl');
}

/** Returns the directory of journals. Ignores relative values, and throws, like `cacheDirectory`. */
export function stateDirectory(env: NodeJS.ProcessEnv): string {
  if (env.XDG_STATE_HOME && isAbsolute(env.XDG_STATE_HOME)) return join(env.XDG_STATE_HOME, 'forgectl');
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'forgectl', 'State');
  return join(homeDirectory(env), '.local/state/forgectl');
}

function homeDirectory(env: NodeJS.ProcessEnv): string {
  const home = env.HOME || homeOfUser();
  if (!home || !isAbsolute(home)) throw new Error('the user has no home directory');
  return home;
}

/** In a container, the user may have neither a name nor a home directory. */
export function homeOfUser(): string | undefined {
  try {
    return homedir();
  } catch {
    return undefined;
  }
}

/** Jobs in containers often set another `HOME`. */
function homeOfAccount(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}
