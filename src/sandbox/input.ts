/** Reading a request's path, query and body as the declaration of its endpoint says. */
import type * as v from 'valibot';
import type { Declaration, Endpoint } from '../platform/endpoint.ts';
import { optionalFields } from '../platform/schema.ts';
import { checkBody, checkValue, type Findings, type Given, type Problem } from '../platform/validate.ts';
import { badRequest, notFound, validationFailed } from './refusals.ts';

/** Path parameters, decoded, by name. One that is not what its schema says leads nowhere: 404. */
export function readPath(declaration: Endpoint, text: (name: string) => string): Record<string, string | number> {
  const entries = declaration.pathNames.map((name) => {
    const schema = declaration.path?.[name] as v.GenericSchema | undefined;
    const value = schema ? fromText(schema, [text(name)]) : text(name);
    if (schema && refused(checkValue(schema, value)).length) throw notFound();
    return [name, value as string | number] as const;
  });
  return Object.fromEntries(entries);
}

/** Query parameters that the endpoint knows; others are ignored, as the public platform does. Throws `badStatus`. */
export function readQuery(
  declaration: Declaration,
  parameters: URLSearchParams,
  badStatus = 422,
): Record<string, unknown> {
  const schemas = declaration.query as Readonly<Record<string, v.GenericSchema>> | undefined;
  if (!schemas) return {};
  const query: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const texts = [...parameters.getAll(name), ...parameters.getAll(`${name}[]`)].filter((text) => text !== '');
    if (texts.length) query[name] = fromText(schema, texts);
  }
  const problems = refused(checkValue(optionalFields(schemas), query));
  if (problems.length) throw validationFailed(resourceOf(declaration), problems, badStatus);
  return query;
}

/** What an endpoint does with a body beside what its declaration says. */
export interface BodyExceptions {
  /** Looks at a body before it is validated, and may throw another refusal than 422. */
  readonly beforeValidation?: (body: Given) => void;
  /** Fields, by their paths, that take words which nobody knows yet. */
  readonly takesUnknownWords?: RegExp | undefined;
}

/** The body, checked against the schema and the rules. Throws 400 for what is no JSON object, 422 for bad fields. */
export function readBody(
  declaration: Declaration,
  text: string,
  { beforeValidation, takesUnknownWords }: BodyExceptions,
): Given {
  if (!declaration.body) return {};
  const { entries } = declaration.body;
  const given = text.trim() === '' ? {} : parseObject(text);
  beforeValidation?.(given);
  const body = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(entries, name)));
  requireValid(declaration, body, { takesUnknownWords });
  return body;
}

/**
 * Throws 422 for a body that the endpoint refuses. An update passes the endpoint that creates and the record that would
 * result, as fields that are fine by themselves can contradict those that stay.
 */
export function requireValid(
  declaration: Declaration,
  body: Given,
  { takesUnknownWords }: Pick<BodyExceptions, 'takesUnknownWords'> = {},
): void {
  const problems = refused(checkBody(declaration, body)).filter(
    ({ code, field }) => !unknownCodes.has(code) || !takesUnknownWords?.test(field),
  );
  if (problems.length) throw validationFailed(resourceOf(declaration), problems);
}

function parseObject(text: string): Given {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badRequest('Problems parsing JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw badRequest('Body should be a JSON object');
  return value as Given;
}

/** The platform refuses words that it does not know; fields that it does not know, it ignores or keeps as they are. */
const refused = ({ problems, unknown }: Findings): Problem[] => [
  ...problems,
  ...unknown.filter(({ code }) => unknownCodes.has(code)),
];

const unknownCodes = new Set<Problem['code']>(['unknown_word', 'unknown_kind']);

/** What a parameter's text stands for; text that cannot be read stays text, for the schema to refuse. */
function fromText(schema: v.GenericSchema, texts: readonly string[]): unknown {
  const text = texts[0] ?? '';
  if (schema.type === 'number') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return { true: true, false: false, 1: true, 0: false }[text] ?? text;
  if (schema.type === 'array') return texts.flatMap((each) => each.split(','));
  return text;
}

/** The name by which the `errors` of a 422 call what a route is about: its last literal segment, in the singular. */
function resourceOf({ route }: Declaration): string {
  const segments = route.split('/').filter((segment) => !/[{<\s]/.test(segment));
  const last = segments.at(-1) ?? '';
  const known: Readonly<Record<string, string>> = {
    orgs: 'Organization',
    repos: 'Repository',
    dispatches: 'Dispatch',
    comments: 'CommitComment',
    views: 'ProjectView',
    'secret-scanning': 'BypassRequest',
  };
  const singular = last.replace(/ies$/, 'y').replace(/([^s])s$/, '$1');
  return known[last] ?? singular.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
