import * as v from 'valibot';
import { type ExactInteger, isExactInteger } from '../../json/exact-json.ts';
import { endpoint, list, record } from '../endpoint.ts';
import { packageUrlProblem } from '../package-url.ts';
import type { DependencyChange, SnapshotResult, SpdxDocument } from '../records.ts';
import { fields, integer, nested, oneOf, optional, optionalFields, string } from '../schema.ts';
import { type Given, invalid, joinPath, type Problem } from '../validate.ts';

const text = v.string('must be a string');

/** The platform reads times without a zone as UTC. */
const timestamp = v.pipe(
  text,
  v.check(
    (time) => [time, `${time}Z`].some((zoned) => v.ISO_TIMESTAMP_REGEX.test(zoned)),
    'must be an ISO 8601 time, such as 2026-03-10T12:00:00Z',
  ),
);

const packageUrl = v.pipe(
  text,
  v.check(
    (value) => packageUrlProblem(value) === undefined,
    ({ input }) => `must be a package URL, such as pkg:npm/lodash@4.17.21: ${packageUrlProblem(input)}`,
  ),
);

const metadata = nested(
  v.record(
    v.string(),
    v.nullable(
      v.union(
        [v.string(), v.number(), v.boolean(), v.custom<ExactInteger>(isExactInteger)],
        'must be a string, a number, true, false or null',
      ),
    ),
    'must be an object',
  ),
  'Custom metadata: at most 8 keys with scalar values',
);

const resolvedPackage = optionalFields({
  package_url: nested(packageUrl, 'Package URL'),
  metadata,
  relationship: oneOf(['direct', 'indirect'], 'Relationship to the project: required directly or by another package'),
  scope: oneOf(['runtime', 'development'], 'Purpose of the dependency'),
  dependencies: nested(v.array(packageUrl, 'must be a list'), 'Package URLs of its dependencies'),
});

const manifest = fields({
  name: string('Manifest name'),
  file: optional(
    optionalFields({
      source_location: string('Path of the file, relative to the repository root', { mayBeEmpty: true }),
    }),
  ),
  metadata: optional(metadata),
  resolved: optional(
    nested(v.record(v.string(), resolvedPackage, 'must be an object'), 'Resolved packages by arbitrary keys'),
  ),
});

/** Snapshots, manifests and packages each have at most 8 keys of metadata. Specification, Limits. */
function metadataLimits(body: Given): Problem[] {
  const problems: Problem[] = [];
  const limit = (owner: unknown, ...way: readonly string[]) => {
    const count = Object.keys(objectOf(objectOf(owner).metadata)).length;
    if (count <= 8) return;
    const field = [...way, 'metadata'].reduce(joinPath, '');
    problems.push(invalid(field, `must have at most 8 keys (has ${count})`));
  };
  limit(body);
  for (const [key, each] of Object.entries(objectOf(body.manifests))) {
    limit(each, 'manifests', key);
    for (const [name, resolved] of Object.entries(objectOf(objectOf(each).resolved)))
      limit(resolved, 'manifests', key, 'resolved', name);
  }
  return problems;
}

const objectOf = (value: unknown): Given =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Given) : {};

export const submitSnapshot = endpoint({
  route: 'POST /repos/{owner}/{repo}/dependency-graph/snapshots',
  summary: 'Submit a dependency snapshot of a repository',
  body: fields({
    version: integer('Version of the submission format'),
    job: nested(
      fields({
        id: string('Job ID'),
        correlator: string('Key that groups submissions; only the latest per correlator and detector counts'),
        html_url: optional(string('Job URL', { mayBeEmpty: true })),
      }),
      'Job that produced the snapshot',
    ),
    sha: string('SHA of the scanned commit', { maxCharacters: 64 }),
    ref: nested(
      v.pipe(text, v.startsWith('refs/', 'must be a full ref, such as refs/heads/main')),
      'Full ref of the branch that triggered the snapshot',
    ),
    detector: nested(
      fields({
        name: string('Detector name'),
        version: string('Detector version'),
        url: string('Detector URL'),
      }),
      'Program that detected the dependencies',
    ),
    metadata: optional(metadata),
    manifests: optional(nested(v.record(v.string(), manifest, 'must be an object'), 'Manifests by arbitrary keys')),
    scanned: nested(timestamp, 'Time of the scan in ISO 8601'),
  }),
  rules: [metadataLimits],
  permission: 'contents=write',
  scopes: ['repo'],
  refusals: [
    {
      status: 413,
      advice: 'Submit each manifest separately: snapshots submit REPO --from FILE --split.',
    },
  ],
  status: 201,
  answer: record<SnapshotResult>(),
});

export const compareDependencies = endpoint({
  route: 'GET /repos/{owner}/{repo}/dependency-graph/compare/{basehead}',
  summary: 'List the dependencies that differ between two commits',
  query: { name: string('Path of the manifest to compare, relative to the repository root') },
  paging: 'cursor',
  permission: 'contents=read',
  anonymous: true,
  refusals: [
    {
      status: 403,
      advice:
        'Comparing the dependencies of a private repository requires a licence for advanced security; forks cannot be compared.',
    },
  ],
  answer: list<DependencyChange>(),
});

export const exportSbom = endpoint({
  route: 'GET /repos/{owner}/{repo}/dependency-graph/sbom',
  summary: 'Export the dependencies of the default branch as a software bill of materials',
  permission: 'contents=read',
  anonymous: true,
  answer: record<{ sbom: SpdxDocument }>(),
});
