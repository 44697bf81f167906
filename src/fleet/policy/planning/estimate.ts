/** Estimates how long an apply takes. */
import type { Quota } from '../../../client/transport/limits.ts';
import { betweenWritesMs } from '../../../client/transport/pace.ts';

const hour = 3600;

/**
 * Returns the seconds that changes take at the rate limits of the platform. Each is a write, one second after the one
 * before, and a read of its object, which stay below the points per minute of their endpoints. Both count against the quota.
 */
export function secondsFor(changes: number, { limit, left, resetMs }: Quota): number {
  const paced = (changes * betweenWritesMs) / 1000;
  const excess = 2 * changes - left;
  return excess <= 0 ? paced : Math.max(paced, resetMs / 1000 + Math.floor((excess - 1) / Math.max(limit, 1)) * hour);
}
