/** The record types that endpoints declare, against the public platform's published description and recorded responses. */
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { API, type Type, type TypeReference } from 'typescript/unstable/sync';
import { beforeAll, describe, expect, it } from 'vitest';
import { TypeSchemas } from '../../scripts/type-schemas.ts';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';
import { checkBody } from '../../src/platform/validate.ts';
import { root } from './commands.ts';
import { alternatives, describedAnswer, describedDefinitions, readJson, type Schema } from './json-schema.ts';
import { routeMatcher } from './routes.ts';

/** By route, the schema of the record that the endpoint declares; with the definitions that they share. */
function declaredRecords(): { records: ReadonlyMap<string, Schema>; definitions: NonNullable<Schema['$defs']> } {
  const api = new API({ cwd: root });
  try {
    const [project] = api.updateSnapshot({ openProjects: [join(root, 'tsconfig.json')] }).getProjects();
    const index = project?.program.getSourceFile(join(root, 'src/platform/endpoints/index.ts'));
    const checker = project?.checker;
    if (!project || !checker || !index) throw new Error('The endpoints cannot be read.');
    const schemas = new TypeSchemas(checker);
    const records = new Map<string, Schema>();
    const definitions: Record<string, Schema> = {};
    const files = project.program
      .getSourceFileNames()
      .filter((name) => /src\/platform\/endpoints\/\w+\.ts$/.test(name));
    for (const file of files) {
      const source = project.program.getSourceFile(file);
      const module = source && checker.getSymbolAtLocation(source);
      for (const symbol of module ? checker.getExportsOfModule(module) : []) {
        const type = checker.getTypeOfSymbol(symbol);
        const members = new Map((type ? checker.getPropertiesOfType(type) : []).map((each) => [each.name, each]));
        const [route, answer] = ['route', 'answer'].map((name) => {
          const member = members.get(name);
          return member && checker.getTypeOfSymbol(member);
        });
        if (!route?.isStringLiteralType() || !answer) continue;
        const [record] = checker.getTypeArguments(answer as TypeReference);
        if (!record) continue;
        const document = documentOf(schemas, record, route.value);
        Object.assign(definitions, document.$defs);
        records.set(route.value, document);
      }
    }
    return { records, definitions };
  } finally {
    api.close();
  }
}

/** Throws an error that names the endpoint whose record no schema can express. */
function documentOf(schemas: TypeSchemas, record: Type, route: string): Schema {
  try {
    return schemas.document(record) as Schema;
  } catch (error) {
    throw new Error(`${route}: ${(error as Error).message}`, { cause: error });
  }
}

/**
 * Compares the declared records with the described ones; paths begin with the name of a record. A described member that no
 * record declares is no difference, as commands pass on what they do not read.
 */
class Comparison {
  readonly #definitions: NonNullable<Schema['$defs']>;
  readonly #seen = new Set<string>();
  readonly #declared = new Set<string>();
  readonly #described = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #absent = new Set<string>();

  constructor(definitions: NonNullable<Schema['$defs']>) {
    this.#definitions = definitions;
  }

  compare(theirs: Schema, ours: Schema, place: string): void {
    const path = [ours, ...(ours.anyOf ?? [])].find(({ $ref }) => $ref)?.$ref?.replace('#/$defs/', '') ?? place;
    const pair = JSON.stringify([theirs, ours]);
    if (this.#seen.has(pair)) return;
    this.#seen.add(pair);
    const [described, declared] = [alternatives(theirs, describedDefinitions), alternatives(ours, this.#definitions)];
    // A schema without a type allows everything.
    if (declared.length === 0 || described.length === 0) return;
    const types = new Set(declared.flatMap(({ type }) => (type === 'number' ? ['number', 'integer'] : [type])));
    for (const { type } of described) if (!types.has(type)) this.#refused.add(`${path}: ${type}`);
    this.#compareMembers(described, declared, path);
    const [theirItems, ourItems] = [described, declared].map((all) => all.find(({ items }) => items)?.items);
    if (theirItems && ourItems) this.compare(theirItems, ourItems, `${path}[]`);
  }

  #compareMembers(described: readonly Schema[], declared: readonly Schema[], path: string): void {
    for (const theirs of described) {
      const ours = declared.find(({ properties }) => properties);
      // A map of any names has no members to compare.
      if (!theirs.properties || !ours?.properties) continue;
      for (const [name, mine] of Object.entries(ours.properties)) {
        const place = `${path}.${name}`;
        this.#declared.add(place);
        const schema = theirs.properties[name];
        if (!schema) continue;
        this.#described.add(place);
        // Many descriptions require nothing, whatever always comes.
        if (theirs.required?.length && ours.required?.includes(name) && !theirs.required.includes(name))
          this.#absent.add(place);
        this.compare(schema, mine, place);
      }
    }
  }

  /** Members that no described answer has. */
  get undescribed(): string[] {
    return [...this.#declared].filter((place) => !this.#described.has(place)).sort();
  }

  /** Declared as always there, and not always there as described. */
  get absent(): string[] {
    return [...this.#absent].sort();
  }

  /** Described types that the declared one does not allow. */
  get refused(): string[] {
    return [...this.#refused].sort();
  }
}

let records: ReturnType<typeof declaredRecords>['records'];
let comparison: Comparison;

beforeAll(() => {
  const declared = declaredRecords();
  records = declared.records;
  comparison = new Comparison(declared.definitions);
  for (const endpoint of allEndpoints) {
    const answer = describedAnswer(endpoint);
    const record = records.get(endpoint.route);
    if (!answer || !record) continue;
    const isList = endpoint.answer.kind === 'list';
    const described = isList ? alternatives(answer, describedDefinitions).find(({ items }) => items)?.items : answer;
    comparison.compare(described ?? {}, record, endpoint.route);
  }
});

it('the public platform describes every declared field, with listed exceptions', () => {
  expect(comparison.undescribed).toEqual([
    // The specification and the public platform name three members differently.
    'Activity.push_type',
    'Activity.pushed_at',
    'Activity.pusher',
    // Lists name the products in the plural.
    'Budget.budget_product_skus',
    // One type for all requests; only those to dismiss alerts have it described.
    'BypassRequest.responses[].message',
    // Other media types.
    'CommitComment.body_html',
    'CommitComment.body_text',
    // The description has it in users, whose lists it does not tell from others.
    'Member.suspended_at',
    // Newer than the description of the self-managed platform.
    'Organization.secret_scanning_validity_checks_enabled',
    // The description has it in the full record and in that of a parent.
    'Team.ldap_dn',
    'TeamMember.suspended_at',
  ]);
});

it('every field declared as always present is described as required', () => {
  expect(comparison.absent).toEqual([]);
});

it('every described type of a declared field is allowed', () => {
  expect(comparison.refused).toEqual([]);
});

it('compares nearly all records', () => {
  const compared = allEndpoints.filter((endpoint) => describedAnswer(endpoint) && records.has(endpoint.route));
  const others = allEndpoints.filter((endpoint) => endpoint.answer.kind !== 'nothing' && !compared.includes(endpoint));
  // The description of the self-managed platform has no invitation in response.
  expect(others.map(({ route }) => route)).toEqual(['PUT /repos/{owner}/{repo}/collaborators/{username}']);
});

/** A request to the public platform and its response, as another project recorded or documented them. Values are replaced. */
interface Recording {
  readonly source: string;
  /** Method, path and query. */
  readonly request: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly status: number;
  /** Of a list, its first record; only the declared fields. */
  readonly record?: object;
}

/** Required fields that some recordings are too old to have. */
const newer = ['archived_at', 'exclude_owner_projects', 'exclude_releases'];

describe('recorded requests and responses', () => {
  const ajv = new Ajv({ allErrors: true, strict: false });
  const routeOf = routeMatcher(allEndpoints.map(({ route }) => route));
  const recordings = (readJson('test/contracts/recorded.json') as Recording[]).map((recording) => {
    const [method = '', url = ''] = recording.request.split(' ');
    const [path = '', query] = url.split('?');
    const route = routeOf(method, path);
    const endpoint = allEndpoints.find((each) => each.route === route);
    return { ...recording, endpoint, parameters: [...new URLSearchParams(query).keys()] };
  });

  it.each(recordings)('$request has the declared form', ({ endpoint, parameters, body = {}, status, record }) => {
    expect(endpoint).toMatchObject({
      status,
      answer: { kind: record ? expect.not.stringMatching('nothing') : 'nothing' },
    });
    expect(Object.keys(endpoint?.query ?? {})).toEqual(expect.arrayContaining(parameters));
    expect(Object.keys(endpoint?.body?.entries ?? {})).toEqual(expect.arrayContaining(Object.keys(body)));
    if (endpoint?.body) expect(checkBody(endpoint, body)).toEqual({ problems: [], unknown: [] });
    ajv.validate(records.get(endpoint?.route ?? '') ?? {}, record ?? {});
    const faults = (record && ajv.errors) || [];
    expect(faults.filter(({ params }) => !newer.includes(params.missingProperty))).toEqual([]);
  });

  it('exist for many endpoints', () => {
    expect(new Set(recordings.map(({ endpoint }) => endpoint?.route)).size).toBe(42);
  });
});
