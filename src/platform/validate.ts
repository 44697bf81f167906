/** Checks a body or query parameters against a declaration, and reports every invalid field at once. */
import * as v from 'valibot';
import { asText, isObject, ownMember } from '../json/exact-json.ts';
import type { KindNotes } from './schema.ts';
import { closest, misspelled } from './suggest.ts';

/** A problem with one field. `field` is its dotted path in the body, with list indexes in brackets. */
export interface Problem {
  readonly field: string;
  readonly message: string;
  /**
   * The kind of problem: the platform's own codes from the `errors` of a 422, and our own codes for unknown fields,
   * enumeration words and kinds of object.
   */
  readonly code: 'missing_field' | 'invalid' | 'unknown_field' | 'unknown_word' | 'unknown_kind';
  /** True if the unknown name is a misspelling of a known one. */
  readonly isMisspelled?: true;
}

/** The body as given, before validation. */
export type Given = Readonly<Record<string, unknown>>;

/**
 * A check across fields. It also runs when single fields are invalid, to report everything at once; it must not
 * assume declared types or repeat the checks of a field's own schema.
 */
export type Rule = (body: Given) => readonly Problem[];

export const invalid = (field: string, message: string): Problem => ({ field, message, code: 'invalid' });
export const missing = (field: string, message = 'is required'): Problem => ({ field, message, code: 'missing_field' });

/** Returns whether a name can be that of a field. Platforms have none with capitals, but may ignore their case. */
export const isFieldName = (name: string): boolean => /^[a-z][a-z0-9_]*$/.test(name);

/** The maximum number of problems, and of unknown parts, that one check reports; a large input can have millions. */
const mostNamed = 1000;

export interface Findings {
  /** Errors on every platform. */
  readonly problems: readonly Problem[];
  /** Unknown fields, enumeration words and kinds of object, which a newer platform may support. */
  readonly unknown: readonly Problem[];
}

/**
 * Moves unknown parts that must not be sent to the problems: misspelled names, and unknown words of enumerations
 * unless `allowsUnknown`.
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

/** Checks `body` against the endpoint's schema and rules. Never throws. */
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
 * Checks a value against a schema, and reports parts that the schema does not declare, up to a maximum. Never throws.
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

/** Returns valibot's issues, up to slightly more than the reported maximum. */
function issuesOf(schema: v.GenericSchema, value: unknown): readonly v.BaseIssue<unknown>[] {
  let asked = 0;
  const config = {
    abortPipeEarly: true,
    /** valibot reads this a few times for each issue; its own config functions would copy the first value. */
    get abortEarly() {
      return ++asked > 10 * mostNamed;
    },
  };
  return schema['~run']({ value }, config).issues ?? [];
}

function fieldPath(issue: v.BaseIssue<unknown>): string {
  return (issue.path ?? []).reduce((path, { key }) => joinPath(path, key as string | number), '');
}

/** Appends a field to a dotted path; list indexes, and names that would make the path ambiguous, are in brackets. */
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
  /** The schema of every field of a record. */
  readonly value?: v.GenericSchema;
  /** The field that distinguishes the kinds of a variant. */
  readonly key?: string;
  /** The kinds of a variant, or the words of a picklist. */
  readonly options?: readonly unknown[];
}

type KindSchema = v.GenericSchema & { readonly entries: Readonly<Record<string, v.GenericSchema>> };

/** Returns the kind of a variant with this word; undefined for an unknown word. */
export const kindIn = (kinds: readonly KindSchema[], key: string, word: unknown): KindSchema | undefined =>
  kinds.find(({ entries }) => v.is(entries[key] as v.GenericSchema, word));

/** The path to a value as a linked list, last step first; formatted only for reported problems. */
interface Step {
  readonly before: Step | undefined;
  readonly key: string | number;
}

const pathOf = (step: Step | undefined): string => (step ? joinPath(pathOf(step.before), step.key) : '');

/**
 * Walks a value along its schema and finds what valibot does not report: unknown parts, and lists where objects are
 * expected.
 */
class Walk {
  readonly problems: Problem[] = [];
  readonly unknown: Problem[] = [];

  visit(schema: v.GenericSchema, value: unknown, at?: Step): void {
    const part = schema as Introspected;
    if (part.wrapped) this.visit(part.wrapped, value, at);
    else if (part.type === 'picklist') this.#word(value, part.options as readonly string[], asText(part.message), at);
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
    // valibot accepts a list as an object.
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
      const known = ownMember(entries, name);
      if (known) this.visit(known, each, step);
      else if (this.#namesMore()) {
        const lacking = Object.keys(entries).filter((field) => !Object.hasOwn(value, field));
        this.#unknown('unknown_field', 'is not a known field', step, misspelled(name, lacking));
      }
    }
  }

  #kind(variant: Introspected, value: Given, at: Step | undefined): void {
    const { key = '', options = [], pipe = [] } = variant;
    const word = value[key];
    const kinds = options as readonly KindSchema[];
    const kind = kindIn(kinds, key, word);
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

  /** Finding a suggestion takes far longer than the check itself. */
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
