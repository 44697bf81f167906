import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { root } from './commands.ts';

/** Everything that a package may hold; what each place holds is named here, and nothing else goes out. */
const allowed = [
  /^(LICENSE|README\.md|CHANGELOG\.md|SECURITY\.md|package\.json|oclif\.manifest\.json)$/,
  /^bin\/run\.js$/,
  /^dist\/(THIRD_PARTY_LICENSES|package\.json|start\.js)$/,
  /^dist\/(cli\/run|lib)\/[\w.-]+\.js$/,
  /^dist\/lib\/build\/jq\.wasm$/,
  /^dist\/report\/page\.(css|js)$/,
  /^dist\/library\/([\w-]+\.(js|d\.ts)|package\.json)$/,
  /^dist\/commands\/([a-z-]+\/){0,2}[a-z-]+\.js$/,
  /^docs\/([a-z-]+\/)*[\w-]+\.md$/,
  /^docs\/audit\.png$/,
  /^man\/forgectl\.1$/,
  /^schemas\/[a-z-]+\.json$/,
];

interface Packed {
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const words = ['pack', '--dry-run', '--json', '--ignore-scripts'];
const [packed] = JSON.parse(execFileSync('npm', words, { cwd: root, encoding: 'utf8' })) as [Packed];
const paths = packed.files.map(({ path }) => path);

it('the package contains the program and its documents, but no sources, tests, scripts or benchmarks', () => {
  expect(paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))).toEqual([]);
});

it('the package contains all files that forgectl reads', () => {
  expect(paths).toEqual(
    expect.arrayContaining([
      'LICENSE',
      'README.md',
      'bin/run.js',
      'dist/THIRD_PARTY_LICENSES',
      'dist/cli/run/keyring-process.js',
      'dist/cli/run/main.js',
      'dist/commands/orgs/get.js',
      'dist/commands/orgs/immutable-releases/remove.js',
      'dist/lib/build/jq.wasm',
      'dist/library/index.d.ts',
      'dist/library/index.js',
      'dist/library/package.json',
      'dist/package.json',
      'dist/report/page.css',
      'dist/report/page.js',
      'dist/start.js',
      'oclif.manifest.json',
      'package.json',
    ]),
  );
});

it.each([
  ['jq', 'jq is copyright (C) 2012 Stephen Dolan'],
  ['decNumber in jq', 'Copyright (c) 1995-2005 International Business Machines Corporation and others'],
  ['dtoa.c in jq', 'Copyright (c) 1991, 2000, 2001 by Lucent Technologies.'],
  ['Heimdal in jq', 'Portions Copyright (c) 2016 Kungliga Tekniska Högskolan'],
  ['Oniguruma', 'Copyright (c) 2002-2021  K.Kosako  <kkosako0@gmail.com>'],
  ['musl', 'Copyright © 2005-2020 Rich Felker, et al.'],
  ['Emscripten', 'Copyright (c) 2010-2014 Emscripten authors, see AUTHORS file.'],
  ['libsodium', 'Frank Denis <j at pureftpd dot org>'],
  ['llhttp', 'Copyright Fedor Indutny, 2018.'],
  ['Go, ported in re2js', 'Copyright (c) 2009 The Go Authors. All rights reserved.'],
])('the licences list what packages contain of others: %s', (_name, line) => {
  expect(readFileSync(join(root, 'dist/THIRD_PARTY_LICENSES'), 'utf8').split('\n')).toContain(line);
});

it('the package contains every file that another one requires', () => {
  const loading = /\b(?:require\(|import\(|from )"(\.[^"]+)"/g;
  const missing = paths
    .filter((path) => path.startsWith('dist/') && path.endsWith('.js'))
    .flatMap((path) =>
      [...readFileSync(join(root, path), 'utf8').matchAll(loading)]
        .map(([, target = '']) => posix.join(posix.dirname(path), target))
        .filter((target) => !paths.includes(target))
        .map((target) => `${path} → ${target}`),
    );
  expect(missing).toEqual([]);
});

it('package.json lists the man page for npm to install', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).man).toEqual(['./man/forgectl.1']);
  expect(paths).toContain('man/forgectl.1');
});

it('the package is small: 3 MB to download, 12 MB on disk', () => {
  expect(packed.size).toBeLessThan(3_000_000);
  expect(packed.unpackedSize).toBeLessThan(12_000_000);
});
