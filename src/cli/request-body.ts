/** Flags, `--input` and what the command itself knows → the body of a request, checked. */
import type { Endpoint } from '../platform/endpoint.ts';
import { checkBody, type Findings, type Given } from '../platform/validate.ts';
import { readBodyInput } from './body-input.ts';
import { typedFields } from './fields.ts';
import type { Runtime } from './runtime.ts';

/** What a command puts into a body by itself; a function where it depends on what `--input` holds. */
type Fixed = Given | ((input: Given) => Given);

/** What a command knows of a body, beside the flags. */
export interface BodyOptions {
  readonly body?: Fixed;
  /** Takes the body out of what `--input` holds, where that may be more than a body. */
  readonly fromInput?: (input: Given) => Given;
}

/**
 * Lays what was typed over what the command knows over `--input`, and checks the whole. A field that could not be read
 * is told once, for that alone. Throws UsageError for an `--input` that cannot be used.
 */
export async function requestBody(
  endpoint: Endpoint,
  flags: Given,
  { body: fixed = {}, fromInput = (input) => input }: BodyOptions,
  runtime: Pick<Runtime, 'stdin'>,
): Promise<Findings & { readonly values: Given }> {
  const typed = await typedFields(endpoint.body?.entries ?? {}, flags, runtime.stdin);
  const given =
    typeof flags.input === 'string' ? fromInput(await readBodyInput(flags.input, runtime.stdin, '--input')) : {};
  const values = { ...given, ...(typeof fixed === 'function' ? fixed(given) : fixed), ...typed.values };
  const { problems, unknown } = checkBody(endpoint, values);
  const told = new Set(typed.problems.map(({ field }) => field));
  return {
    values,
    problems: [...typed.problems, ...problems.filter(({ field }) => !told.has(field))],
    unknown: unknown.filter(({ field }) => !told.has(field)),
  };
}
