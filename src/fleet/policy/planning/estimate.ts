/** Estimates how long an apply takes. */
import type { Quota } from '../../../client/transport/limits.ts';
import { betweenWritesMs, readsPerSecond } from '../../../client/transport/pace.ts';
import { groupsOf } from '../kinds/groups.ts';
import { type PlannedChange, targetIdOf } from '../live/change.ts';

const hour = 3600;

/**
 * Returns the seconds that changes take at the rate limits of the platform. Writes are sent one second apart. Before them, each
 * object is read, and its target, to compare its ID; both stay below the points per minute of their endpoints. All of
 * these count against the quota.
 */
export function secondsFor(changes: readonly PlannedChange[], { limit, left, resetMs }: Quota): number {
  const writes = groupsOf(changes).length;
  const checks = changes.filter((change) => targetIdOf(change) !== undefined).length;
  const paced = Math.max((writes * betweenWritesMs) / 1000, Math.ceil(checks / readsPerSecond));
  const excess = writes + changes.length + checks - left;
  return excess <= 0 ? paced : Math.max(paced, resetMs / 1000 + Math.floor((excess - 1) / Math.max(limit, 1)) * hour);
}
