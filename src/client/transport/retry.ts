/** Decides whether and when to retry. Pure, except for the budget's clock. */

import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import type { ExchangeFailure, FaultKind } from './failure.ts';
import { isRateLimited, limitEnd, retryAfter } from './limits.ts';

/** Earlier attempts of one request. */
export interface History {
  /** Failures and 5xx responses. */
  readonly faults: number;
  /** Rate limits without an end time. */
  readonly silentLimits: number;
}

export interface Wait {
  readonly ms: number;
  /** Shown to the user: `The platform returned 503`. */
  readonly reason: string;
  /** True for a rate limit, which applies to other requests, too. */
  readonly isLimit?: boolean;
  readonly history: History;
}

const retriedStatuses: readonly number[] = [500, 502, 503, 504];
const retriedFailures: readonly FaultKind[] = ['connection', 'refused', 'timeout'];

/** A restarting service is back within these tries; longer waits are not worthwhile if nothing listens. */
const triesWhenRefused = 5;

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** Shown to the user while waiting for the end of a rate limit. */
export const rateLimited = 'Rate limit reached';

/** For rate limits without an end time: at least a minute, and longer each time. Published rules for clients. */
const silentLimitMs = 60_000;

/**
 * Returns the wait before a retry; undefined if the request must not be retried. Writes are retried only after a rate
 * limit, which is a refusal.
 */
export function waitAfterResponse(
  { method }: HttpRequest,
  response: HttpResponse,
  history: History,
  { now, random }: { now: number; random: () => number },
): Wait | undefined {
  if (isRateLimited(response)) {
    const reason = rateLimited;
    const end = limitEnd(response, now);
    if (end) return { ms: Math.max(end.ms, 1000), reason, isLimit: true, history };
    const silentLimits = history.silentLimits + 1;
    const ms = silentLimitMs * 2 ** history.silentLimits;
    return { ms, reason, isLimit: true, history: { ...history, silentLimits } };
  }
  if (!isRead(method) || !retriedStatuses.includes(response.status)) return undefined;
  const ms = Math.max(retryAfter(response, now)?.ms ?? 0, backoff(history.faults, random));
  return {
    ms,
    reason: `The platform returned ${response.status}`,
    history: { ...history, faults: history.faults + 1 },
  };
}

/** Returns the wait after a request without a response: only reads are retried. */
export function waitAfterFailure(
  { method, url }: HttpRequest,
  failure: ExchangeFailure,
  history: History,
  random: () => number,
): Wait | undefined {
  const { faults } = history;
  if (!isRead(method) || !retriedFailures.includes(failure.kind)) return undefined;
  if (failure.kind === 'refused' && faults + 1 >= triesWhenRefused) return undefined;
  return {
    ms: backoff(faults, random),
    reason: `${new URL(url).host} ${failure.message}`,
    history: { ...history, faults: faults + 1 },
  };
}

/**
 * Returns the wait in milliseconds after `faults` earlier failures. Full jitter keeps clients that failed at the same
 * time apart.
 */
export const backoff = (faults: number, random: () => number): number =>
  random() * Math.min(longestDelayMs, firstDelayMs * 2 ** faults);

/** Time limit for all waits and retries that the platform causes. Concurrent waits share it and count once. */
export class RetryBudget {
  readonly #totalMs: number;
  readonly #now: () => number;
  #spentMs = 0;
  #retrying = 0;
  #since = 0;

  constructor(totalMs: number, now: () => number) {
    this.#totalMs = totalMs;
    this.#now = now;
  }

  get leftMs(): number {
    const running = this.#retrying > 0 ? this.#now() - this.#since : 0;
    // A clock may count parts of a millisecond. A wait of the whole budget must fit into a budget that nothing was spent of.
    return Math.ceil(this.#totalMs - this.#spentMs - running);
  }

  async charge<T>(task: () => Promise<T>): Promise<T> {
    if (this.#retrying++ === 0) this.#since = this.#now();
    try {
      return await task();
    } finally {
      if (--this.#retrying === 0) this.#spentMs += this.#now() - this.#since;
    }
  }
}
