/** Shows why a request waits: a countdown on a terminal, a notice elsewhere. */
import { rateLimited } from '../../client/transport/retry.ts';
import type { Waiting } from '../../client/transport/transport.ts';
import { ProgressLine, type ProgressTerminal } from '../progress-line.ts';
import type { Clock } from '../runtime.ts';

/** Shorter waits end before a message could be read. */
const worthTellingMs = 1000;

export class WaitingLine {
  readonly #line: ProgressLine;
  readonly #clock: Clock;
  /** Set if there is no terminal for a countdown. */
  readonly #notice: ((text: string) => void) | undefined;
  /** The current waits, with the time each ends. */
  readonly #waits = new Map<Waiting, number>();
  /** Pacing notices already shown: each is shown once. */
  readonly #shownPacing = new Set<string>();

  /** Returns the progress of a run over targets, which the line shows before the wait. */
  readonly #progress: (() => string | undefined) | undefined;

  constructor(
    terminal: ProgressTerminal,
    clock: Clock,
    notice: (text: string) => void,
    progress?: () => string | undefined,
  ) {
    this.#line = new ProgressLine(terminal);
    this.#clock = clock;
    this.#progress = progress;
    this.#notice = terminal.stderrIsTTY && !terminal.plain ? undefined : notice;
  }

  /** Sleeps for the duration of a wait. Rejects with the signal's reason. */
  async wait(waiting: Waiting, signal?: AbortSignal): Promise<void> {
    if (waiting.ms < worthTellingMs) return this.#clock.sleep(waiting.ms, signal);
    if (this.#notice) {
      this.#tell(waiting, this.#notice);
      return this.#clock.sleep(waiting.ms, signal);
    }
    await this.#countDown(waiting, signal);
  }

  #tell({ ms, reason, paced }: Waiting, notice: (text: string) => void): void {
    if (!paced) notice(`${reason}; retrying in ${inSeconds(ms)}.`);
    else if (!this.#shownPacing.has(reason)) notice(`${reason}.`);
    if (paced) this.#shownPacing.add(reason);
  }

  async #countDown(waiting: Waiting, signal: AbortSignal | undefined): Promise<void> {
    const over = this.#clock.now() + waiting.ms;
    this.#waits.set(waiting, over);
    try {
      for (let left = waiting.ms; left > 0; left = over - this.#clock.now()) {
        this.#show();
        // Until the next full second of the countdown.
        await this.#clock.sleep(left % 1000 || 1000, signal);
      }
    } finally {
      this.#waits.delete(waiting);
      if (this.#waits.size === 0) this.#end();
    }
  }

  #end(): void {
    const progress = this.#progress?.();
    if (progress === undefined) this.#line.clear();
    else this.#line.show(progress);
  }

  /** Of several concurrent waits, the longest counts. */
  #show(): void {
    const [longest] = [...this.#waits].sort(([, one], [, other]) => other - one);
    if (!longest) return;
    const [waiting, over] = longest;
    const left = inSeconds(over - this.#clock.now());
    const progress = this.#progress?.();
    const { text, short } = progress === undefined ? countdown(waiting, left) : inRun(progress, waiting, left);
    this.#line.show(text, short);
  }
}

function countdown({ reason, paced }: Waiting, left: string) {
  const [next, Next] = paced ? ['continuing', 'Continuing'] : ['retrying', 'Retrying'];
  return { text: `${reason}; ${next} in ${left}`, short: `${Next} in ${left}` };
}

function inRun(progress: string, { reason }: Waiting, left: string) {
  const cause =
    reason === rateLimited ? ' for the rate limit' : `: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  return { text: `${progress}, waiting ${left}${cause}`, short: `Waiting ${left}${cause}` };
}

const inSeconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
