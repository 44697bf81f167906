/** Slows down before the platform must: spreads what little is left of the quota, and keeps writes apart. Pure. */

import { type HttpResponse, isRead } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { quotaIn } from './limits.ts';

/** Below this part of the quota its rest is spread: other programs and people use the same token. */
const lowShare = 0.1;

/** Published rules for clients: a second between writes. Where the platform sets no limits, nothing is kept apart. */
export const betweenWritesMs = 1000;

/** Of one platform and one token. Times are epoch milliseconds, lengths of time milliseconds. */
export class Pace {
  #gapMs = 0;
  #writeGapMs = 0;
  #sentAt = Number.NEGATIVE_INFINITY;
  #wroteAt = Number.NEGATIVE_INFINITY;
  #limitedUntil = Number.NEGATIVE_INFINITY;

  /** Takes note of what an answer says of the quota. */
  learn(response: HttpResponse, now: number): void {
    const quota = quotaIn(response, now);
    if (!quota) return;
    const { left, limit, resetMs } = quota;
    this.#writeGapMs = betweenWritesMs;
    // A spent quota is a limit, and waited out as one.
    this.#gapMs = left > 0 && left < limit * lowShare ? resetMs / left : 0;
  }

  /** Takes note of a rate limit that one request met: it holds for all. */
  holdUntil(time: number): void {
    this.#limitedUntil = Math.max(this.#limitedUntil, time);
  }

  /** How long such a limit still lasts. */
  limitLeftMs(now: number): number {
    return Math.max(0, this.#limitedUntil - now);
  }

  /** How long the next request is to wait, and why, in words for people. */
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
