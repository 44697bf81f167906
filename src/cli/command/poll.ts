/** Polls the platform at growing intervals until the expected response arrives or a limit is reached. */
import { WaitLimitError } from '../errors.ts';
import { ProgressLine } from '../progress-line.ts';
import type { Runtime } from '../runtime.ts';

export interface Poll<T> {
  /** Sends one request. An error ends the wait. */
  readonly ask: () => Promise<T>;
  /** True for the expected response. */
  readonly done: (answer: T) => boolean;
  /** Describes the state of an earlier response as a clause: `the migration is still pending`. */
  readonly describe: (answer: T) => string;
  readonly limitMs: number;
  /** The advice when the limit is reached. */
  readonly advice: string;
  /** From 0 up to 1, as `Math.random`. */
  readonly random?: () => number;
}

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;
const growth = 1.5;

/**
 * Polls immediately, then at intervals that grow from about 1 s to about 30 s. Each interval is jittered, so that waits
 * that started together do not poll together. The last request is sent when the limit is reached. On a terminal, a line
 * on stderr shows the current state.
 *
 * @returns the expected response
 * @throws WaitLimitError if it does not arrive within `limitMs`
 */
export async function poll<T>(options: Poll<T>, runtime: Pick<Runtime, 'clock' | 'terminal'>): Promise<T> {
  const line = new ProgressLine(runtime.terminal);
  try {
    return await askUntilDone(options, runtime.clock, line);
  } finally {
    line.clear();
  }
}

async function askUntilDone<T>(options: Poll<T>, clock: Runtime['clock'], line: ProgressLine): Promise<T> {
  const { ask, done, describe, limitMs, advice, random = Math.random } = options;
  const start = clock.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * growth, longestPauseMs)) {
    const answer = await ask();
    if (done(answer)) return answer;
    const waitedMs = clock.now() - start;
    if (waitedMs >= limitMs)
      throw new WaitLimitError(`Timed out after ${inWords(limitMs)}: ${describe(answer)}.`, advice);
    line.show(`${inWords(waitedMs)}: ${describe(answer)}`);
    const jitteredMs = pauseMs * (0.75 + random() / 2);
    await clock.sleep(Math.min(jitteredMs, limitMs - waitedMs));
  }
}

/** Formats a duration to the second: `5m`, `1h 30m`. */
function inWords(ms: number): string {
  const seconds = Math.round(ms / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const;
  return (
    parts
      .filter(([count]) => count > 0)
      .map(([count, unit]) => `${count}${unit}`)
      .join(' ') || '0s'
  );
}
