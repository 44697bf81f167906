import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';

vi.setConfig({ testTimeout: 30_000 });

function forgectl(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/run.js'), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, stdout, stderr };
}

it.each(['--version', '-v'])('%s and the version command tell the same number', async (flag) => {
  const HOME = await temporaryDirectory();
  const { stdout, stderr, status } = forgectl([flag], { HOME });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^forgectl\/\d+\.\d+\.\d+ \w+-\w+ node-v\d+\.\d+\.\d+\n$/);
  const { stdout: number } = forgectl(['version', '--jq', '.version'], { HOME });
  expect(stdout).toContain(`forgectl/${number.trim()} `);
});

it('keeps compiled code in the caches of the user, where nobody else can write', async () => {
  const XDG_CACHE_HOME = await temporaryDirectory();
  forgectl(['version'], { XDG_CACHE_HOME });
  const kept = join(XDG_CACHE_HOME, 'forgectl', 'compile');
  expect(readdirSync(kept)).toHaveLength(1);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
});

it('keeps no compiled code where others can write', async () => {
  const XDG_CACHE_HOME = await temporaryDirectory();
  const shared = join(XDG_CACHE_HOME, 'forgectl', 'compile');
  mkdirSync(shared, { recursive: true });
  chmodSync(shared, 0o777);
  expect(forgectl(['version', '--jq', '.version'], { XDG_CACHE_HOME })).toMatchObject({ status: 0, stderr: '' });
  expect(readdirSync(shared)).toEqual([]);
});

it('runs without a word where there can be no cache', async () => {
  // No directory can be made below a file.
  const XDG_CACHE_HOME = join(root, 'package.json');
  expect(forgectl(['version', '--jq', '.version'], { XDG_CACHE_HOME })).toMatchObject({ status: 0, stderr: '' });
});

it('runs as a user without a name and without a home, as containers have them', () => {
  const nobody = `process.getBuiltinModule('node:os').homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); }`;
  const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(nobody)}`];
  const words = [...preloaded, join(root, 'bin/run.js'), 'config', 'path'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: {} });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '/.config/forgectl/config.json\n', stderr: '' });
});
