import { expect, test } from 'vitest';
import { parseAge, parseDuration, parseTimeout } from '../../../src/cli/input/duration.ts';
import { BadValue } from '../../../src/cli/input/values.ts';

test.each([
  ['500ms', 500],
  ['30s', 30_000],
  ['5m', 300_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['45', 45_000],
  ['1.5h', 5_400_000],
  ['0', 0],
  [' 10s ', 10_000],
  ['24d', 2_073_600_000],
])('%j is %d milliseconds', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds);
});

test.each(['', 's', '-5s', '5 s', '5y', '1h30m', '1e3', 'soon', '5S', '.5s', '0x10'])(
  '%j is rejected, and the message shows the format of durations',
  (text) => {
    expect(() => parseDuration(text)).toThrow(new BadValue('must be a duration such as 500ms, 30s, 5m, 1h or 7d'));
  },
);

test('more than 24 days is rejected, because timers do not support it', () => {
  expect(() => parseDuration('25d')).toThrow(new BadValue('must be at most 24d'));
});

test('ages may be longer than timers', () => {
  expect(parseAge('365d')).toBe(31_536_000_000);
});

test('a timeout of zero is rejected: it would expire before the request is sent', () => {
  expect(parseTimeout('1ms')).toBe(1);
  for (const text of ['0', '0s', '0.0001ms'])
    expect(() => parseTimeout(text)).toThrow(new BadValue('must be longer than 0s'));
});
