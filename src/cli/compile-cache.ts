/** Code that was compiled once is kept for the next run, which starts in half the time. */
import { mkdirSync, statSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The directory for it, below the user's own caches: the default of Node lies where all users may write. */
export function compileCacheDirectory(env: NodeJS.ProcessEnv): string {
  const { XDG_CACHE_HOME: xdg, LOCALAPPDATA: local } = env;
  if (xdg) return join(xdg, 'forgectl', 'compile');
  if (process.platform === 'win32' && local) return join(local, 'forgectl', 'compile');
  const caches = process.platform === 'darwin' ? join('Library', 'Caches') : '.cache';
  return join(homedir(), caches, 'forgectl', 'compile');
}

/** Keeps compiled code in a directory that only this user can write to; where there can be none, does nothing. */
export function keepCompiledCode(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(directory);
    // What lies there runs as it is: under sudo, say, the home directory can be another user's.
    if (process.getuid && (uid !== process.getuid() || (mode & 0o022) !== 0)) return;
    enableCompileCache(directory);
  } catch {
    // A home that cannot be written to costs time, nothing else.
  }
}
