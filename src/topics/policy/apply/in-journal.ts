/** A run of `policy apply` with its journal. */
import type { SomeFailedError } from '../../../cli/errors.ts';
import { type PrintedLine, printedLine, wordsWithoutFlags } from '../../../cli/input/printed-line.ts';
import type { Failure } from '../../../cli/report/report.ts';
import { FileError } from '../../../client/errors.ts';
import { removeIfPossible } from '../../../disk/output-file.ts';
import { Journal } from '../../../fleet/journal/journal.ts';
import type { JournalTarget } from '../../../fleet/journal/lines.ts';
import { ApplyRun } from '../../../fleet/policy/applying/apply.ts';
import { phasesOf, type Task } from '../../../fleet/policy/applying/phases.ts';
import type { Secrets } from '../../../fleet/policy/applying/secrets.ts';
import { changesOf } from '../../../fleet/policy/applying/two-steps.ts';
import { isMadeLast } from '../../../fleet/policy/kinds/lookup.ts';
import { type Step, targetIdOf } from '../../../fleet/policy/live/change.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { shardText } from '../../../fleet/shard.ts';
import { counted } from '../../../output/amounts.ts';
import { type EarlierRun, ofJournal } from '../../runs/earlier-run.ts';
import { newJournalPath } from '../../runs/journal-path.ts';
import type { RunContext } from '../../runs/run-context.ts';
import { runFailure } from '../../runs/stopped-run.ts';
import { type ApplyFlags, applyFlags } from './flags.ts';
import { secretNames } from './guards.ts';
import { type AppliedTarget, appliedTarget } from './outcomes.ts';
import { continuing } from './resume.ts';
import { isJournal, savePlanBeside } from './saved-plan.ts';
import { ApplyWatch } from './watch.ts';

/** The part of a plan that a run applies. */
export interface AppliedPart {
  readonly plan: SavedPlan;
  readonly steps: readonly Step[];
  /** The steps that are left to other runs. */
  readonly left: readonly Step[];
  /** The steps of the run and of those that continue it without `--limit`. */
  readonly ofShard: readonly Step[];
  readonly flags: ApplyFlags;
  /** The run to continue. */
  readonly earlier: EarlierRun | undefined;
  readonly secrets: Secrets;
}

interface ApplyOptions extends AppliedPart, RunContext {
  /** Called once no other process can make the run. */
  readonly saveUndo: () => void;
  readonly typed: PrintedLine;
  readonly rateLimitGroup: ((target: string) => string) | undefined;
}

interface Applied {
  readonly results: readonly AppliedTarget[];
  /** The error that is reported after the results. */
  readonly failure: SomeFailedError | undefined;
}

export class ApplyInJournal {
  readonly #with: ApplyOptions;
  readonly #path: string;
  /** The number of targets, counted in each phase. */
  readonly #total: number;
  readonly #watch: ApplyWatch;
  #run: ApplyRun<Failure> | undefined;
  #isOver = false;

  constructor(options: ApplyOptions) {
    this.#with = options;
    const { earlier, flags, runtime, steps } = options;
    const isMine = ({ name }: Task) => flags.only === undefined || earlier?.state.find(name)?.outcome === flags.only;
    this.#total = phasesOf(steps).flat().filter(isMine).length;
    this.#watch = new ApplyWatch(this.#total, runtime);
    this.#path = earlier?.path ?? flags.journal ?? flags['resume-or-start'] ?? newJournalPath(runtime);
  }

  /** Writes that were sent and have no response yet. */
  get pendingWrites(): number {
    return this.#run?.pendingWrites ?? 0;
  }

  /** The steps that this or an earlier run made, or may have made; undefined before it has begun. */
  get made(): readonly Step[] | undefined {
    return this.#run?.made;
  }

  /** The progress of a run that is not over. */
  get progress(): string | undefined {
    return this.#run && !this.#isOver ? this.#watch.line() : undefined;
  }

  /** What an interrupted run reports, unless it has done so: its totals so far, and the command line that continues it. */
  get ending(): string | undefined {
    return this.#isOver ? undefined : `${this.#watch.totals({ isInterrupted: true })}\n${this.#continuation()}`;
  }

  /** Makes the changes. Throws JournalError and FileError. */
  async make(): Promise<Applied> {
    const { steps, left, flags, secrets, client, describe, rateLimitGroup, signal, onQuiet, notice } = this.#with;
    // A run that was killed before it had begun leaves a journal with a header, whose plan is replaced.
    const replace = isJournal(this.#path);
    const journal = this.#open();
    try {
      this.#begin(journal, { replace });
      const { only, concurrency } = flags;
      const run = new ApplyRun<Failure>(steps, {
        ...{ client, describe, rateLimitGroup, journal, only, left, secrets, concurrency, signal, onQuiet },
      });
      this.#run = run;
      const results: AppliedTarget[] = [];
      for await (const result of this.#watch.watched(resultsOf(run), notice)) results.push(result);
      return { results, failure: this.#report(run) };
    } catch (error) {
      const { failure } = journal;
      const advice = journal.hasBegun ? this.#continuation() : undefined;
      throw failure ? new FileError(failure.message, { cause: error, advice }) : error;
    } finally {
      journal.close();
    }
  }

  #open(): Journal {
    const { plan, flags, earlier, typed, mask } = this.#with;
    const { platform, digest, policy_digest } = plan;
    const line = wordsWithoutFlags(typed.given, typed.declared, ofJournal);
    const shard = flags.shard && { shard: shardText(flags.shard) };
    const header = { platform, line, plan: digest, policy_digest, ...shard };
    return new Journal(this.#path, header, { resume: earlier !== undefined, mask });
  }

  /** Saves the undo plan, and the plan beside a new journal, and records the targets. */
  #begin(journal: Journal, options: { readonly replace: boolean }): void {
    const { plan, ofShard, earlier, saveUndo, notice } = this.#with;
    let removePlan = () => {};
    try {
      saveUndo();
      if (!earlier) removePlan = savePlanBeside(this.#path, plan, options);
      journal.recordTargets(phasesOf(ofShard).flat().map(targetOf));
    } catch (error) {
      // Without its plan, no run can resume it; without a journal, a later run would not replace the plan.
      if (!journal.hasBegun) {
        removeIfPossible(this.#path);
        removePlan();
      }
      throw error;
    }
    notice(`Journal: ${this.#path}`);
  }

  /** Prints the totals of the run, and the line that undoes it if its undo plan was saved. */
  #reportTotals(): void {
    const { typed, flags, notice, signal } = this.#with;
    this.#isOver = true;
    notice(this.#watch.totals({ isInterrupted: signal.aborted }));
    const { 'undo-out': undo } = flags;
    const without = Object.keys(applyFlags);
    if (undo !== undefined) notice(printedLine('Undo with', { ...typed, withoutArgs: true, without, args: [undo] }));
  }

  #report(run: ApplyRun<Failure>): SomeFailedError | undefined {
    const { left, flags, notice } = this.#with;
    this.#reportTotals();
    const failure = runFailure(run, this.#watch.summary, this.#total);
    if (failure || run.stop !== undefined) {
      notice(this.#continuation());
      return failure;
    }
    const open = flags.shard ? left.filter((step) => !step.target.includes('/') && isMadeLast(step)) : left;
    if (open.length === 0) return undefined;
    const changes = counted(changesOf(open).length, 'change');
    notice(
      flags.shard
        ? `${changes} that may loosen organizations left: plan and apply again once all shards are done.`
        : `${changes} left. ${this.#continuation({ isUnlimited: true })}`,
    );
    return undefined;
  }

  /** Returns the command line that continues the run. */
  #continuation({ isUnlimited = false } = {}): string {
    const { typed, steps } = this.#with;
    return printedLine(
      'Continue with',
      continuing(typed, { path: this.#path, secrets: secretNames(steps), isUnlimited }),
    );
  }
}

async function* resultsOf(run: ApplyRun<Failure>): AsyncGenerator<AppliedTarget, void> {
  for await (const outcome of run) yield appliedTarget(outcome);
}

/** Returns the target of a task as journals have it. */
function targetOf({ name, steps }: Task): JournalTarget {
  const id = steps[0] && targetIdOf(steps[0]);
  return { name, ...(id !== undefined && { id }) };
}
