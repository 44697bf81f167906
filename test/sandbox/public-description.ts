/** Whether an answer is what the public platform's published description says of its operation. */
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

type Schema = Record<string, unknown>;
const { operations, $defs } = JSON.parse(readFileSync(new URL('public-description.json', import.meta.url), 'utf8')) as {
  /** For each operation, with `{}` for path parameters, the schema of each status; null for no body. */
  operations: Record<string, Record<string, Schema | null>>;
  $defs: Record<string, Schema>;
};

const ajv = new Ajv({ allErrors: true, strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'https://description.example/all.json', $defs });
const validators = new Map<string, ValidateFunction>();

/**
 * What is wrong with an answer, one line for each fault: `/path: what`. Empty for one that the description allows.
 * @param route method and path, with `{names}` of parameters
 */
export function faultsOf(route: string, status: number, body: unknown): string[] {
  const operation = route.replace(/\{[^}]+\}/g, '{}');
  const schema = operations[operation]?.[status];
  if (schema === undefined) return [`${route} has no answer with status ${status}`];
  if (schema === null) return body === undefined || body === '' ? [] : [`${route} ${status} has a body`];
  const id = `${operation} ${status}`;
  const validate = validators.get(id) ?? ajv.compile(absolute(schema));
  validators.set(id, validate);
  if (validate(body)) return [];
  const faults = (validate.errors ?? []).map(({ instancePath, message }) => `${route} ${instancePath}: ${message}`);
  return [...new Set(faults)];
}

/** References lead to the whole description. */
const absolute = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', '"https://description.example/all.json#/$defs/'));
