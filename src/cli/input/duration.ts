/** Durations as users type them. */
import { BadValue } from './values.ts';

const units: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Timers set for longer than this fire immediately. */
const longest = 24 * 86_400_000;

/**
 * Parses `500ms`, `30s`, `5m`, `1h`, `1.5h` or `7d`; a number alone means seconds.
 *
 * @returns milliseconds
 * @throws BadValue for anything else, and for more than 24 days
 */
export function parseDuration(text: string): number {
  const milliseconds = parseAge(text);
  if (milliseconds > longest) throw new BadValue('must be at most 24d');
  return milliseconds;
}

/** Like `parseDuration`, for times in the past, of any length. */
export function parseAge(text: string): number {
  const [, number, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d|w)?$/.exec(text.trim()) ?? [];
  const factor = units[unit];
  if (number === undefined || factor === undefined)
    throw new BadValue('must be a duration such as 500ms, 30s, 5m, 1h or 7d');
  return Math.round(Number(number) * factor);
}

/** Like `parseDuration`, for request timeouts: rejects zero, which would expire before the request is sent. */
export function parseTimeout(text: string): number {
  const milliseconds = parseDuration(text);
  if (milliseconds === 0) throw new BadValue('must be longer than 0s');
  return milliseconds;
}

/** Returns a date or time in ISO 8601, given the time of now in epoch milliseconds. */
export type PointInTime = (now: number) => string;

/** Parses a date (`2026-03-01`), a time (`2026-03-01T12:00Z`), or an age such as `12h` or `1w`. Throws BadValue. */
export function parsePointInTime(text: string): PointInTime {
  if (/^\d{1,5}[a-z]$/.test(text)) {
    const age = parseAge(text);
    return (now) => withoutFraction(new Date(now - age));
  }
  const isDate = /^\d{4}-\d\d-\d\d$/.test(text);
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const at = isDate || isTime ? new Date(text) : undefined;
  if (!at || Number.isNaN(at.getTime()) || (isDate && at.toISOString().slice(0, 10) !== text))
    throw new BadValue(
      'must be a date such as 2026-03-01, a time such as 2026-03-01T12:00Z, or an age such as 12h or 1w',
    );
  return () => (isDate ? text : withoutFraction(at));
}

const withoutFraction = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z');
