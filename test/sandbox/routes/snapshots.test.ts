import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

const snapshot = {
  version: 0,
  job: { id: '1', correlator: 'build' },
  sha: 'a'.repeat(40),
  ref: 'refs/heads/main',
  detector: { name: 'scanner', version: '1.0', url: 'https://scanner.example' },
  scanned: '2026-11-20T12:00:00Z',
};

/** A manifest of that file with npm packages of those names. */
const manifest = (file: string, ...names: string[]) => ({
  name: file,
  file: { source_location: file },
  resolved: Object.fromEntries(names.map((name) => [name, { package_url: `pkg:npm/${name}@1.0.0` }])),
});

const submit = (body: object, repository = 'acme/site', as = 'classic') =>
  ask(`POST /repos/${repository}/dependency-graph/snapshots`, { as, body: { ...snapshot, ...body } });

async function packages(repository: string): Promise<string[]> {
  const { body } = await ask(`GET /repos/${repository}/dependency-graph/sbom`);
  return body.sbom.packages.map(({ name }: { name: string }) => name);
}

test('a snapshot of the default branch updates the results', async () => {
  const { status, body } = await submit({ manifests: { a: manifest('a.json', 'left-pad') } });
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.any(Number),
    created_at: '2026-11-20T12:30:00Z',
    result: 'SUCCESS',
    message: 'Dependency results for the repo have been successfully updated.',
  });
});

test('a snapshot of another branch is accepted and does not change the default branch', async () => {
  const before = await packages('globex/site');
  const { body } = await submit({ ref: 'refs/heads/next', manifests: { a: manifest('a.json', 'odd') } }, 'globex/site');
  expect(body.result).toBe('ACCEPTED');
  expect(await packages('globex/site')).toEqual(before);
});

test('an unusable snapshot is a 201 with INVALID', async () => {
  const short = await submit({ sha: 'abc' });
  expect([short.status, short.body.result]).toEqual([201, 'INVALID']);
  expect(short.body.message).toContain('abc');
  const nameless = await submit({ manifests: { a: { name: 'a', resolved: { thing: {} } } } });
  expect([nameless.status, nameless.body.result]).toEqual([201, 'INVALID']);
});

test('user submissions override static analysis, file by file', async () => {
  const repository = 'initech/site';
  expect(await packages(repository)).toEqual(['lodash', 'semver', 'axios']);
  await submit({ manifests: { a: manifest('package.json', 'mine') } }, repository);
  expect(await packages(repository)).toEqual(['mine']);
  await submit({ manifests: { a: manifest('other.json', 'theirs') } }, repository);
  expect(await packages(repository)).toEqual(['lodash', 'semver', 'axios', 'theirs']);
});

test('only the latest submission counts for one correlator and detector', async () => {
  const { body } = await ask('POST /orgs/acme/repos', { body: { name: 'latest' } });
  await submit({ manifests: { a: manifest('a', 'old') } }, body.full_name);
  await submit({ manifests: { a: manifest('a', 'new') } }, body.full_name);
  expect(await packages('acme/latest')).toEqual(['new']);
});

test('two correlators of one detector are merged', async () => {
  const { body } = await ask('POST /orgs/acme/repos', { body: { name: 'merged' } });
  for (const correlator of ['two', 'one'])
    await submit({ job: { id: '1', correlator }, manifests: { a: manifest('a', 'same', correlator) } }, body.full_name);
  expect(await packages('acme/merged')).toEqual(['same', 'one', 'two']);
});

test('the alphabetically first correlator counts for different detectors', async () => {
  const { body } = await ask('POST /orgs/acme/repos', { body: { name: 'first' } });
  for (const correlator of ['b', 'a', 'c']) {
    const detector = { ...snapshot.detector, name: `detector ${correlator}` };
    await submit(
      { job: { id: '1', correlator }, detector, manifests: { a: manifest('a', correlator) } },
      body.full_name,
    );
  }
  expect(await packages('acme/first')).toEqual(['a']);
});

test('user submissions override automatic submissions, which override static analysis', async () => {
  const repository = 'acme/site';
  const automatic = (name: string, file = 'package.json') =>
    submit({ job: { id: '1', correlator: 'a' }, manifests: { a: manifest(file, name) } }, repository, 'installation');
  await automatic('automatic');
  expect(await packages(repository)).toEqual(['left-pad', 'automatic']);
  // The user's correlator comes later in the alphabet, and counts all the same.
  const job = { id: '2', correlator: 'z' };
  await submit({ job, manifests: { a: manifest('package.json', 'mine'), b: manifest('b.json', 'more') } }, repository);
  expect(await packages(repository)).toEqual(['left-pad', 'mine', 'more']);
});

test('values beyond the limits of the format are rejected with 422', async () => {
  const metadata = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, n]));
  expect((await submit({ metadata: metadata(8) })).status).toBe(201);
  expect((await submit({ metadata: metadata(9) })).status).toBe(422);
  expect((await submit({ metadata: { nested: {} } })).status).toBe(422);
  expect((await submit({ sha: 'a'.repeat(65) })).status).toBe(422);
  expect((await submit({ ref: 'main' })).status).toBe(422);
  expect((await submit({ manifests: { a: { name: 'a', metadata: metadata(9) } } })).status).toBe(422);
  const resolved = { x: { package_url: 'lodash' } };
  expect((await submit({ manifests: { a: { name: 'a', resolved } } })).status).toBe(422);
});

test('all missing required fields are listed', async () => {
  const { body } = await ask('POST /repos/acme/site/dependency-graph/snapshots', { body: {} });
  expect(body.errors.map(({ field }: { field: string }) => field).sort()).toEqual([
    'detector',
    'job',
    'ref',
    'scanned',
    'sha',
    'version',
  ]);
});

test('the dependencies of two commits or branches are compared', async () => {
  const { body } = await ask('POST /orgs/acme/repos', { body: { name: 'compared' } });
  const [one, two] = ['1'.repeat(40), '2'.repeat(40)];
  const first = { a: manifest('a', 'left-pad'), b: manifest('b', 'same') };
  await submit({ sha: one, manifests: first }, body.full_name);
  const resolved = { p: { package_url: 'pkg:npm/%40acme/lib@2.0.0', scope: 'development' } };
  const second = { a: { ...manifest('a'), resolved }, b: manifest('b', 'same') };
  await submit({ sha: two, ref: 'refs/heads/next', manifests: second }, body.full_name);

  const compare = (range: string) => ask(`GET /repos/acme/compared/dependency-graph/compare/${range}`);
  const common = { manifest: 'a', ecosystem: 'npm', license: null, source_repository_url: null, vulnerabilities: [] };
  const changes = [
    {
      ...common,
      change_type: 'removed',
      name: 'left-pad',
      version: '1.0.0',
      package_url: 'pkg:npm/left-pad@1.0.0',
      scope: 'unknown',
    },
    {
      ...common,
      change_type: 'added',
      name: '@acme/lib',
      version: '2.0.0',
      package_url: 'pkg:npm/%40acme/lib@2.0.0',
      scope: 'development',
    },
  ];
  expect((await compare(`${one}...${two}`)).body).toEqual(changes);
  expect((await compare('main...next')).body).toEqual(changes);
  expect((await compare('main...next?name=b')).body).toEqual([]);
  for (const range of ['main...nothing', 'nothing...main', 'main', 'main...next...main'])
    expect((await compare(range)).status).toBe(404);
});
