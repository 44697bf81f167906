/** Lets at most `places` tasks run at once; the others wait in the order in which they came. */
export class Limiter {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      // The place goes straight to the next in line, so that nobody who comes now gets ahead of it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
