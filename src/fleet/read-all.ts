/** Reads many targets concurrently, all or nothing. */
import { FleetRun } from './runner.ts';

/** Yields what `read` returns for each target, as it arrives. Throws the first error, and then starts no more targets. */
export async function* readAll<T, R>(
  targets: Iterable<T>,
  read: (target: T) => Promise<R>,
  concurrency: number | undefined,
): AsyncGenerator<R, void> {
  const errors: unknown[] = [];
  const run = new FleetRun({
    targets,
    name: () => '',
    work: read,
    describe: (error) => {
      errors.push(error);
      return { exit: 1, code: 'error', message: '', stops: true };
    },
    concurrency,
  });
  for await (const outcome of run) if (outcome.status === 'ok') yield outcome.result;
  if (errors.length) throw errors[0];
}
