/** Rate limits: how many requests a caller may make in an hour, at once, and in a minute to one path. */
import type { RateLimitQuota } from '../platform/records.ts';
import type { Caller } from './callers.ts';

const minute = 60 * 1000;
const hour = 60 * minute;

type Clock = () => Date;

/** What was used of something that starts anew when the time of `reset` has come, in milliseconds. */
class Windows {
  readonly #length: number;
  readonly #clock: Clock;
  readonly #windows = new Map<string, { readonly used: number; readonly reset: number }>();

  constructor(length: number, clock: Clock) {
    this.#length = length;
    this.#clock = clock;
  }

  of(key: string): { readonly used: number; readonly reset: number } {
    const now = this.#clock().getTime();
    const window = this.#windows.get(key);
    return window && window.reset > now ? window : { used: 0, reset: now + this.#length };
  }

  use(key: string, amount: number): void {
    const { used, reset } = this.of(key);
    this.#windows.set(key, { used: used + amount, reset });
  }
}

/** The primary limit, counted by caller. The count is no state of the platform: it starts anew with the process. */
export class Quotas {
  readonly #limit: number;
  readonly #windows: Windows;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#windows = new Windows(hour, clock);
  }

  /** Whether the caller may make one more request now. */
  admits({ id }: Caller): boolean {
    return this.#windows.of(id).used < this.#limit;
  }

  /** Counts one request, and tells what is left. */
  count(caller: Caller): Required<RateLimitQuota> {
    this.#windows.use(caller.id, 1);
    return this.quota(caller);
  }

  quota({ id }: Caller): Required<RateLimitQuota> {
    const { used, reset } = this.#windows.of(id);
    const remaining = Math.max(0, this.#limit - used);
    return { limit: this.#limit, remaining, reset: Math.ceil(reset / 1000), used };
  }
}

/** Public platform, Rate limits for the REST API: secondary limits. */
const mostAtOnce = 100;
const pointsPerMinute = 900;
const points = (method: string): number => (['GET', 'HEAD', 'OPTIONS'].includes(method) ? 1 : 5);

/** The secondary limits: requests of a caller at once, and points a minute for each path, of which writes take more. */
export class SecondaryLimits {
  readonly #clock: Clock;
  readonly #windows: Windows;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#windows = new Windows(minute, clock);
  }

  /** Lets a request in, until `leave`; or tells after how many seconds to come back. */
  enter({ id }: Caller, method: string, path: string): number | undefined {
    const key = `${id} ${path}`;
    const { used, reset } = this.#windows.of(key);
    if (used + points(method) > pointsPerMinute) return Math.ceil((reset - this.#clock().getTime()) / 1000);
    const open = this.#open.get(id) ?? 0;
    if (open >= mostAtOnce) return 1;
    this.#windows.use(key, points(method));
    this.#open.set(id, open + 1);
    return undefined;
  }

  leave({ id }: Caller): void {
    this.#open.set(id, (this.#open.get(id) ?? 1) - 1);
  }
}
