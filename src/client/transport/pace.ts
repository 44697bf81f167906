/** Delays requests before the platform has to: spreads out the remaining quota, and keeps writes apart. Pure. */

import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { quotaIn } from './limits.ts';

/** Share of the quota below which requests are spread out, since others may use the same token. */
const lowShare = 0.1;

/** Published rules for clients: one second between writes. Not applied if the platform has no rate limits. */
export const betweenWritesMs = 1000;

/** Published rules for clients: points per minute for one endpoint, where a read counts one and a write five. */
const mostPoints = 900;
const pointsMs = 60_000;

/** Reads per second of one endpoint that stay below its points. */
export const readsPerSecond = mostPoints / (pointsMs / 1000);

const pointsOf = (method: string): number => (isRead(method) ? 1 : 5);

/** Pace of one platform and token. Points in time are epoch milliseconds, durations milliseconds. */
export class Pace {
  readonly #betweenWritesMs: number;
  #gapMs = 0;
  /** True once a response has announced a quota. */
  #hasLimits = false;
  #sentAt = Number.NEGATIVE_INFINITY;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #limitedUntil = Number.NEGATIVE_INFINITY;
  #hasResponse = false;
  /** When the points of the last minute were spent, by endpoint. */
  readonly #points = new Map<string, number[]>();

  constructor(betweenMs = betweenWritesMs) {
    this.#betweenWritesMs = betweenMs;
  }

  /** True once a response has come, and none has announced a quota. */
  get isUnlimited(): boolean {
    return this.#hasResponse && !this.#hasLimits;
  }

  /** Records the quota in a response. */
  learn(response: HttpResponse, now: number): void {
    this.#hasResponse = true;
    const quota = quotaIn(response, now);
    if (!quota) return;
    const { left, limit, resetMs } = quota;
    this.#hasLimits = true;
    // An exhausted quota is handled as a rate limit.
    this.#gapMs = left > 0 && left < limit * lowShare ? resetMs / left : 0;
  }

  /** Records a rate limit, which applies to all requests. */
  holdUntil(time: number): void {
    this.#limitedUntil = Math.max(this.#limitedUntil, time);
  }

  /** Returns the remaining duration of the rate limit. */
  limitLeftMs(now: number): number {
    return Math.max(0, this.#limitedUntil - now);
  }

  /** Returns whether a rate limit ended between two times. */
  wasLimited(since: number, now: number): boolean {
    return this.#limitedUntil > since && this.#limitedUntil <= now;
  }

  /**
   * Returns how long the next request must wait, and the reason to show. `endpoint` is the route that requests with other
   * paths share.
   */
  waitFor({ method, url }: HttpRequest, now: number, endpoint = url): { readonly ms: number; readonly reason: string } {
    if (!this.#hasLimits) return { ms: 0, reason: '' };
    const waits = [
      { until: this.#sentAt + this.#gapMs, reason: 'The rate limit is nearly used up, so requests are spread out' },
      {
        until: isRead(method) ? 0 : this.#wroteAt + this.#betweenWritesMs,
        reason: 'Writes are sent one second apart',
      },
      {
        until: this.#pointsFree(endpoint, pointsOf(method)),
        reason: 'The platform allows 900 points per minute for one endpoint, so requests are spread out',
      },
    ];
    const [longest = { until: 0, reason: '' }] = waits.toSorted((a, b) => b.until - a.until);
    return { ms: Math.max(0, longest.until - now), reason: longest.reason };
  }

  sent({ method, url }: HttpRequest, now: number, endpoint = url): void {
    this.#sentAt = now;
    if (!isRead(method)) this.#wroteAt = now;
    if (this.isUnlimited) return;
    const spent = (this.#points.get(endpoint) ?? []).filter((time) => time > now - pointsMs);
    for (let point = 0; point < pointsOf(method); point++) spent.push(now);
    this.#points.set(endpoint, spent);
  }

  /** Returns the time from which on a request stays below the points of its endpoint. */
  #pointsFree(endpoint: string, points: number): number {
    const spent = this.#points.get(endpoint) ?? [];
    const last = spent[spent.length + points - mostPoints - 1];
    return last === undefined ? 0 : last + pointsMs;
  }
}
