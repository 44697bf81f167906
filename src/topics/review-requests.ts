/** Shared by the lists of dismissal and bypass requests. */
import type * as v from 'valibot';
import { fieldShape } from '../cli/input/field-shape.ts';

/** Returns the arguments that identify a request in other commands: `acme/site 5`, or `5` if the platform names no repository. */
export const withRepository =
  <R extends { readonly repository: { readonly full_name: string | null } }>(
    number: (request: R) => string | number | null,
  ) =>
  (request: R): string =>
    [request.repository.full_name ?? [], number(request)].flat().join(' ');

/** Returns the status in the words of the list filters, which call pending requests open. */
export const statusOf = ({ status }: { readonly status: string }): string => (status === 'pending' ? 'open' : status);

interface WindowedList {
  readonly query: { readonly time_period: v.GenericSchema };
}

/**
 * Returns the period that a list covers. The platform defaults to a day or a month, so an empty list does not mean
 * that no requests exist.
 */
export function timeCovered({ query }: WindowedList, period: unknown): string {
  if (period !== undefined) return `Showing the last ${period}.`;
  const { notes, words } = fieldShape(query.time_period);
  return `Showing the last ${notes.default} (default); change with --time-period (${words.join(', ')}).`;
}
