/** Executables: Node with all of dist/ inside, by Node's own support for single executables. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bundled } from '../bundled.ts';
import { version, write } from './files.ts';
import { nodeFor, type Platform } from './node-binaries.ts';

/** What the executables are made of; deleted at the end. */
const parts = 'build/parts';
const assets = join(parts, 'assets');

/** In MB, each of the two halves. By default they double up to 64 MB each while many responses are in memory at once. */
const youngGeneration = '--max-semi-space-size=8';

export interface ExecutableOptions {
  readonly platforms: readonly Platform[];
  /** Folder of the executables. */
  readonly to: string;
  /** Folder with unpacked archives of the Node project, instead of npm packages. */
  readonly nodeReleases?: string | undefined;
}

/** Returns the file name of an executable. */
export const executableName = (platform: Platform): string =>
  `forgectl-${version}-${platform}${platform.startsWith('windows') ? '.exe' : ''}`;

/** Makes the executables of `platforms`. Returns their paths. Works on Linux x64 only, whose Node prepares all of them. */
export async function makeExecutables(options: ExecutableOptions): Promise<string[]> {
  const { platforms, to, nodeReleases } = options;
  const node = nodeFor('linux-x64', nodeReleases);
  rmSync(parts, { recursive: true, force: true });
  mkdirSync(to, { recursive: true });
  // Only what is started in the usual way, without the library.
  const modules = globSync('dist/**/*.js', {
    exclude: ['dist/start.js', 'dist/cli/run/keyring-process.js', 'dist/library/**', 'dist/report/**'],
  }).sort();
  const others = globSync(['dist/**/*.wasm', 'dist/report/*', 'schemas/*.json']).sort();
  for (const path of ['package.json', 'dist/package.json', 'oclif.manifest.json', ...modules, ...others])
    write(join(assets, path), readFileSync(path));
  write(join(parts, 'main.cjs'), await bundled('scripts/executable/main.ts'));
  const flags = [youngGeneration, '--hash-seed=1', '--random-seed=1'];
  execFileSync(node, [...flags, 'scripts/release/compile.ts', assets, ...modules]);
  const files = globSync('**/*.*', { cwd: assets }).sort();
  const made = platforms.map((platform) => {
    const executable = join(to, executableName(platform));
    // V8 compiles for one system, and nothing says that another can run it.
    const fitting = files.filter((file) => platform === 'linux-x64' || !file.endsWith('.compiled'));
    inject({ node, platform, executable, files: fitting, nodeReleases });
    if (platform === 'linux-x64') requireAcceptedCode(executable);
    return executable;
  });
  rmSync(parts, { recursive: true });
  return made;
}

interface Injection {
  readonly node: string;
  readonly platform: Platform;
  readonly executable: string;
  readonly files: readonly string[];
  readonly nodeReleases: string | undefined;
}

/** Has Node on this machine put files into a copy of the platform's Node, where that looks for them when it starts. */
function inject({ node, platform, executable, files, nodeReleases }: Injection): void {
  const copy = join(parts, `node-${platform}`);
  copyFileSync(nodeFor(platform, nodeReleases), copy);
  chmodSync(copy, 0o755);
  strip(platform, copy);
  if (platform.startsWith('windows')) writeFileSync(copy, withoutSignature(readFileSync(copy)));
  const config = join(parts, `${platform}.json`);
  write(
    config,
    JSON.stringify({
      main: join(parts, 'main.cjs'),
      executable: copy,
      output: executable,
      disableExperimentalSEAWarning: true,
      execArgv: [youngGeneration],
      assets: Object.fromEntries(files.map((file) => [file, join(assets, file)])),
    }),
  );
  execFileSync(node, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  chmodSync(executable, 0o755);
}

/** The programs of binutils that remove symbols, which only debuggers need: a seventh of the file. */
const strippers: Partial<Readonly<Record<Platform, string>>> = {
  'linux-x64': 'x86_64-linux-gnu-strip',
  'linux-arm64': 'aarch64-linux-gnu-strip',
};

function strip(platform: Platform, file: string): void {
  const program = strippers[platform];
  if (program === undefined) return;
  const { error, status, stderr } = spawnSync(program, [file], { encoding: 'utf8' });
  if (error) process.stdout.write(`${program} is not installed: the executable for ${platform} keeps its symbols.\n`);
  else if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
}

/**
 * Returns a program for Windows without the signature of the Node project at its end, which does not cover what is added.
 * “Attribute Certificate Table” in Microsoft's “PE Format” describes the bytes.
 */
function withoutSignature(program: Buffer): Buffer {
  const optionalHeader = program.readUInt32LE(0x3c) + 24;
  const certificates = optionalHeader + 112 + 4 * 8;
  const start = program.readUInt32LE(certificates);
  if (start === 0) return program;
  program.fill(0, certificates, certificates + 8);
  return program.subarray(0, start);
}

/** Throws if V8 rejects compiled code, which would only make the executable slow. */
function requireAcceptedCode(executable: string): void {
  const preload = join(parts, 'accepted.cjs');
  write(
    preload,
    `const vm = require('node:vm');
    vm.Script = class extends vm.Script {
      constructor(source, options) {
        super(source, options);
        if (this.cachedDataRejected !== false) throw new Error('V8 rejects the compiled code of ' + options.filename);
      }
    };`,
  );
  const home = mkdtempSync(join(tmpdir(), 'forgectl-package-'));
  try {
    execFileSync(executable, ['orgs', 'get', '--help'], {
      env: { PATH: process.env.PATH, HOME: home, NODE_OPTIONS: `--require "${resolve(preload)}"` },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
