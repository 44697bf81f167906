/** Shared by the lists of dismissal and bypass requests. */
import type * as v from 'valibot';
import { fieldShape } from '../../cli/input/field-shape.ts';
import { flagName, queryFlags } from '../../cli/input/fields.ts';
import { asText } from '../../json/exact-json.ts';
import type { Given } from '../../platform/validate.ts';

/** Returns the arguments that identify a request in other commands: `acme/site 5`, or `5` for a request without a repository. */
export const withRepository =
  <R extends { readonly repository: { readonly full_name: string | null } }>(
    number: (request: R) => string | number | null,
  ) =>
  (request: R): string =>
    [request.repository.full_name ?? [], number(request)].flat().join(' ');

/** Returns the status in the words of the list filters, which call pending requests open. */
export const statusOf = ({ status }: { readonly status: string }): string => (status === 'pending' ? 'open' : status);

/** The filter for open requests within the longest period that the platform supports. */
export const openRequests = { request_status: 'open', time_period: 'month' } as const;

/** Returns the flags for the filters of a queue, which has all open requests by default. */
export function queueFlags<const E extends v.ObjectEntries>(query: E) {
  const flags = queryFlags(query);
  for (const [name, value] of Object.entries(openRequests)) {
    const flag = (flags as Record<string, { description?: string }>)[flagName(name)];
    if (flag) flag.description = flag.description?.replace(/default: \w+/, `default: ${value}`);
  }
  return flags;
}

/** Returns which requests of a queue are shown. */
export function queueShown({ request_status: status, time_period: period }: Given): string {
  const others = status === 'all' ? '' : '; --request-status all shows the others';
  return `Showing ${asText(status)} requests of the last ${asText(period)}${others}.`;
}

interface WindowedList {
  readonly query: { readonly time_period: v.GenericSchema };
}

/**
 * Returns the period that a list covers. The platform defaults to a day or a month, so an empty list does not mean
 * that no requests exist.
 */
export function timeCovered({ query }: WindowedList, period: unknown): string {
  if (period !== undefined) return `Showing the last ${asText(period)}.`;
  const { notes, words } = fieldShape(query.time_period);
  return `Showing the last ${notes.default} (default); change with --time-period (${words.join(', ')}).`;
}
