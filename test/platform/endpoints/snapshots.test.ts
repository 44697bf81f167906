import { describe, expect, test } from 'vitest';
import { parseJson } from '../../../src/json/exact-json.ts';
import { submitSnapshot } from '../../../src/platform/endpoints/snapshots.ts';
import { checkBody } from '../../../src/platform/validate.ts';

const snapshot = {
  version: 0,
  job: { id: '99', correlator: 'build-main' },
  sha: '0123456789abcdef0123456789abcdef01234567',
  ref: 'refs/heads/main',
  detector: { name: 'detector', version: '1.2.3', url: 'https://detector.example.com' },
  scanned: '2026-03-10T12:00:00Z',
};
const check = (more: object) => checkBody(submitSnapshot, { ...snapshot, ...more });
const fine = { problems: [], unknown: [] };
const invalid = (field: string, message: string) => ({ field, message, code: 'invalid' });
const missing = (field: string) => ({ field, message: 'is required', code: 'missing_field' });
const nineKeys = { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7, h: 8, i: 9 };

/** What is wrong with one package, its place left out. */
function resolved(value: object) {
  const { problems, unknown } = check({ manifests: { m: { name: 'm', resolved: { p: value } } } });
  const told = ({ field, message }: { field: string; message: string }) =>
    `${field.replace('manifests.m.resolved.p.', '')}: ${message}`;
  return { problems: problems.map(told), unknown: unknown.map(told) };
}

describe('the snapshot', () => {
  test('six fields are required, as are those of job and detector', () => {
    expect(checkBody(submitSnapshot, {}).problems).toEqual([
      missing('version'),
      missing('job'),
      missing('sha'),
      missing('ref'),
      missing('detector'),
      missing('scanned'),
    ]);
    expect(check({ job: {}, detector: {} }).problems).toEqual([
      missing('job.id'),
      missing('job.correlator'),
      missing('detector.name'),
      missing('detector.version'),
      missing('detector.url'),
    ]);
    expect(check({})).toEqual(fine);
  });

  test('version is a whole number', () => {
    for (const version of ['0', 1.5])
      expect(check({ version }).problems).toEqual([invalid('version', 'must be a whole number')]);
  });

  test('sha has at most 64 characters', () => {
    expect(check({ sha: 'a'.repeat(64) })).toEqual(fine);
    expect(check({ sha: 'a'.repeat(65) }).problems).toEqual([invalid('sha', 'must be at most 64 characters')]);
  });

  test('ref starts with refs/', () => {
    expect(check({ ref: 'refs/tags/v1' })).toEqual(fine);
    expect(check({ ref: 'main' }).problems).toEqual([invalid('ref', 'must be a full ref, such as refs/heads/main')]);
  });

  test('scanned is an ISO 8601 time', () => {
    for (const scanned of ['2026-03-10T12:00:00.123Z', '2026-03-10T12:00:00+02:00', '2026-03-10T12:00:00.123456'])
      expect(check({ scanned })).toEqual(fine);
    for (const scanned of ['yesterday', '2026-03-10', '2026-03-10Z', '2026-13-10T12:00:00Z', '2026-03-10T12:00:00ZZ'])
      expect(check({ scanned }).problems).toEqual([
        invalid('scanned', 'must be an ISO 8601 time, such as 2026-03-10T12:00:00Z'),
      ]);
  });

  test('unknown fields from a newer format cause a warning', () => {
    expect(check({ colour: 'red', job: { ...snapshot.job, shift: 'night' } })).toEqual({
      problems: [],
      unknown: [
        { field: 'job.shift', message: 'is not a known field', code: 'unknown_field' },
        { field: 'colour', message: 'is not a known field', code: 'unknown_field' },
      ],
    });
  });
});

describe('metadata', () => {
  test('“up to 8 keys with scalar values”', () => {
    const { i: _, ...eightKeys } = nineKeys;
    expect(check({ metadata: { ...eightKeys, a: 'text', b: true, c: null, d: 1.5 } })).toEqual(fine);
    expect(check({ metadata: parseJson('{"build":12345678901234567890}') })).toEqual(fine);
    expect(check({ metadata: { ...nineKeys, a: {}, b: [] } }).problems).toEqual([
      invalid('metadata.a', 'must be a string, a number, true, false or null'),
      invalid('metadata.b', 'must be a string, a number, true, false or null'),
      invalid('metadata', 'must have at most 8 keys (has 9)'),
    ]);
  });

  test('the limit applies to the snapshot, to each manifest and to each package', () => {
    const manifests = {
      'package-lock.json': { name: 'n', metadata: nineKeys, resolved: { '@a/b': { metadata: nineKeys } } },
    };
    expect(check({ metadata: nineKeys, manifests }).problems).toEqual([
      invalid('metadata', 'must have at most 8 keys (has 9)'),
      invalid('manifests["package-lock.json"].metadata', 'must have at most 8 keys (has 9)'),
      invalid('manifests["package-lock.json"].resolved["@a/b"].metadata', 'must have at most 8 keys (has 9)'),
    ]);
  });
});

describe('manifests', () => {
  test('each requires a name, and may have a file, metadata and packages', () => {
    const full = { name: 'n', file: { source_location: 'app/go.mod' }, metadata: { a: 1 }, resolved: { p: {} } };
    expect(check({ manifests: { 'go.mod': full, empty: { name: 'e' } } })).toEqual(fine);
    expect(check({ manifests: { 'go.mod': { file: { source_location: 7 } }, x: 'y' } }).problems).toEqual([
      missing('manifests["go.mod"].name'),
      invalid('manifests["go.mod"].file.source_location', 'must be a string'),
      invalid('manifests.x', 'must be an object'),
    ]);
  });
});

describe('packages', () => {
  test.each([
    'pkg:npm/%40actions/core@1.1.9',
    'pkg:npm/@actions/core@1.1.9',
    'pkg:maven/org.example/lib@1.0?type=jar#src',
    'pkg:golang/example.org/mod@v1.2.3',
  ])('%s is a package URL', (package_url) => {
    expect(resolved({ package_url, dependencies: [package_url] })).toEqual({ problems: [], unknown: [] });
  });

  test.each([
    ['lodash@4.17.21', 'it does not start with pkg:'],
    ['pkg:npm', 'it has no name'],
    ['pkg:maven/lib@1.0', 'maven requires a namespace'],
  ])('%s is rejected with the reason', (package_url, reason) => {
    const refused = `must be a package URL, such as pkg:npm/lodash@4.17.21: ${reason}`;
    expect(resolved({ package_url, dependencies: ['pkg:npm/ok@1', package_url] }).problems).toEqual([
      `package_url: ${refused}`,
      `dependencies[1]: ${refused}`,
    ]);
  });

  test('relationship is direct or indirect, scope runtime or development; other words cause a warning', () => {
    for (const relationship of ['direct', 'indirect'])
      for (const scope of ['runtime', 'development'])
        expect(resolved({ relationship, scope })).toEqual({ problems: [], unknown: [] });
    expect(resolved({ relationship: 'distant', scope: 'test' })).toEqual({
      problems: [],
      unknown: ['relationship: must be one of direct, indirect', 'scope: must be one of runtime, development'],
    });
  });
});
