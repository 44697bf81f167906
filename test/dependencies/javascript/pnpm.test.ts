import { describe, expect, it } from 'vitest';
import { lines, parse } from '../graph.ts';

describe('pnpm-lock.yaml', () => {
  it('is read in version 9: snapshots by peers, workspaces, aliases, git and private registries', async () => {
    const manifests = await parse(
      'pnpm-lock.yaml',
      `lockfileVersion: '9.0'

importers:

  .:
    devDependencies:
      vite:
        specifier: ^6.0.0
        version: 6.0.1(sass@1.80.0)

  packages/a:
    dependencies:
      b:
        specifier: workspace:*
        version: link:../b
      old:
        specifier: npm:@acme/lib@1.0.0
        version: '@acme/lib@1.0.0'
      fork:
        specifier: github:acme/fork
        version: https://codeload.example.com/acme/fork/tar.gz/0a1b2c
    optionalDependencies:
      fsevents:
        specifier: ^2.0.0
        version: 2.3.3

packages:

  '@acme/lib@1.0.0':
    resolution: {integrity: sha512-x, tarball: https://npm.example.com/@acme/lib/-/lib-1.0.0.tgz}

  fork@https://codeload.example.com/acme/fork/tar.gz/0a1b2c:
    resolution: {tarball: https://codeload.example.com/acme/fork/tar.gz/0a1b2c}
    version: 3.0.0

  fsevents@2.3.3:
    resolution: {integrity: sha512-x}
    engines: {node: ^8.16.0 || ^10.6.0 || >=11.0.0}
    os: [darwin]

  sass@1.80.0:
    resolution: {integrity: sha512-x}

  vite@6.0.1:
    resolution: {integrity: sha512-x}
    peerDependencies:
      sass: '*'
    deprecated: |-
      Long text:
        with lines

snapshots:

  '@acme/lib@1.0.0': {}

  fork@https://codeload.example.com/acme/fork/tar.gz/0a1b2c: {}

  fsevents@2.3.3:
    optional: true

  sass@1.80.0: {}

  vite@6.0.1(sass@1.80.0):
    dependencies:
      sass: 1.80.0
`,
    );
    expect(lines(manifests).sort()).toEqual([
      'packages/a: pkg:npm/%40acme/lib@1.0.0?repository_url=https:%2F%2Fnpm.example.com direct runtime',
      'packages/a: pkg:npm/fork@3.0.0?download_url=https:%2F%2Fcodeload.example.com%2Facme%2Ffork%2Ftar.gz%2F0a1b2c direct runtime',
      'packages/a: pkg:npm/fsevents@2.3.3 direct runtime',
      'pkg:npm/sass@1.80.0 indirect development',
      'pkg:npm/vite@6.0.1 direct development → pkg:npm/sass@1.80.0',
    ]);
  });

  it('is read in version 6', async () => {
    const manifests = await parse(
      'pnpm-lock.yaml',
      `lockfileVersion: '6.0'
dependencies:
  '@scope/plugin':
    specifier: ^1.0.0
    version: 1.0.0(react@18.2.0)
  react:
    specifier: ^18.2.0
    version: 18.2.0
packages:
  /@scope/plugin@1.0.0(react@18.2.0):
    resolution: {integrity: sha512-x}
    dependencies:
      react: 18.2.0
    dev: false
  /react@18.2.0:
    resolution: {integrity: sha512-x}
    dev: false
`,
    );
    expect(lines(manifests).sort()).toEqual([
      'pkg:npm/%40scope/plugin@1.0.0 direct runtime → pkg:npm/react@18.2.0',
      'pkg:npm/react@18.2.0 direct runtime',
    ]);
  });

  it('is read in version 5, with the folders of the repository as projects of their own', async () => {
    const manifests = await parse(
      'pnpm-lock.yaml',
      `lockfileVersion: 5.4
specifiers:
  acorn-jsx: ^5.3.2
dependencies:
  acorn-jsx: 5.3.2_acorn@8.8.0
  aliased: /real/1.0.0
  git: git.example.com/acme/git/0a1b2c
  local: file:local
packages:
  /acorn-jsx/5.3.2_acorn@8.8.0:
    resolution: {integrity: sha512-x}
    dependencies:
      acorn: 8.8.0
    dev: false
  /acorn/8.8.0:
    resolution: {integrity: sha512-x}
    dev: false
  /real/1.0.0:
    resolution: {integrity: sha512-x}
  file:local:
    resolution: {directory: local, type: directory}
    name: local
    dependencies:
      acorn: 8.8.0
  git.example.com/acme/git/0a1b2c:
    resolution: {commit: 0a1b2c, repo: https://git.example.com/acme/git.git, type: git}
    name: git
    version: 2.0.0
`,
    );
    expect(lines(manifests).sort()).toEqual([
      'local: pkg:npm/acorn@8.8.0 direct runtime',
      'pkg:npm/acorn-jsx@5.3.2 direct runtime → pkg:npm/acorn@8.8.0',
      'pkg:npm/acorn@8.8.0 indirect runtime',
      'pkg:npm/git@2.0.0?vcs_url=git%2Bhttps:%2F%2Fgit.example.com%2Facme%2Fgit.git%400a1b2c direct runtime',
      'pkg:npm/real@1.0.0 direct runtime',
    ]);
  });

  // Written by pnpm 11, shortened.
  const configuration = `---
lockfileVersion: '9.0'

importers:

  .:
    configDependencies:
      '@pnpm/plugin-better-defaults':
        specifier: 0.2.1
        version: 0.2.1
    packageManagerDependencies:
      '@pnpm/exe':
        specifier: 11.0.0-beta.3
        version: 11.0.0-beta.3

packages:

  '@pnpm/exe@11.0.0-beta.3':
    resolution: {integrity: sha512-yWNlHHdYmvf4c0MCkCzAa4csJDPdA+7yJCbXBUDXMbUu/0Zv/AxtO77q24MwlnBUC0dWeA+0F/pPmdkR9aTV2A==}
    hasBin: true

  '@pnpm/linux-x64@11.0.0-beta.3':
    resolution: {integrity: sha512-7GrLsnSuDH62y486GUTwJdohGIC1ugz9ZJkbKOHgxIAkNGcSTJ1IkkdARtv7/WMmOEwwESDmtpOQ6LmjnpDMSA==}
    cpu: [x64]
    os: [linux]

  '@pnpm/plugin-better-defaults@0.2.1':
    resolution: {integrity: sha512-3Fmur80S7+vmOKMmTdKS6JofiuvpUaBIdKEpgDyr9571FHo5Z4O2nrRUaSflxvwEakeYxIaFZ5MBaqAUnYHaeg==}

snapshots:

  '@pnpm/exe@11.0.0-beta.3':
    optionalDependencies:
      '@pnpm/linux-x64': 11.0.0-beta.3

  '@pnpm/linux-x64@11.0.0-beta.3':
    optional: true

  '@pnpm/plugin-better-defaults@0.2.1': {}
`;
  const configured = [
    'pkg:npm/%40pnpm/plugin-better-defaults@0.2.1 direct development',
    'pkg:npm/%40pnpm/exe@11.0.0-beta.3 direct development → pkg:npm/%40pnpm/linux-x64@11.0.0-beta.3',
    'pkg:npm/%40pnpm/linux-x64@11.0.0-beta.3 indirect development',
  ];

  it('has a separate manifest for the dependencies of pnpm 11 and later', async () => {
    const manifests = await parse(
      'pnpm-lock.yaml',
      `${configuration}
---
lockfileVersion: '9.0'

importers:

  .:
    dependencies:
      etag:
        specifier: ^1.0.0
        version: 1.8.0

packages:

  etag@1.8.0:
    resolution: {}
    engines: {node: '>= 0.6'}

snapshots:

  etag@1.8.0: {}
`,
    );
    expect(manifests.map(({ part }) => part)).toEqual([undefined, 'configuration']);
    expect(lines(manifests.slice(0, 1))).toEqual(['pkg:npm/etag@1.8.0 direct runtime']);
    expect(lines(manifests.slice(1)).sort()).toEqual([...configured].sort());
  });

  it('may contain only the dependencies of pnpm, or a project after three hyphens', async () => {
    const alone = await parse('pnpm-lock.yaml', configuration);
    expect(alone.map(({ part }) => part)).toEqual(['configuration']);
    expect(lines(alone).sort()).toEqual([...configured].sort());

    const project = await parse('pnpm-lock.yaml', "---\nlockfileVersion: '6.0'\npackages:\n  /ms@2.1.3: {dev: true}\n");
    expect(project.map(({ part }) => part)).toEqual([undefined]);
    expect(lines(project)).toEqual(['pkg:npm/ms@2.1.3 ? development']);
  });

  it.each([
    [
      'in three documents',
      `${configuration}---\nlockfileVersion: '9.0'\n---\nlockfileVersion: '9.0'\n`,
      'more than two documents',
    ],
    [
      'with another document',
      `---\na: b\n---\nlockfileVersion: '9.0'\n`,
      'not a pnpm lockfile (supported: versions 5 to 9)',
    ],
    ['without documents', '# empty\n---\n', 'not a pnpm lockfile (supported: versions 5 to 9)'],
  ])('is refused %s', async (_, text, message) => {
    await expect(parse('pnpm-lock.yaml', text)).rejects.toThrow(message);
  });

  // dependabot/dependabot-core, shortened: keys of versions 5 and 6 under the version 5.4.
  it('is read by its keys, whatever version it states', async () => {
    const packages = `
devDependencies:
  eslint:
    specifier: ^8.26.0
    version: 8.38.0

packages:

  /@eslint-community/eslint-utils/4.4.0_eslint@8.38.0:
    resolution: {integrity: sha512-1/sA4dwrzBAyeUoQ6oxahHKmrZvsnLCg4RfxW3ZFGGmQkSNQPFNLV9CUEFQP1x9EYXHTo5p6xdhZM1Ne9p/AfA==}
    dependencies:
      eslint: 8.38.0
    dev: true

  /eslint@8.38.0:
    resolution: {integrity: sha512-pIdsD2jwlUGf/U38Jv97t8lq6HpaU/G9NKbYmpWpZGw3LdTNhZLbJePqxOXGB5+JEKfOPU/XLxYxFh03nr1KTg==}
    dependencies:
      '@eslint-community/eslint-utils': 4.4.0_eslint@8.38.0
    dev: true
`;
    for (const version of ['5.4', "'6.0'", "'9.0'"])
      expect(lines(await parse('pnpm-lock.yaml', `lockfileVersion: ${version}\n${packages}`)).sort()).toEqual([
        'pkg:npm/%40eslint-community/eslint-utils@4.4.0 indirect development → pkg:npm/eslint@8.38.0',
        'pkg:npm/eslint@8.38.0 direct development → pkg:npm/%40eslint-community/eslint-utils@4.4.0',
      ]);
  });

  it('is rejected in an unknown version', async () => {
    await expect(parse('pnpm-lock.yaml', "lockfileVersion: '12.0'\n")).rejects.toThrow(
      'not a pnpm lockfile (supported: versions 5 to 9)',
    );
  });

  it('is reported with the line where it is damaged', async () => {
    await expect(
      parse('pnpm-lock.yaml', "lockfileVersion: '9.0'\npackages:\n  a: b\n<<<<<<< HEAD\n  c: d\n"),
    ).rejects.toMatchObject({
      message: 'not valid YAML: can not read a block mapping entry; a multiline key may not be an implicit key',
      line: 5,
      column: 4,
    });
  });
});
