/** Processes the items of several queues concurrently, and passes the results to one consumer. */
import { Limiter } from '../client/transport/limiter.ts';

/** Number of concurrent queues, and of concurrent items of a queue. */
export const defaultConcurrency = 8;

/** Items that depend on the same limits. */
export class Queue<T> {
  readonly name: string;
  readonly source: AsyncIterator<T> | Iterator<T>;
  /** For the items in progress: an item may give its place to another while it waits. */
  readonly places: Limiter;

  constructor(name: string, items: AsyncIterable<T> | Iterable<T>, concurrency = defaultConcurrency) {
    this.name = name;
    this.source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
    this.places = new Limiter(concurrency);
  }
}

export interface PoolOptions<T, R> {
  readonly queues: readonly Queue<T>[];
  /** Maximum number of concurrent queues, and of workers of each. */
  readonly concurrency: number;
  /** Returns whether a queue's next item may be started (default: all may). */
  readonly takesMore?: (queue: Queue<T>) => boolean;
  /** Processes an item. Each result is passed to `emit`, which waits until it is consumed. */
  readonly process: (item: T, queue: Queue<T>, emit: (result: R) => Promise<void>) => Promise<void>;
}

/**
 * Yields the results as they arrive. After an error no more items are started; it is thrown once those in progress have
 * ended. Ending the iteration starts no more items either.
 */
export async function* pooled<T, R>(options: PoolOptions<T, R>): AsyncGenerator<R, void> {
  const { queues, concurrency, takesMore = () => true, process } = options;
  const handover = new Handover<R>();
  const emit = (result: R) => handover.offer(result);
  const errors: unknown[] = [];
  let isOver = false;
  const work = async (queue: Queue<T>) => {
    while (!isOver && takesMore(queue)) {
      const step = await queue.source.next();
      if (step.done) return;
      await process(step.value, queue, emit);
    }
  };
  const worker = (queue: Queue<T>) =>
    work(queue).catch((error: unknown) => {
      isOver = true;
      errors.push(error);
    });
  const open = queues.values();
  const processQueues = async () => {
    for (const queue of open) await Promise.all(Array.from({ length: concurrency }, () => worker(queue)));
  };
  const places = Math.min(concurrency, queues.length);
  void Promise.all(Array.from({ length: places }, processQueues)).then(() => handover.end());
  try {
    yield* handover;
    if (errors.length > 0) throw errors[0];
  } finally {
    isOver = true;
    handover.end();
    for (const { source } of queues) await source.return?.();
  }
}

/** Waits for all promises, then rejects if one of them did. */
export async function allEnded(promises: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(promises)) if (result.status === 'rejected') throw result.reason;
}

/** Passes values from several producers to one consumer; each producer waits until its value is consumed. */
class Handover<V> implements AsyncIterable<V> {
  readonly #offers: { readonly value: V; readonly taken: () => void }[] = [];
  #wake = () => {};
  #isOver = false;

  async offer(value: V): Promise<void> {
    if (this.#isOver) return;
    await new Promise<void>((taken) => {
      this.#offers.push({ value, taken });
      this.#wake();
    });
  }

  /** Ends the iteration once all offers are consumed; later ones are dropped. */
  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<V, void> {
    try {
      for (;;) {
        const offer = this.#offers.shift();
        if (offer) {
          offer.taken();
          yield offer.value;
        } else if (this.#isOver) return;
        else
          await new Promise<void>((wake) => {
            this.#wake = wake;
          });
      }
    } finally {
      for (const { taken } of this.#offers) taken();
    }
  }
}
