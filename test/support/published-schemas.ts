/** Checks documents of other products against the schemas that those publish. */
import { createRequire, registerHooks } from 'node:module';
import { validate } from 'kubernetes-models/_schemas/IoK8sApiBatchV1Job';

// The parser imports its schema without the attribute that Node requires for JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith('.json') ? { ...context, importAttributes: { type: 'json' } } : context),
});

/** Returns the problems of a workflow's text, by the schema and the expressions of GitHub Actions. */
export async function workflowProblems(content: string): Promise<string[]> {
  const { NoOperationTraceWriter, parseWorkflow } = await import('@actions/workflow-parser');
  const { context } = parseWorkflow({ name: 'workflow', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

/** Returns the problems of an action's text, by the schema and the expressions of GitHub Actions. */
export async function actionProblems(content: string): Promise<string[]> {
  const { NoOperationTraceWriter } = await import('@actions/workflow-parser');
  const { parseAction } = await import('@actions/workflow-parser/actions/action-parser');
  const { context } = parseAction({ name: 'action', content }, new NoOperationTraceWriter());
  return context.errors.getErrors().map(({ message }) => message);
}

interface SchemaError {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: object;
}

/**
 * Returns the problems of a manifest, by the schema of batch/v1 Job. The schema allows fields that it does not name, but
 * kubectl does not: these are the fields that validation never reads.
 */
export function jobProblems(manifest: object): string[] {
  const read = new Set<string>();
  const isValid = validate(watched(manifest, '', read));
  const { errors } = validate as { readonly errors?: readonly SchemaError[] };
  const problems = isValid
    ? []
    : (errors ?? []).map(({ instancePath, keyword, params }) => `${instancePath} ${keyword} ${JSON.stringify(params)}`);
  const unknown = pathsIn(manifest).filter((path) => !read.has(path));
  return [...problems, ...unknown.map((path) => `${path} is unknown`)];
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Returns the same value, which adds the path of each field that is read to `read`. */
function watched<T extends object>(value: T, path: string, read: Set<string>): T {
  return new Proxy(value, {
    get(target, name) {
      const field: unknown = Reflect.get(target, name);
      const at = `${path}/${String(name)}`;
      read.add(at);
      return isObject(field) ? watched(field, at, read) : field;
    },
  });
}

function pathsIn(value: object, path = ''): string[] {
  return Object.entries(value).flatMap(([name, field]) => {
    const at = `${path}/${name}`;
    return isObject(field) ? [at, ...pathsIn(field, at)] : [at];
  });
}

/** Returns the problems of a SARIF log, by the schema of SARIF 2.1.0. Its draft of JSON Schema needs an older validator. */
export function sarifProblems(log: unknown): string[] {
  const require = createRequire(createRequire(import.meta.url).resolve('@microsoft/jest-sarif/package.json'));
  const Validator = require('ajv') as new (options: object) => SarifValidator;
  const validator = new Validator({ schemaId: 'auto', allErrors: true });
  validator.addMetaSchema(require('ajv/lib/refs/json-schema-draft-04.json'));
  const isValid = validator.validate(require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'), log);
  return isValid ? [] : (validator.errors ?? []).map(({ dataPath, message }) => `${dataPath} ${message}`);
}

interface SarifValidator {
  addMetaSchema(schema: unknown): void;
  validate(schema: unknown, value: unknown): boolean;
  readonly errors?: readonly { readonly dataPath: string; readonly message: string }[] | null;
}
