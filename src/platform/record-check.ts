/** Checks records of the platform against declarations: only their types, as platforms differ in limits and known words. */
import type * as v from 'valibot';
import { isExactInteger, isObject, ownMember } from '../json/exact-json.ts';
import { type Given, joinPath, kindIn } from './validate.ts';

/** The fields of a record that forgectl relies on. All others are ignored. */
export interface RecordShape {
  /** Fields with their schemas; a field without `optional` is required. */
  readonly fields: v.ObjectEntries;
  /** Fields of bodies, which a record may omit or set to null, as may their parts. */
  readonly body?: v.ObjectEntries;
}

interface Introspected {
  readonly type: string;
  readonly wrapped?: v.GenericSchema;
  readonly item?: v.GenericSchema;
  readonly entries?: v.ObjectEntries;
  readonly key?: string;
  readonly options?: readonly v.GenericSchema[];
}

/**
 * Returns how a record differs from its shape, such as “a number instead of a string for [3].name”; undefined if it does
 * not. `at` is the path of the record.
 */
export function recordProblem({ fields, body = {} }: RecordShape, record: unknown, at = ''): string | undefined {
  if (!isObject(record)) return mismatch(record, 'a record', at);
  return membersProblem(fields, record, at, true) ?? membersProblem(body, record, at, false);
}

/** `isStrict`: fields may be null or missing only if their schemas allow it. */
function membersProblem(entries: v.ObjectEntries, record: Given, at: string, isStrict: boolean): string | undefined {
  for (const [name, schema] of Object.entries(entries)) {
    const value = ownMember(record, name);
    const isFree = isStrict
      ? value === undefined && (schema.type === 'optional' || schema.type === 'nullish')
      : (value ?? undefined) === undefined;
    const problem = isFree ? undefined : typeProblem(schema as v.GenericSchema, value, joinPath(at, name), isStrict);
    if (problem) return problem;
  }
  return undefined;
}

/** The names of types in messages. */
const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  literal: 'a string',
  picklist: 'a string',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  variant: 'an object',
};

function typeProblem(schema: v.GenericSchema, value: unknown, at: string, isStrict: boolean): string | undefined {
  const { type, wrapped, item, entries = {}, options = [] } = schema as unknown as Introspected;
  if (wrapped) return value === null && type.startsWith('null') ? undefined : typeProblem(wrapped, value, at, isStrict);
  if (type === 'union') {
    const problems = options.map((option) => typeProblem(option, value, at, isStrict));
    const names = options.map((option) => typeNames[option.type]);
    return problems.includes(undefined) ? undefined : mismatch(value, names.join(' or '), at);
  }
  const expected = typeNames[type];
  if (expected === undefined) return undefined;
  if (typeName(value) !== expected) return mismatch(value, expected, at);
  if (type === 'variant') return kindProblem(schema, value as Given, at, isStrict);
  if (type === 'object') return membersProblem(entries, value as Given, at, isStrict);
  if (type !== 'array') return undefined;
  for (const [index, element] of (value as readonly unknown[]).entries()) {
    const problem = typeProblem(item as v.GenericSchema, element, joinPath(at, index), isStrict);
    if (problem) return problem;
  }
  return undefined;
}

/** Checks the fields of an object of a known kind. */
function kindProblem(variant: v.GenericSchema, value: Given, at: string, isStrict: boolean): string | undefined {
  const { key = '', options = [] } = variant as unknown as Introspected;
  const word = ownMember(value, key);
  if (typeof word !== 'string') return mismatch(word, 'a string', joinPath(at, key));
  const kind = kindIn(options as Parameters<typeof kindIn>[0], key, word);
  return kind && typeProblem(kind, value, at, isStrict);
}

const mismatch = (value: unknown, expected: string, at: string): string =>
  `${typeName(value)} instead of ${expected}${at && ` for ${at}`}`;

function typeName(value: unknown): string {
  if (isExactInteger(value)) return 'an integer that is too large';
  if (isObject(value)) return 'an object';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isFinite(value) ? 'a number' : 'an infinite number';
  if (typeof value === 'boolean') return 'true or false';
  return typeof value === 'string' ? 'a string' : value === null ? 'null' : 'nothing';
}
