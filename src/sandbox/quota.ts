/** Rate limits: how many requests a caller may make in an hour, at once, and in a minute to one path. */
import type { RateLimitQuota } from '../platform/records.ts';
import type { Caller } from './callers.ts';

const minute = 60 * 1000;
const hour = 60 * minute;

type Clock = () => Date;

/** What each key has used since the window began. When it is over, the next use begins another, for all keys. */
class Window {
  readonly #length: number;
  readonly #clock: Clock;
  readonly #used = new Map<string, number>();
  #end = 0;

  constructor(length: number, clock: Clock) {
    this.#length = length;
    this.#clock = clock;
  }

  /** When it is over, in milliseconds. */
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

/** The primary limit, counted by caller. The count is no state of the platform: it starts anew with the process. */
export class Quotas {
  readonly #limit: number;
  readonly #window: Window;

  constructor(limit: number, clock: Clock) {
    this.#limit = limit;
    this.#window = new Window(hour, clock);
  }

  /** Whether the caller may make one more request now. */
  admits({ id }: Caller): boolean {
    return this.#window.used(id) < this.#limit;
  }

  /** Counts one request, and tells what is left. */
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

/** The secondary limits: requests of a caller at once, and points a minute for each path, of which writes take more. */
export class SecondaryLimits {
  readonly #clock: Clock;
  readonly #window: Window;
  readonly #open = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#window = new Window(minute, clock);
  }

  /** Lets a request in, until `leave`; or tells after how many seconds to come back. */
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
