/** What forgectl is made of: each package with a reason, pinned by version and hash, and nothing that runs at installation. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './commands.ts';

const read = (name: string) => readFileSync(join(root, name), 'utf8');

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

interface Locked {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const { packages } = JSON.parse(read('package-lock.json')) as { packages: Readonly<Record<string, Locked>> };
const direct = { ...manifest.dependencies, ...manifest.optionalDependencies, ...manifest.devDependencies };
const locked = Object.entries(packages).filter(([path]) => path !== '');

it('SECURITY.md refers to existing tests', () => {
  const rows = read('SECURITY.md').match(/^\| \*\*.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(15);
  for (const row of rows) {
    const named = [...(row.split(' | ').at(-1) ?? '').matchAll(/`([\w/-]+)`/g)].map(([, name]) => name);
    expect(named, row).not.toEqual([]);
    for (const name of named) expect(existsSync(join(root, 'test', `${name}.test.ts`)), name).toBe(true);
  }
});

it('SECURITY.md lists every package with its purpose, and no other', () => {
  const table = /\n\| Package \| Purpose \|\n[^\n]*\n((?:\|[^\n]*\n?)+)/.exec(read('SECURITY.md'))?.[1] ?? '';
  const rows = table
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim()));
  const named = rows.flatMap(([, names = '']) => names.replace(' (optional)', '').split(', '));
  // The types of Node stand for all packages of types.
  const expected = Object.keys(direct).map((name) => (name.startsWith('@types/') ? 'types' : name));
  expect(named.sort()).toEqual(expected.sort());
  expect(rows.filter(([, , why = '']) => why.length < 5)).toEqual([]);
});

it('package.json requires exact versions', () => {
  expect(Object.entries(direct).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.-]+)?$/.test(version))).toEqual([]);
});

it('package-lock.json pins each package by version and hash, from the registry only', () => {
  const isPinned = ({ version, integrity = '', resolved = 'https://registry.npmjs.org/' }: Locked) =>
    version !== undefined && integrity.startsWith('sha512-') && resolved.startsWith('https://registry.npmjs.org/');
  expect(locked.filter(([, entry]) => !isPinned(entry)).map(([path]) => path)).toEqual([]);
  expect(Object.keys(direct).filter((name) => packages[`node_modules/${name}`]?.version !== direct[name])).toEqual([]);
});

it('users install one package and the optional keyring, without installation scripts', () => {
  expect(Object.keys(manifest.dependencies ?? {})).toEqual([]);
  expect(Object.keys(manifest.optionalDependencies)).toEqual(['@napi-rs/keyring']);
  const atInstallation = [
    'preinstall',
    'install',
    'postinstall',
    'preprepare',
    'prepare',
    'postprepare',
    'dependencies',
  ];
  expect(atInstallation.filter((name) => manifest.scripts[name] !== undefined)).toEqual([]);
  expect(locked.filter(([path, { hasInstallScript }]) => hasInstallScript && path.includes('@napi-rs'))).toEqual([]);
});

it('among development packages, only Node has an installation script', () => {
  expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([
    'node_modules/node',
  ]);
});
