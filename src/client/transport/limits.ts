/** Detects rate limits and when they end. Published rules for clients of the platform. */

import type { HttpResponse } from '../http.ts';
import { messageOf } from '../response.ts';

/**
 * A 429 is always a rate limit; a 403 is one if it has `retry-after`, no remaining quota, or a message that says so.
 */
export function isRateLimited(response: HttpResponse): boolean {
  if (response.status === 429) return true;
  if (response.status !== 403) return false;
  if (response.headers['retry-after'] !== undefined || quotaIsSpent(response)) return true;
  return /rate limit|abuse detection/i.test(messageOf(response) ?? '');
}

const quotaIsSpent = ({ headers }: HttpResponse) => headers['x-ratelimit-remaining']?.trim() === '0';

export interface RetryTime {
  /** Time to wait, in milliseconds. */
  readonly ms: number;
  readonly at: Date;
}

/**
 * Returns when the limit ends: `retry-after`, else the reset of an exhausted quota; undefined if the platform does not
 * say.
 */
export function limitEnd(response: HttpResponse, now: number): RetryTime | undefined {
  const after = retryAfter(response, now);
  if (after) return after;
  const reset = response.headers['x-ratelimit-reset'] ?? '';
  return quotaIsSpent(response) && /^\d+$/.test(reset) ? at(Number(reset) * 1000, response, now) : undefined;
}

export interface Quota {
  readonly limit: number;
  readonly left: number;
  /** Time until the quota is reset, in milliseconds. */
  readonly resetMs: number;
}

/** Returns the quota in a response; undefined unless all three headers are present. */
export function quotaIn(response: Pick<HttpResponse, 'headers'>, now: number): Quota | undefined {
  const [limit, left, reset] = (['limit', 'remaining', 'reset'] as const).map((name) => {
    const value = response.headers[`x-ratelimit-${name}`] ?? '';
    return /^\d+$/.test(value) ? Number(value) : undefined;
  });
  if (limit === undefined || left === undefined || reset === undefined) return undefined;
  const end = at(reset * 1000, response, now);
  return end && { limit, left, resetMs: end.ms };
}

/** Parses `retry-after`: seconds, or a date. */
export function retryAfter(response: HttpResponse, now: number): RetryTime | undefined {
  const value = response.headers['retry-after']?.trim() ?? '';
  if (/^\d+$/.test(value)) return retryTime(Number(value) * 1000, now + Number(value) * 1000);
  return at(Date.parse(value), response, now);
}

/** Uses the platform's clock if the response has a date, so that a wrong local clock does not matter. */
function at(time: number, { headers }: Pick<HttpResponse, 'headers'>, now: number): RetryTime | undefined {
  const date = Date.parse(headers.date ?? '');
  return retryTime(time - (Number.isNaN(date) ? now : date), time);
}

function retryTime(ms: number, time: number): RetryTime | undefined {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : { ms: Math.max(ms, 0), at: date };
}
