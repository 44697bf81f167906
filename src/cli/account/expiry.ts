/** The notice that a token expires soon. */
import { counted } from '../../output/amounts.ts';
import type { Connection } from './connection.ts';

const dayMs = 86_400_000;

/** Enough time to create another token and deploy it everywhere. */
const soonMs = 7 * dayMs;

/** Returns the notice for a stored token that has expired or expires within days; undefined otherwise. */
export function expiryNotice(
  { profile, tokenExpiresAt }: Pick<Connection, 'profile' | 'tokenExpiresAt'>,
  now: Date,
): string | undefined {
  const end = new Date(tokenExpiresAt ?? '');
  const leftMs = end.getTime() - now.getTime();
  if (Number.isNaN(leftMs) || leftMs > soonMs) return undefined;
  const days = Math.floor(leftMs / dayMs);
  const left = days < 1 ? 'within a day' : `in ${counted(days, 'day')}`;
  const date = end.toISOString().slice(0, 10);
  const what = leftMs < 0 ? `expired on ${date}` : `expires ${left}, on ${date}`;
  return `The token of profile ${profile} ${what}. Replace it with “forgectl auth login --profile ${profile}”.`;
}
