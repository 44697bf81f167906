/** Builds the request of `api` from its flags. */
import type { Readable } from 'node:stream';
import { UsageError } from '../../cli/errors.ts';
import { kindOf, parseDocument } from '../../cli/input/body-input.ts';
import { nameOf, readSource } from '../../cli/input/sources.ts';
import { isRead } from '../../client/http.ts';
import { graphqlPath, type RawRequest } from '../../client/raw-request.ts';
import { isJsonBody } from '../../client/request.ts';
import { isObject } from '../../json/exact-json.ts';
import { invalid, type Problem } from '../../platform/validate.ts';
import { apiFields, type FieldSources, queryOf } from './fields.ts';
import { graphqlBody } from './graphql.ts';
import { apiHeaders, previewNames } from './headers.ts';

export interface TypedRequest {
  readonly path: string;
  readonly method: RawRequest['method'] | undefined;
  readonly 'raw-field': readonly string[] | undefined;
  readonly field: readonly string[] | undefined;
  readonly header: readonly string[] | undefined;
  readonly preview: readonly string[] | undefined;
  readonly input: string | undefined;
  readonly paginate: boolean;
}

interface ReadRequest {
  readonly raw: RawRequest;
  readonly problems: readonly Problem[];
  readonly notices: readonly string[];
}

/** Returns the request; with problems, one that must not be sent. Throws UsageError for files that cannot be read. */
export async function apiRequest(typed: TypedRequest, sources: FieldSources): Promise<ReadRequest> {
  const { path, input, paginate } = typed;
  const { values, problems: unplaced, notices } = await apiFields(typed['raw-field'], typed.field, sources);
  const { headers, problems: badHeaders } = apiHeaders(typed.header);
  const { previews, problems: badPreviews } = previewNames(typed.preview);
  const problems = [...unplaced, ...badHeaders, ...badPreviews];
  const hasFields = Object.keys(values).length > 0;
  const method = typed.method ?? (hasFields || input !== undefined ? 'POST' : 'GET');
  const raw = { method, path, headers, previews };
  if (isRead(method)) {
    const { query, problems: unfit } = queryOf(values);
    if (input !== undefined) problems.push(invalid('--input', `is a body, but ${method} requests have none`));
    const sized =
      paginate && !query.per_page && !/[?&]per_page=/.test(path) ? { ...query, per_page: largestPage } : query;
    return { raw: { ...raw, query: sized }, problems: [...problems, ...unfit], notices };
  }
  const fields = path === graphqlPath ? graphqlBody(values) : values;
  if (problems.length > 0 || input === undefined)
    return { raw: { ...raw, body: hasFields ? fields : undefined }, problems, notices };
  if (!isJsonBody(headers) && !hasFields)
    return { raw: { ...raw, text: await readSource(input, sources.stdin, '--input') }, problems, notices };
  return {
    raw: { ...raw, body: await inputWith(hasFields ? fields : undefined, input, sources.stdin) },
    problems,
    notices,
  };
}

/** The flags that decide how a response is printed. */
export interface PrintingFlags {
  readonly paginate: boolean;
  readonly slurp: boolean;
  readonly include: boolean;
  readonly silent: boolean;
  readonly where?: string | undefined;
  readonly jq?: string | undefined;
  readonly output?: string | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** Returns whether `--paginate` prints one list of the records of all pages, as list commands do, and not as `gh` does. */
export const listsRecords = ({ where, output = 'json', fields }: PrintingFlags): boolean =>
  where !== undefined || output !== 'json' || fields !== undefined;

/** Returns the problems of flags that cannot be used together. */
export function combinationProblems(flags: PrintingFlags): Problem[] {
  const { paginate, slurp, where, include, silent, jq } = flags;
  const refused: readonly (readonly [boolean, string, string])[] = [
    [slurp && !paginate, '--slurp', 'requires --paginate'],
    [where !== undefined && !paginate, '--where', 'requires --paginate'],
    [where !== undefined && slurp, '--where', 'cannot be used with --slurp'],
    [include && slurp, '--include', 'cannot be used with --slurp'],
    [include && paginate && listsRecords(flags), '--include', 'prints pages; with --paginate, only JSON has them'],
    [silent && jq !== undefined, '--silent', 'cannot be used with --jq'],
  ];
  return refused.flatMap(([applies, flag, message]) => (applies ? [invalid(flag, message)] : []));
}

/** The platform serves at most this many records on one page. Specification, Limits. */
const largestPage = '100';

/** Reads the body of --input, overridden by the fields. */
async function inputWith(
  fields: Readonly<Record<string, unknown>> | undefined,
  input: string,
  stdin: Readable,
): Promise<unknown> {
  const name = nameOf(input, '--input');
  const given = await parseDocument(name, await readSource(input, stdin, '--input'));
  if (!fields) return given;
  if (!isObject(given))
    throw new UsageError(`${name} contains ${kindOf(given)}; -f and -F require an object. Nothing was sent.`);
  return { ...given, ...fields };
}
