/**
 * Runs one operation on many targets concurrently, each with its own outcome. A failed target does not stop the others;
 * an error that would affect all of them stops the run, and targets that were not started stay open for a later one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { RequestWatch } from '../client/transport/transport.ts';
import { isObject } from '../json/exact-json.ts';
import { UnverifiedWriteError } from './errors.ts';
import type { RunJournal } from './journal/deferred.ts';
import type { Finding, OutcomeLine, RecordedError, SendingLine } from './journal/lines.ts';
import type { DoubtfulWrite } from './journal/state.ts';
import { allEnded, defaultConcurrency, pooled, Queue } from './pool.ts';

/** How a target failed, as far as the run needs to know. */
export interface TargetError extends RecordedError {
  /** What the user should do; not recorded. */
  readonly advice?: string | undefined;
  /** True if every other target of the rate limit group would fail too: a rejected token, a lasting rate limit. */
  readonly stops?: boolean;
}

/** The outcome of a target. Skipped: done according to the journal, or not started after too many failures. */
export type Outcome<T, R, E extends TargetError> =
  | { readonly target: T; readonly status: 'ok'; readonly result: R }
  | { readonly target: T; readonly status: 'skipped' }
  | { readonly target: T; readonly status: 'failed' | 'unknown'; readonly error: E };

export interface RunOptions<T, R, E extends TargetError> {
  readonly targets: AsyncIterable<T> | Iterable<T>;
  /**
   * Names the rate limit that a target depends on, if not all depend on the same: the others go on while those of one group
   * wait, or are stopped. Requires that `targets` is not asynchronous.
   */
  readonly rateLimitGroup?: ((target: T) => string) | undefined;
  /** Identifies a target in the journal, as acme/site. */
  readonly name: (target: T) => string;
  /**
   * Processes a target. Each of its writes is sent under a watch of `writes`; `together` is for what it does with the other
   * targets of its batch.
   */
  readonly work: (target: T, writes: TargetWrites, together: Together) => Promise<R>;
  /** Returns all targets of the batch that a target belongs to: the same array for each of them. They are begun together. */
  readonly batchOf?: ((target: T) => readonly T[] | undefined) | undefined;
  /** Describes the errors of `work` and `verify`. */
  readonly describe: (error: unknown) => E | Promise<E>;
  /**
   * Checks on the platform whether a write without a known response happened: one of an earlier run first, and one of this
   * run once no other target is in progress. Without it such a write stays unknown.
   */
  readonly verify?: ((target: T, write: DoubtfulWrite) => Promise<Finding>) | undefined;
  readonly journal?: RunJournal | undefined;
  /** `failed`: processes only targets that failed according to the journal. */
  readonly only?: 'failed' | undefined;
  /** Maximum number of concurrent targets of a rate limit group, and of concurrent groups (default: 8). */
  readonly concurrency?: number | undefined;
  /** Number of failed targets after which no more are started, and those that wait for their first write are skipped. */
  readonly maxFailures?: number | undefined;
  /** Aborts the run: no more targets are started, and later failures stay open. */
  readonly signal?: AbortSignal | undefined;
  readonly clock?: RunClock | undefined;
}

/** Waits until every other target of the batch waits here too, or has ended, and then for a part of their work. */
export type Together = <P>(part: () => Promise<P>) => Promise<P>;

export interface RunClock {
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

/** Why a run ended before all its targets. */
export type Stop<E> = 'max failures' | 'signal' | E;

/** A create that was sent this recently may still be in progress on the platform. */
const settlingMs = 15_000;

const systemClock: RunClock = { now: Date.now, sleep: (ms, signal) => delay(ms, undefined, { signal }) };

/** The writes of one target, recorded in the journal. */
export class TargetWrites {
  readonly #journal: RunJournal | undefined;
  readonly #target: string;
  readonly #clock: RunClock;
  readonly #mayBegin: () => boolean;
  #hasSent = false;
  /** True if the first write was not sent, because the run had too many failures by then. */
  wasStopped = false;

  constructor(target: string, journal: RunJournal | undefined, clock: RunClock, mayBegin = () => true) {
    this.#target = target;
    this.#journal = journal;
    this.#clock = clock;
    this.#mayBegin = mayBegin;
  }

  /** Whether this run sent one. */
  get hasSent(): boolean {
    return this.#hasSent;
  }

  /** Whether an earlier run completed some of the steps. */
  get isBegun(): boolean {
    return (this.#journal?.find(this.#target)?.done.size ?? 0) > 0;
  }

  /** Returns whether an earlier run completed a step. */
  isDone(step: string): boolean {
    return this.#journal?.find(this.#target)?.done.has(step) ?? false;
  }

  /** Records that the platform accepted a write but stored something else: the step is not done. */
  notKept(step: string): void {
    this.#journal?.record({ target: this.#target, verified: step, found: 'other', at: this.#at() });
  }

  /** Returns the watch for sending the write of a step. Its `sending` throws if the step is already done. */
  watch(step: string, facts: Pick<SendingLine, 'creates' | 'before'> = {}): RequestWatch {
    const journal = this.#journal;
    if (!journal) return {};
    const target = this.#target;
    const at = () => this.#at();
    return {
      sending: () => {
        if (this.isDone(step)) throw new TypeError(`${step} of ${target} is done already`);
        this.wasStopped = !this.#hasSent && !this.isBegun && !this.#mayBegin();
        if (this.wasStopped) throw new Error('Not sent, after too many failures');
        this.#hasSent = true;
        journal.record({ target, sending: step, at: at(), ...facts });
      },
      received: (status, _headers, data) => {
        const id = facts.creates === true && isObject(data) && Number.isSafeInteger(data.id) && { id: Number(data.id) };
        journal.record({ target, received: step, status, ...id, at: at() });
      },
      unsent: () => journal.record({ target, unsent: step, at: at() }),
    };
  }

  #at(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

/**
 * A run over targets. Iterate it once for the outcomes as they arrive; `stop` then says why it ended early, if it did.
 */
export class FleetRun<T, R, E extends TargetError> implements AsyncIterable<Outcome<T, R, E>> {
  readonly #options: RunOptions<T, R, E>;
  readonly #clock: RunClock;
  #failures = 0;
  #hasTooManyFailures = false;
  /** The first error that stopped a rate limit group. */
  #stop: E | undefined;
  /** The rate limit groups that an error stopped; empty text for targets without groups. */
  readonly stoppedGroups = new Set<string>();
  readonly #begun = new Set<readonly T[]>();
  /** Outcomes that are not yielded yet: unknown, until the writes of these targets are verified. */
  readonly #doubtful: Doubtful<T, R, E>[] = [];

  constructor(options: RunOptions<T, R, E>) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get stop(): Stop<E> | undefined {
    if (this.#stop) return this.#stop;
    if (this.#hasTooManyFailures) return 'max failures';
    return this.#options.signal?.aborted ? 'signal' : undefined;
  }

  /** The number of targets that are verified before the run ends. */
  get doubtful(): number {
    return this.#doubtful.length;
  }

  /**
   * Throws the errors of the targets' iterator, and FileError if the journal accepts no more lines, once all targets in
   * progress have finished.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<Outcome<T, R, E>, void> {
    yield* pooled<T, Outcome<T, R, E>>({
      queues: this.#queues(),
      concurrency: this.#options.concurrency ?? defaultConcurrency,
      takesMore: ({ name }) => this.#takesMore(name),
      process: (target, group, emit) => this.#processBatchOf(target, group, emit),
    });
    yield* this.#settled();
  }

  /** Returns a queue for each rate limit group. */
  #queues(): readonly Queue<T>[] {
    const { targets, rateLimitGroup, concurrency } = this.#options;
    if (!rateLimitGroup || !(Symbol.iterator in targets)) return [new Queue('', targets, concurrency)];
    return [...Map.groupBy(targets, rateLimitGroup)].map(([name, members]) => new Queue(name, members, concurrency));
  }

  /** Processes a target with the others of its batch. Each occupies a place, except while it waits for the others. */
  async #processBatchOf(
    target: T,
    { name, places }: Queue<T>,
    emit: (outcome: Outcome<T, R, E>) => Promise<void>,
  ): Promise<void> {
    const batch = this.#batchToBegin(target);
    const meeting = new Meeting(batch.length);
    const together: Together = (part) =>
      places.outside(async () => {
        await meeting.wait();
        return part();
      });
    const process = async (member: T) => {
      const outcome = await places.run(() => this.#outcomeOf(member, name, together)).finally(() => meeting.leave());
      if (outcome) await emit(outcome);
    };
    await allEnded(batch.map(process));
  }

  /** Returns the batch of a target, or the target alone; none if its batch was begun with another target. */
  #batchToBegin(target: T): readonly T[] {
    const batch = this.#options.batchOf?.(target);
    if (!batch) return [target];
    if (this.#begun.has(batch)) return [];
    this.#begun.add(batch);
    return batch;
  }

  /** After too many failures, the remaining targets are skipped; after any other stop they stay open. */
  #takesMore(group: string): boolean {
    return !this.#options.signal?.aborted && !this.stoppedGroups.has(group);
  }

  /** Undefined for a target that stays open. */
  async #outcomeOf(target: T, group: string, together: Together): Promise<Outcome<T, R, E> | undefined> {
    const { journal, only, maxFailures = Number.POSITIVE_INFINITY } = this.#options;
    const name = this.#options.name(target);
    const recorded = journal?.find(name)?.outcome;
    if (only && recorded !== only) return undefined;
    if (recorded === 'ok' || this.#hasTooManyFailures) return { target, status: 'skipped' };
    if (!this.#takesMore(group)) return undefined;
    const writes = new TargetWrites(name, journal, this.#clock, () => !this.#hasTooManyFailures);
    const outcome = await this.#attempt(target, group, writes, together);
    if (outcome && 'error' in outcome) this.#hasTooManyFailures = ++this.#failures > maxFailures;
    if (outcome?.status !== 'unknown' || !writes.hasSent || !this.#options.verify) return outcome;
    this.#doubtful.push({ outcome, group });
    return undefined;
  }

  /** Yields the outcomes of targets with writes in doubt: after these were verified, unless the run has stopped. */
  async *#settled(): AsyncGenerator<Outcome<T, R, E>, void> {
    for (let next = this.#doubtful.shift(); next; next = this.#doubtful.shift()) {
      const { outcome, group } = next;
      const mayGoOn = this.#takesMore(group) && !this.#hasTooManyFailures;
      const writes = new TargetWrites(this.#options.name(outcome.target), this.#options.journal, this.#clock);
      const settled = mayGoOn ? await this.#attempt(outcome.target, group, writes, alone) : undefined;
      // The first error says more than that the outcome is still unknown.
      yield settled && settled.status !== 'unknown' ? settled : outcome;
    }
  }

  /** Verifies what is in doubt and processes a target. Undefined if it stays open. */
  async #attempt(
    target: T,
    group: string,
    writes: TargetWrites,
    together: Together,
  ): Promise<Outcome<T, R, E> | undefined> {
    const { journal, signal, work } = this.#options;
    const name = this.#options.name(target);
    let outcome: Outcome<T, R, E>;
    try {
      await this.#settle(target, name);
      const result = await work(target, writes, together);
      outcome = { target, status: 'ok', result };
    } catch (error) {
      if (journal?.failure) throw journal.failure;
      if (signal?.aborted) return undefined;
      if (writes.wasStopped) return { target, status: 'skipped' };
      outcome = await this.#failed(target, name, group, error);
    }
    this.#record(name, outcome);
    return outcome;
  }

  async #failed(target: T, name: string, group: string, error: unknown): Promise<Outcome<T, R, E>> {
    const described = await this.#options.describe(error);
    if (described.stops) {
      this.#stop ??= described;
      this.stoppedGroups.add(group);
    }
    const doubtful = this.#options.journal?.find(name)?.inDoubt.size ?? 0;
    return { target, status: doubtful > 0 ? 'unknown' : 'failed', error: described };
  }

  #record(target: string, outcome: Outcome<T, R, E>): void {
    const { journal } = this.#options;
    const { status } = outcome;
    if (!journal || status === 'skipped') return;
    const line: OutcomeLine = { target, outcome: status, at: this.#at() };
    const error = status === 'ok' ? {} : { error: recorded(outcome.error) };
    journal.record({ ...line, ...error });
  }

  /** Verifies the writes that an earlier run left in doubt. Throws UnverifiedWriteError if one stays in doubt. */
  async #settle(target: T, name: string): Promise<void> {
    const { journal } = this.#options;
    for (const write of journal?.find(name)?.inDoubt.values() ?? []) {
      const found = await this.#verified(target, write);
      journal?.record({ target: name, verified: write.step, found, at: this.#at() });
      if (found === 'other') throw new UnverifiedWriteError(write.step);
    }
  }

  async #verified(target: T, write: DoubtfulWrite): Promise<Finding> {
    const { verify, signal } = this.#options;
    if (!verify) return 'other';
    const found = await verify(target, write);
    if (found !== 'absent') return found;
    if (!write.creates) return 'other';
    const leftMs = write.sentAt + settlingMs - this.#clock.now();
    if (leftMs <= 0) return found;
    await this.#clock.sleep(Math.min(leftMs, settlingMs), signal);
    return verify(target, write);
  }

  #at(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

const recorded = ({ exit, code, message }: TargetError): RecordedError => ({ exit, code, message });

/** An outcome that a verification may change, and the rate limit group of its target. */
interface Doubtful<T, R, E extends TargetError> {
  readonly outcome: Outcome<T, R, E>;
  readonly group: string;
}

const alone: Together = (part) => part();

/** Where the targets of a batch wait for each other. */
class Meeting {
  #expected: number;
  #waiting = 0;
  readonly #met = Promise.withResolvers<void>();

  constructor(expected: number) {
    this.#expected = expected;
  }

  /** Waits until all that are expected wait. */
  wait(): Promise<void> {
    this.#waiting++;
    this.#check();
    return this.#met.promise;
  }

  /** Expects one less. */
  leave(): void {
    this.#expected--;
    this.#check();
  }

  #check(): void {
    if (this.#waiting >= this.#expected) this.#met.resolve();
  }
}
