import { describe, expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

const lock = (packages: object, name = 'package-lock.json') =>
  parse(name, JSON.stringify({ lockfileVersion: 3, packages }));

describe('package-lock.json 2 and 3', () => {
  it('has direct and indirect, runtime and development packages with their dependencies', async () => {
    const manifests = await lock({
      '': { dependencies: { express: '^4.0.0' }, devDependencies: { vitest: '^3.0.0' } },
      'node_modules/express': { version: '4.21.2', dependencies: { ms: '2.0.0' } },
      'node_modules/ms': { version: '2.0.0' },
      'node_modules/vitest': { version: '3.1.0', dev: true, dependencies: { ms: '^2.1.0' } },
      'node_modules/vitest/node_modules/ms': { version: '2.1.3', dev: true },
    });
    expect(lines(manifests).sort()).toEqual([
      'pkg:npm/express@4.21.2 direct runtime → pkg:npm/ms@2.0.0',
      'pkg:npm/ms@2.0.0 indirect runtime',
      'pkg:npm/ms@2.1.3 indirect development',
      'pkg:npm/vitest@3.1.0 direct development → pkg:npm/ms@2.1.3',
    ]);
  });

  it('gives each workspace a manifest of its own', async () => {
    const manifests = await lock({
      '': { workspaces: ['packages/*'] },
      'packages/a': { dependencies: { b: '^1.0.0', ms: '2.0.0' } },
      'packages/a/node_modules/ms': { version: '2.0.0' },
      'packages/b': { name: '@acme/b', dependencies: { ms: '^2.1.0' } },
      'node_modules/a': { resolved: 'packages/a', link: true },
      'node_modules/b': { resolved: 'packages/b', link: true },
      'node_modules/ms': { version: '2.1.3' },
    });
    expect(manifests.map(({ workspace, file }) => [workspace, file])).toEqual([
      [undefined, undefined],
      ['packages/a', 'packages/a/package.json'],
      ['packages/b', 'packages/b/package.json'],
    ]);
    expect(lines(manifests)).toEqual([
      'packages/a: pkg:npm/ms@2.0.0 direct runtime',
      'packages/b: pkg:npm/ms@2.1.3 direct runtime',
    ]);
  });

  it('follows peer and optional dependencies, also those of other platforms', async () => {
    const manifests = await lock({
      '': { dependencies: { plugin: '1', vite: '1' }, optionalDependencies: { fsevents: '2' } },
      'node_modules/fsevents': { version: '2.3.3', optional: true, os: ['darwin'] },
      'node_modules/plugin': { version: '1.0.0', peerDependencies: { vite: '1', sass: '1' } },
      'node_modules/vite': { version: '1.0.0', optionalDependencies: { fsevents: '2' } },
    });
    expect(lines(manifests).sort()).toEqual([
      'pkg:npm/fsevents@2.3.3 direct runtime',
      'pkg:npm/plugin@1.0.0 direct runtime → pkg:npm/vite@1.0.0',
      'pkg:npm/vite@1.0.0 direct runtime → pkg:npm/fsevents@2.3.3',
    ]);
  });

  it('resolves aliases to the real package', async () => {
    const manifests = await lock({
      '': { dependencies: { old: 'npm:@acme/lib@1' } },
      'node_modules/old': { name: '@acme/lib', version: '1.0.0' },
    });
    expect(lines(manifests)).toEqual(['pkg:npm/%40acme/lib@1.0.0 direct runtime']);
  });

  it('identifies git repositories, tarballs and private registries, without credentials', async () => {
    const manifests = await lock({
      '': { dependencies: { git: '*', tar: '*', web: '*', '@acme/private': '*', yarn: '*' } },
      'node_modules/git': { version: '1.0.0', resolved: 'git+ssh://git@git.example.com/acme/git.git#0a1b2c' },
      'node_modules/tar': { version: '1.0.0', resolved: 'file:tar-1.0.0.tgz' },
      'node_modules/web': { version: '1.0.0', resolved: 'https://me:hush@example.com/web.tgz?token=hush' },
      'node_modules/@acme/private': {
        version: '1.0.0',
        resolved: 'https://npm.example.com/api/@acme/private/-/private-1.0.0.tgz',
      },
      'node_modules/yarn': { version: '1.0.0', resolved: 'https://registry.yarnpkg.com/yarn/-/yarn-1.0.0.tgz' },
    });
    expect([...(manifests[0]?.packages.keys() ?? [])].sort()).toEqual([
      'pkg:npm/%40acme/private@1.0.0?repository_url=https:%2F%2Fnpm.example.com%2Fapi',
      'pkg:npm/git@1.0.0?vcs_url=git%2Bssh:%2F%2Fgit%40git.example.com%2Facme%2Fgit.git%400a1b2c',
      'pkg:npm/tar@1.0.0?download_url=file:tar-1.0.0.tgz',
      'pkg:npm/web@1.0.0?download_url=https:%2F%2Fexample.com%2Fweb.tgz',
      'pkg:npm/yarn@1.0.0',
    ]);
  });

  // A test file of Google’s scanner, with devDependencies for c.
  it('takes the scope of direct packages from the lockfile', async () => {
    const manifests = await lock({
      '': {
        peerDependencies: { a: '1.0.0', b: '1.0.0', c: '1.0.0', d: '1.0.0' },
        dependencies: { a: '2.0.0', b: '2.0.0', c: '2.0.0', e: '1.0.0' },
        optionalDependencies: { a: '3.0.0', b: '3.0.0' },
        devDependencies: { a: '4.0.0', c: '2.0.0' },
      },
      'node_modules/a': { version: '4.0.0', dev: true },
      'node_modules/b': { version: '3.0.0', optional: true },
      'node_modules/c': { version: '2.0.0' },
      'node_modules/d': { version: '1.0.0', peer: true },
      'node_modules/e': { version: '1.0.0', dev: true },
    });
    expect(lines(manifests).sort()).toEqual([
      'pkg:npm/a@4.0.0 direct development',
      'pkg:npm/b@3.0.0 direct runtime',
      'pkg:npm/c@2.0.0 direct runtime',
      'pkg:npm/d@1.0.0 direct runtime',
      'pkg:npm/e@1.0.0 direct development',
    ]);
  });

  it('keeps the case of names', async () => {
    const manifests = await lock({
      '': { dependencies: { JSONStream: '^1.3.5', jsonstream: '^1.0.3' } },
      'node_modules/JSONStream': { version: '1.3.5', dependencies: { jsonparse: '^1.2.0' } },
      'node_modules/jsonparse': { version: '1.3.1' },
      'node_modules/jsonstream': { version: '1.0.3', dependencies: { JSONStream: '^1.3.5' } },
    });
    expect(lines(manifests).sort()).toEqual([
      'pkg:npm/JSONStream@1.3.5 direct runtime → pkg:npm/jsonparse@1.3.1',
      'pkg:npm/jsonparse@1.3.1 indirect runtime',
      'pkg:npm/jsonstream@1.0.3 direct runtime → pkg:npm/JSONStream@1.3.5',
    ]);
  });

  it.each([
    ['github:acme/fork#0a1b2c', 'git%2Bhttps:%2F%2Fgithub.com%2Facme%2Ffork%400a1b2c'],
    ['gitlab:acme/fork#0a1b2c', 'git%2Bhttps:%2F%2Fgitlab.com%2Facme%2Ffork%400a1b2c'],
    ['bitbucket:acme/fork', 'git%2Bhttps:%2F%2Fbitbucket.org%2Facme%2Ffork'],
    ['gist:0a1b2c', 'git%2Bhttps:%2F%2Fgist.github.com%2F0a1b2c'],
    ['git@git.example.com:acme/fork.git#0a1b2c', 'git%2Bssh:%2F%2Fgit%40git.example.com%2Facme%2Ffork.git%400a1b2c'],
    ['https://me:hush@git.example.com/fork.git#0a1b2c', 'git%2Bhttps:%2F%2Fgit.example.com%2Ffork.git%400a1b2c'],
  ])('names the git repository of %s by its whole URL', async (resolved, url) => {
    const manifests = await lock({ '': {}, 'node_modules/fork': { version: '1.0.0', resolved } });
    expect([...(manifests[0]?.packages.keys() ?? [])]).toEqual([`pkg:npm/fork@1.0.0?vcs_url=${url}`]);
  });

  it('reads a project that requires 150,000 packages', async () => {
    const names = Array.from({ length: 150_000 }, (_, place) => [`p${place}`, '1']);
    const manifests = await lock({
      '': { dependencies: Object.fromEntries(names) },
      'node_modules/p149999': { version: '1.0.0' },
    });
    expect(lines(manifests)).toEqual(['pkg:npm/p149999@1.0.0 direct runtime']);
  });

  it('reads cycles, and names that objects inherit', async () => {
    const text = `{"packages": {"": {"dependencies": {"__proto__": "1", "constructor": "1", "toString": "1"}},
      "node_modules/__proto__": {"version": "1.0.0", "dependencies": {"constructor": "1"}},
      "node_modules/constructor": {"version": "1.0.0", "dependencies": {"__proto__": "1"}}}}`;
    expect(lines(await parse('package-lock.json', text)).sort()).toEqual([
      'pkg:npm/__proto__@1.0.0 direct runtime → pkg:npm/constructor@1.0.0',
      'pkg:npm/constructor@1.0.0 direct runtime → pkg:npm/__proto__@1.0.0',
    ]);
  });
});

describe('package-lock.json 1 and npm-shrinkwrap.json', () => {
  const text = JSON.stringify({
    lockfileVersion: 1,
    requires: true,
    dependencies: {
      express: { version: '4.21.2', requires: { ms: '2.0.0' }, dependencies: { ms: { version: '2.0.0' } } },
      ms: { version: '2.1.3', dev: true },
      old: { version: 'npm:@acme/lib@1.0.0' },
      git: { version: 'git+https://git.example.com/acme/git.git#0a1b2c' },
      local: { version: 'file:packages/local', requires: { ms: '2.1.3' } },
    },
  });

  it('takes the direct packages from package.json', async () => {
    const project = JSON.stringify({ dependencies: { express: '4', old: '1', git: '*', local: '*' } });
    const manifests = await parse('npm-shrinkwrap.json', text, { 'package.json': project });
    expect(lines(manifests).sort()).toEqual([
      'packages/local: pkg:npm/ms@2.1.3 direct runtime',
      'pkg:npm/%40acme/lib@1.0.0 direct runtime',
      'pkg:npm/express@4.21.2 direct runtime → pkg:npm/ms@2.0.0',
      'pkg:npm/git?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Facme%2Fgit.git%400a1b2c direct runtime',
      'pkg:npm/ms@2.0.0 indirect runtime',
    ]);
  });

  it('does not guess them without package.json', async () => {
    expect(lines(await parse('package-lock.json', text)).sort()).toEqual([
      'packages/local: pkg:npm/ms@2.1.3 direct runtime',
      'pkg:npm/%40acme/lib@1.0.0 ? runtime',
      'pkg:npm/express@4.21.2 ? runtime → pkg:npm/ms@2.0.0',
      'pkg:npm/git?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Facme%2Fgit.git%400a1b2c ? runtime',
      'pkg:npm/ms@2.0.0 ? runtime',
    ]);
  });
});

describe('a damaged lockfile of npm', () => {
  it('is reported with its line', async () => {
    await expect(parse('package-lock.json', '{\n  "packages": {,}\n}')).rejects.toMatchObject({
      message: 'not valid JSON',
      line: 2,
      column: 16,
    });
  });

  it('is reported if it is a different file', async () => {
    await expect(parse('package-lock.json', '{"name": "x"}')).rejects.toThrow(
      'not a lockfile of npm: it has neither packages nor dependencies',
    );
  });

  it.each([
    ['{"packages": []}', 'packages is not an object'],
    ['{"packages": {"node_modules/a": []}}', 'packages["node_modules/a"] is not an object'],
    ['{"packages": {"a": {"dependencies": "b"}}}', 'packages["a"].dependencies is not an object'],
    ['{"packages": {"a": {"devDependencies": ["b"]}}}', 'packages["a"].devDependencies is not an object'],
    ['{"packages": {"a": {"version": 1}}}', 'packages["a"].version is not text'],
    ['{"lockfileVersion": 1, "dependencies": []}', 'dependencies is not an object'],
    ['{"lockfileVersion": 1, "dependencies": {"a": "1.0.0"}}', 'dependencies["a"] is not an object'],
  ])('is rejected with the place: %s', async (text, message) => {
    await expect(parse('package-lock.json', text)).rejects.toThrow(message);
  });

  it('is rejected if many projects need packages that all need each other', async () => {
    const names = Array.from({ length: 400 }, (_, place) => `p${place}`);
    const dependencies = Object.fromEntries(names.map((name) => [name, '1.0.0']));
    const projects = Array.from({ length: 130 }, (_, place) => [
      `packages/${place}`,
      { dependencies: { p0: '1.0.0' } },
    ]);
    const packages = names.map((name) => [`node_modules/${name}`, { version: '1.0.0', dependencies }]);
    await expect(lock({ '': {}, ...Object.fromEntries([...projects, ...packages]) })).rejects.toThrow(
      'more than 20,000,000 dependencies of packages',
    );
  });

  it('is rejected if its folders are nested too deeply', async () => {
    const path = 'node_modules/a/'.repeat(300).slice(0, -1);
    await expect(lock({ '': {}, [path]: { version: '1.0.0' } })).rejects.toThrow('folders more than 200 levels deep');
  });
});
