/** Checks a body or a set of query parameters against its declaration, and names every bad field at once. */
import * as v from 'valibot';
import { isObject } from '../json/exact-json.ts';
import type { KindNotes } from './schema.ts';
import { closest, misspelled } from './suggest.ts';

/** One thing wrong with one field. `field` is its path in the body, dotted, with list positions in brackets. */
export interface Problem {
  readonly field: string;
  readonly message: string;
  /**
   * The kind of problem: the platform's own words, as in the `errors` of a 422, for what is wrong everywhere; the others
   * for what this version does not know: a field, a word of an enumeration, a kind of object.
   */
  readonly code: 'missing_field' | 'invalid' | 'unknown_field' | 'unknown_word' | 'unknown_kind';
  /** True for what is unknown because a known name was misspelled. */
  readonly isMisspelled?: true;
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

/** The most problems, and the most unknown parts, that one check names: a large input can hold millions. */
const mostNamed = 1000;

export interface Findings {
  /** What makes the request wrong on every platform. */
  readonly problems: readonly Problem[];
  /** What this version does not know but a newer platform may: unknown fields, words of enumerations and kinds of object. */
  readonly unknown: readonly Problem[];
}

/**
 * Returns the findings with the unknown parts that must not be sent among the problems: misspelled names, and words that an
 * enumeration does not have unless `allowsUnknown`.
 */
export function refuseUnknown({ problems, unknown }: Findings, allowsUnknown: boolean): Findings {
  const isRefused = ({ code, isMisspelled }: Problem) => isMisspelled || (code === 'unknown_word' && !allowsUnknown);
  return {
    problems: [...problems, ...unknown.filter(isRefused)],
    unknown: unknown.filter((part) => !isRefused(part)),
  };
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
  return {
    ...findings,
    problems: [...findings.problems, ...ruled.filter(({ field }) => !told.has(field)).slice(0, mostNamed)],
  };
}

/**
 * Checks any value against a schema, and names the parts that the schema does not know. Of a great many it names the first.
 * Never throws.
 */
export function checkValue(schema: v.GenericSchema, value: unknown): Findings {
  const walk = new Walk();
  walk.visit(schema, value);
  const told = [...walk.unknown, ...walk.problems].map(({ field }) => field);
  const isTold = (field: string) =>
    told.some((path) => field === path || field.startsWith(`${path}[`) || field.startsWith(`${path}.`));
  const problems = issuesOf(schema, value).flatMap((issue) => {
    const field = fieldPath(issue);
    if (isTold(field)) return [];
    return issue.input === undefined ? missing(field) : invalid(field, issue.message);
  });
  return { problems: firstOf([...walk.problems, ...problems]), unknown: walk.unknown };
}

const firstOf = (problems: readonly Problem[]): readonly Problem[] =>
  problems.length <= mostNamed
    ? problems
    : [...problems.slice(0, mostNamed), invalid('', `only the first ${mostNamed} problems are listed`)];

/** Returns what valibot finds wrong: all of it, or more than is named. */
function issuesOf(schema: v.GenericSchema, value: unknown): readonly v.BaseIssue<unknown>[] {
  let asked = 0;
  const config = {
    abortPipeEarly: true,
    /** Asked a few times for each issue. valibot's own functions would copy the first answer. */
    get abortEarly() {
      return ++asked > 10 * mostNamed;
    },
  };
  return schema['~run']({ value }, config).issues ?? [];
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
  readonly message?: unknown;
  readonly literal?: unknown;
  readonly pipe?: readonly { readonly metadata?: unknown }[];
  readonly entries?: Readonly<Record<string, v.GenericSchema>>;
  readonly item?: v.GenericSchema;
  readonly items?: readonly v.GenericSchema[];
  readonly wrapped?: v.GenericSchema;
  /** The schema of every member of a record. */
  readonly value?: v.GenericSchema;
  /** What tells the kinds of a variant apart. */
  readonly key?: string;
  /** The kinds of a variant, or the words of a picklist. */
  readonly options?: readonly unknown[];
}

type KindSchema = v.GenericSchema & { readonly entries: Readonly<Record<string, v.GenericSchema>> };

/** The way to a value: the last step first, and made into text only for what is named. */
interface Step {
  readonly before: Step | undefined;
  readonly key: string | number;
}

const pathOf = (step: Step | undefined): string => (step ? joinPath(pathOf(step.before), step.key) : '');

/** Goes through a value along its schema for what valibot does not tell: unknown parts, and lists in the place of objects. */
class Walk {
  readonly problems: Problem[] = [];
  readonly unknown: Problem[] = [];

  visit(schema: v.GenericSchema, value: unknown, at?: Step): void {
    const part = schema as Introspected;
    if (part.wrapped) this.visit(part.wrapped, value, at);
    else if (part.type === 'picklist') this.#word(value, part.options as readonly string[], String(part.message), at);
    else if (part.type === 'array' || part.type === 'strict_tuple') this.#elements(part, value, at);
    else if (part.type === 'object' || part.type === 'record' || part.type === 'variant')
      this.#members(part, value, at);
  }

  #elements({ item, items }: Introspected, value: unknown, at: Step | undefined): void {
    if (!Array.isArray(value)) return;
    for (const [index, element] of value.entries()) {
      const schema = item ?? items?.[index];
      if (schema) this.visit(schema, element, { before: at, key: index });
    }
  }

  #members(part: Introspected, value: unknown, at: Step | undefined): void {
    if (typeof value !== 'object' || value === null) return;
    // To valibot a list is an object, too.
    if (!isObject(value)) {
      if (this.problems.length < mostNamed) this.problems.push(invalid(pathOf(at), 'must be an object'));
    } else if (part.type === 'variant') this.#kind(part, value, at);
    else if (part.type === 'object') this.#fields(part.entries ?? {}, value, at);
    else
      for (const [name, member] of Object.entries(value))
        this.visit(part.value as v.GenericSchema, member, { before: at, key: name });
  }

  #fields(entries: Readonly<Record<string, v.GenericSchema>>, value: Given, at: Step | undefined): void {
    for (const [name, each] of Object.entries(value)) {
      const step = { before: at, key: name };
      const known = Object.hasOwn(entries, name) ? entries[name] : undefined;
      if (known) this.visit(known, each, step);
      else if (this.#namesMore()) {
        const lacking = Object.keys(entries).filter((field) => !Object.hasOwn(value, field));
        this.#unknown('unknown_field', 'is not a field that this version knows', step, misspelled(name, lacking));
      }
    }
  }

  #kind(variant: Introspected, value: Given, at: Step | undefined): void {
    const { key = '', options = [], pipe = [] } = variant;
    const word = value[key];
    const kinds = options as readonly KindSchema[];
    const kind = kinds.find(({ entries }) => v.is(entries[key] as v.GenericSchema, word));
    if (kind) this.#fields(kind.entries, value, at);
    if (kind || typeof word !== 'string' || !this.#namesMore()) return;
    const { unknown, isOpen } = pipe.flatMap(({ metadata }) => metadata ?? [])[0] as KindNotes;
    const words = kinds.flatMap(({ entries }) => {
      const { literal, options: several = [literal] } = entries[key] as Introspected;
      return several as readonly string[];
    });
    const step = { before: at, key };
    if (isOpen) this.#unknown('unknown_kind', unknown, step, misspelled(word, words));
    else this.#word(word, words, unknown, step);
  }

  #word(value: unknown, words: readonly string[], message: string, at: Step | undefined): void {
    if (typeof value !== 'string' || words.includes(value) || !this.#namesMore()) return;
    this.#unknown('unknown_word', message, at, closest(value, words), misspelled(value, words) !== undefined);
  }

  /** Looking for what was meant takes far longer than looking on. */
  #namesMore(): boolean {
    return this.unknown.length < mostNamed;
  }

  #unknown(
    code: Problem['code'],
    message: string,
    at: Step | undefined,
    meant: string | undefined,
    isMisspelled = meant !== undefined,
  ): void {
    const suggestion = meant === undefined ? '' : ` (did you mean ${meant}?)`;
    const problem = { field: pathOf(at), message: message + suggestion, code };
    this.unknown.push(isMisspelled ? { ...problem, isMisspelled } : problem);
  }
}
