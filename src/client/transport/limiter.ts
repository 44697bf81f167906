/** Runs at most `places` tasks at once; the others wait in order. */
export class Limiter {
  #places: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#places = places;
  }

  /** Changes the number of places. Running tasks keep theirs. */
  resize(places: number): void {
    this.#places = places;
    this.#fill();
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#running < this.#places) this.#running++;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      this.#running--;
      // Gives the place to the next task at once, so that new tasks cannot overtake it.
      this.#fill();
    }
  }

  #fill(): void {
    while (this.#running < this.#places) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running++;
      next();
    }
  }
}
