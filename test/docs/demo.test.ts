import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';

it('the demo runs, and removes its files from home, cache, settings and temporary directories', async () => {
  const folder = await temporaryDirectory();
  const TMPDIR = join(folder, 'tmp');
  mkdirSync(TMPDIR);
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/demo.ts')], {
    encoding: 'utf8',
    env: {
      PATH: process.env.PATH,
      TMPDIR,
      HOME: join(folder, 'home'),
      XDG_CACHE_HOME: join(folder, 'caches'),
      FORGECTL_CACHE_DIR: join(folder, 'cache'),
      FORGECTL_CONFIG_DIR: join(folder, 'settings'),
    },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(folder, { recursive: true })).toEqual(['tmp']);
});
