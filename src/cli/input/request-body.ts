/** Flags, `--input` and what the command itself knows → the body of a request, checked. */
import type * as v from 'valibot';
import { isObject } from '../../json/exact-json.ts';
import { isMasked } from '../../json/secrets.ts';
import type { Endpoint } from '../../platform/endpoint.ts';
import { bodyOfRecord, type ResourceDeclaration } from '../../platform/resource.ts';
import {
  checkBody,
  type Findings,
  type Given,
  invalid,
  joinPath,
  type Problem,
  type Rule,
  refuseUnknown,
} from '../../platform/validate.ts';
import type { Runtime } from '../runtime.ts';
import { unread } from './args.ts';
import { readBodyInput } from './body-input.ts';
import { flagName } from './fields.ts';
import type { FieldQuestion } from './prompts/field-question.ts';
import { type TypedFields, typedFields } from './typed-fields.ts';

/** What a command puts into a body by itself; a function where it depends on what `--input` holds. */
type Fixed = Given | ((input: Given) => Given);

/** What a command knows of a body, beside the flags. */
export interface BodyOptions {
  /** What the body creates or updates: `--input` may hold a record of it, as the platform returns it. */
  readonly resource?: ResourceDeclaration;
  readonly body?: Fixed;
  /** The members of fields that have flags of their own, so that nobody has to write JSON. */
  readonly parts?: Readonly<Record<string, v.ObjectEntries>>;
  /** The largest `--input`, in bytes, where it may be larger than other input. */
  readonly largestInput?: number;
  /** True for a change: a body with nothing in it is a mistake on the command line. */
  readonly changes?: boolean;
  /** Fields that nobody is asked for, because the command makes them. */
  readonly made?: readonly string[];
  /** Rules of the command beside those of the endpoint. */
  readonly rules?: readonly Rule[];
  /** Reads the record to be changed, whose values questions start from. */
  readonly current?: () => Promise<object>;
  readonly prompts?: BodyPrompts;
}

/** How a body is completed that a person is asked for, beyond what the platform requires. */
export interface BodyPrompts {
  /** Names as missing the fields without which the result has no effect. */
  readonly lacks: Rule;
  /** Loads the questions, by path, for fields whose declaration says too little about the possible answers. */
  readonly questions: () => Promise<Readonly<Record<string, FieldQuestion>>>;
}

/** What a person gives of a body. */
export interface GivenBody extends TypedFields {
  /** Paths of the fields that a person was asked for. */
  readonly asked?: readonly string[];
  /** What `--input` holds. */
  readonly input: Given;
  /** The members of `--input` that no body takes. */
  readonly ignored: readonly string[];
  /** The members of fields that flags of their own give. */
  readonly parts: Readonly<Record<string, Given>>;
  /** Whether enumerations may have words that this version does not know. */
  readonly allowsUnknown: boolean;
}

/** Reads what flags and `--input` give of a body. Throws UsageError for an `--input` that cannot be used. */
export async function givenBody(
  endpoint: Endpoint,
  flags: Given,
  { resource, parts = {}, largestInput }: BodyOptions,
  { stdin }: Pick<Runtime, 'stdin'>,
): Promise<GivenBody> {
  const { values, problems } = await typedFields(endpoint.body?.entries ?? {}, flags, stdin);
  const found = [...problems];
  const members: Record<string, Given> = {};
  for (const [field, entries] of Object.entries(parts)) {
    const typed = await typedFields(entries, flags, stdin);
    found.push(...typed.problems);
    members[field] = typed.values;
    if (values[field] === undefined || Object.keys(typed.values).length === 0) continue;
    const own = Object.keys(entries).map((member) => `--${flagName(member)}`);
    found.push(invalid(`--${flagName(field)}`, `cannot be used with ${own.join(' and ')}`));
  }
  const input =
    typeof flags.input === 'string' ? await readBodyInput(flags.input, stdin, '--input', largestInput) : undefined;
  const { body, ignored } =
    resource && input ? bodyOfRecord(resource, endpoint, input) : { body: input ?? {}, ignored: [] };
  found.push(...maskedMembers(body));
  return {
    values,
    problems: found,
    input: body,
    ignored,
    parts: members,
    allowsUnknown: flags['allow-unknown'] === true,
  };
}

/** Names what was masked when it was printed: sent back, it would replace the secret. */
function maskedMembers(value: unknown, path = ''): Problem[] {
  if (typeof value === 'string')
    return isMasked(value) ? [invalid(path, 'is masked: get the record with --show-secrets, or omit the field')] : [];
  if (Array.isArray(value)) return value.flatMap((element, index) => maskedMembers(element, joinPath(path, index)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => maskedMembers(member, joinPath(path, name)));
}

/**
 * Lays what was typed over what the command knows over `--input`, and checks the whole. A field that could not be read
 * is told once, for that alone.
 */
export function requestBody(
  endpoint: Endpoint,
  { values: typed, problems: unreadable, input, parts, allowsUnknown, asked = [] }: GivenBody,
  { body: fixed = {}, rules = [], prompts }: BodyOptions,
): Findings & { readonly values: Given } {
  const known = typeof fixed === 'function' ? fixed(input) : fixed;
  const values: Record<string, unknown> = { ...input, ...known, ...typed };
  for (const [field, members] of Object.entries(parts))
    if (Object.keys(members).length > 0) values[field] = { ...(values[field] as object | undefined), ...members };
  const checked = checkBody({ ...endpoint, rules: [...(endpoint.rules ?? []), ...rules] }, values);
  const { problems, unknown } = refuseUnknown(checked, allowsUnknown);
  const lacking = asked.length > 0 ? (prompts?.lacks(values) ?? []) : [];
  const unreadFields = Object.keys(known).filter((name) => known[name] === unread);
  const told = new Set([...unreadable.map(({ field }) => field), ...unreadFields]);
  return {
    values,
    problems: [
      ...unreadable,
      ...problems.filter(({ field }) => !told.has(field)),
      ...lacking.filter(({ field }) => !asked.includes(field)),
    ],
    unknown: unknown.filter(({ field }) => !told.has(field)),
  };
}
