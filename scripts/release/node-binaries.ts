/** Node for each platform of the executables: from npm packages pinned in node.json, or from a folder of releases of the Node project. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const platforms = ['linux-x64', 'linux-arm64', 'macos-x64', 'macos-arm64', 'windows-x64'] as const;
export type Platform = (typeof platforms)[number];

interface Pinned {
  readonly version: string;
  readonly packages: Readonly<Record<Platform, { readonly name: string; readonly integrity: string }>>;
}

const { version, packages } = JSON.parse(readFileSync(new URL('node.json', import.meta.url), 'utf8')) as Pinned;

/** Version of Node in the executables. */
export const nodeVersion = version;

/**
 * Returns the path of Node for a platform. `releases` is a folder with unpacked archives of the Node project, under
 * their own names. Without it, downloads the pinned package to build/node once.
 */
export function nodeFor(platform: Platform, releases?: string): string {
  return releases === undefined ? fromPackage(platform) : fromRelease(platform, releases);
}

/** Returns the licences of Node and of what it contains. */
export function licenceOfNode(releases?: string): string {
  return readFileSync(join(dirname(nodeFor('linux-x64', releases)), '..', 'LICENSE'), 'utf8');
}

function fromRelease(platform: Platform, releases: string): string {
  const name = platform.replace('macos', 'darwin').replace('windows', 'win');
  const path = join(releases, `node-v${version}-${name}`, platform.startsWith('windows') ? 'node.exe' : 'bin/node');
  if (!existsSync(path)) throw new Error(`${path} does not exist. Unpack the archive of the Node project there.`);
  return path;
}

function fromPackage(platform: Platform): string {
  const folder = join('build/node', version, platform);
  const file = join(folder, 'bin', platform.startsWith('windows') ? 'node.exe' : 'node');
  if (existsSync(file)) return file;
  const { name, integrity } = packages[platform];
  const unpacked = `${folder}.unpacked`;
  rmSync(unpacked, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const words = ['pack', `${name}@${version}`, '--silent', '--prefer-offline', '--pack-destination', unpacked];
  const archive = join(unpacked, execFileSync('npm', words, { encoding: 'utf8' }).trim());
  const sum = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (sum !== integrity) throw new Error(`${name}@${version} has the hash ${sum}; node.json requires ${integrity}.`);
  const parts = ['package/bin', ...(platform === 'linux-x64' ? ['package/LICENSE'] : [])];
  execFileSync('tar', ['-xzf', archive, '-C', unpacked, '--strip-components=1', ...parts]);
  rmSync(archive);
  renameSync(unpacked, folder);
  return file;
}
