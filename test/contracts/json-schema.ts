/** What the tests read of JSON Schema, and the public platform's published description in it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './commands.ts';

export interface Schema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
}

export type Definitions = Schema['$defs'];

export const readJson = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8')) as unknown;

export interface DescribedRequest {
  /** The editions with the operation: `ghes-3.19`, `ghec` and `api.github.com`. */
  readonly editions: readonly string[];
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, Schema>>;
  readonly query: Readonly<Record<string, Schema>>;
  readonly body?: Schema;
  /** Of responses. */
  readonly statuses: readonly number[];
}

const description = readJson('test/sandbox/public-description.json') as {
  readonly requests: Readonly<Record<string, Omit<DescribedRequest, 'statuses'>>>;
  readonly operations: Readonly<Record<string, Readonly<Record<string, Schema | null>>>>;
  readonly $defs: Readonly<Record<string, Schema>>;
};

export const describedDefinitions = description.$defs;

/** What a schema comes to once references are followed: one for each type that it allows. */
export function alternatives(schema: Schema, definitions: Definitions): readonly Schema[] {
  const of = (each: Schema) => alternatives(each, definitions);
  if (schema.$ref) return of(definitions?.[schema.$ref.replace('#/$defs/', '')] ?? {});
  if (schema.allOf) {
    const parts = schema.allOf.flatMap(of);
    const properties = Object.assign({}, ...parts.map((part) => part.properties));
    return [{ type: 'object', properties, required: parts.flatMap(({ required = [] }) => required) }];
  }
  const inner = schema.anyOf ?? schema.oneOf;
  if (inner) return inner.flatMap(of);
  return [schema.type ?? (schema.properties ? 'object' : [])].flat().map((type) => ({ ...schema, type }));
}

const operationOf = (route: string) => route.replace('<alerts>', 'dependabot').replace(/\{[^}]+\}/g, '{}');

/** What the description says of the requests of an endpoint; undefined where it says nothing. */
export function describedRequest({ route }: { readonly route: string }): DescribedRequest | undefined {
  const operation = operationOf(route);
  const request = description.requests[operation];
  const statuses = Object.keys(description.operations[operation] ?? {}).map(Number);
  return request && { ...request, statuses };
}

/** What the description says of the record, or list, that an endpoint answers with; undefined where it says nothing. */
export function describedAnswer({
  route,
  status,
  items,
}: {
  readonly route: string;
  readonly status: number;
  readonly items?: string | undefined;
}): Schema | undefined {
  const described = description.operations[operationOf(route)]?.[status];
  // The description has null for GET /app, which no app returns.
  const answer =
    route === 'GET /app'
      ? alternatives(described ?? {}, describedDefinitions).find(({ type }) => type !== 'null')
      : described;
  if (!answer || !items) return answer ?? undefined;
  return alternatives(answer, describedDefinitions).find(({ properties }) => properties)?.properties?.[items];
}
