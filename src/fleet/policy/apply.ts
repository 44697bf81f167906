/**
 * Applies the changes of a plan so that every target always has at least the protection that it has both before and
 * after: creations and tightenings come first, and if one fails, nothing of that target is loosened.
 */
import type { Client } from '../../client/client.ts';
import type { Journal } from '../journal/journal.ts';
import { FleetRun, type Outcome, type RunClock, type Stop, type TargetError } from '../runner.ts';
import { isLoosening, isStep, type PlannedChange } from './change.ts';
import { EarlierFailureError } from './errors.ts';
import type { SavedPlan } from './plan-file.ts';
import { findChange, makeChange, stepName } from './steps.ts';

/** The changes of one target that are made together. */
export interface Task {
  /** acme or acme/site; “acme (loosenings)” for changes made after the repositories of acme. */
  readonly name: string;
  readonly target: string;
  readonly steps: readonly PlannedChange[];
}

export interface ApplyOptions<E extends TargetError> {
  readonly client: Client;
  readonly describe: (error: unknown) => E | Promise<E>;
  readonly journal?: Journal | undefined;
  readonly concurrency?: number | undefined;
  /** Names the limits that a target depends on; see `RunOptions.lane`. */
  readonly lane?: ((target: string) => string) | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: RunClock | undefined;
}

/** Returns the changes that are made: undeclared objects are deleted only with `prune`. */
export const stepsOf = ({ changes }: Pick<SavedPlan, 'changes'>, prune: boolean): readonly PlannedChange[] =>
  changes.filter((change) => isStep(change) && (prune || !change.undeclared));

/** Returns the tasks in three phases: tighten organizations, change repositories, loosen organizations. */
export function phasesOf(steps: readonly PlannedChange[]): readonly (readonly Task[])[] {
  const byTarget = Map.groupBy(steps, ({ target }) => target);
  const inOrder = (its: readonly PlannedChange[]) => [
    ...its.filter((step) => !isLoosening(step)),
    ...its.filter(isLoosening),
  ];
  const tasks = [...byTarget].map(([target, its]): Task => ({ name: target, target, steps: inOrder(its) }));
  const isRepository = ({ target }: Task) => target.includes('/');
  const part = (task: Task, name: string, of: (step: PlannedChange) => boolean): Task[] => {
    const its = task.steps.filter(of);
    return its.length ? [{ ...task, name, steps: its }] : [];
  };
  const organizations = tasks.filter((task) => !isRepository(task));
  return [
    organizations.flatMap((task) => part(task, task.target, (step) => !isLoosening(step))),
    tasks.filter(isRepository),
    organizations.flatMap((task) => part(task, `${task.target} (loosenings)`, isLoosening)),
  ];
}

/** A run over the tasks of a plan. Iterate it once for the outcomes; `stop` then says why it ended early, if it did. */
export class ApplyRun<E extends TargetError> implements AsyncIterable<Outcome<Task, readonly string[], E>> {
  readonly #steps: readonly PlannedChange[];
  readonly #options: ApplyOptions<E>;
  /** Organizations with a failure. */
  readonly #failed = new Set<string>();
  stop: Stop<E> | undefined;

  constructor(steps: readonly PlannedChange[], options: ApplyOptions<E>) {
    this.#steps = steps;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Outcome<Task, readonly string[], E>, void> {
    const { client, describe, journal, concurrency, lane, signal, clock } = this.#options;
    const stopped = new Set<string>();
    for (const phase of phasesOf(this.#steps)) {
      const tasks = phase.filter(({ target }) => !stopped.has(lane?.(target) ?? ''));
      // Only failures of an earlier phase hold a later one back.
      const failed = new Set(this.#failed);
      const run = new FleetRun<Task, readonly string[], E>({
        targets: tasks,
        name: ({ name }) => name,
        lane: lane && (({ target }) => lane(target)),
        work: async ({ target, steps }, writes) => {
          const task = client.forTask();
          const done: string[] = [];
          for (const step of steps) {
            const name = stepName(step);
            if (writes.isDone(name)) continue;
            if (isLoosening(step) && failed.has(ownerOf(target))) throw new EarlierFailureError(ownerOf(target));
            const { before } = step;
            const creates = step.action === 'create';
            await makeChange(step, task, writes.watch(name, { creates, ...(before && { before }) }));
            done.push(name);
          }
          return done;
        },
        describe,
        verify: async ({ steps }, { step: name }) => {
          const step = steps.find((each) => stepName(each) === name);
          return step ? findChange(step, client.forTask()) : 'other';
        },
        journal,
        concurrency,
        signal,
        clock,
      });
      for await (const outcome of run) {
        if (outcome.status === 'failed' || outcome.status === 'unknown')
          this.#failed.add(ownerOf(outcome.target.target));
        yield outcome;
      }
      this.stop ??= run.stop;
      for (const each of run.stoppedLanes) stopped.add(each);
      if (run.stop === 'signal') return;
    }
  }
}

const ownerOf = (target: string): string => target.split('/', 1)[0] ?? target;
