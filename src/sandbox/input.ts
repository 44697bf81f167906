/** Parses path, query and body as an endpoint declares them. */
import type * as v from 'valibot';
import type { Declaration, Endpoint } from '../platform/endpoint.ts';
import { optionalFields } from '../platform/schema.ts';
import { checkBody, checkValue, type Findings, type Given, type Problem } from '../platform/validate.ts';
import { badRequest, notFound, validationFailed } from './refusals.ts';

/** Returns the decoded path parameters by name. An invalid one is a 404. */
export function readPath(declaration: Endpoint, text: (name: string) => string): Record<string, string | number> {
  const entries = declaration.pathNames.map((name) => {
    const schema = declaration.path?.[name] as v.GenericSchema | undefined;
    const value = schema ? fromText(schema, [text(name)]) : text(name);
    if (schema && refused(checkValue(schema, value)).length) throw notFound();
    return [name, value as string | number] as const;
  });
  return Object.fromEntries(entries);
}

/** Returns the declared query parameters; others are ignored, as on the public platform. Throws `badStatus`. */
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

/** Additional checks of a body. */
export interface BodyExceptions {
  /** Called before validation; may throw a refusal other than 422. */
  readonly beforeValidation?: (body: Given) => void;
  /** Paths of fields that accept unknown words. */
  readonly takesUnknownWords?: RegExp | undefined;
}

/**
 * Returns the body, checked against schema and rules. Throws 400 if it is not a JSON object, 422 for invalid fields.
 */
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
 * Throws 422 for an invalid body. For an update, pass the endpoint that creates and the resulting record, since valid
 * fields can contradict unchanged ones.
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

/** The platform rejects unknown words, and ignores or keeps unknown fields. */
const refused = ({ problems, unknown }: Findings): Problem[] => [
  ...problems,
  ...unknown.filter(({ code }) => unknownCodes.has(code)),
];

const unknownCodes = new Set<Problem['code']>(['unknown_word', 'unknown_kind']);

/** Parses a parameter; invalid text stays text, for the schema to reject. */
function fromText(schema: v.GenericSchema, texts: readonly string[]): unknown {
  const text = texts[0] ?? '';
  if (schema.type === 'number') return /^-?\d+$/.test(text) ? Number(text) : text;
  if (schema.type === 'boolean') return { true: true, false: false, 1: true, 0: false }[text] ?? text;
  if (schema.type === 'array') return texts.flatMap((each) => each.split(','));
  return text;
}

/** Returns the resource in the `errors` of a 422: the route's last literal segment, in the singular. */
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
