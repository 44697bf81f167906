/**
 * Makes build/forgectl-linux-x64: Node and all of dist/ in one file, by Node's own support for single executables. The
 * Node inside is the one that runs this script; nothing is downloaded. Then it runs what it made.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCache } from '../src/disk/private-cache.ts';
import { bundled } from './bundled.ts';
import { smoke, withPlatform } from './smoke.ts';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const name = 'forgectl-linux-x64';
const executable = join('build', name);
/** What the executable is made of; it goes when it is done. */
const parts = 'build/parts';
const assets = join(parts, 'assets');
/** Where the runs at build time have their cache and their settings. */
const home = mkdtempSync(join(tmpdir(), 'forgectl-package-'));
process.on('exit', () => rmSync(home, { recursive: true, force: true }));

if (process.platform !== 'linux' || process.arch !== 'x64') {
  process.stdout.write(`${executable} can only be built on Linux x64; skipped.\n`);
  process.exit();
}

rmSync('build', { recursive: true, force: true });
/** What is started in other ways, and the library, are left out. */
const modules = globSync('dist/**/*.js', {
  exclude: ['dist/start.js', 'dist/cli/run/keyring-process.js', 'dist/library/**'],
});
for (const path of [
  'package.json',
  'oclif.manifest.json',
  'dist/package.json',
  ...modules,
  ...globSync(['dist/**/*.wasm', 'schemas/*.json']),
])
  write(join(assets, path), readFileSync(path));
const main = join(parts, 'main.cjs');
write(main, await bundled('scripts/executable/main.ts'));
await keepCompiledCode();
makeExecutable();
requireAcceptedCode();
await smoke(join(process.cwd(), executable));
const sha256 = createHash('sha256').update(readFileSync(executable)).digest('hex');
writeFileSync(`${executable}.sha256`, `${sha256}  ${name}\n`);
writeFileSync('build/THIRD_PARTY_LICENSES', thirdPartyLicences());
rmSync(parts, { recursive: true });
process.stdout.write(
  `${executable} works: ${Math.round(statSync(executable).size / 2 ** 20)} MiB, SHA-256 ${sha256}.\n`,
);

/** Runs a few commands of each kind, as an installed package that caches what V8 makes of its modules, and takes that. */
async function keepCompiledCode(): Promise<void> {
  const program = [process.execPath, 'bin/run.js'];
  const env = { PATH: process.env.PATH, HOME: home };
  const [node = '', ...rest] = program;
  await withPlatform(program, env, (account) => {
    for (const words of [
      'orgs get acme --json',
      'repos list acme -o table',
      'orgs get acme -o table',
      'repos --help',
      'orgs get --help',
      'orgs get acme -o yaml',
      'orgs get acme --jq .login',
      'rulesets create acme --name a --enforcement active --dry-run',
      'auth status',
    ])
      execFileSync(node, [...rest, ...words.split(' ')], {
        env: { ...env, ...account },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
  });
  const cache = openCache(env).compile;
  for (const { name } of cache.files()) {
    const path = modules.find((module) => name.endsWith(`@${module.replaceAll('/', '.')}`));
    const compiled = cache.read(name);
    if (path && compiled) writeFileSync(`${join(assets, path)}.compiled`, compiled);
  }
}

/** A copy of Node with everything in a note of its ELF file, where Node looks for it when it starts. */
function makeExecutable(): void {
  const files = globSync('**/*.*', { cwd: assets });
  const config = {
    main,
    output: join(parts, 'sea.blob'),
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(files.map((file) => [file, join(assets, file)])),
  };
  writeFileSync(join(parts, 'sea.json'), JSON.stringify(config));
  quietly(process.execPath, ['--experimental-sea-config', join(parts, 'sea.json')]);
  copyNode();
  const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
  quietly(process.execPath, [
    'node_modules/postject/dist/cli.js',
    executable,
    'NODE_SEA_BLOB',
    config.output,
    '--sentinel-fuse',
    fuse,
  ]);
}

/** Without symbols, where binutils are there to leave them out: they are for debuggers, and 18 MB. */
function copyNode(): void {
  copyFileSync(process.execPath, executable);
  chmodSync(executable, 0o755);
  const { error } = spawnSync('strip', [executable]);
  if (error) process.stdout.write('strip is not installed: the executable keeps its symbols.\n');
}

/** V8 drops compiled code without a word if anything about it does not fit; then the executable would only be slow. */
function requireAcceptedCode(): void {
  const preload = `const vm = require('node:vm');
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        if (this.cachedDataRejected !== false) throw new Error('V8 rejects the compiled code of ' + options.filename);
      }
    };`;
  writeFileSync(join(parts, 'accepted.cjs'), preload);
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    NODE_OPTIONS: '--require ./build/parts/accepted.cjs',
  };
  execFileSync(executable, ['orgs', 'get', '--help'], { env, stdio: ['ignore', 'ignore', 'inherit'] });
}

function thirdPartyLicences(): string {
  const node = `This executable contains Node.js ${process.version}; its licences are at https://github.com/nodejs/node/blob/${process.version}/LICENSE.\n\n`;
  return node + readFileSync('dist/THIRD_PARTY_LICENSES', 'utf8');
}

function quietly(program: string, words: readonly string[]): void {
  execFileSync(program, words, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function write(file: string, content: string | Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
