/** When to ask again, and how long to wait before it. Pure, but for the budget's clock. */

import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import type { ExchangeFailure, FaultKind } from './failure.ts';
import { isRateLimited, limitEnd, retryAfter } from './limits.ts';

/** What happened to one request so far. */
export interface History {
  /** Failures and 5xx answers. */
  readonly faults: number;
  /** Rate limits that did not say when they end. */
  readonly silentLimits: number;
}

export interface Wait {
  readonly ms: number;
  /** In words for people: `The platform returned 503`. */
  readonly reason: string;
  /** True where a rate limit is waited out, which other requests would meet too. */
  readonly isLimit?: boolean;
  readonly history: History;
}

const retriedStatuses: readonly number[] = [500, 502, 503, 504];
const retriedFailures: readonly FaultKind[] = ['connection', 'refused', 'timeout'];

/** A service that restarts is back within these tries; an address where nothing listens is not worth a minute. */
const triesWhenRefused = 5;

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** The reason of a wait for the end of a rate limit, in words for people. */
export const rateLimited = 'Rate limit reached';

/** Without a word from the platform, wait at least a minute, and longer each time. Published rules for clients. */
const silentLimitMs = 60_000;

/**
 * The wait before the request may be sent again, or undefined where it must not be. A rate limit is a refusal, so that
 * writes are repeated after it too; after anything else only reads are.
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

/** The same after a request that got no answer: only reads are sent again. */
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

/** The wait in milliseconds after `faults` before this one. Full jitter keeps clients that failed together apart. */
export const backoff = (faults: number, random: () => number): number =>
  random() * Math.min(longestDelayMs, firstDelayMs * 2 ** faults);

/**
 * The time that all waiting and retrying which the platform causes may take together. Requests that retry side by side share
 * it, and what they wait for at the same time counts once.
 */
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
    return this.#totalMs - this.#spentMs - running;
  }

  /** Charges the time that `task` takes. */
  async charge<T>(task: () => Promise<T>): Promise<T> {
    if (this.#retrying++ === 0) this.#since = this.#now();
    try {
      return await task();
    } finally {
      if (--this.#retrying === 0) this.#spentMs += this.#now() - this.#since;
    }
  }
}
