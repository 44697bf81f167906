import { expect, it } from 'vitest';
import { secondsFor } from '../../../../src/fleet/policy/planning/estimate.ts';

it.each<[what: string, changes: number, quota: Parameters<typeof secondsFor>[1], seconds: number]>([
  ['a second for each change', 1851, { limit: 5000, left: 4990, resetMs: 3_000_000 }, 1851],
  [
    'the time until the reset, if reads and writes need more',
    2500,
    { limit: 5000, left: 4990, resetMs: 3_000_000 },
    3000,
  ],
  ['further hours for further quotas', 10_000, { limit: 5000, left: 4990, resetMs: 3_000_000 }, 3000 + 3 * 3600],
])('the estimate of an apply is %s', (_what, changes, quota, seconds) => {
  expect(secondsFor(changes, quota)).toBe(seconds);
});
