/**
 * Applies the changes of a plan so that every target always has at least the protection that it has both before and
 * after: creations and tightenings come first, and if one fails, nothing of that target is loosened.
 */
import type { Client } from '../../../client/client.ts';
import type { Given } from '../../../platform/validate.ts';
import type { Journal } from '../../journal/journal.ts';
import type { TargetRecord } from '../../journal/state.ts';
import { PendingWrites } from '../../pending-writes.ts';
import {
  FleetRun,
  type Outcome,
  type RunClock,
  type Stop,
  type TargetError,
  type TargetWrites,
  type Together,
} from '../../runner.ts';
import { requireSameTarget } from '../../same-target.ts';
import { EarlierFailureError, type Hindrance, ValuesDifferError } from '../errors.ts';
import { isMadeLast, kindNamed } from '../kinds/lookup.ts';
import { type Step, targetIdOf } from '../live/change.ts';
import { ownerOf } from '../wanted/target.ts';
import { type Batch, batchesOf, type Tracked } from './batches.ts';
import { Created } from './created.ts';
import { phasesOf, type Task } from './phases.ts';
import { Refusals } from './refusals.ts';
import type { Secrets } from './secrets.ts';
import { findChange, makeChange, stepName } from './steps.ts';

export interface ApplyOptions<E extends TargetError> {
  readonly client: Client;
  readonly describe: (error: unknown) => E | Promise<E>;
  readonly journal?: Journal | undefined;
  /** `failed`: makes only the changes of targets that failed according to the journal. */
  readonly only?: 'failed' | undefined;
  /** The steps that are left to other runs: nothing that relies on one of them is loosened before it was made. */
  readonly left?: readonly Step[] | undefined;
  /** Absent if no step sends a secret. */
  readonly secrets?: Secrets | undefined;
  readonly concurrency?: number | undefined;
  /** Names the limits that a target depends on; see `RunOptions.rateLimitGroup`. */
  readonly rateLimitGroup?: ((target: string) => string) | undefined;
  /** Aborts the run: writes that were not sent yet stay unsent. */
  readonly signal?: AbortSignal | undefined;
  /** Called when all writes in flight have a response. */
  readonly onQuiet?: (() => void) | undefined;
  readonly clock?: RunClock | undefined;
}

/** Returns the steps of a task that a run has left to do, according to its journal. */
export function stepsLeft({ steps }: Task, record: TargetRecord | undefined, only?: 'failed'): readonly Step[] {
  const isOpen = only === undefined ? record?.outcome !== 'ok' : record?.outcome === only;
  return isOpen ? steps.filter((step) => !record?.done.has(stepName(step))) : [];
}

/** What the tasks of a phase have in common. */
interface Phase {
  /** Organizations with a target of an earlier phase that is not done: only these hold a later one back. */
  readonly held: ReadonlyMap<string, Hindrance>;
  readonly batches: ReadonlyMap<Task, Batch<Task>>;
  /** The targets with a step that was not needed. */
  readonly unneeded: Set<string>;
  /** The steps that were left when the run came to a task. */
  readonly begun: Map<Task, readonly Step[]>;
  /** The names of the steps of each task that were made. */
  readonly done: Map<Task, string[]>;
}

/** The outcome of a task. One that failed may have made some of its steps. */
export type ApplyOutcome<E extends TargetError> = Outcome<Task, readonly string[], E> & {
  readonly done?: readonly string[];
};

/** A run over the tasks of a plan. Iterate it once for the outcomes; `stop` then says why it ended early, if it did. */
export class ApplyRun<E extends TargetError> implements AsyncIterable<ApplyOutcome<E>> {
  readonly #steps: readonly Step[];
  readonly #options: ApplyOptions<E>;
  /** Organizations with a target that is not done. */
  readonly #held = new Map<string, Hindrance>();
  /** Organizations whose steps in other runs were looked at. */
  readonly #made = new Map<string, Promise<void>>();
  readonly #pending: PendingWrites;
  readonly #created: Created;
  /** The steps of which the platform did not keep some fields, with the paths of these. */
  readonly #notKept = new Map<Step, readonly string[]>();
  stop: Stop<E> | undefined;
  /** The rate limit groups that an error stopped; empty text for targets without groups. */
  readonly stoppedGroups = new Set<string>();

  constructor(steps: readonly Step[], options: ApplyOptions<E>) {
    this.#steps = steps;
    this.#options = options;
    this.#pending = new PendingWrites(options);
    this.#created = new Created(steps, options);
  }

  /** Writes that were sent and have no response yet. */
  get pendingWrites(): number {
    return this.#pending.count;
  }

  /** The steps that this or an earlier run made, or may have made, so far; of updates, what the platform kept. */
  get made(): readonly Step[] {
    const { journal } = this.#options;
    return phasesOf(this.#steps)
      .flat()
      .flatMap(({ name: task, steps }) => {
        const { done, inDoubt } = journal?.find(task) ?? {};
        return steps.flatMap((step) => {
          const name = stepName(step);
          const notKept = this.#notKept.get(step);
          if (notKept) return keptPartOf(step, notKept);
          return done?.has(name) || inDoubt?.has(name) ? [this.#created.withCreatedId(step, task)] : [];
        });
      });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ApplyOutcome<E>, void> {
    const { client, rateLimitGroup, secrets: _, ...options } = this.#options;
    const { journal, only } = options;
    for (const phase of phasesOf(this.#steps)) {
      const tasks = phase.filter(({ target }) => !this.stoppedGroups.has(rateLimitGroup?.(target) ?? ''));
      const batches = batchesOf(tasks, (task) => stepsLeft(task, journal?.find(task.name), only));
      const shared: Phase = {
        held: new Map(this.#held),
        batches,
        unneeded: new Set(),
        begun: new Map(),
        done: new Map(),
      };
      const open = new Map(phase.map((task): [Task, Hindrance] => [task, 'unprocessed']));
      const run = new FleetRun<Task, readonly string[], E>({
        targets: tasks,
        name: ({ name }) => name,
        rateLimitGroup: rateLimitGroup && (({ target }) => rateLimitGroup(target)),
        work: (task, writes, together) => this.#work(task, writes, together, shared),
        batchOf: (task) => batches.get(task)?.tasks,
        verify: async ({ steps }, { step: name }) => {
          const found = steps.find((each) => stepName(each) === name);
          if (!found) return 'other';
          const step = this.#created.identified(found);
          const task = client.forTask();
          await requireSameTarget(step.target, targetIdOf(step), task);
          return findChange(step, task);
        },
        ...options,
      });
      for await (const outcome of run) {
        const { target } = outcome;
        if (outcome.status === 'ok' || outcome.status === 'skipped') open.delete(target);
        else open.set(target, 'failed');
        const isSkipped = outcome.status === 'ok' && outcome.result.length === 0 && shared.unneeded.has(target.target);
        yield isSkipped ? { target, status: 'skipped' } : { ...outcome, done: shared.done.get(target) ?? [] };
      }
      for (const [{ target }, why] of open)
        if (this.#held.get(ownerOf(target)) !== 'failed') this.#held.set(ownerOf(target), why);
      this.stop ??= run.stop;
      for (const each of run.stoppedGroups) this.stoppedGroups.add(each);
      if (run.stop === 'signal') return;
    }
  }

  /** Makes the steps of a task that are left. */
  async #work(
    task: Task,
    writes: TargetWrites,
    together: Together,
    { held, batches, unneeded, begun, done: doneOf }: Phase,
  ): Promise<readonly string[]> {
    const { target, steps } = task;
    const { secrets } = this.#options;
    const client = this.#options.client.forTask();
    const owner = ownerOf(target);
    const left = steps.filter((step) => !writes.isDone(stepName(step)));
    const all = begun.get(task) ?? left;
    // A second attempt makes only what the first one has not made, and makes it alone.
    const batch = begun.has(task) ? undefined : batches.get(task);
    begun.set(task, all);
    const done = all.filter((step) => !left.includes(step)).map(stepName);
    doneOf.set(task, done);
    const refusals = new Refusals();
    for (const step of left) {
      if (refusals.holds(step)) break;
      const name = stepName(step);
      if (isMadeLast(step)) {
        const why = held.get(owner);
        if (why) throw new EarlierFailureError(owner, why);
        await this.#requireMade(owner);
      }
      const { before } = step;
      const identified = this.#created.identified(step);
      const watch = this.#created.watched(
        step,
        writes.watch(name, { creates: step.action === 'create', ...(before && { before }) }),
      );
      const making = batch?.has(step)
        ? batch.make({ step, identified, client, watch }, together, this.#tracked)
        : this.#tracked(watch, (tracked) => makeChange(identified, client, { watch: tracked, secrets }));
      const isMade = await making.catch((error: unknown) => {
        if (error instanceof ValuesDifferError) {
          writes.notKept(name);
          this.#notKept.set(step, error.fields);
        }
        refusals.collect(step, error);
      });
      if (isMade !== undefined) this.#created.finished(step);
      if (isMade) done.push(name);
      else if (isMade === false) unneeded.add(target);
    }
    refusals.throwAny();
    return done;
  }

  /** Sends a write unless the run is aborted, and counts it until its response has come. */
  readonly #tracked: Tracked = async (watch, send) => {
    const { watch: tracked, settle } = this.#pending.track(watch);
    try {
      return await send(tracked);
    } finally {
      settle();
    }
  };

  /** Throws EarlierFailureError if tightenings of an organization that are left to another run were not made yet. */
  async #requireMade(owner: string): Promise<void> {
    const { client, left = [] } = this.#options;
    const check = async () => {
      for (const step of left)
        if (step.target === owner && !isMadeLast(step) && (await findChange(step, client.forTask())) !== 'wanted')
          throw new EarlierFailureError(owner, 'left');
    };
    const checked = this.#made.get(owner) ?? check();
    this.#made.set(owner, checked);
    await checked;
  }
}

/** Returns the part of a step that the platform kept, as a step; none if it kept nothing. */
function keptPartOf(step: Step, notKept: readonly string[]): readonly Step[] {
  const nameIn = (path: string) => path.split(/[.[]/, 1)[0] ?? '';
  const lost = new Set(notKept.map(nameIn));
  const kept = (given: Given) => Object.fromEntries(Object.entries(given).filter(([name]) => !lost.has(name)));
  // What is created, or replaced as a whole, is undone as a whole.
  if (step.action !== 'update' || kindNamed(step.kind).updatesReplace || kindNamed(step.kind).partsMove) return [step];
  const [before, body] = [kept(step.before), kept(step.body)];
  const changes = step.changes.filter(({ path }) => !lost.has(nameIn(path)));
  return Object.keys(body).length > 0 ? [{ ...step, before, body, changes }] : [];
}
