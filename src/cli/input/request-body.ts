/** Builds and checks the body of a request from flags, `--input` and the command's own values. */
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
import { invalidArgument } from './args.ts';
import { readBodyInput } from './body-input.ts';
import { flagName } from './fields.ts';
import type { FieldQuestion } from './prompts/field-question.ts';
import { type TypedFields, typedFields } from './typed-fields.ts';

/** Fields that the command sets; a function if they depend on `--input`. */
type Fixed = Given | ((input: Given) => Given);

/** Options of a body beside the flags. */
export interface BodyOptions {
  /** The resource that the body creates or updates: `--input` may be one of its records. */
  readonly resource?: ResourceDeclaration;
  readonly body?: Fixed;
  /** Nested fields that have their own flags, as an alternative to JSON. */
  readonly parts?: Readonly<Record<string, v.ObjectEntries>>;
  /** The maximum size of `--input` in bytes, if it is larger than usual. */
  readonly largestInput?: number;
  /** True for updates, for which an empty body is a mistake on the command line. */
  readonly changes?: boolean;
  /** Fields without prompts, because the command sets them. */
  readonly made?: readonly string[];
  /** Rules of the command beside those of the endpoint. */
  readonly rules?: readonly Rule[];
  /** Reads the record to change, whose values are the defaults of prompts; undefined if it does not exist yet. */
  readonly current?: () => Promise<object | undefined>;
  readonly prompts?: BodyPrompts;
  /** Shows the record that the body is about, before the first prompt. */
  readonly show?: () => Promise<void>;
}

/** Prompts for a body, beyond the fields that the platform requires. */
export interface BodyPrompts {
  /** Reports as missing the fields without which the result has no effect. */
  readonly lacks: Rule;
  /** Loads prompts, by path, for fields whose declarations do not describe the possible answers. */
  readonly questions: () => Promise<Readonly<Record<string, FieldQuestion>>>;
}

/** The user's input for a body. */
export interface GivenBody extends TypedFields {
  /** Paths of the fields that were prompted for. */
  readonly asked?: readonly string[];
  /** The content of `--input`. */
  readonly input: Given;
  /** The fields of `--input` that no body accepts. */
  readonly ignored: readonly string[];
  /** The nested fields that were given by their own flags. */
  readonly parts: Readonly<Record<string, Given>>;
  /** Whether enumerations accept words that this version does not know. */
  readonly allowsUnknown: boolean;
}

/** Reads a body from flags and `--input`. Throws UsageError for an unusable `--input`. */
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

/** Finds masked values: sent back, they would replace the secret. */
function maskedMembers(value: unknown, path = ''): Problem[] {
  if (typeof value === 'string')
    return isMasked(value) ? [invalid(path, 'is masked: get the record with --show-secrets, or omit the field')] : [];
  if (Array.isArray(value)) return value.flatMap((element, index) => maskedMembers(element, joinPath(path, index)));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => maskedMembers(member, joinPath(path, name)));
}

/**
 * Merges flags over the command's own values over `--input`, and checks the result. An unreadable field is reported
 * once.
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
  const unreadFields = Object.keys(known).filter((name) => known[name] === invalidArgument);
  const reported = new Set([...unreadable.map(({ field }) => field), ...unreadFields]);
  return {
    values,
    problems: [
      ...unreadable,
      ...problems.filter(({ field }) => !reported.has(field)),
      ...lacking.filter(({ field }) => !asked.includes(field)),
    ],
    unknown: unknown.filter(({ field }) => !reported.has(field)),
  };
}
