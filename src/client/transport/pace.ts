/** Delays requests before the platform has to: spreads out the remaining quota, and keeps writes apart. Pure. */

import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { quotaIn } from './limits.ts';

/** Share of the quota below which requests are spread out, since others may use the same token. */
const lowShare = 0.1;

/** Published rules for clients: one second between writes. Not applied if the platform has no rate limits. */
export const betweenWritesMs = 1000;

/** Pace of one platform and token. Points in time are epoch milliseconds, durations milliseconds. */
export class Pace {
  #gapMs = 0;
  #writeGapMs = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #limitedUntil = Number.NEGATIVE_INFINITY;
  #hasResponse = false;

  /** True once a response has come, and none has announced a quota. */
  get isUnlimited(): boolean {
    return this.#hasResponse && this.#writeGapMs === 0;
  }

  /** Records the quota in a response. */
  learn(response: HttpResponse, now: number): void {
    this.#hasResponse = true;
    const quota = quotaIn(response, now);
    if (!quota) return;
    const { left, limit, resetMs } = quota;
    this.#writeGapMs = betweenWritesMs;
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

  /** Returns how long the next request must wait, and the reason to show. */
  waitFor({ method }: HttpRequest, now: number): { readonly ms: number; readonly reason: string } {
    const next = this.#sentAt + this.#gapMs;
    const nextWrite = isRead(method) ? 0 : this.#wroteAt + this.#writeGapMs;
    return nextWrite > next
      ? { ms: Math.max(0, nextWrite - now), reason: 'Writes are sent one second apart' }
      : { ms: Math.max(0, next - now), reason: 'The rate limit is nearly used up, so requests are spread out' };
  }

  sent({ method }: HttpRequest, now: number): void {
    this.#sentAt = now;
    if (!isRead(method)) this.#wroteAt = now;
  }
}
