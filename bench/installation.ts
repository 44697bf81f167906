/** The package as users install it. */
import { execFileSync } from 'node:child_process';
import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Installation {
  /** Disk usage, as reported by du. */
  readonly mebibytes: number;
  /** Number of packages, including forgectl. */
  readonly packages: number;
  readonly bin: string;
}

/** Packs the working copy and installs the tarball in an empty folder, without development dependencies. */
export function installed(folder: string): Installation {
  const root = join(import.meta.dirname, '..');
  const prefix = join(folder, 'installation');
  mkdirSync(prefix, { recursive: true });
  const npm = (...args: string[]) => execFileSync('npm', args, { cwd: root, encoding: 'utf8' }).trim();
  const tarball = npm('pack', '--silent', '--pack-destination', folder);
  npm('install', '--silent', '--no-save', '--omit=dev', '--prefix', prefix, join(folder, tarball));
  const modules = join(prefix, 'node_modules');
  const blocks = readdirSync(modules, { recursive: true, encoding: 'utf8' })
    .map((path) => lstatSync(join(modules, path)).blocks)
    .reduce((total, each) => total + each, 0);
  const lock = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as { packages: object };
  return {
    mebibytes: (blocks * 512) / 1024 / 1024,
    packages: Object.keys(lock.packages).length,
    bin: join(modules, 'forgectl/bin/run.js'),
  };
}
