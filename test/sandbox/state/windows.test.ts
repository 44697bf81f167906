import { expect, test } from 'vitest';
import { windowStart } from '../../../src/sandbox/state/windows.ts';

test.each([
  ['hour', '2026-03-31T11:00:00.000Z'],
  ['day', '2026-03-30T12:00:00.000Z'],
  ['week', '2026-03-24T12:00:00.000Z'],
  ['month', '2026-03-01T12:00:00.000Z'],
  ['quarter', '2025-12-31T12:00:00.000Z'],
  ['year', '2025-03-31T12:00:00.000Z'],
])('a list of the last %s starts at %s', (period, start) => {
  const clock = () => new Date('2026-03-31T12:00:00Z');
  expect(new Date(windowStart({ clock }, period)).toISOString()).toBe(start);
});
