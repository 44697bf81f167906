/** The outcomes of a run of `each` as a list, and the summary after it. */
import type { SomeFailedError } from '../../cli/errors.ts';
import type { Failure } from '../../cli/report/report.ts';
import { Listing } from '../../cli/result/listing.ts';
import { FileError } from '../../client/errors.ts';
import type { Page } from '../../client/pages.ts';
import { RunProgress } from '../runs/progress.ts';
import { runFailure } from '../runs/stopped-run.ts';
import type { EachJournal } from './journal.ts';
import { OutcomeSummary, type TargetOutcome } from './outcomes.ts';
import type { EachRun } from './run.ts';
import type { EachWork } from './work.ts';

export interface ReportOptions {
  readonly total: number;
  readonly journal: EachJournal;
  readonly work: EachWork;
  readonly isDryRun: boolean;
  readonly now: () => number;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
  readonly notice: (text: string) => void;
  /** Receives the error that is reported after the results. */
  readonly fail: (error: SomeFailedError | undefined) => void;
}

export class EachReport {
  readonly #with: ReportOptions;
  readonly #summary = new OutcomeSummary();
  #progress: RunProgress | undefined;
  #run: EachRun | undefined;
  #isOver = false;
  #hasFailed = false;
  #undo: string | undefined;

  constructor(options: ReportOptions) {
    this.#with = options;
  }

  /** Returns the outcomes of a run as they come. */
  listing(run: EachRun): Listing<TargetOutcome> {
    const { total, isDryRun, now } = this.#with;
    this.#run = run;
    const progress = new RunProgress(total, this.#summary, now);
    this.#progress = progress;
    return new Outcomes(this.#outcomes(run), {
      limit: undefined,
      progress: () => progress.line(),
      summary: () => (isDryRun ? 'Dry run: nothing was sent.' : this.text()),
    });
  }

  /** The progress of a run that is not over. */
  get progress(): string | undefined {
    return this.#isOver ? undefined : this.#progress?.line();
  }

  /** Returns the summary of the run so far: counts, reasons of failures, and the command lines that continue and undo it. */
  text(): string {
    const isPartial = this.#hasFailed || this.#with.signal.aborted || !this.#isOver;
    const continuation = isPartial ? this.#with.journal.continuation : undefined;
    return [this.#counts(), ...[continuation, this.#undo].filter((text) => text !== undefined)].join('\n');
  }

  async *#outcomes(run: EachRun): AsyncGenerator<Page<TargetOutcome>, void> {
    try {
      for await (const { target, status, ...outcome } of run) {
        const record: TargetOutcome = { target, status, ...detailsOf(status, outcome) };
        const { error } = outcome as Details;
        this.#summary.add(record, error?.reason ?? error?.message);
        yield { items: [record], more: true };
      }
      const failure = runFailure(run, this.#summary, this.#with.total);
      this.#hasFailed = failure !== undefined;
      this.#with.fail(failure);
      this.#undo = await this.#with.journal.undo(this.#with.work);
      this.#isOver = true;
    } catch (error) {
      this.#with.notice(this.#counts());
      throw error instanceof FileError
        ? new FileError(error.message, { cause: error, advice: this.#with.journal.continuation })
        : error;
    } finally {
      this.#with.journal.close();
    }
  }

  #counts(): string {
    const { signal, total } = this.#with;
    const doubtful = this.#run?.doubtful ?? 0;
    const open = signal.aborted ? total - this.#summary.total - doubtful : 0;
    return [this.#summary.counts({ open, doubtful }), ...this.#summary.reasons()].join('\n');
  }
}

/** A list with the summary of the run after it. */
class Outcomes extends Listing<TargetOutcome> {
  readonly #summary: () => string;

  constructor(
    pages: AsyncIterable<Page<TargetOutcome>>,
    { summary, ...options }: ConstructorParameters<typeof Listing>[1] & { readonly summary: () => string },
  ) {
    super(pages, options);
    this.#summary = summary;
  }

  override get note(): string {
    return this.#summary();
  }
}

type Details = { readonly result?: unknown; readonly error?: Failure };

function detailsOf(
  status: TargetOutcome['status'],
  { result, error }: Details,
): Omit<TargetOutcome, 'target' | 'status'> {
  if (!error) return { ...(status === 'ok' ? { exit: 0 } : {}), ...(result === undefined ? {} : { result }) };
  const { exit, reason: _reason, stops: _stops, ...said } = error;
  return { exit, error: said };
}
