import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

const snapshot = {
  version: 0,
  job: { id: '99', correlator: 'build-main', html_url: 'https://ci.example.com/99' },
  sha: '0123456789abcdef0123456789abcdef01234567',
  ref: 'refs/heads/main',
  detector: { name: 'detector', version: '1.2.3', url: 'https://detector.example.com' },
  metadata: { team: 'web' },
  manifests: {
    'package-lock.json': {
      name: 'package-lock.json',
      file: { source_location: 'package-lock.json' },
      resolved: {
        '@actions/core': {
          package_url: 'pkg:npm/%40actions/core@1.1.9',
          relationship: 'direct',
          scope: 'runtime',
          dependencies: ['pkg:npm/%40actions/http-client@1.0.7'],
        },
      },
    },
  },
  scanned: '2026-03-01T11:59:00Z',
};

const route = 'POST /repos/acme/site/dependency-graph/snapshots';
const answer = (result: string, message: string) => ({
  status: 201,
  body: { id: 12345, created_at: '2026-03-01T12:00:00Z', result, message },
});
const submit = ['snapshots', 'submit', 'acme/site'];

describe('snapshots submit', () => {
  it('sends the file unchanged', async () => {
    const file = join(await temporaryDirectory(), 'snapshot.json');
    await writeFile(file, JSON.stringify(snapshot));
    const platform = await scriptedPlatform({ [route]: answer('SUCCESS', 'Dependency results have been updated.') });
    const { stdout, stderr, code } = await run([...submit, '--input', file], platform);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/v3/repos/acme/site/dependency-graph/snapshots',
    ]);
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual(snapshot);
    expect(stdout).toBe(
      'id\t12345\nresult\tSUCCESS\nmessage\tDependency results have been updated.\ncreated_at\t2026-03-01T12:00:00Z\n',
    );
    expect(stderr).toBe('Submitted 1 manifest with 1 package to acme/site.\n');
    expect(code).toBe(0);
  });

  it('accepts a flag for every field', async () => {
    const platform = await scriptedPlatform({ [route]: answer('ACCEPTED', 'Will be processed.') });
    const { stdout, code } = await run(
      [
        ...submit,
        '--version=0',
        `--job=${JSON.stringify(snapshot.job)}`,
        `--sha=${snapshot.sha}`,
        '--ref=refs/heads/main',
        `--detector=${JSON.stringify(snapshot.detector)}`,
        `--metadata=${JSON.stringify(snapshot.metadata)}`,
        `--manifests=${JSON.stringify(snapshot.manifests)}`,
        '--scanned=2026-03-01T11:59:00Z',
        '--json',
      ],
      platform,
    );
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual(snapshot);
    expect(JSON.parse(stdout)).toEqual({
      id: 12345,
      created_at: '2026-03-01T12:00:00Z',
      result: 'ACCEPTED',
      message: 'Will be processed.',
    });
    expect(code).toBe(0);
  });

  it('lets flags override the file', async () => {
    const platform = await scriptedPlatform({ [route]: answer('SUCCESS', 'ok') });
    await run([...submit, '--input', '-', '--ref', 'refs/heads/next'], {
      ...platform,
      stdin: JSON.stringify(snapshot),
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ ...snapshot, ref: 'refs/heads/next' });
  });

  it('fails with exit code 6 and the platform’s message if a 201 contains INVALID', async () => {
    const platform = await scriptedPlatform({ [route]: answer('INVALID', 'The correlator is not yours.') });
    const stdin = JSON.stringify(snapshot);
    const told = await run([...submit, '--input', '-'], { ...platform, stdin });
    expect(told).toEqual({
      stdout: '',
      stderr:
        'forgectl: The platform received the snapshot of acme/site but rejected it (INVALID): The correlator is not yours.\n',
      code: 6,
    });
    const json = await run([...submit, '--input', '-', '--json'], { ...platform, stdin });
    expect(JSON.parse(json.stderr).error.code).toBe('refused');
    expect(json.code).toBe(6);
    expect(platform.requests).toHaveLength(2);
  });

  it('reports every invalid field at once and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const stdin = JSON.stringify({ ...snapshot, sha: 'f'.repeat(65), ref: 'main', scanned: 'now', detector: {} });
    const { stderr, code } = await run([...submit, '--input', '-', '--json'], { ...platform, stdin });
    expect(JSON.parse(stderr).error.fields).toEqual([
      { field: 'sha', message: 'must be at most 64 characters' },
      { field: 'ref', message: 'must be a full ref, such as refs/heads/main' },
      { field: 'detector.name', message: 'is required' },
      { field: 'detector.version', message: 'is required' },
      { field: 'detector.url', message: 'is required' },
      { field: 'scanned', message: 'must be an ISO 8601 time, such as 2026-03-10T12:00:00Z' },
    ]);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('reports the platform’s limits before it submits', async () => {
    const platform = await scriptedPlatform({ [route]: answer('SUCCESS', 'ok') });
    const noticesOf = async (manifests: object) =>
      (await run([...submit, '--input', '-'], { ...platform, stdin: JSON.stringify({ ...snapshot, manifests }) }))
        .stderr;
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, place) => [`m${place}`, { name: `m${place}` }]));
    expect(await noticesOf(many(600))).toBe('Submitted 600 manifests with 0 packages to acme/site.\n');
    expect(await noticesOf(many(601))).toBe(
      '601 manifests; by default, the platform processes at most 600 per repository.\nSubmitted 601 manifests with 0 packages to acme/site.\n',
    );
    const large = { name: 'web/yarn.lock', metadata: { text: 'x'.repeat(20 * 1024 * 1024) } };
    expect(await noticesOf({ 'web/yarn.lock': large })).toBe(
      'The snapshot of web/yarn.lock has 20 MB. The platform may time out.\nSubmitted 1 manifest with 0 packages to acme/site.\n',
    );
    expect(await noticesOf({ large, small: { name: 'small' } })).toBe(
      'The snapshot has 20 MB. If the platform times out, submit each manifest separately with --from and --split.\nSubmitted 2 manifests with 0 packages to acme/site.\n',
    );
    expect(platform.requests).toHaveLength(4);
  });

  it('advises --split if the platform refuses the size', async () => {
    const platform = await scriptedPlatform({ [route]: { status: 413, body: { message: 'Payload too large' } } });
    const { stderr, code } = await run([...submit, '--input', '-'], { ...platform, stdin: JSON.stringify(snapshot) });
    expect(stderr).toContain('Submit each manifest separately: snapshots submit REPO --from FILE --split.');
    expect(code).toBe(6);
  });

  it('reports the missing scope, with exit code 5', async () => {
    const platform = await scriptedPlatform({
      [route]: {
        status: 403,
        headers: { 'x-oauth-scopes': 'read:org', 'x-accepted-oauth-scopes': 'repo' },
        body: { message: 'Resource not accessible' },
      },
    });
    const { stderr, code } = await run([...submit, '--input', '-'], { ...platform, stdin: JSON.stringify(snapshot) });
    expect(stderr).toContain('Required scope: repo (the token has read:org).');
    expect(code).toBe(5);
  });
});

describe('snapshots lint', () => {
  it('finds nothing in a valid snapshot', async () => {
    const { stdout, code } = await run(['snapshots', 'lint', '-', '--json'], { stdin: JSON.stringify(snapshot) });
    expect(JSON.parse(stdout)).toEqual([]);
    expect(code).toBe(0);
  });

  it('reports every finding, down to package URLs, with exit code 2', async () => {
    const { job: _left, ...rest } = snapshot;
    const manifests = {
      'go.mod': { name: 'go.mod', resolved: { x: { package_url: 'golang/x', scope: 'test', dependencies: [1] } } },
    };
    const { stdout, stderr, code } = await run(['snapshots', 'lint', '-', '--json'], {
      stdin: JSON.stringify({ ...rest, manifests }),
    });
    const file = 'standard input';
    expect(JSON.parse(stdout)).toEqual([
      { file, severity: 'error', code: 'missing-field', path: 'job', message: 'is required' },
      {
        file,
        severity: 'error',
        code: 'invalid',
        path: 'manifests["go.mod"].resolved.x.package_url',
        message: 'must be a package URL, such as pkg:npm/lodash@4.17.21: it does not start with pkg:',
      },
      {
        file,
        severity: 'error',
        code: 'invalid',
        path: 'manifests["go.mod"].resolved.x.dependencies[0]',
        message: 'must be a string',
      },
      {
        file,
        severity: 'error',
        code: 'unknown-word',
        path: 'manifests["go.mod"].resolved.x.scope',
        message: 'must be one of runtime, development',
      },
    ]);
    expect(JSON.parse(stderr).error).toEqual({ code: 'lint', message: '4 errors in 1 file.' });
    expect(code).toBe(2);
  });

  it.each<[path: string, part: object]>([
    ['metadata', { metadata: [] }],
    ['manifests', { manifests: [] }],
    ['job', { job: [] }],
    ['manifests.m', { manifests: { m: [] } }],
    ['manifests.m.file', { manifests: { m: { name: 'm', file: [] } } }],
    ['manifests.m.resolved', { manifests: { m: { name: 'm', resolved: [] } } }],
    ['manifests.m.resolved.p', { manifests: { m: { name: 'm', resolved: { p: [] } } } }],
    ['manifests.m.resolved.p.metadata', { manifests: { m: { name: 'm', resolved: { p: { metadata: [1] } } } } }],
  ])('rejects a list where %s should be an object', async (path, part) => {
    const stdin = JSON.stringify({ ...snapshot, ...part });
    const { stdout } = await run(['snapshots', 'lint', '-', '--json'], { stdin });
    expect(JSON.parse(stdout)).toEqual([
      { file: 'standard input', severity: 'error', code: 'invalid', path, message: 'must be an object' },
    ]);
  });

  it('lists the first thousand of many problems', async () => {
    const dependencies = Array.from({ length: 200_000 }, () => 1);
    const manifests = { m: { name: 'm', resolved: { p: { dependencies } } } };
    const { stdout, stderr } = await run(['snapshots', 'lint', '-', '--json'], {
      stdin: JSON.stringify({ ...snapshot, manifests }),
    });
    const findings = JSON.parse(stdout) as object[];
    expect(findings).toHaveLength(1001);
    expect(findings[999]).toMatchObject({
      path: 'manifests.m.resolved.p.dependencies[999]',
      message: 'must be a string',
    });
    expect(findings[1000]).toMatchObject({ path: '', message: 'only the first 1000 problems are listed' });
    expect(JSON.parse(stderr).error.message).toBe('1,001 errors in 1 file.');
  });
});

describe('snapshots submit --from', () => {
  const lock = (...names: readonly string[]) =>
    JSON.stringify({
      packages: Object.fromEntries([
        ['', { dependencies: Object.fromEntries(names.map((name) => [name, '1'])) }],
        ...names.map((name) => [`node_modules/${name}`, { version: '1.0.0' }]),
      ]),
    });
  const job = ['--job-id', '7', '--correlator', 'nightly', '--sha', snapshot.sha, '--ref', 'refs/heads/main'];

  it('creates the snapshot and sends it', async () => {
    const file = join(await temporaryDirectory(), 'package-lock.json');
    await writeFile(file, lock('ms'));
    const platform = await scriptedPlatform({ [route]: answer('SUCCESS', 'ok') });
    const { stdout, code } = await run([...submit, '--from', file, ...job, '--detector-name', 'mine'], platform);
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      version: 0,
      job: { id: '7', correlator: 'nightly' },
      sha: snapshot.sha,
      ref: 'refs/heads/main',
      detector: { name: 'mine', version: '0.1.0', url: 'https://www.npmjs.com/package/forgectl' },
      scanned: '2026-03-01T12:00:00.000Z',
      manifests: {
        'package-lock.json': {
          name: 'package-lock.json',
          file: { source_location: 'package-lock.json' },
          resolved: {
            'pkg:npm/ms@1.0.0': { package_url: 'pkg:npm/ms@1.0.0', relationship: 'direct', scope: 'runtime' },
          },
        },
      },
    });
    expect(stdout).toBe('id\t12345\nresult\tSUCCESS\nmessage\tok\ncreated_at\t2026-03-01T12:00:00Z\n');
    expect(code).toBe(0);
  });

  it('sends a snapshot for each manifest with --split', async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, 'package-lock.json'), lock('ms'));
    await writeFile(join(folder, 'npm-shrinkwrap.json'), lock('debug'));
    const platform = await scriptedPlatform({ [route]: answer('SUCCESS', 'ok') });
    const files = ['package-lock.json', 'npm-shrinkwrap.json'].flatMap((name) => ['--from', join(folder, name)]);
    const { stdout, code } = await run([...submit, ...files, '--split', ...job, '--quiet'], platform);
    const sent = platform.requests.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ job, manifests }) => [job.correlator, Object.keys(manifests)])).toEqual([
      ['nightly package-lock.json', ['package-lock.json']],
      ['nightly npm-shrinkwrap.json', ['npm-shrinkwrap.json']],
    ]);
    expect(stdout).toBe('12345\n12345\n');
    expect(code).toBe(0);
  });

  it('warns if more than a fifth of the packages in --previous are gone', async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, 'package-lock.json'), lock('a', 'b', 'c'));
    const previous = join(folder, 'previous.json');
    const resolved = (names: readonly string[]) => ({
      manifests: { x: { name: 'x', resolved: Object.fromEntries(names.map((each) => [each, { package_url: each }])) } },
    });
    const platform = await scriptedPlatform({ [route]: answer('SUCCESS', 'ok') });
    const words = [...submit, '--from', join(folder, 'package-lock.json'), ...job, '--previous', previous];
    await writeFile(previous, JSON.stringify(resolved(['pkg:npm/a@0.9.0', 'pkg:npm/b@1.0.0', 'pkg:npm/d@1.0.0'])));
    expect((await run(words, platform)).stderr).toBe(
      `1 of 3 packages in ${previous} are not in this snapshot.\nSubmitted 1 manifest with 3 packages to acme/site.\n`,
    );
    await writeFile(previous, JSON.stringify(resolved(['pkg:npm/a@0.9.0', 'pkg:npm/b@1.0.0', 'pkg:npm/c@2.0.0'])));
    expect((await run(words, platform)).stderr).toBe('Submitted 1 manifest with 3 packages to acme/site.\n');
    const sent = platform.requests.length;
    await writeFile(previous, lock('a'));
    const { stderr, code } = await run(words, platform);
    expect([stderr, code]).toEqual([`forgectl: ${previous} is neither a snapshot nor an SBOM.\n`, 2]);
    expect(platform.requests.length).toBe(sent);
  });

  it('is rejected together with the flags of a finished snapshot', async () => {
    const { stderr, code } = await run([...submit, '--from', 'package-lock.json', '--input', 's.json', '--json']);
    expect(JSON.parse(stderr).error.fields).toEqual([
      { field: '--input', message: 'cannot be used with --from and --sbom' },
    ]);
    expect(code).toBe(2);
    const stdin = JSON.stringify(snapshot);
    const other = await run([...submit, '--input', '-', '--split', '--job-id', '7', '--json'], { stdin });
    expect(JSON.parse(other.stderr).error.message).toContain('--split requires --from or --sbom');
    expect(other.code).toBe(2);
  });
});

describe('snapshots diff', () => {
  const of = (packages: Readonly<Record<string, object>>) =>
    JSON.stringify({
      manifests: {
        'package-lock.json': {
          name: 'package-lock.json',
          resolved: Object.fromEntries(
            Object.entries(packages).map(([url, facts]) => [url, { package_url: url, ...facts }]),
          ),
        },
      },
    });
  const before = of({
    'pkg:npm/ms@1.0.0': {},
    'pkg:npm/old@1.0.0': { relationship: 'indirect' },
    'pkg:npm/same@1': {},
  });
  const after = of({
    'pkg:npm/ms@2.0.0': { relationship: 'direct', scope: 'runtime' },
    'pkg:npm/%40acme/new@1.0.0%2B1': { relationship: 'direct', scope: 'development' },
    'pkg:npm/same@1': {},
  });
  const files = async () => {
    const folder = await temporaryDirectory();
    await writeFile(join(folder, 'before.json'), before);
    await writeFile(join(folder, 'after.json'), after);
    return [join(folder, 'before.json'), join(folder, 'after.json')];
  };

  it('lists added, removed and changed packages', async () => {
    const words = ['snapshots', 'diff', ...(await files())];
    expect(await run(words)).toEqual({
      stdout:
        'added\tpkg:npm/%40acme/new\t\t1.0.0+1\tdirect\tdevelopment\tpackage-lock.json\n' +
        'changed\tpkg:npm/ms\t1.0.0\t2.0.0\tdirect\truntime\tpackage-lock.json\n' +
        'removed\tpkg:npm/old\t1.0.0\t\tindirect\t\tpackage-lock.json\n',
      stderr: '',
      code: 0,
    });
    expect(JSON.parse((await run([...words, '--json'])).stdout)[1]).toEqual({
      manifest: 'package-lock.json',
      package: 'pkg:npm/ms',
      change: 'changed',
      before: '1.0.0',
      after: '2.0.0',
      relationship: 'direct',
      scope: 'runtime',
    });
    expect((await run(words, { tty: true })).stdout).toContain('CHANGE   PACKAGE ');
  });

  it('shortens long lists of versions in 80 columns, without empty columns', async () => {
    const folder = await temporaryDirectory();
    const versions = ['0.48.0', '0.52.0', '0.59.0', '0.60.2', '0.61.2', '0.62.0', '0.62.1'];
    const many = of(Object.fromEntries(versions.map((version) => [`pkg:cargo/windows-targets@${version}`, {}])));
    await writeFile(join(folder, 'many.json'), many);
    await writeFile(join(folder, 'none.json'), of({}));
    const words = ['snapshots', 'diff', join(folder, 'many.json'), join(folder, 'none.json')];
    expect((await run(words, { tty: true })).stdout).toBe(
      'CHANGE   PACKAGE                    BEFORE              AFTER  MANIFEST\n' +
        'removed  pkg:cargo/windows-targets  0.48.0, 0.52.0, 0…  -      package-lock.json\n',
    );
  });

  it('counts a package as direct and for runtime if one of its versions is', async () => {
    const folder = await temporaryDirectory();
    const later = of({
      'pkg:npm/a@1': { relationship: 'direct', scope: 'runtime' },
      'pkg:npm/a@2': { relationship: 'indirect', scope: 'development' },
      'pkg:npm/b@1': { relationship: 'indirect', scope: 'development' },
      'pkg:npm/b@2': { relationship: 'direct', scope: 'runtime' },
    });
    await writeFile(join(folder, 'later.json'), later);
    const { stdout } = await run(['snapshots', 'diff', '-', join(folder, 'later.json')], { stdin: of({}) });
    expect(stdout).toBe(
      'added\tpkg:npm/a\t\t1, 2\tdirect\truntime\tpackage-lock.json\n' +
        'added\tpkg:npm/b\t\t1, 2\tdirect\truntime\tpackage-lock.json\n',
    );
  });

  it('reads package URLs with unencoded scopes, and keeps the case of names', async () => {
    const folder = await temporaryDirectory();
    await writeFile(
      join(folder, 'later.json'),
      of({ 'pkg:npm/%40acme/new@2': {}, 'pkg:npm/jsonstream@1': {}, 'not a package URL': {} }),
    );
    const { stdout } = await run(['snapshots', 'diff', '-', join(folder, 'later.json')], {
      stdin: of({ 'pkg:npm/@acme/new@1': {}, 'pkg:npm/JSONStream@1': {}, 'not a package URL': {} }),
    });
    expect(stdout).toBe(
      'changed\tpkg:npm/%40acme/new\t1\t2\t\t\tpackage-lock.json\n' +
        'removed\tpkg:npm/JSONStream\t1\t\t\t\tpackage-lock.json\n' +
        'added\tpkg:npm/jsonstream\t\t1\t\t\tpackage-lock.json\n',
    );
  });

  it('reports that there are no differences', async () => {
    const [file = ''] = await files();
    expect((await run(['snapshots', 'diff', file, file], { tty: true })).stderr).toBe('No differences.\n');
  });

  it('rejects a file that is not a snapshot, with exit code 2', async () => {
    const { stderr, code } = await run(['snapshots', 'diff', '-', 'nowhere.json'], { stdin: '[]' });
    expect(stderr).toBe('forgectl: Standard input must contain one object, not a list.\n');
    expect(code).toBe(2);
    const words = ['snapshots', 'diff', '-', ...(await files()).slice(1)];
    for (const stdin of ['{"lockfileVersion": 3, "packages": {}}', '{"manifests": []}', '{}'])
      expect(await run(words, { stdin })).toEqual({
        stdout: '',
        stderr: 'forgectl: Standard input is neither a snapshot nor an SBOM.\n',
        code: 2,
      });
    const empty = JSON.stringify({ version: 0, detector: { name: 'x' } });
    expect((await run(words, { stdin: empty })).code).toBe(0);
  });

  it('compares only the manifest that --name selects', async () => {
    const words = ['snapshots', 'diff', ...(await files()), '--name', 'yarn.lock'];
    expect((await run(words)).stdout).toBe('');
  });

  const sbom = {
    spdxVersion: 'SPDX-2.3',
    packages: [
      {
        SPDXID: 'SPDXRef-1',
        name: 'ms',
        versionInfo: '1.0.0',
        externalRefs: [{ referenceType: 'purl', referenceLocator: 'pkg:npm/ms@1.0.0' }],
      },
    ],
  };

  it('compares an SBOM with a snapshot without regard to manifests', async () => {
    const [, after = ''] = await files();
    const words = ['snapshots', 'diff', '-', after];
    expect(await run(words, { stdin: JSON.stringify(sbom) })).toEqual({
      stdout:
        'added\tpkg:npm/%40acme/new\t\t1.0.0+1\tdirect\tdevelopment\t\n' +
        'changed\tpkg:npm/ms\t1.0.0\t2.0.0\tdirect\truntime\t\n' +
        'added\tpkg:npm/same\t\t1\t\t\t\n',
      stderr: '',
      code: 0,
    });
    const { stderr, code } = await run(words, { stdin: '{"spdxVersion": "SPDX-1.0"}' });
    expect(stderr).toBe('forgectl: Standard input: SPDX-1.0 is not supported (supported: SPDX-2.1 to SPDX-2.3).\n');
    expect(code).toBe(2);
    expect((await run(words, { stdin: '{"@context": "https://spdx.org/rdf/3.0.1/spdx-context.jsonld"}' })).stderr).toBe(
      'forgectl: Standard input: SPDX 3 is not supported (supported: SPDX-2.1 to SPDX-2.3).\n',
    );
  });

  it('skips packages of SBOMs with invalid package URLs, unless --strict is given', async () => {
    const [, after = ''] = await files();
    const invalid = {
      SPDXID: 'SPDXRef-2',
      name: 'a',
      externalRefs: [{ referenceType: 'purl', referenceLocator: 'npm/a' }],
    };
    const stdin = JSON.stringify({ ...sbom, packages: [...sbom.packages, invalid] });
    const words = ['snapshots', 'diff', '-', after];
    const problem = 'package “a”: “npm/a” is not a package URL: it does not start with pkg:.\n';
    expect(await run(words, { stdin })).toMatchObject({
      stdout: expect.stringContaining('changed\tpkg:npm/ms\t1.0.0\t2.0.0'),
      stderr: `Standard input: skipped 1 package with an invalid package URL; the first: ${problem}`,
      code: 0,
    });
    const strict = await run([...words, '--strict'], { stdin });
    expect(strict).toEqual({ stdout: '', stderr: `forgectl: Standard input: ${problem}`, code: 2 });
    const commits = await run(['snapshots', 'diff', 'acme/site', 'main...next', '--strict']);
    expect(commits.stderr).toContain('forgectl: --strict cannot be used with commits.');
  });

  const compare = 'GET /repos/acme/site/dependency-graph/compare/main...feature%2Fnext';
  const changed = (type: string, version: string, more: object = {}) => ({
    change_type: type,
    manifest: 'package-lock.json',
    ecosystem: 'npm',
    name: '@acme/lib',
    version,
    package_url: `pkg:npm/%40acme/lib@${version}`,
    license: 'MIT',
    source_repository_url: null,
    vulnerabilities: [],
    scope: 'runtime',
    ...more,
  });

  it('lists what the platform finds between two commits, from all pages', async () => {
    const vulnerabilities = [
      {
        severity: 'high',
        advisory_ghsa_id: 'GHSA-xxxx-xxxx-xxxx',
        advisory_summary: 'Bad',
        advisory_url: 'https://git.example.com/advisories/GHSA-xxxx-xxxx-xxxx',
      },
    ];
    const unknown = { ecosystem: 'actions', name: 'acme/act', package_url: null, scope: 'unknown', manifest: 'ci.yml' };
    const platform = await scriptedPlatform({
      [compare]: (request) =>
        request.url.includes('page=2')
          ? { body: [changed('added', '2.0.0', { vulnerabilities }), changed('removed', '7', unknown)] }
          : {
              body: [changed('removed', '1.0.0')],
              headers: { link: `<http://${request.headers.host}${request.url}?page=2>; rel="next"` },
            },
    });
    const words = ['snapshots', 'diff', 'acme/site', 'main...feature/next'];
    expect(await run(words, platform)).toEqual({
      stdout:
        'removed\tpkg:actions/acme/act\t7\t\t\t\tci.yml\n' +
        'changed\tpkg:npm/%40acme/lib\t1.0.0\t2.0.0\t\truntime\tpackage-lock.json\n',
      stderr: '',
      code: 0,
    });
    expect(JSON.parse((await run([...words, '--json'], platform)).stdout)[1].vulnerabilities).toEqual(vulnerabilities);
    expect(platform.requests.slice(0, 2).map(({ url }) => url)).toEqual([
      '/api/v3/repos/acme/site/dependency-graph/compare/main...feature%2Fnext',
      '/api/v3/repos/acme/site/dependency-graph/compare/main...feature%2Fnext?page=2',
    ]);
  });

  it.each([
    { version: 2 ** 60 },
    { version: [2 ** 60], manifest: { toString: 7 } },
    { vulnerabilities: { length: 1 } },
  ])('shows packages of a wrong shape, too: %j', async (more) => {
    const body = JSON.stringify([
      changed('removed', '1.0.0'),
      changed('added', '2.0.0', more),
      changed('added', '3', more),
    ]);
    const platform = await scriptedPlatform({
      [compare]: { body: body.replaceAll(String(2 ** 60), '9007199254740993') },
    });
    const { stderr, code } = await run(['snapshots', 'diff', 'acme/site', 'main...feature/next', '--json'], platform);
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  });

  it('accepts a repository by its address, and requests one manifest', async () => {
    const platform = await scriptedPlatform({ [compare]: { body: [] } });
    const address = `${platform.env.FORGECTL_BASE_URL?.replace('/api/v3', '')}/acme/site`;
    await run(['snapshots', 'diff', address, 'main...feature/next', '--name', 'web/yarn.lock'], platform);
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/repos/acme/site/dependency-graph/compare/main...feature%2Fnext?name=web%2Fyarn.lock',
    ]);
  });

  it('rejects a range with two dots instead of three, before any request', async () => {
    expect(await run(['snapshots', 'diff', 'acme/site', 'main..feature/next'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr:
        'forgectl: “main..feature/next” has two dots. Nothing was sent.\nCompare commits with three: main...feature/next\n',
    });
    expect((await run(['snapshots', 'diff', 'a.json', 'x/../b.json'])).stderr).toContain('Cannot read a.json');
  });

  it('rejects a range without a repository', async () => {
    const { stderr, code } = await run(['snapshots', 'diff', 'last.json', 'main...next']);
    expect(stderr).toContain('REPO must have the form OWNER/NAME');
    expect(code).toBe(2);
  });

  it('explains why the platform refuses to compare commits', async () => {
    const platform = await scriptedPlatform({ [compare]: { status: 403, body: { message: 'Forbidden' } } });
    const { stderr, code } = await run(['snapshots', 'diff', 'acme/site', 'main...feature/next'], platform);
    expect(stderr).toContain('requires a licence for advanced security; forks cannot be compared');
    expect(code).toBe(5);
  });
});

describe('snapshots sbom', () => {
  const sbom = {
    SPDXID: 'SPDXRef-DOCUMENT',
    spdxVersion: 'SPDX-2.3',
    creationInfo: { created: '2026-03-01T12:00:00Z', creators: ['Tool: platform'] },
    name: 'acme/site',
    dataLicense: 'CC0-1.0',
    documentNamespace: 'https://git.example.com/acme/site',
    packages: [
      {
        SPDXID: 'SPDXRef-1',
        name: 'ms',
        versionInfo: '1.0.0',
        downloadLocation: 'NOASSERTION',
        filesAnalyzed: false,
        licenseConcluded: 'MIT',
        externalRefs: [
          { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: 'pkg:npm/ms@1.0.0' },
        ],
      },
    ],
  };
  const exported = { 'GET /repos/acme/site/dependency-graph/sbom': { body: { sbom } } };
  const words = ['snapshots', 'sbom', 'acme/site'];

  it('prints the SBOM without its envelope', async () => {
    const { stdout, code } = await run(words, await scriptedPlatform(exported));
    expect(JSON.parse(stdout)).toEqual(sbom);
    expect(code).toBe(0);
  });

  it('lists its packages as a table', async () => {
    const { stdout } = await run([...words, '-o', 'tsv'], await scriptedPlatform(exported));
    expect(stdout).toBe('ms\t1.0.0\tMIT\tpkg:npm/ms@1.0.0\n');
  });

  it('writes a file, and replaces one only with --force', async () => {
    const file = join(await temporaryDirectory(), 'sbom.json');
    const platform = await scriptedPlatform(exported);
    expect(await run([...words, '--file', file], platform)).toEqual({ stdout: '', stderr: '', code: 0 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(sbom);
    const { stderr, code } = await run([...words, '--file', file], platform);
    expect(stderr).toContain(`forgectl: ${file} already exists.`);
    expect(code).toBe(2);
  });
});
