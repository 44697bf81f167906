/** Reads many targets concurrently, all or nothing. */
import { defaultConcurrency, pooled, Queue } from './pool.ts';

/** Yields what `read` returns for each target, as it arrives. Throws the first error, and then starts no more targets. */
export const readAll = <T, R>(
  targets: Iterable<T>,
  read: (target: T) => Promise<R>,
  concurrency = defaultConcurrency,
): AsyncGenerator<R, void> =>
  pooled({
    queues: [new Queue('', targets, concurrency)],
    concurrency,
    process: async (target, _, emit) => emit(await read(target)),
  });
