/** Rate limits: requests of a caller per hour, concurrent requests, and points per minute and path. */
import type { RateLimitQuota } from '../platform/records.ts';
import type { Caller } from './callers.ts';

const minute = 60 * 1000;
const hour = 60 * minute;

type Clock = () => Date;

/** Usage of each key in the current window. The first use after its end starts a new window for all keys. */
class Window {
  readonly #length: number;
  readonly #clock: Clock;
  readonly #used = new Map<string, number>();
  #end = 0;

  constructor(length: number, clock: Clock) {
    this.#length = length;
    this.#clock = clock;
  }

  /** End of the window, in epoch milliseconds. */
  get end(): number {
    this.#renew();
    return this.#end;
  }

  used(key: string): number {
    this.#renew();
    return this.#used.get(key) ?? 0;
  }

  use(key: string, amount: number): void {
    this.#used.set(key, this.used(key) + amount);
  }

  #renew(): void {
    const now = this.#clock().getTime();
    if (now < this.#end) return;
    this.#used.clear();
    this.#end = now + this.#length;
  }
}

/** The primary limit per caller. Not part of the state: the count starts anew with the process. */
export class Quotas {
  readonly #limit: number;
  readonly #window: Window;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#window = new Window(hour, clock);
  }

  /** Whether the caller may send another request now. */
  admits({ id }: Caller): boolean {
    return this.#window.used(id) < this.#limit;
  }

  /** Counts one request; returns the remaining quota. */
  count(caller: Caller): Required<RateLimitQuota> {
    this.#window.use(caller.id, 1);
    return this.quota(caller);
  }

  quota({ id }: Caller): Required<RateLimitQuota> {
    const used = this.#window.used(id);
    const remaining = Math.max(0, this.#limit - used);
    return { limit: this.#limit, remaining, reset: Math.ceil(this.#window.end / 1000), used };
  }
}

/** Public platform, Rate limits for the REST API: secondary limits. */
const mostAtOnce = 100;
const pointsPerMinute = 900;
const points = (method: string): number => (['GET', 'HEAD', 'OPTIONS'].includes(method) ? 1 : 5);

/** The secondary limits: concurrent requests of a caller, and points per minute and path; writes count more. */
export class SecondaryLimits {
  readonly #clock: Clock;
  readonly #window: Window;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#window = new Window(minute, clock);
  }

  /** Admits a request until `leave` is called, or returns the seconds until a retry. */
  enter({ id }: Caller, method: string, path: string): number | undefined {
    const key = `${id} ${path}`;
    if (this.#window.used(key) + points(method) > pointsPerMinute)
      return Math.ceil((this.#window.end - this.#clock().getTime()) / 1000);
    const open = this.#open.get(id) ?? 0;
    if (open >= mostAtOnce) return 1;
    this.#window.use(key, points(method));
    this.#open.set(id, open + 1);
    return undefined;
  }

  leave({ id }: Caller): void {
    this.#open.set(id, (this.#open.get(id) ?? 1) - 1);
  }
}
