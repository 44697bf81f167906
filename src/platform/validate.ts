/** Checks a body or a set of query parameters against its declaration, and names every bad field at once. */
import * as v from 'valibot';

/** One thing wrong with one field. `field` is its path in the body, dotted, with list positions in brackets. */
export interface Problem {
  readonly field: string;
  readonly message: string;
  /**
   * The kind of problem: the platform's own words, as in the `errors` of a 422, for what is wrong everywhere; the other
   * two for what this version does not know.
   */
  readonly code: 'missing_field' | 'invalid' | 'unknown_field' | 'unknown_word';
}

/** What a cross-field rule reads: the body as it was given, before it is known to be valid. */
export type Given = Readonly<Record<string, unknown>>;

/**
 * A rule between fields. It is asked even when single fields are bad, so that one answer names everything; it must not
 * assume that a field has the declared type, and it must not repeat what the field's own schema says.
 */
export type Rule = (body: Given) => readonly Problem[];

export const invalid = (field: string, message: string): Problem => ({ field, message, code: 'invalid' });
export const missing = (field: string, message = 'is required'): Problem => ({ field, message, code: 'missing_field' });

const unknownField = (field: string): Problem => ({
  field,
  message: 'is not a field that this version knows',
  code: 'unknown_field',
});
export const unknownWord = (field: string, message: string): Problem => ({ field, message, code: 'unknown_word' });

export interface Findings {
  /** What makes the request wrong on every platform. */
  readonly problems: readonly Problem[];
  /** What this version does not know but a newer platform may: unknown fields and unknown words in a fixed set. */
  readonly unknown: readonly Problem[];
}

/** The body part of an endpoint's declaration. */
export interface Checkable {
  readonly body?: v.GenericSchema;
  readonly rules?: readonly Rule[];
}

/** Checks `body` against the endpoint's schema and its rules. Never throws. */
export function checkBody(endpoint: Checkable, body: Given): Findings {
  if (!endpoint.body) return { problems: [], unknown: [] };
  const findings = checkValue(endpoint.body, body);
  const ruled = (endpoint.rules ?? []).flatMap((rule) => rule(body));
  const told = new Set(findings.problems.map((problem) => problem.field));
  return { ...findings, problems: [...findings.problems, ...ruled.filter((problem) => !told.has(problem.field))] };
}

/** Checks any value against a schema, and names the fields that the schema does not know. Never throws. */
export function checkValue(schema: v.GenericSchema, value: unknown): Findings {
  const result = v.safeParse(schema, value, { abortPipeEarly: true });
  const problems: Problem[] = [];
  const unknown: Problem[] = unknownFields(schema, value, '');
  for (const issue of result.issues ?? []) {
    const field = fieldPath(issue);
    if (issue.input === undefined) problems.push(missing(field));
    else if (isUnknownWord(issue)) unknown.push(unknownWord(field, issue.message));
    else problems.push(invalid(field, issue.message));
  }
  return { problems, unknown };
}

/** A word that a fixed set does not hold, or one that names no known kind of object. */
function isUnknownWord({ type, input, expected }: v.BaseIssue<unknown>): boolean {
  if (typeof input !== 'string') return false;
  // A variant that is given no object at all expects one; else it expects one of the words that tell its kinds apart.
  return type === 'picklist' || (type === 'variant' && expected !== 'Object');
}

function fieldPath(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? []).reduce((path, { key }) => joinPath(path, key as string | number), '');
}

/** The path of a member: dotted, list positions in brackets, and so are names that a dot would make unclear. */
export function joinPath(path: string, key: string | number): string {
  if (typeof key === 'number') return `${path}[${key}]`;
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path ? `${path}.${key}` : key;
}

interface Introspected {
  readonly type?: string;
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly wrapped?: v.GenericSchema;
  /** The schema of every member of a record. */
  readonly value?: v.GenericSchema;
  /** What tells the kinds of a variant apart, and the kinds. */
  readonly key?: string;
  readonly options?: readonly (v.GenericSchema & { readonly entries: Record<string, v.GenericSchema> })[];
}

function unknownFields(schema: v.GenericSchema, value: unknown, path: string): Problem[] {
  const { type, entries, item, wrapped, value: member, key, options } = schema as Introspected;
  if (wrapped) return unknownFields(wrapped, value, path);
  if (type === 'array' && item && Array.isArray(value))
    return value.flatMap((element, index) => unknownFields(item, element, joinPath(path, index)));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const members = Object.entries(value);
  if (type === 'record' && member)
    return members.flatMap(([name, each]) => unknownFields(member, each, joinPath(path, name)));
  if (type === 'variant' && key !== undefined) {
    const kind = options?.find((option) => v.is(option.entries[key] as v.GenericSchema, (value as Given)[key]));
    return kind ? unknownFields(kind, value, path) : [];
  }
  if (type !== 'object' || !entries) return [];
  return members.flatMap(([name, each]) => {
    const field = joinPath(path, name);
    const known = Object.hasOwn(entries, name) ? entries[name] : undefined;
    return known ? unknownFields(known, each, field) : [unknownField(field)];
  });
}
