/** What lists of requests that somebody reviews share: dismissals and bypasses. */
import type * as v from 'valibot';
import { fieldShape } from '../cli/input/field-shape.ts';

/** Returns the words that name a request of any repository to the other commands: `acme/site 5`; `5` where the platform names none. */
export const withRepository =
  <R extends { readonly repository: { readonly full_name: string | null } }>(
    number: (request: R) => string | number | null,
  ) =>
  (request: R): string =>
    [request.repository.full_name ?? [], number(request)].flat().join(' ');

/** Returns the status as the filters of the lists spell it: they call what is pending open. */
export const statusOf = ({ status }: { readonly status: string }): string => (status === 'pending' ? 'open' : status);

interface WindowedList {
  readonly query: { readonly time_period: v.GenericSchema };
}

/**
 * Says which time a list covers. The platform shows a day or a month unless told otherwise, so that an empty list does
 * not mean that there are no requests.
 */
export function timeCovered({ query }: WindowedList, period: unknown): string {
  if (period !== undefined) return `The list covers the last ${period}.`;
  const { notes, words } = fieldShape(query.time_period);
  return `The list covers the last ${notes.default}, as the platform does unless told otherwise; --time-period takes ${words.join(', ')}.`;
}
