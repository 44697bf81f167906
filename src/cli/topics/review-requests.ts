/** What lists of requests that somebody reviews share: dismissals and bypasses. */
import type * as v from 'valibot';
import { invalid, type Problem } from '../../platform/validate.ts';
import type { RepoName } from '../args.ts';
import { fieldShape } from '../fields.ts';

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

/** A flag that only the lists of an organization have, given with a single repository. */
export function onlyForOrganizations(flag: string, given: boolean, { owner, repo }: RepoName): Problem[] {
  return given ? [invalid(flag, `goes only with an organization, and ${owner}/${repo} is a single repository`)] : [];
}
