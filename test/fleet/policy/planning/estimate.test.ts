import { expect, it } from 'vitest';
import type { PlannedChange } from '../../../../src/fleet/policy/live/change.ts';
import { secondsFor } from '../../../../src/fleet/policy/planning/estimate.ts';

const change = (kind: PlannedChange['kind'], at: number, tier = 'gold'): PlannedChange => ({
  ...{ action: 'update', kind, name: '', source: 'p.yaml:1', changes: [], before: {}, body: { tier } },
  ...{ target: `acme/r${at}`, repository_id: at },
});

/** As many changes, each of another repository. */
const changes = (kind: PlannedChange['kind'], count: number) =>
  Array.from({ length: count }, (_, at) => change(kind, at + 1));

const hourly = (limit: number) => ({ limit, left: limit - 10, resetMs: 3_000_000 });

it.each<[what: string, changes: readonly PlannedChange[], limit: number, seconds: number]>([
  ['a second for each change', changes('ruleset', 1500), 5000, 1500],
  ['the time until the reset, if reads and writes need more', changes('ruleset', 1851), 5000, 3000],
  // 30,000 requests.
  ['further hours for further quotas', changes('ruleset', 10_000), 5000, 3000 + 5 * 3600],
  // A request for 30 repositories.
  ['a second for each request that changes several repositories', changes('properties', 61), 5000, 5],
  ['a second for each different change', [change('properties', 1), change('properties', 2, 'silver')], 5000, 2],
  // 334 writes, but 10,000 reads at 15 per second from each of two endpoints.
  ['the time of the reads, if they take longer than the writes', changes('properties', 10_000), 25_000, 667],
])('the estimate of an apply is %s', (_what, all, limit, seconds) => {
  expect(secondsFor(all, hourly(limit))).toBe(seconds);
});
