import { describe, expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

describe('bun.lock', () => {
  it('has workspaces, nested packages, aliases, git, folders and private registries', async () => {
    const manifests = await parse(
      'bun.lock',
      `{
  "lockfileVersion": 1,
  "workspaces": {
    "": { "name": "root", "dependencies": { "lib": "npm:@acme/lib@1", "ms": "2.0.0", "git": "*", "local": "*" }, },
    "packages/a": { "name": "a", "devDependencies": { "ms": "2.1.3", "@acme/private": "1", }, },
  },
  "packages": {
    "@acme/private": ["@acme/private@1.0.0", "https://npm.example.com/", {}, "sha512-x"],
    "a": ["a@workspace:packages/a"],
    "a/ms": ["ms@2.1.3", "", {}, "sha512-x"],
    "git": ["git@git+https://git.example.com/acme/git.git#0a1b2c", {}, "0a1b2c"],
    "lib": ["@acme/lib@1.0.0", "", { "dependencies": { "ms": "^1.0.0" }, "peerDependencies": { "git": "*" } }, "sha512-x,]"],
    "lib/ms": ["ms@1.0.0", "", { "os": "darwin" }, "sha512-x"],
    "local": ["local@file:local", { "dependencies": { "ms": "2.0.0" } }],
    "ms": ["ms@2.0.0", "", {}, "sha512-x"],
  }
}
`,
    );
    const git = 'pkg:npm/git?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Facme%2Fgit.git%400a1b2c';
    expect(lines(manifests).sort()).toEqual([
      'local: pkg:npm/ms@2.0.0 direct runtime',
      'packages/a: pkg:npm/%40acme/private@1.0.0?repository_url=https:%2F%2Fnpm.example.com direct development',
      'packages/a: pkg:npm/ms@2.1.3 direct development',
      `pkg:npm/%40acme/lib@1.0.0 direct runtime → pkg:npm/ms@1.0.0 ${git}`,
      `${git} direct runtime`,
      'pkg:npm/ms@1.0.0 indirect runtime',
      'pkg:npm/ms@2.0.0 direct runtime',
    ]);
  });

  it('may have trailing commas, also before white space, and none in texts', async () => {
    const text =
      '{"lockfileVersion":1,"workspaces":{"":{"dependencies":{"a,]":"1",} , \n },},"packages":{"a,]":["a,]@1","",{},],}}';
    expect(lines(await parse('bun.lock', text))).toEqual(['pkg:npm/a%2C%5D@1 direct runtime']);
  });

  // Looking at each again from every quote or comma would take minutes.
  it.each([
    ['texts without an end', '\\"'.repeat(1_000_000)],
    ['white space after commas', `,${' '.repeat(2_000_000)}`.repeat(5)],
  ])('may be anything: %s', async (_, text) => {
    await expect(parse('bun.lock', `{"lockfileVersion": "${text}`)).rejects.toThrow();
    await expect(parse('bun.lock', text)).rejects.toThrow();
  });

  it.each(['a', String.raw`\n`])('may have texts of any length, made of %s', async (part) => {
    const text = `{"lockfileVersion":1,"packages":{"${part.repeat(16_000_000)}":["ms@1","",{},],},}`;
    expect(lines(await parse('bun.lock', text))).toEqual(['pkg:npm/ms@1 ? ?']);
  });

  it('may have any registry', async () => {
    const url = `https://npm.example.com${'/'.repeat(1e6)}a`;
    const text = {
      lockfileVersion: 1,
      workspaces: { '': { dependencies: { a: '1' } } },
      packages: { a: ['a@1', url, {}] },
    };
    expect(lines(await parse('bun.lock', JSON.stringify(text)))).toHaveLength(1);
  });

  it('is rejected without a version', async () => {
    await expect(parse('bun.lock', '{}')).rejects.toThrow('not a lockfile of bun: no lockfileVersion');
  });
});
