/** The writes of a run that were sent and have no response yet: Ctrl-C waits for these. */
import type { RequestWatch } from '../client/transport/transport.ts';

interface Callbacks {
  /** Aborts the run: writes that were not sent yet stay unsent. */
  readonly signal?: AbortSignal | undefined;
  /** Called when all writes in flight have a response. */
  readonly onQuiet?: (() => void) | undefined;
}

export class PendingWrites {
  readonly #callbacks: Callbacks;
  readonly #pending = new Set<object>();

  constructor(callbacks: Callbacks) {
    this.#callbacks = callbacks;
  }

  get count(): number {
    return this.#pending.size;
  }

  /**
   * Returns the observer of a write that also counts it until its response, and a function to call once the request has
   * ended, with a response or without.
   */
  track(watch: RequestWatch): { readonly watch: RequestWatch; readonly settle: () => void } {
    const { signal, onQuiet } = this.#callbacks;
    const write = {};
    const settle = () => {
      if (this.#pending.delete(write) && this.#pending.size === 0) onQuiet?.();
    };
    const tracking: RequestWatch = {
      ...watch,
      sending: async () => {
        signal?.throwIfAborted();
        await watch.sending?.();
        this.#pending.add(write);
      },
      received: async (...response) => {
        await watch.received?.(...response);
        settle();
      },
    };
    return { watch: tracking, settle };
  }
}
