/** Formats values as cells: for people in tables, for programs in TSV and CSV. */

import { asText, type ExactInteger, isExactInteger } from '../../json/exact-json.ts';
import { bytes, counted, formatCount, percent, usd } from '../amounts.ts';
import { safeText } from '../safe-text.ts';
import type { Appearance } from './columns.ts';

/**
 * Formats a value for a table: timestamps as ages, booleans as yes or no, `-` for nothing; on one line and safe for a
 * terminal.
 */
export function humanText(value: unknown, now: Date, as?: Appearance): string {
  if (as === 'yes-no') return value ? 'yes' : 'no';
  if (isNothing(value)) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  const amount = amountText(value, as);
  if (amount !== undefined) return amount;
  const time = timeOf(value, as);
  if (time !== undefined) return as === 'date' ? new Date(time).toISOString().slice(0, 10) : age(time, now.getTime());
  return isPlainList(value) ? value.map((element) => humanText(element, now)).join(', ') : safeText(machineText(value));
}

/** Formats the number of an amount column. */
function amountText(value: unknown, as?: Appearance): string | undefined {
  if (typeof value !== 'number') return undefined;
  switch (as) {
    case 'count':
      return formatCount(value);
    case 'bytes':
      return bytes(value);
    case 'kilobytes':
      return bytes(value * 1024);
    case 'usd':
      return usd(value);
    case 'percent':
      return percent(value);
    default:
      return undefined;
  }
}

function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Formats a value exactly: empty for null, compact JSON for objects and lists. */
export function machineText(value: unknown): string {
  return value === null || value === undefined ? '' : asText(value);
}

type Plain = string | number | ExactInteger | boolean | null;

/** A list that contains no objects or lists. */
export function isPlainList(value: unknown): value is readonly Plain[] {
  return (
    Array.isArray(value) &&
    value.every((element) => typeof element !== 'object' || element === null || isExactInteger(element))
  );
}

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)$/;

/** Returns the epoch milliseconds of an ISO 8601 timestamp, or of seconds to be shown as a time. */
function timeOf(value: unknown, as?: Appearance): number | undefined {
  const time =
    typeof value === 'string' && timestamp.test(value)
      ? Date.parse(value)
      : typeof value === 'number' && (as === 'age' || as === 'date')
        ? value * 1000
        : Number.NaN;
  return Number.isNaN(new Date(time).getTime()) ? undefined : time;
}

const units: readonly (readonly [name: string, seconds: number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Returns the time since or until, in the largest unit that fits. (`Intl.RelativeTimeFormat` takes 16 ms to start.) */
function age(time: number, now: number): string {
  const seconds = Math.abs(now - time) / 1000;
  if (seconds < 1) return 'just now';
  const [name, length] = units.find(([, each]) => seconds >= each) ?? ['second', 1];
  const span = counted(Math.floor(seconds / length), name);
  return time > now ? `in ${span}` : `${span} ago`;
}
