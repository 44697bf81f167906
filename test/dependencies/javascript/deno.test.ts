import { expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

// 01-edu/framework and dependabot/dependabot-core, shortened
it('has packages of npm and JSR, by member of the workspace', async () => {
  const text = JSON.stringify({
    version: '5',
    specifiers: {
      'jsr:@std/assert@1': '1.0.19',
      'jsr:@std/internal@^1.0.12': '1.0.14',
      'jsr:@std/path@1': '1.1.5',
      'jsr:@std/path@^1.1.4': '1.1.5',
      'npm:@preact/signals@^2.9.0': '2.9.0_preact@10.29.0',
      'npm:he@1.2.0': '1.2.0',
      'npm:preact@^10.29.0': '10.29.0',
    },
    jsr: {
      '@std/assert@1.0.19': { dependencies: ['jsr:@std/internal', 'npm:he'] },
      '@std/internal@1.0.14': {},
      '@std/path@1.1.5': { dependencies: ['jsr:@std/internal'] },
    },
    npm: {
      '@preact/signals-core@1.14.1': {},
      '@preact/signals@2.9.0_preact@10.29.0': {
        dependencies: ['@preact/signals-core', 'preact@10.29.0', 'old@npm:he@1.2.0'],
      },
      'he@1.2.0': { tarball: 'https://npm.example.com/he/-/he-1.2.0.tgz' },
      'preact@10.0.0': {},
      'preact@10.29.0': { optionalDependencies: ['he'], optionalPeers: ['@preact/signals-core'] },
    },
    remote: { 'https://deno.land/std@0.140.0/path/mod.ts': 'd3e68d0a' },
    workspace: {
      dependencies: ['jsr:@std/path@1'],
      packageJson: { dependencies: ['npm:preact@^10.29.0'] },
      members: {
        'packages/alpha': { dependencies: ['jsr:@std/assert@1'] },
        beta: { packageJson: { dependencies: ['npm:he@1.2.0'] } },
      },
    },
  });
  const files = { 'packages/alpha/deno.json': '{}', 'beta/package.json': '{}' };
  const manifests = await parse('deno.lock', text, files);
  const he = 'pkg:npm/he@1.2.0?repository_url=https:%2F%2Fnpm.example.com';
  const signals = 'pkg:npm/%40preact/signals';
  expect(lines(manifests).sort()).toEqual(
    [
      `beta: ${he} direct ?`,
      `packages/alpha: pkg:jsr/%40std/assert@1.0.19 direct ? → pkg:jsr/%40std/internal@1.0.14 ${he}`,
      'packages/alpha: pkg:jsr/%40std/internal@1.0.14 indirect ?',
      `packages/alpha: ${he} indirect ?`,
      'pkg:jsr/%40std/internal@1.0.14 indirect ?',
      'pkg:jsr/%40std/path@1.1.5 direct ? → pkg:jsr/%40std/internal@1.0.14',
      `${he} indirect ?`,
      'pkg:npm/preact@10.0.0 ? ?',
      `pkg:npm/preact@10.29.0 direct ? → ${he}`,
      // Only the code of the project imports it.
      `${signals}@2.9.0 direct ? → ${signals}-core@1.14.1 pkg:npm/preact@10.29.0 ${he}`,
      `${signals}-core@1.14.1 indirect ?`,
    ].sort(),
  );
  expect(manifests.map(({ file }) => file)).toEqual([undefined, 'packages/alpha/deno.json', 'beta/package.json']);
});

// 0xdbe/fake-hello-world, and a specification of denoland/deno_lockfile
it('reads version 3, with whole specifiers and dependencies by name', async () => {
  const text = `{
  "version": "3",
  "packages": {
    "specifiers": {
      "jsr:@std/assert@^0.226.0": "jsr:@std/assert@0.226.0",
      "jsr:@std/internal@^1.0.0": "jsr:@std/internal@1.0.0",
      "npm:@aa/pkg@2": "npm:@aa/pkg@2.1.5"
    },
    "jsr": {
      "@std/assert@0.226.0": { "integrity": "0dfb5f7c", "dependencies": ["jsr:@std/internal@^1.0.0"] },
      "@std/internal@1.0.0": { "integrity": "ac6a6dfe" }
    },
    "npm": {
      "@aa/pkg@2.1.5": { "integrity": "sha512-a1", "dependencies": { "other_name": "@b/pkg@2.0.5" } },
      "@b/pkg@2.0.5": { "integrity": "sha512-b1", "dependencies": {} }
    }
  },
  "remote": {},
  "workspace": { "dependencies": ["jsr:@std/assert@^0.226.0"] }
}`;
  expect(lines(await parse('deno.lock', text))).toEqual([
    'pkg:npm/%40aa/pkg@2.1.5 direct ? → pkg:npm/%40b/pkg@2.0.5',
    'pkg:npm/%40b/pkg@2.0.5 indirect ?',
    'pkg:jsr/%40std/assert@0.226.0 direct ? → pkg:jsr/%40std/internal@1.0.0',
    'pkg:jsr/%40std/internal@1.0.0 indirect ?',
  ]);
});

it('ignores dependencies that are neither a list nor names', async () => {
  const text = `{ "version": "5", "npm": { "a@1": { "dependencies": "${'a'.repeat(20_000_000)}" } } }`;
  expect(lines(await parse('deno.lock', text))).toEqual(['pkg:npm/a@1 ? ?']);
});
