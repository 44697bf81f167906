/** Checks documents of other products against the schemas that those publish. */
import { registerHooks } from 'node:module';
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
