/** Commands over many targets, which Ctrl-C ends without leaving a write in doubt. */
import { ForgectlCommand } from '../../cli/command/command.ts';
import { counted } from '../../output/amounts.ts';
import type { RunContext } from './run-context.ts';

export abstract class FleetCommand<T> extends ForgectlCommand<T> {
  readonly #stopping = new AbortController();

  /** Aborted by Ctrl-C; no further target is begun. */
  protected readonly stopSignal = this.#stopping.signal;

  protected abstract get pendingWrites(): number;

  /** The last notice of an interrupted run, if any. */
  protected abstract get ending(): string | undefined;

  /** Returns the context of a run of this command. */
  protected async runContext(): Promise<RunContext> {
    return {
      runtime: this.runtime,
      client: await this.session.client(),
      describe: (error) => this.describe(error),
      signal: this.stopSignal,
      onQuiet: () => this.#leaveIfStopping(),
      notice: (text) => this.notice(text),
      mask: (text) => this.masked(text),
    };
  }

  /** Stops immediately, or after the responses to writes in flight, so that none of them is in doubt. */
  protected override interrupted(): void {
    this.#stopping.abort();
    if (this.pendingWrites === 0) this.#leave();
    else
      this.notice(
        `Waiting for the response to ${counted(this.pendingWrites, 'write')}. Press Ctrl-C again to stop at once.`,
      );
  }

  /** Ends an interrupted run once no write is in flight. */
  #leaveIfStopping(): void {
    // What a response ends is recorded first.
    if (this.stopSignal.aborted) setImmediate(() => this.#leave());
  }

  /** Called before an interrupted run ends. */
  protected leaving(): void {}

  #leave(): void {
    this.leaving();
    const { ending } = this;
    if (ending) this.notice(ending);
    super.interrupted();
  }
}
