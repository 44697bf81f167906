import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openCache } from '../../src/disk/private-cache.ts';
import { root } from '../contracts/commands.ts';
import { temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

function forgectl(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'bin/run.js'), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env },
  });
  return { status, stdout, stderr };
}

it.each(['--version', '-v'])('%s and the version command print the same version', async (flag) => {
  const HOME = await temporaryDirectory();
  const { stdout, stderr, status } = forgectl([flag], { HOME });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^forgectl\/\d+\.\d+\.\d+ \w+-\w+ node-v\d+\.\d+\.\d+\n$/);
  const { stdout: number } = forgectl(['version', '--jq', '.version'], { HOME });
  expect(stdout).toContain(`forgectl/${number.trim()} `);
});

/** Prints on stderr at the end for how many modules V8 had code from an earlier run, and for how many not. */
const counting = `
  import vm from 'node:vm';
  import { writeSync } from 'node:fs';
  const counts = { cached: 0, compiled: 0 };
  vm.Script = class extends vm.Script {
    constructor(text, options) {
      super(text, options);
      counts[this.cachedDataRejected === false ? 'cached' : 'compiled']++;
    }
  };
  process.on('exit', () => writeSync(2, JSON.stringify(counts)));`;

async function codeUsedBy(words: readonly string[], env: Readonly<Record<string, string>>) {
  const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(counting)}`];
  const { stderr } = await promisify(execFile)(process.execPath, [...preloaded, join(root, 'bin/run.js'), ...words], {
    env: { PATH: process.env.PATH, ...env },
  });
  return JSON.parse(stderr) as { cached: number; compiled: number };
}

it('the name of cached code has the version of V8, and a hash of its flags', () => {
  const named = (flags: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const script = `import { compiledFor } from './src/start/modules.ts'; console.log(compiledFor(), process.versions.v8)`;
    const { stdout } = spawnSync(process.execPath, [...flags, '--input-type=module-typescript', '-e', script], {
      ...{ cwd: root, encoding: 'utf8', env: { PATH: process.env.PATH, ...env } },
    });
    const [name = '', v8 = ''] = stdout.trim().split(' ');
    expect(name.slice(0, -9)).toBe(v8);
    expect(name.slice(-9)).toMatch(/^-[0-9a-f]{8}$/);
    return name;
  };
  const names = [named([]), named(['--no-opt']), named([], { NODE_OPTIONS: '--max-old-space-size=100' })];
  expect(new Set(names).size).toBe(3);
});

const compileCacheIn = (home: string) => join(home, 'caches', 'forgectl', 'forgectl-cache-v1', 'compile');

/** The surroundings of a user whose home is `HOME`. */
const userAt = (HOME: string) => ({
  HOME,
  XDG_CACHE_HOME: join(HOME, 'caches'),
  XDG_CONFIG_HOME: join(HOME, 'settings'),
});

const works = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' };
const version = ['version', '--jq', '.version'];

describe('compiled code', () => {
  it('is cached in a private directory', async () => {
    const home = await temporaryDirectory();
    forgectl(['version'], userAt(home));
    const directory = compileCacheIn(home);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const files = readdirSync(directory);
    expect(files).toContainEqual(expect.stringMatching(/^[0-9a-f]{16}-[\w.-]+@dist\.commands\.version\.js$/));
    for (const file of files) expect(statSync(join(directory, file)).mode & 0o777, file).toBe(0o600);
  });

  it('exists for every module when a command runs for the second time', async () => {
    const env = userAt(await temporaryDirectory());
    const first = await codeUsedBy(['version'], env);
    expect(first).toEqual({ cached: 0, compiled: expect.any(Number) });
    expect(await codeUsedBy(['version'], env)).toEqual({ cached: first.compiled, compiled: 0 });
  });

  it('is cached by a run that lists all pages', async () => {
    const { origin } = await startServer((response) => json(response, [{ id: 1 }]));
    const env = {
      ...userAt(await temporaryDirectory()),
      FORGECTL_BASE_URL: `${origin}/api/v3`,
      FORGECTL_TOKEN: 'ghp_000000000000000000000000000000000000',
    };
    const words = ['repos', 'list', 'acme', '--all', '-o', 'ndjson'];
    const first = await codeUsedBy(words, env);
    expect(await codeUsedBy(words, env)).toEqual({ cached: first.compiled, compiled: 0 });
  });

  it('that is damaged never reaches V8, and is replaced', async () => {
    const home = await temporaryDirectory();
    const { compiled } = await codeUsedBy(['version'], userAt(home));
    const directory = compileCacheIn(home);
    const random = chance(1);
    for (let round = 0; round < 10; round++) {
      for (const file of readdirSync(directory)) {
        const content = readFileSync(join(directory, file));
        if (random(3) === 0) writeFileSync(join(directory, file), content.subarray(0, random(content.length)));
        else {
          for (let count = random(20); count >= 0; count--) content[random(content.length)] = random(256);
          writeFileSync(join(directory, file), content);
        }
      }
      expect(await codeUsedBy(['version'], userAt(home))).toEqual({ cached: 0, compiled });
    }
    expect(await codeUsedBy(['version'], userAt(home))).toEqual({ cached: compiled, compiled: 0 });
  });

  it('of somebody without the key does not run', async () => {
    const home = await temporaryDirectory();
    forgectl(version, userAt(home));
    const directory = compileCacheIn(home);
    const file = join(
      directory,
      readdirSync(directory).find((name) => name.endsWith('@dist.commands.version.js')) ?? '',
    );
    const compile = openCache(userAt(home), 'compile');
    // With the key it would run: V8 takes code that was compiled of another text of the same length.
    compile.write(basename(file), plantedCode());
    expect(forgectl(version, userAt(home)).stdout).toBe('planted');
    for (const mac of [Buffer.alloc(32), readFileSync(file).subarray(0, 32), Buffer.alloc(0)]) {
      const other = Buffer.concat([plantedCode(), Buffer.alloc(1)]);
      writeFileSync(file, Buffer.concat([mac, other]));
      expect(forgectl(version, userAt(home))).toEqual(works);
    }
  });

  it('is cached for two builds at most', async () => {
    const home = await temporaryDirectory();
    const directory = compileCacheIn(home);
    forgectl(version, userAt(home));
    const own = readdirSync(directory);
    for (const file of own) rmSync(join(directory, file));
    const others = ['1', '2', '3'].map((digit) => `${digit.repeat(16)}-1.2.3-4@dist.cli.main.js`);
    for (const [index, name] of ['thesis.txt', ...others].entries()) {
      writeFileSync(join(directory, name), 'of an earlier build', { mode: 0o600 });
      utimesSync(join(directory, name), index + 1, index + 1);
    }
    forgectl(version, userAt(home));
    expect(readdirSync(directory).sort()).toEqual(
      [...own, 'thesis.txt', '3333333333333333-1.2.3-4@dist.cli.main.js'].sort(),
    );
  });
});

/** What V8 makes of a text that is as long as that of the version command, and prints a word instead. */
function plantedCode(): Buffer {
  const script = `
    const { readFileSync, writeSync } = require('node:fs');
    const { Script } = require('node:vm');
    const head = '(function (exports, require, module, __filename, __dirname) {';
    const { length } = readFileSync(${JSON.stringify(join(root, 'dist/commands/version.js'))}, 'utf8');
    const evil = "process.getBuiltinModule('node:fs').writeSync(1, 'planted'); process.exit(0);".padEnd(length);
    writeSync(1, new Script(head + evil + '\\n})').createCachedData());`;
  return spawnSync(process.execPath, ['-e', script]).stdout;
}

/** The same numbers below a limit in each run. */
function chance(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

describe('an untrusted cache', () => {
  it('is neither read nor written', async () => {
    const home = await temporaryDirectory();
    const shared = join(home, 'caches', 'forgectl');
    mkdirSync(shared, { recursive: true });
    chmodSync(shared, 0o777);
    expect(forgectl(version, userAt(home))).toEqual(works);
    expect(readdirSync(shared)).toEqual([]);
    expect(forgectl([...version, '--debug'], userAt(home))).toEqual({
      ...works,
      stderr: `Cache disabled: ${shared} is writable by others.\n`,
    });
  });

  it('that is a link leaves its target unchanged', async () => {
    const home = await temporaryDirectory();
    const project = join(home, 'project');
    mkdirSync(join(project, 'sources'), { recursive: true });
    writeFileSync(join(project, 'thesis.txt'), 'a thesis');
    for (const path of ['thesis.txt', 'sources', '.']) utimesSync(join(project, path), 1, 1);
    mkdirSync(dirname(compileCacheIn(home)), { recursive: true, mode: 0o700 });
    symlinkSync(project, compileCacheIn(home));
    expect(forgectl(version, userAt(home))).toEqual(works);
    expect(readdirSync(project).sort()).toEqual(['sources', 'thesis.txt']);
  });

  it.each(['package.json', '/proc/nope'])('that cannot be created causes no message: below %s', async (path) => {
    const XDG_CACHE_HOME = resolve(root, path);
    const HOME = await temporaryDirectory();
    expect(forgectl(version, { HOME, XDG_CACHE_HOME })).toEqual(works);
  });
});

it('a folder with files of its own can be the cache directory, and keeps them', async () => {
  const HOME = await temporaryDirectory();
  const FORGECTL_CACHE_DIR = join(HOME, 'project');
  for (const folder of ['compile/old', 'answers', 'responses'])
    mkdirSync(join(FORGECTL_CACHE_DIR, folder), { recursive: true });
  const files = ['thesis.txt', 'compile/old/thesis.txt', 'answers/thesis.txt', `responses/${'a'.repeat(64)}`];
  for (const file of files) writeFileSync(join(FORGECTL_CACHE_DIR, file), 'a thesis');
  for (const path of [...files, 'compile/old', 'answers', 'responses'])
    utimesSync(join(FORGECTL_CACHE_DIR, path), 1, 1);
  expect(forgectl(version, { HOME, FORGECTL_CACHE_DIR })).toEqual(works);
  for (const file of files) expect(readFileSync(join(FORGECTL_CACHE_DIR, file), 'utf8')).toBe('a thesis');
});

it('a relative cache directory is ignored, as it would be a folder of the repository', async () => {
  const HOME = await temporaryDirectory();
  const repository = await temporaryDirectory();
  const { status } = spawnSync(process.execPath, [join(root, 'bin/run.js'), 'version'], {
    cwd: repository,
    env: { HOME, XDG_CACHE_HOME: '.cache', FORGECTL_CACHE_DIR: 'caches' },
  });
  expect(status).toBe(0);
  expect(readdirSync(repository)).toEqual([]);
  expect(readdirSync(HOME).sort()).toEqual(['.cache', '.config']);
});

it('runs as a user without a name and without a home, as containers have them', () => {
  const nobody = `process.getBuiltinModule('node:os').homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); }`;
  const preloaded = ['--import', `data:text/javascript,${encodeURIComponent(nobody)}`];
  const words = [...preloaded, join(root, 'bin/run.js'), 'config', 'path'];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8', env: {} });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '/.config/forgectl/config.json\n', stderr: '' });
});
