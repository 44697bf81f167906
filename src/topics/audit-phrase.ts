/**
 * The search phrase of the audit log. Public platform, Searching the audit log: QUALIFIER:VALUE, all of which must
 * match.
 */
import type { PointInTime } from '../cli/input/duration.ts';
import { BadValue } from '../cli/input/values.ts';

interface Wanted {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  /** As NAME or OWNER/NAME. */
  readonly repo?: string | undefined;
  readonly since?: PointInTime | undefined;
  readonly until?: PointInTime | undefined;
  /** The owner of a repository given as NAME. */
  readonly org?: string | undefined;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Returns a phrase that begins with the given one; undefined if nothing restricts the list. */
export function searchPhrase(phrase: string | undefined, wanted: Wanted): string | undefined {
  const { actor, action, repo, since, until, org, now } = wanted;
  const terms = [
    phrase,
    actor && `actor:${actor}`,
    action && `action:${action}`,
    repo && `repo:${repo.includes('/') ? repo : `${org}/${repo}`}`,
    createdTerm(since?.(now), until?.(now)),
  ];
  return terms.filter(Boolean).join(' ') || undefined;
}

function createdTerm(since: string | undefined, until: string | undefined): string | undefined {
  if (since === undefined) return until && `created:<=${until}`;
  return until === undefined ? `created:>=${since}` : `created:${since}..${until}`;
}

/** Returns whether a period ends before it begins. A date includes its whole day. */
export function isReversed(since: PointInTime | undefined, until: PointInTime | undefined, now: number): boolean {
  if (!since || !until) return false;
  const last = until(now);
  return Date.parse(since(now)) > Date.parse(last) + (last.includes('T') ? 0 : 86_399_999);
}

/** Parses the name of an action, or of a category of actions. Throws BadValue. */
export function actionName(text: string): string {
  if (!/^[a-z_]+(?:\.[a-z_]+)?$/.test(text))
    throw new BadValue('must be an action such as repo.destroy, or a category such as repo');
  return text;
}

/** Parses NAME or OWNER/NAME. Throws BadValue. */
export function repositoryName(text: string): string {
  if (!/^(?:[\w.-]+\/)?[\w.-]+$/.test(text)) throw new BadValue('must be OWNER/NAME, or NAME with ORG');
  return text;
}
