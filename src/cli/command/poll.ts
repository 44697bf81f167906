/** Polls the platform at growing intervals until the expected response arrives or a limit is reached. */
import { WaitLimitError } from '../errors.ts';
import { ProgressLine } from '../result/progress-line.ts';
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
 * Asks at once, and then after pauses that grow from about a second to about half a minute. Each is jittered, so that
 * many waits that began together do not ask together. The last question is asked when the limit is reached. On a
 * terminal, a line on stderr says how things stand.
 *
 * @returns the answer that was waited for
 * @throws WaitLimitError when it has not come within `limitMs`
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

/** A length of time to the second: `5m`, `1h 30m`. */
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
