/** The primary rate limit: how many requests a caller may make in an hour. */
import type { RateLimitQuota } from '../platform/records.ts';
import type { Caller } from './callers.ts';

const hour = 60 * 60 * 1000;

/** Counts requests by caller. The count is no state of the platform: it starts anew with the process. */
export class Quotas {
  readonly #limit: number;
  readonly #used = new Map<string, { used: number; reset: number }>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the caller may make one more request now. */
  admits({ id }: Caller): boolean {
    return this.#window(id).used < this.#limit;
  }

  /** Counts one request, and tells what is left. */
  count(caller: Caller): Required<RateLimitQuota> {
    const window = this.#window(caller.id);
    this.#used.set(caller.id, { ...window, used: window.used + 1 });
    return this.quota(caller);
  }

  quota({ id }: Caller): Required<RateLimitQuota> {
    const { used, reset } = this.#window(id);
    const remaining = Math.max(0, this.#limit - used);
    return { limit: this.#limit, remaining, reset: Math.ceil(reset / 1000), used };
  }

  #window(id: string): { used: number; reset: number } {
    const window = this.#used.get(id);
    const now = Date.now();
    return window && window.reset > now ? window : { used: 0, reset: now + hour };
  }
}
