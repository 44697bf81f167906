/**
 * Gives all tests, and the programs that they start, a temporary home with its own temporary files: no test reads or writes
 * the settings, caches and journals of the user who runs it.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** Returns the directories of forgectl and of the test runner in the user's real home. */
const left = () =>
  ['.config/forgectl', '.cache/forgectl', '.local/state/forgectl', '.local/share/vitest'].filter((path) =>
    existsSync(join(userInfo().homedir, path)),
  );

export default function setup(): () => void {
  const before = left();
  const home = mkdtempSync(join(tmpdir(), 'forgectl-home-'));
  process.env.HOME = home;
  process.env.TMPDIR = join(home, 'tmp');
  mkdirSync(process.env.TMPDIR);
  const directories = [
    'XDG_CONFIG_HOME',
    'XDG_CACHE_HOME',
    'XDG_STATE_HOME',
    'FORGECTL_CONFIG_DIR',
    'FORGECTL_CACHE_DIR',
  ];
  for (const name of directories) delete process.env[name];
  return () => {
    rmSync(home, { recursive: true, force: true });
    const added = left().filter((path) => !before.includes(path));
    if (added.length) throw new Error(`A test has written to ~/${added.join(' and ~/')}.`);
  };
}
