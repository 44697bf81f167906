import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

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

it('keeps compiled code in the caches of the user, where nobody else can read or write', async () => {
  const XDG_CACHE_HOME = await temporaryDirectory();
  forgectl(['version'], { XDG_CACHE_HOME });
  const kept = join(XDG_CACHE_HOME, 'forgectl', 'compile');
  const [directory = '', ...others] = readdirSync(kept);
  expect(others).toEqual([]);
  expect(statSync(kept).mode & 0o777).toBe(0o700);
  expect(statSync(join(kept, directory)).mode & 0o777).toBe(0o700);
  const files = readdirSync(join(kept, directory));
  expect(files).toContain('dist.commands.version.js');
  for (const file of files) expect(statSync(join(kept, directory, file)).mode & 0o777, file).toBe(0o600);
});

/** Prints on stderr at the end for how many modules V8 had code from an earlier run, and for how many not. */
const counting = `
  import vm from 'node:vm';
  import { writeSync } from 'node:fs';
  const counts = { kept: 0, compiled: 0 };
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      counts[this.cachedDataRejected === false ? 'kept' : 'compiled']++;
    }
  };
  process.on('exit', () => writeSync(2, JSON.stringify(counts)));`;

async function codeUsedBy(words: readonly string[], env: Readonly<Record<string, string>>) {
  const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(counting)}`];
  const { stderr } = await promisify(execFile)(process.execPath, [...preloaded, join(root, 'bin/run.js'), ...words], {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stderr) as { kept: number; compiled: number };
}

describe('compiled code', () => {
  it('is there for every module when a command runs for the second time', async () => {
    const env = { XDG_CACHE_HOME: await temporaryDirectory() };
    const first = await codeUsedBy(['version'], env);
    expect(first).toEqual({ kept: 0, compiled: expect.any(Number) });
    expect(await codeUsedBy(['version'], env)).toEqual({ kept: first.compiled, compiled: 0 });
  });

  it('is kept by a run that changes V8’s flags on its way, as a long list does', async () => {
    const { origin } = await startServer((response) => json(response, [{ id: 1 }]));
    const env = {
      XDG_CACHE_HOME: await temporaryDirectory(),
      FORGECTL_BASE_URL: `${origin}/api/v3`,
      FORGECTL_TOKEN: 'ghp_000000000000000000000000000000000000',
    };
    const words = ['repos', 'list', 'acme', '--all', '-o', 'ndjson'];
    const first = await codeUsedBy(words, env);
    expect(await codeUsedBy(words, env)).toEqual({ kept: first.compiled, compiled: 0 });
  });

  it('that is damaged is made anew', async () => {
    const XDG_CACHE_HOME = await temporaryDirectory();
    const { compiled } = await codeUsedBy(['version'], { XDG_CACHE_HOME });
    const kept = join(XDG_CACHE_HOME, 'forgectl', 'compile');
    const file = join(kept, readdirSync(kept)[0] ?? '', 'dist.cli.main.js');
    writeFileSync(file, 'no code');
    expect(await codeUsedBy(['version'], { XDG_CACHE_HOME })).toEqual({ kept: compiled - 1, compiled: 1 });
    expect(await codeUsedBy(['version'], { XDG_CACHE_HOME })).toEqual({ kept: compiled, compiled: 0 });
  });

  it('of a version that nobody has used for a month goes when another comes', async () => {
    const XDG_CACHE_HOME = await temporaryDirectory();
    const kept = join(XDG_CACHE_HOME, 'forgectl', 'compile');
    for (const [name, days] of [
      ['old', 31],
      ['recent', 29],
    ] as const) {
      mkdirSync(join(kept, name), { recursive: true, mode: 0o700 });
      const then = Date.now() / 1000 - days * 24 * 60 * 60;
      utimesSync(join(kept, name), then, then);
    }
    forgectl(['version'], { XDG_CACHE_HOME });
    expect(readdirSync(kept)).toHaveLength(2);
    expect(readdirSync(kept)).toContain('recent');
  });
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
