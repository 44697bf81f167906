/**
 * Extracts the requests and responses of the declared endpoints from the public platform's API description, for tests of
 * the declarations and the sandbox. The description has about 400 MB, so only this excerpt is stored. Downloads the
 * description into a temporary folder, unless a folder with it is given: `npm run update-description [-- FOLDER]`.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allEndpoints } from '../src/platform/endpoints/index.ts';

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
type Members = { [name: string]: Json };

/** Self-managed first: the first edition that has an operation counts. */
const editions = ['ghes-3.19', 'ghec', 'api.github.com'] as const;

const target = fileURLToPath(new URL('../test/sandbox/public-description.json', import.meta.url));
const version = '23.0.2';
const [named] = process.argv.slice(2);
const directory = named ?? download();
const definitions: Members = {};
const requests: { [operation: string]: Request } = {};
const operations: Members = {};

/** What a client may send. */
interface Request {
  /** All editions with the operation. */
  readonly editions: string[];
  /** The path with the names of its parameters. */
  readonly path: string;
  readonly pathParameters: Members;
  readonly query: Members;
  readonly body?: Json;
}

/** Downloads the description. Returns the folder with a file for each edition, which is removed at exit. */
function download(): string {
  const folder = mkdtempSync(join(tmpdir(), 'public-description-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const pack = ['pack', '--silent', '--pack-destination', folder, `@octokit/openapi@${version}`];
  const tarball = execFileSync('npm', pack, { encoding: 'utf8' }).trim();
  execFileSync('tar', ['-xzf', join(folder, tarball), '-C', folder]);
  return join(folder, 'package/generated');
}

/** Prose, which nothing is checked against, and extensions of the description. */
const isProse = (name: string) =>
  ['description', 'example', 'examples', 'title', 'deprecated', 'externalDocs'].includes(name) || name.startsWith('x-');

function resolve(description: Members, reference: string): Json {
  const names = reference.split('/').slice(1);
  return names.reduce<Json>((value, name) => (value as Members)[name] as Json, description);
}

/** Converts a schema to JSON Schema without prose; references are collected in `$defs`. */
function schemaOf(value: Json, edition: string, description: Members): Json {
  if (Array.isArray(value)) return value.map((each) => schemaOf(each, edition, description));
  if (typeof value !== 'object' || value === null) return value;
  if (typeof value.$ref === 'string') {
    const name = `${edition}.${value.$ref.split('/').at(-1)}`;
    if (!(name in definitions)) {
      definitions[name] = {};
      definitions[name] = schemaOf(resolve(description, value.$ref), edition, description);
    }
    return { $ref: `#/$defs/${name}` };
  }
  const { nullable, ...members } = value;
  const entries = Object.entries(members).flatMap(([name, member]): [string, Json][] => {
    if (isProse(name)) return [];
    if (name !== 'properties') return [[name, schemaOf(member, edition, description)]];
    const properties = Object.entries(member as Members);
    return [[name, Object.fromEntries(properties.map(([each, it]) => [each, schemaOf(it, edition, description)]))]];
  });
  const schema = Object.fromEntries(entries);
  return nullable ? { anyOf: [schema, { type: 'null' }] } : schema;
}

/** Returns the parameters of an operation and the schema of its body. Parameters in headers apply to all operations. */
function requestOf(operation: Members, path: string, edition: string, description: Members): Request {
  const parameters = ((operation.parameters ?? []) as Members[]).map(({ $ref, ...own }) =>
    $ref ? (resolve(description, $ref as string) as Members) : own,
  );
  const placed = (place: string): Members =>
    Object.fromEntries(
      parameters
        .filter((each) => each.in === place)
        .map(({ name, schema }) => [name as string, schemaOf(schema as Json, edition, description)]),
    );
  const { content } = (operation.requestBody ?? {}) as { content?: { 'application/json'?: { schema: Json } } };
  const body = content?.['application/json']?.schema;
  return {
    editions: [edition],
    path,
    pathParameters: placed('path'),
    query: placed('query'),
    ...(body !== undefined && { body: schemaOf(body, edition, description) }),
  };
}

/** Returns the response schemas of an operation by status; null for a response without a body. */
function answersOf(operation: Members, edition: string, description: Members): Members {
  const responses = Object.entries(operation.responses as Members).map(([status, response]): [string, Json] => {
    const { $ref } = response as { $ref?: string };
    const { content = {} } = ($ref ? resolve(description, $ref) : response) as { content?: Members };
    const media = (content['application/json'] ?? Object.values(content)[0]) as { schema?: Json } | undefined;
    return [status, media?.schema ? schemaOf(media.schema, edition, description) : null];
  });
  return Object.fromEntries(responses);
}

const nameless = (path: string) => path.replace(/\{[^}]+\}/g, '{}');

for (const edition of editions) {
  const description = JSON.parse(readFileSync(join(directory, `${edition}.json`), 'utf8')) as Members;
  const paths = Object.entries(description.paths as Members);
  for (const { method, template } of allEndpoints) {
    const path = nameless(template.replace('<alerts>', 'dependabot'));
    const [described, operationsOfPath] = paths.find(([each]) => nameless(each) === path) ?? [];
    const operation = (operationsOfPath as Members | undefined)?.[method.toLowerCase()] as Members | undefined;
    if (!described || !operation) continue;
    const name = `${method} ${path}`;
    operations[name] ??= answersOf(operation, edition, description);
    if (requests[name]) requests[name].editions.push(edition);
    else requests[name] = requestOf(operation, described, edition, description);
  }
}

/** One line per member, for readable diffs. */
const lines = (members: Readonly<Record<string, unknown>>): string =>
  `{\n${Object.entries(members)
    .map(([name, member]) => `${JSON.stringify(name)}:${JSON.stringify(member)}`)
    .join(',\n')}\n}`;

const source = `@octokit/openapi ${version}, MIT License, Copyright (c) 2020 Octokit contributors`;
writeFileSync(
  target,
  `{"source":${JSON.stringify(source)},\n"requests":${lines(requests)},\n"operations":${lines(operations)},\n"$defs":${lines(definitions)}}\n`,
);
