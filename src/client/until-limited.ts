/** Writes that a rate limit refuses or delays are not sent unseen. */
import type { RequestWatch } from './transport/transport.ts';

/** A request was refused by a rate limit, or waited for its end or for its token, and would be sent after the wait. */
export class LimitedError extends Error {}

/** Returns a watch that throws LimitedError after the wait for a rate limit, during which an object may have changed. */
export function untilLimited(watch: RequestWatch): RequestWatch {
  let isLimited = false;
  return {
    ...watch,
    held: () => {
      isLimited = true;
    },
    sending: () => {
      if (isLimited) throw new LimitedError();
      return watch.sending?.();
    },
    received: (status, ...rest) => {
      // A 401 leads to a new token.
      isLimited = status === 403 || status === 429;
      return watch.received?.(status, ...rest);
    },
  };
}

/**
 * Sends a write under a watch, and again after each rate limit once its `repeating` has passed. Without that, `send` decides
 * whether the write is held.
 */
export async function sendUntilLimited<T>(
  watch: RequestWatch | undefined,
  now: () => number,
  send: (watch: RequestWatch | undefined) => Promise<T>,
): Promise<T> {
  let since = watch?.since;
  for (;;)
    try {
      return await send(watch?.repeating ? untilLimited({ ...watch, since }) : watch);
    } catch (error) {
      if (!(error instanceof LimitedError)) throw error;
      since = now();
      await watch?.repeating?.();
    }
}

/** Returns a watch of a write that ends with a LimitedError instead of being sent unseen. `since`: when its object was read. */
export const unlessLimited = (watch: RequestWatch, since: number): RequestWatch => ({
  ...watch,
  since,
  repeating: () => Promise.reject(new LimitedError()),
});
