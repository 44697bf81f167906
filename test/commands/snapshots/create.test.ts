import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const lock = (...names: readonly string[]) =>
  JSON.stringify({
    lockfileVersion: 3,
    packages: Object.fromEntries([
      ['', { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }],
      ...names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
    ]),
  });

/** A folder with these files, which is the current one until the test ends. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await temporaryDirectory();
  const before = process.cwd();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
  return folder;
}

const git = (folder: string, ...words: readonly string[]) =>
  execFileSync('git', ['-c', 'user.name=mona', '-c', 'user.email=mona@example.com', ...words], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();

/** A repository whose only commit, on main, has these files. */
async function repositoryWith(files: Readonly<Record<string, string>>): Promise<{ folder: string; sha: string }> {
  const folder = await folderWith(files);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message=One');
  return { folder, sha: git(folder, 'rev-parse', 'HEAD') };
}

const sha = '0123456789abcdef0123456789abcdef01234567';
const create = ['snapshots', 'create'];
const job = ['--job-id', '7', '--correlator', 'nightly'];
const commit = ['--sha', sha, '--ref', 'refs/heads/main'];

/** Writes a program of the shell to a folder, and returns its path. */
function program(folder: string, name: string, ...lines: readonly string[]): string {
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });
  return join(folder, name);
}

describe('snapshots create', () => {
  it('prints a snapshot of the named lockfiles', async () => {
    await folderWith({ 'web/package-lock.json': lock('ms') });
    const { stdout, stderr, code } = await run([...create, 'web/package-lock.json', ...job, ...commit]);
    expect(JSON.parse(stdout)).toEqual({
      version: 0,
      job: { id: '7', correlator: 'nightly' },
      sha,
      ref: 'refs/heads/main',
      detector: { name: 'forgectl', version: '0.1.0', url: 'https://www.npmjs.com/package/forgectl' },
      scanned: '2026-03-01T12:00:00.000Z',
      manifests: {
        'web/package-lock.json': {
          name: 'web/package-lock.json',
          file: { source_location: 'web/package-lock.json' },
          resolved: {
            'pkg:npm/ms@1.0.0': { package_url: 'pkg:npm/ms@1.0.0', relationship: 'direct', scope: 'runtime' },
          },
        },
      },
    });
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  it('names what pnpm itself needs after its lockfile', async () => {
    const document = (field: string, name: string) =>
      `---\nlockfileVersion: '9.0'\nimporters:\n  .:\n    ${field}:\n      ${name}: 1.0.0\nsnapshots:\n  ${name}@1.0.0: {}\n`;
    await folderWith({
      'web/pnpm-lock.yaml': `${document('packageManagerDependencies', 'pnpm')}${document('dependencies', 'ms')}`,
    });
    const { stdout } = await run([...create, 'web/pnpm-lock.yaml', ...job, ...commit]);
    expect(JSON.parse(stdout).manifests).toEqual({
      'web/pnpm-lock.yaml': {
        name: 'web/pnpm-lock.yaml',
        file: { source_location: 'web/pnpm-lock.yaml' },
        resolved: {
          'pkg:npm/ms@1.0.0': { package_url: 'pkg:npm/ms@1.0.0', relationship: 'direct', scope: 'runtime' },
        },
      },
      'web/pnpm-lock.yaml#configuration': {
        name: 'web/pnpm-lock.yaml#configuration',
        file: { source_location: 'web/pnpm-lock.yaml' },
        resolved: {
          'pkg:npm/pnpm@1.0.0': { package_url: 'pkg:npm/pnpm@1.0.0', relationship: 'direct', scope: 'development' },
        },
      },
    });
  });

  it('prints JSON with any -o, on a terminal too', async () => {
    await folderWith({ 'package-lock.json': lock('ms') });
    const words = [...create, 'package-lock.json', ...job, ...commit];
    const { stdout } = await run([...words, '-o', 'table'], { tty: true });
    expect(JSON.parse(stdout).sha).toBe(sha);
    expect((await run([...words, '--jq', '.manifests | keys[]'])).stdout).toBe('package-lock.json\n');
  });

  it.each([
    ['on a terminal', { tty: true }, 'a\x9b2J\u202eb', 'a\\u009b2J\\u202eb'],
    ['in a workflow', { env: { GITHUB_ACTIONS: 'true' } }, 'a##[error]b', 'a#\\u0023[error]b'],
  ])('escapes names of folders %s', async (_, options, folder, shown) => {
    await folderWith({ [`${folder}/package-lock.json`]: lock('ms') });
    const { stdout } = await run([...create, `${folder}/package-lock.json`, ...job, ...commit], options);
    expect(stdout).toContain(`"source_location": "${shown}/package-lock.json"`);
    expect(stdout).not.toContain(folder);
    expect(Object.keys(JSON.parse(stdout).manifests)).toEqual([`${folder}/package-lock.json`]);
  });

  it('finds the lockfiles, the commit and the branch with git', async () => {
    const { sha } = await repositoryWith({
      'package-lock.json': lock('one'),
      'web/package-lock.json': lock('two'),
      'README.md': 'not a lockfile',
    });
    writeFileSync('untracked.txt', '');
    const { stdout, stderr } = await run([...create, ...job]);
    const snapshot = JSON.parse(stdout);
    expect([snapshot.sha, snapshot.ref, Object.keys(snapshot.manifests)]).toEqual([
      sha,
      'refs/heads/main',
      ['package-lock.json', 'web/package-lock.json'],
    ]);
    expect(stderr).toBe('');
  });

  it('skips components of SBOMs with invalid package URLs, unless --strict is given', async () => {
    const components = [
      { name: 'starter', 'bom-ref': 'a', purl: 'pkg:maven/dependency-diff-check-client-starter@latest?type=jar' },
      { name: 'log4j', 'bom-ref': 'b', purl: 'pkg:maven/org.apache/log4j@2.0' },
      { name: 'none', 'bom-ref': 'c', purl: 'npm/a' },
    ];
    const dependencies = [{ ref: 'b', dependsOn: ['a'] }];
    await folderWith({
      'bom.json': JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.4', components, dependencies }),
    });
    const words = [...create, '--sbom', 'bom.json', ...job, ...commit];
    const { stdout, stderr, code } = await run(words);
    expect(JSON.parse(stdout).manifests['bom.json'].resolved).toEqual({
      'pkg:maven/org.apache/log4j@2.0': { package_url: 'pkg:maven/org.apache/log4j@2.0' },
    });
    expect(stderr).toBe(
      'bom.json: skipped 2 packages with an invalid package URL; the first: component “starter”: ' +
        '“pkg:maven/dependency-diff-check-client-starter@latest?type=jar” is not a package URL: maven requires a namespace.\n',
    );
    expect(code).toBe(0);
    const strict = await run([...words, '--strict']);
    expect(strict.stderr).toContain('bom.json: component “starter”: “pkg:maven/dependency-diff');
    expect(strict).toMatchObject({ stdout: '', code: 2 });
  });

  it('reads named files of any name with --as, and those in folders by their names', async () => {
    await repositoryWith({ 'deps/linux.txt': 'flask==3.0.0\n', 'web/package-lock.json': lock('ms') });
    const words = [...create, '--as', 'requirements', ...job];
    const { stdout, code } = await run([...words, 'deps/linux.txt', 'web', '--jq', '[.manifests[].resolved | keys[]]']);
    expect([JSON.parse(stdout), code]).toEqual([['pkg:pypi/flask@3.0.0', 'pkg:npm/ms@1.0.0'], 0]);
    expect((await run([...words, 'web'])).stderr).toContain('--as requires a lockfile.');
    expect((await run([...create, 'deps/linux.txt', ...job])).stderr).toContain('Specify its format with --as');
    expect((await run([...create, '--as', 'pip', 'deps/linux.txt'])).code).toBe(2);
  });

  it('counts lockfiles of unsupported formats that git tracks', async () => {
    await repositoryWith({
      'package-lock.json': lock('one'),
      'flake.lock': '{}',
      'ios/Cartfile.resolved': '',
      'mac/Cartfile.resolved': '',
      'paket.lock': '',
      'conan.lock': '{}',
      'rebar.lock': '',
      'web/bun.lockb': '',
    });
    const { stdout, stderr, code } = await run([...create, ...job]);
    expect(Object.keys(JSON.parse(stdout).manifests)).toEqual(['package-lock.json']);
    expect(stderr).toBe(
      'Skipped lockfiles of unsupported formats: 1 conan.lock, 1 flake.lock, 2 Cartfile.resolved, 1 paket.lock, 1 rebar.lock, 1 bun.lockb.\n',
    );
    expect(code).toBe(0);
  });

  it('refuses lockfiles of unsupported formats that are named, and says how to write bun.lock', async () => {
    await repositoryWith({ 'web/bun.lockb': '', 'flake.lock': '{}' });
    const binary = await run([...create, 'web/bun.lockb', ...job]);
    expect(binary.stderr).toContain('web/bun.lockb is binary, which is not supported.');
    expect(binary.stderr).toContain('bun install --save-text-lockfile');
    expect(binary.code).toBe(2);
    const flake = await run([...create, 'flake.lock', ...job]);
    expect(flake.stderr).toContain('flake.lock has an unsupported format.');
    expect(flake.code).toBe(2);
  });

  it('names lockfiles by their path in the repository', async () => {
    const { folder } = await repositoryWith({ 'web/package-lock.json': lock('two') });
    process.chdir(join(folder, 'web'));
    const { stdout } = await run([...create, ...job]);
    expect(Object.keys(JSON.parse(stdout).manifests)).toEqual(['web/package-lock.json']);
  });

  it('puts the manifests of workspaces under their own files', async () => {
    await repositoryWith({
      'app/package-lock.json': JSON.stringify({
        packages: {
          '': { workspaces: ['packages/*'] },
          'packages/a': { dependencies: { ms: '1' } },
          'node_modules/ms': { version: '1.0.0' },
        },
      }),
    });
    const { stdout } = await run([...create, ...job, '--jq', '.manifests[].file.source_location']);
    expect(stdout).toBe('app/package-lock.json\napp/packages/a/package.json\n');
  });

  it('takes the commit and the ref from a bare repository given by --git-dir rather than from the CI runner', async () => {
    const { folder, sha: named } = await repositoryWith({ 'package-lock.json': lock('ms') });
    git(folder, 'clone', '--quiet', '--bare', '.', 'site.git');
    writeFileSync(join(folder, 'site.git/package-lock.json'), lock('ms'));
    process.chdir(join(folder, 'site.git'));
    const words = [...create, ...job, 'package-lock.json'];
    const unnamed = await run(words);
    expect(unnamed.stderr).toContain(`cannot use bare repository '${folder}/site.git'`);
    const env = { GITHUB_SHA: sha, GITHUB_REF: 'refs/heads/other' };
    const { stdout, stderr, code } = await run([...words, '--git-dir', '.'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      sha: named,
      ref: 'refs/heads/main',
      manifests: { 'package-lock.json': { file: { source_location: 'package-lock.json' } } },
    });
    expect([unnamed.code, stderr, code]).toEqual([2, '', 0]);
  });

  it.each([
    [['--git-dir', '.', '.'], '--git-dir cannot be used with folders.\nSpecify lockfiles, or an SBOM with --sbom.'],
    [['--git-dir', 'web', 'package-lock.json'], 'web is not a git repository.'],
    [['--git-dir', '', 'package-lock.json'], '--git-dir is empty.'],
  ])('rejects %j', async (words, problem) => {
    const { folder } = await repositoryWith({ 'package-lock.json': lock('ms'), 'web/a': '' });
    git(folder, 'clone', '--quiet', '--bare', '.', 'site.git');
    const { stderr, code } = await run([...create, ...job, ...words.map((word) => (word === '.' ? 'site.git' : word))]);
    expect([stderr, code]).toEqual([`forgectl: ${problem}\n`, 2]);
  });

  it('reports a working tree that differs from the commit', async () => {
    const { sha } = await repositoryWith({ 'package-lock.json': lock('one'), 'web/yarn.lock': '' });
    writeFileSync('package-lock.json', lock('other'));
    mkdirSync('new');
    writeFileSync('new/package-lock.json', lock('two'));
    const { stderr, code } = await run([...create, 'package-lock.json', 'new/package-lock.json', ...job]);
    expect(stderr).toBe(
      `git does not track new/package-lock.json.\nThe working tree has changes that are not in commit ${sha.slice(0, 7)}.\n`,
    );
    expect(code).toBe(0);
  });

  it('reports the changes of the working tree in a pull request, too, but not for another commit', async () => {
    const { folder, sha: merge } = await repositoryWith({
      'package-lock.json': lock('one'),
      'event.json': JSON.stringify({ pull_request: { head: { sha } } }),
    });
    writeFileSync('package-lock.json', lock('other'));
    const env = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: join(folder, 'event.json'), GITHUB_SHA: merge };
    const { stdout, stderr } = await run([...create, ...job, '--jq', '.sha'], { env });
    expect([stdout, stderr]).toEqual([
      `${sha}\n`,
      `The working tree has changes that are not in commit ${merge.slice(0, 7)}.\n`,
    ]);
    expect((await run([...create, ...job, '--sha', sha, '--jq', '.sha'])).stderr).toBe('');
  });

  it('takes commit, ref and job from the CI runner, including the head commit of a pull request', async () => {
    const folder = await folderWith({
      'package-lock.json': lock('ms'),
      'event.json': JSON.stringify({ pull_request: { head: { sha } } }),
    });
    const env = {
      GITHUB_SHA: 'f'.repeat(40),
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_RUN_ID: '99',
      GITHUB_WORKFLOW: 'build',
      GITHUB_JOB: 'test',
      GITHUB_SERVER_URL: 'https://git.example.com',
      GITHUB_REPOSITORY: 'acme/site',
    };
    const { stdout } = await run([...create, 'package-lock.json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      sha: 'f'.repeat(40),
      ref: 'refs/pull/7/merge',
      job: { id: '99', correlator: 'build_test', html_url: 'https://git.example.com/acme/site/actions/runs/99' },
    });
    const pull = { ...env, GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: join(folder, 'event.json') };
    expect(JSON.parse((await run([...create, 'package-lock.json'], { env: pull })).stdout).sha).toBe(sha);
    // Runs on the base branch.
    const target = { ...pull, GITHUB_EVENT_NAME: 'pull_request_target' };
    expect(JSON.parse((await run([...create, 'package-lock.json'], { env: target })).stdout).sha).toBe('f'.repeat(40));
  });

  it('runs git with its own variables only, and without a file system monitor configured by the repository', async () => {
    const { folder } = await repositoryWith({ 'package-lock.json': lock('ms') });
    git(folder, 'config', 'core.fsmonitor', program(folder, 'monitor', `touch '${folder}/monitored'`));
    program(folder, 'git', `export PATH='${process.env.PATH}'`, `env >> '${folder}/seen'`, 'exec git "$@"');
    const secret = 'not-a-real-token';
    const env = { PATH: folder, FORGECTL_TOKEN: secret, NPM_TOKEN: secret, GIT_CONFIG_NOSYSTEM: '1', GITHUB_SHA: sha };
    const { code } = await run([...create, ...job], { env });
    expect(code).toBe(0);
    expect(existsSync(join(folder, 'monitored'))).toBe(false);
    const seen = readFileSync(join(folder, 'seen'), 'utf8');
    expect(seen).toContain('GIT_CONFIG_NOSYSTEM=1\n');
    expect(seen).not.toContain('GITHUB_SHA=');
    expect(seen).not.toContain(secret);
  });

  it('writes a file, and replaces one only with --force', async () => {
    await folderWith({ 'package-lock.json': lock('ms'), 'old.json': 'old' });
    const words = [...create, 'package-lock.json', ...job, ...commit];
    expect(await run([...words, '--file', 'new.json'])).toEqual({ stdout: '', stderr: '', code: 0 });
    expect(JSON.parse(readFileSync('new.json', 'utf8')).sha).toBe(sha);
    const { stderr, code } = await run([...words, '--file', 'old.json']);
    expect(stderr).toContain(
      'forgectl: old.json already exists.\nReplace it with --force, or choose another file with --file.\n',
    );
    expect(code).toBe(2);
    await run([...words, '--file', 'old.json', '--force']);
    expect(JSON.parse(readFileSync('old.json', 'utf8')).sha).toBe(sha);
  });

  it('reports that the directory of the file does not exist', async () => {
    await folderWith({ 'package-lock.json': lock('ms') });
    const { stderr, code } = await run([...create, 'package-lock.json', ...job, ...commit, '--file', 'no/new.json']);
    expect(stderr).toBe('forgectl: Cannot write no/new.json: the directory does not exist.\n');
    expect(code).toBe(2);
  });

  it('lists everything missing at once', async () => {
    await folderWith({ 'package-lock.json': lock('ms') });
    const { stderr, code } = await run([...create, 'package-lock.json', '--json']);
    expect(JSON.parse(stderr).error.fields).toEqual([
      { field: '--job-id', message: 'is required outside CI' },
      { field: '--correlator', message: 'is required outside CI' },
      { field: '--sha', message: 'is required: git has no commit here' },
      { field: '--ref', message: 'is required: git has no branch checked out here' },
    ]);
    expect(code).toBe(2);
  });

  it('does not say that nothing was sent, as it never sends anything', async () => {
    const { stderr } = await run([...create, '--sha', '', '--output', 'xml']);
    expect(stderr).toBe('forgectl: --output must be one of table, tsv, csv, json, ndjson, yaml; --sha is empty.\n');
  });

  it.each([
    [
      { 'package-lock.json': '{\n"packages": {,' },
      'package-lock.json',
      'package-lock.json, line 2, column 14: not valid JSON.',
    ],
    [{ 'other.lock': '' }, 'other.lock', 'other.lock is not named like a known lockfile.'],
    [{}, 'yarn.lock', 'Cannot read yarn.lock: no such file.'],
    [{}, '-', '- is not named like a known lockfile.'],
    [{}, 'no-folder', 'Cannot read no-folder: no such file.'],
  ])('reports an unusable lockfile, %j, with exit code 2', async (files, name, message) => {
    await folderWith(files);
    const { stderr, code } = await run([...create, name, ...job, ...commit]);
    expect(stderr).toContain(`forgectl: ${message}`);
    expect(code).toBe(2);
  });

  it('reads the modules of a Go workspace once', async () => {
    await repositoryWith({
      'go.work': 'use ./api\nreplace example.com/a => example.com/b v2.0.0\n',
      'api/go.mod': 'module api\nrequire example.com/a v1.0.0\n',
      'other/go.mod': 'module other\nrequire example.com/a v1.0.0\n',
    });
    const { stdout } = await run([
      ...create,
      ...job,
      '--jq',
      '.manifests[] | [.name] + (.resolved | keys) | join(" ")',
    ]);
    expect(stdout).toBe('api/go.mod pkg:golang/example.com/b@v2.0.0\nother/go.mod pkg:golang/example.com/a@v1.0.0\n');
  });

  it('rejects a Go workspace without modules in the repository', async () => {
    await folderWith({ 'go.work': 'use ../elsewhere\n' });
    const { stderr, code } = await run([...create, 'go.work', ...job, ...commit]);
    expect([stderr, code]).toEqual(['forgectl: The files list no modules in the repository.\n', 2]);
  });

  it('rejects a lockfile of more than 50 MiB', async () => {
    const folder = await folderWith({ 'package-lock.json': '{}' });
    truncateSync(join(folder, 'package-lock.json'), 50 * 1024 * 1024 + 1);
    const { stderr, code } = await run([...create, 'package-lock.json', ...job, ...commit]);
    expect(stderr).toBe('forgectl: package-lock.json is larger than 50 MiB.\n');
    expect(code).toBe(2);
  });

  it('reports a missing lockfile', async () => {
    await repositoryWith({ 'README.md': '', 'docs/index.md': '' });
    expect((await run([...create, ...job])).stderr).toContain(
      'forgectl: git tracks no lockfiles below the current folder.',
    );
    expect((await run([...create, 'docs', ...job])).stderr).toContain('forgectl: git tracks no lockfiles below docs.');
    await folderWith({ 'web/package-lock.json': lock('ms') });
    expect((await run([...create, 'web', ...job, ...commit])).stderr).toContain(
      'forgectl: web is not in a git repository.',
    );
  });

  it('explains why git lists no files', async () => {
    const { folder } = await repositoryWith({ 'package-lock.json': lock('ms') });
    const bin = await temporaryDirectory();
    const other = 'GIT_TEST_ASSUME_DIFFERENT_OWNER=1';
    program(bin, 'git', `export PATH='${process.env.PATH}' ${other}`, 'exec git "$@"');
    const foreign = await run([...create, ...job, ...commit], { env: { PATH: bin } });
    expect(foreign.stderr).toContain(
      'forgectl: The current folder cannot be searched: git: detected dubious ownership in repository at ',
    );
    const absent = await run([...create, ...job, ...commit], { env: { PATH: folder } });
    expect(absent.stderr).toContain('forgectl: The current folder cannot be searched: git is not installed.');
    expect([foreign.code, absent.code]).toEqual([2, 2]);
  });

  it('reads files next to a lockfile that start with a byte order mark', async () => {
    await folderWith({
      'yarn.lock': 'ms@1:\n  version "1.0.0"\n',
      'package.json': `\uFEFF${JSON.stringify({ dependencies: { ms: '1' } })}`,
    });
    const words = [...create, 'yarn.lock', ...job, ...commit, '--jq', '.manifests[].resolved[].relationship'];
    expect((await run(words)).stdout).toBe('direct\n');
  });

  it('finds the lockfiles that git tracks below a folder, each once', async () => {
    const { folder } = await repositoryWith({
      'package-lock.json': lock('one'),
      'web/package-lock.json': lock('two'),
      'web/app/yarn.lock': '',
    });
    writeFileSync(join(folder, 'web/pnpm-lock.yaml'), 'not tracked');
    const files = ['web', 'web/package-lock.json'];
    const { stdout, stderr } = await run([...create, ...files, ...job, '--jq', '.manifests | keys[]']);
    expect(stdout).toBe('web/app/yarn.lock\nweb/package-lock.json\n');
    expect(stderr).toBe('');
    const platform = await scriptedPlatform({
      'POST /repos/acme/site/dependency-graph/snapshots': { status: 201, body: { id: 1, result: 'SUCCESS' } },
    });
    await run(['snapshots', 'submit', 'acme/site', '--from', '.', ...job], platform);
    expect(Object.keys(JSON.parse(platform.requests[0]?.body ?? '').manifests)).toEqual([
      'package-lock.json',
      'web/app/yarn.lock',
      'web/package-lock.json',
    ]);
  });

  it('reads no files outside the repository for a lockfile', async () => {
    const folder = await folderWith({
      'secret/package.json': JSON.stringify({ devDependencies: { ms: '1' } }),
      'repo/yarn.lock': `__metadata:
  version: 8

"a@workspace:../secret":
  version: 0.0.0
  resolution: "a@workspace:../secret"
  dependencies:
    ms: "npm:1"

"ms@npm:1":
  version: 1.0.0
  resolution: "ms@npm:1.0.0"
`,
    });
    process.chdir(join(folder, 'repo'));
    const { stdout } = await run([...create, 'yarn.lock', ...job, ...commit, '--jq', '.manifests[].resolved[].scope']);
    expect(stdout).toBe('null\n');
  });
});
