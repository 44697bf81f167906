/**
 * Gives all tests, and whatever they start, a home of their own, temporary files included, which goes away at the end: no test
 * reads or writes the settings and caches of its user.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

/** What a run without a home in its environment would leave there. */
const left = () => ['.config/forgectl', '.cache/forgectl'].filter((path) => existsSync(join(userInfo().homedir, path)));

export default function setup(): () => void {
  const before = left();
  const home = mkdtempSync(join(tmpdir(), 'forgectl-home-'));
  process.env.HOME = home;
  process.env.TMPDIR = join(home, 'tmp');
  mkdirSync(process.env.TMPDIR);
  for (const name of ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'FORGECTL_CONFIG_DIR', 'FORGECTL_CACHE_DIR'])
    delete process.env[name];
  return () => {
    rmSync(home, { recursive: true, force: true });
    const added = left().filter((path) => !before.includes(path));
    if (added.length) throw new Error(`A test has written to ~/${added.join(' and ~/')}.`);
  };
}
