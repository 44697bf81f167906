/** What policies rely on in the records that they read. Anything else is an invalid response: it is neither absent nor equal. */
import type * as v from 'valibot';
import type { RequestSummary } from '../../../client/errors.ts';
import { invalidResponse } from '../../../client/response.ts';
import type { Endpoint } from '../../../platform/endpoint.ts';
import { type RecordShape, recordProblem } from '../../../platform/record-check.ts';

type FieldsOf<R> = { readonly [K in keyof R]?: v.GenericSchema<unknown, R[K] | undefined> };

/** Declares the fields that a record must have, and those of the body that sets the others. */
export const shape = <R>(fields: FieldsOf<R>, { body }: Pick<Endpoint, 'body'> = {}): RecordShape => ({
  fields: fields as v.ObjectEntries,
  ...(body && { body: body.entries }),
});

/** An endpoint with the shape of its record, or of the records in its list. */
export type Checked<E extends Endpoint = Endpoint> = E & { readonly shape: RecordShape };

/** Returns an endpoint whose responses are checked. */
export const checked = <E extends Endpoint>(endpoint: E, expected: RecordShape): Checked<E> => ({
  ...endpoint,
  shape: expected,
});

/** Throws InvalidResponseError for a record, or the first record of a list, that policies cannot understand. */
export function requireShape({ answer, shape: expected }: Checked, data: unknown, asked: RequestSummary): void {
  if (answer.kind === 'nothing') return;
  const problem =
    answer.kind === 'list' ? firstProblem(expected, data as readonly unknown[]) : recordProblem(expected, data);
  if (problem !== undefined) throw invalidResponse(asked, problem);
}

function firstProblem(expected: RecordShape, records: readonly unknown[]): string | undefined {
  for (const [index, record] of records.entries()) {
    const problem = recordProblem(expected, record, `[${index}]`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
