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
    const turn = this.#enter();
    // With a free place, the task is begun at once.
    if (turn) await turn;
    try {
      return await task();
    } finally {
      this.#leave();
    }
  }

  /** Runs a part of a running task that needs no place, such as a wait for other tasks. */
  async outside<T>(part: () => Promise<T>): Promise<T> {
    this.#leave();
    try {
      return await part();
    } finally {
      await this.#enter();
    }
  }

  /** Takes a free place; without one, returns a promise of the next. */
  #enter(): Promise<void> | undefined {
    if (this.#running >= this.#places) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#running++;
    return undefined;
  }

  #leave(): void {
    this.#running--;
    // Gives the place to the next task at once, so that new tasks cannot overtake it.
    this.#fill();
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
