/** The progress that `policy apply` reports: one line on a terminal, a line for each target elsewhere, then totals. */
import { Listing } from '../../../cli/result/listing.ts';
import { tellingProgress } from '../../../cli/result/listing-progress.ts';
import type { Runtime } from '../../../cli/runtime.ts';
import type { Page } from '../../../client/pages.ts';
import { counted, formatCount } from '../../../output/amounts.ts';
import { OutcomeSummary } from '../../each/outcomes.ts';
import { RunProgress } from '../../runs/progress.ts';
import { type AppliedTarget, errorText, nameOf } from './outcomes.ts';

export class ApplyWatch {
  readonly summary = new OutcomeSummary();
  readonly #total: number;
  readonly #surroundings: Pick<Runtime, 'terminal' | 'clock'>;
  readonly #progress: RunProgress;
  #changes = 0;

  constructor(total: number, surroundings: Pick<Runtime, 'terminal' | 'clock'>) {
    this.#total = total;
    this.#surroundings = surroundings;
    this.#progress = new RunProgress(total, this.summary, () => surroundings.clock.now());
  }

  /** Yields the results of a run as they come. Without a terminal for the progress line, `notice` receives a line for each. */
  async *watched(results: AsyncIterable<AppliedTarget>, notice: (text: string) => void): AsyncGenerator<AppliedTarget> {
    const { terminal } = this.#surroundings;
    const isLive = terminal.stderrIsTTY && !terminal.plain;
    const listing = new Listing(this.#counted(results), { limit: undefined, progress: () => this.line() });
    const pages = isLive
      ? tellingProgress(listing, 'targets', { ...this.#surroundings, isPrinted: false })
      : listing.pages();
    for await (const page of pages)
      for (const result of page) {
        if (!isLive) notice(`${formatCount(this.summary.total)} of ${formatCount(this.#total)}: ${resultText(result)}`);
        yield result;
      }
  }

  async *#counted(results: AsyncIterable<AppliedTarget>): AsyncGenerator<Page<AppliedTarget>> {
    for await (const result of results) {
      this.summary.add(result);
      this.#changes += result.done.length;
      yield { items: [result], more: true };
    }
  }

  /** Returns the progress line. */
  line(): string {
    return this.#progress.line();
  }

  /** Returns the totals of the run so far: `212 done, 1 failed, 40 open (230 changes) in 4 min.` */
  totals({ isInterrupted }: { readonly isInterrupted: boolean }): string {
    const counts = this.summary.counts({ open: isInterrupted ? this.#total - this.summary.total : 0 });
    return `${counts} (${counted(this.#changes, 'change')}) in ${this.#progress.elapsed}.`;
  }
}

/** Returns a result in one line: `acme/site done`. */
function resultText(result: AppliedTarget): string {
  const { status, error } = result;
  const name = nameOf(result);
  return error ? `${name} ${status}: ${errorText(error)}` : `${name} ${status === 'ok' ? 'done' : status}`;
}
