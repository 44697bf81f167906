import * as v from 'valibot';
import { type ExactInteger, isExactInteger } from '../../json/exact-json.ts';
import { endpoint, record } from '../endpoint.ts';
import { packageUrlProblem } from '../package-url.ts';
import type { SnapshotResult } from '../records.ts';
import { fields, integer, nested, oneOf, optional, optionalFields, string } from '../schema.ts';
import { type Given, invalid, joinPath, type Problem } from '../validate.ts';

const text = v.string('must be text');

/** The platform takes a time without a zone for one in UTC. */
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
        'must be text, a number, true, false or null',
      ),
    ),
    'must be an object',
  ),
  'Facts of your own: at most 8 keys, with plain values',
);

const resolvedPackage = optionalFields({
  package_url: nested(packageUrl, 'Package URL'),
  metadata,
  relationship: oneOf(['direct', 'indirect'], 'Whether the project asks for it itself'),
  scope: oneOf(['runtime', 'development'], 'What it is needed for'),
  dependencies: nested(v.array(packageUrl, 'must be a list'), 'Package URLs of what it depends on'),
});

const manifest = fields({
  name: string('Name of the manifest'),
  file: optional(
    optionalFields({
      source_location: string('Path of the file, from the root of the repository', { mayBeEmpty: true }),
    }),
  ),
  metadata: optional(metadata),
  resolved: optional(
    nested(v.record(v.string(), resolvedPackage, 'must be an object'), 'Packages, by keys of your own'),
  ),
});

/** Snapshots, manifests and packages each have at most 8 keys of metadata. Specification, Limits. */
function metadataLimits(body: Given): Problem[] {
  const problems: Problem[] = [];
  const limit = (owner: unknown, ...way: readonly string[]) => {
    const count = Object.keys(objectOf(objectOf(owner).metadata)).length;
    if (count <= 8) return;
    const field = [...way, 'metadata'].reduce(joinPath, '');
    problems.push(invalid(field, `must have at most 8 keys, and has ${count}`));
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
  summary: 'Submit what a build of a repository depends on',
  body: fields({
    version: integer('Version of the submission format'),
    job: nested(
      fields({
        id: string('Id of the job'),
        correlator: string('Groups submissions: only the latest of a correlator and detector counts'),
        html_url: optional(string('Address of the job', { mayBeEmpty: true })),
      }),
      'The job that found the dependencies',
    ),
    sha: string('Commit that was looked at', { maxCharacters: 64 }),
    ref: nested(
      v.pipe(text, v.startsWith('refs/', 'must be a full ref, such as refs/heads/main')),
      'Full name of the branch that triggered the snapshot',
    ),
    detector: nested(
      fields({
        name: string('Name of the detector'),
        version: string('Version of the detector'),
        url: string('Address of the detector'),
      }),
      'The program that found the dependencies',
    ),
    metadata: optional(metadata),
    manifests: optional(nested(v.record(v.string(), manifest, 'must be an object'), 'Manifests, by keys of your own')),
    scanned: nested(timestamp, 'When the dependencies were looked for, in ISO 8601'),
  }),
  rules: [metadataLimits],
  permission: 'contents=write',
  scopes: ['repo'],
  status: 201,
  answer: record<SnapshotResult>(),
});
