/** Runs the command of `each` on one target, and records its writes in the journal. */
import type { Config } from '@oclif/core/config';
import type { Connection } from '../../cli/account/connection.ts';
import { type InnerOutcome, runWithin } from '../../cli/command/run-within.ts';
import { UsageError } from '../../cli/errors.ts';
import type { Failure } from '../../cli/report/report.ts';
import { previewed } from '../../cli/result/result.ts';
import { Client } from '../../client/client.ts';
import { NotFoundError } from '../../client/errors.ts';
import { isRead } from '../../client/http.ts';
import { changedAt, isSameName, refuseRename } from '../../client/moves.ts';
import type { HttpRequest, PlannedRequest } from '../../client/request.ts';
import { RetryBudget } from '../../client/transport/retry.ts';
import type { Transport } from '../../client/transport/transport.ts';
import type { Finding } from '../../fleet/journal/lines.ts';
import type { DoubtfulWrite } from '../../fleet/journal/state.ts';
import { PendingWrites } from '../../fleet/pending-writes.ts';
import type { TargetWrites } from '../../fleet/runner.ts';
import { requireSameTarget, targetId } from '../../fleet/same-target.ts';
import type { RunContext } from '../runs/run-context.ts';
import type { EachLine } from './line.ts';

interface EachContext extends RunContext {
  readonly line: EachLine;
  readonly config: Config;
  readonly connection: Connection;
  /** Reads standard input. */
  readonly stdin: () => Promise<Uint8Array>;
  /** Masks a secret of the command line from now on. */
  readonly addSecret: (secret: string, inRecords?: boolean) => void;
}

/** The failure of a command line that ran. */
class InnerError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** The first request of a command line, as far as it decides about confirmation. */
export interface LineCheck {
  /** The confirmation that the command would request. */
  readonly effect: string | undefined;
  /** Whether the first request is a write, or the command would ask before it. */
  readonly isWrite: boolean;
}

export class EachWork {
  readonly #context: EachContext;
  readonly #noticed = new Set<string>();
  readonly #pending: PendingWrites;
  #isConfirmed = false;
  #write: HttpRequest | undefined;
  #hasOneBody = true;

  constructor(context: EachContext) {
    this.#context = context;
    this.#pending = new PendingWrites(context);
  }

  /** Writes that were sent and have no response yet. */
  get pendingWrites(): number {
    return this.#pending.count;
  }

  /** A write of the run for all others with the same body, if all have; undefined if there was none. */
  get write(): (HttpRequest & { readonly isLikeAll: boolean }) | undefined {
    return this.#write && { ...this.#write, isLikeAll: this.#hasOneBody };
  }

  /** Lets commands that ask for confirmation proceed. */
  confirm(): void {
    this.#isConfirmed = true;
  }

  /**
   * Runs the command line up to its first request, which is not sent, for a sample of each kind of targets. Throws UsageError
   * for an invalid command line.
   */
  async check(samples: readonly string[]): Promise<LineCheck> {
    let effect: string | undefined;
    let isWrite = false;
    for (const sample of samples) {
      const checked = await this.#checkOne(sample);
      effect = checked.effect?.replaceAll(sample, 'every target') ?? effect;
      isWrite ||= checked.isWrite;
    }
    return { effect, isWrite };
  }

  async #checkOne(target: string): Promise<LineCheck> {
    const transport = new RequestCapturingTransport();
    let effect: string | undefined;
    const confirm = (asked: string) => {
      effect = asked;
    };
    const failure = await this.#runToFirstRequest(this.#context.line.wordsFor(target), transport, confirm);
    if (failure && !transport.request) throw new UsageError(failure.message, failure.advice);
    const { method = 'GET' } = transport.request ?? {};
    return { effect, isWrite: effect !== undefined || !isRead(method) };
  }

  /**
   * Returns the writes that the command plans for a target, as its dry run does; undefined if it fails. A command that
   * must read something first fails unless that is allowed.
   */
  async writesFor(
    target: string,
    { mayRead }: { readonly mayRead: boolean },
  ): Promise<readonly PlannedRequest[] | undefined> {
    const { line, connection, client } = this.#context;
    const closed = () => new Client({ platform: connection.platform, transport: new RequestCapturingTransport() });
    const words = line.wordsFor(target, ['--dry-run']);
    const { planned = [], failure } = await this.#outcomeOf(words, mayRead ? client.forTask() : closed(), () => {});
    return failure ? undefined : planned.filter(({ request }) => !isRead(request.method));
  }

  /** Returns the requests for a target: all writes of a command that plans them, otherwise the first read. */
  async plan(target: string, done: ReadonlySet<string> = new Set()): Promise<unknown> {
    const { line } = this.#context;
    if (line.plans) return this.#plansLeft(await this.#run(line.wordsFor(target, ['--dry-run'])), done);
    const transport = new RequestCapturingTransport();
    const failure = await this.#runToFirstRequest(line.wordsFor(target), transport, () => {});
    if (failure && !transport.request) throw new InnerError(failure);
    if (!transport.request) return [];
    const { headers, ...request } = transport.request;
    const { credential } = this.#context.connection;
    return previewed({ ...request, headers: { ...headers, ...(credential && { authorization: 'Bearer ********' }) } });
  }

  /**
   * Runs the command line for a target, and returns its result. Writes of an earlier run are not sent again; if that did
   * all of them, there is no result. Nothing is written to a repository with another ID than `id`. If it is not
   * `listed`, it is not changed itself, and no write is repeated after a rate limit. Without that, the ID that is read
   * before the first change of the repository itself applies from then on.
   */
  async run(target: string, writes: TargetWrites, id?: number, listed = id): Promise<unknown> {
    const { line, client } = this.#context;
    if (writes.isBegun) {
      const planned = await this.#plannedWrites(target);
      if ([...planned.keys()].every((step) => writes.isDone(step))) return undefined;
    }
    const stepOf = this.#steps();
    let same: Promise<void> | undefined;
    let known = listed;
    const ended: (() => void)[] = [];
    const task = client.forTask(async (plan, sender) => {
      const step = stepOf(plan);
      // No command reads the empty response to one of several writes.
      if (writes.isDone(step) && plan.endpoint?.answer.kind === 'nothing') return { earlier: {} };
      same ??= requireSameTarget(target, id, sender);
      await same;
      const object = await this.#objectOf(plan);
      if (writes.isDone(step))
        // A write without an object, such as the copy of a template, has a later one, whose response is the result.
        return { earlier: (await object?.current(sender.onRename(refuseRename))) ?? {} };
      this.#write ??= plan.request;
      this.#hasOneBody &&= plan.request.body === this.#write.body;
      let before = await object?.before(sender.onRename(refuseRename));
      if (this.#isOf(target, plan)) {
        // A transfer has no object, nor has another spelling of a path.
        if (!object) before = { id: await targetId(target, sender, known) };
        known ??= typeof before?.id === 'number' ? before.id : undefined;
        const isKnown = before?.id === known && isSameName(object?.nameBefore ?? target, target);
        if (!isKnown) await requireSameTarget(target, known, sender);
      }
      const facts = { ...(object?.hasListedKey && { creates: true }), ...(before && { before }) };
      const { watch, settle } = this.#pending.track(writes.watch(step, facts));
      ended.push(settle);
      return {
        ...watch,
        repeating: () => requireSameTarget(target, known, sender),
        idOf: ({ name }) => (isSameName(name, target) ? known : undefined),
      };
    });
    try {
      return this.#result(await this.#run(line.wordsFor(target), task));
    } finally {
      for (const settle of ended) settle();
    }
  }

  /** Looks at the object of a write that an earlier run sent to a target, and whose response is not known. `id` as for `run`. */
  async verify(target: string, { step, before }: DoubtfulWrite, id?: number): Promise<Finding> {
    const client = this.#context.client.forTask().onRename(refuseRename);
    await requireSameTarget(target, id, client).catch((error: unknown) => {
      // The write may have deleted it.
      if (!(error instanceof NotFoundError)) throw error;
    });
    const plan = (await this.#plannedWrites(target)).get(step);
    const object = plan && (await this.#objectOf(plan));
    return object ? object.verify(client, before) : 'other';
  }

  /** Returns the requests of a dry run, without the steps that an earlier run has done. */
  #plansLeft(outcome: InnerOutcome, done: ReadonlySet<string>): unknown {
    const result = this.#result(outcome);
    if (done.size === 0) return result;
    const stepOf = this.#steps();
    const steps = outcome.planned?.map(stepOf) ?? [];
    return [result].flat().filter((_, at) => !done.has(steps[at] ?? ''));
  }

  /** Describes the errors of `run`, `plan` and `verify`. */
  async describe(error: unknown): Promise<Failure> {
    return error instanceof InnerError ? error.failure : this.#context.describe(error);
  }

  /** Returns the writes that the command line plans for a target, by their steps in the journal. */
  async #plannedWrites(target: string): Promise<ReadonlyMap<string, PlannedRequest>> {
    const { line } = this.#context;
    if (!line.plans) return new Map();
    const outcome = await this.#run(line.wordsFor(target, ['--dry-run']));
    this.#result(outcome);
    const stepOf = this.#steps();
    return new Map(outcome.planned?.map((plan) => [stepOf(plan), plan]));
  }

  /** Returns a function that names the writes of one target; repeated requests are numbered. */
  #steps(): (plan: PlannedRequest) => string {
    const { baseUrl } = this.#context.connection.platform;
    const counts = new Map<string, number>();
    return ({ request: { method, url } }) => {
      const name = `${method} ${url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url}`;
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return count === 1 ? name : `${name} (${count})`;
    };
  }

  /** Returns whether a write changes or transfers the target itself, and not something in it. */
  #isOf(target: string, { request: { url } }: PlannedRequest): boolean {
    return isSameName(changedAt(this.#context.connection.platform, url), target);
  }

  async #objectOf({ request }: PlannedRequest) {
    const { writtenObject } = await import('../../fleet/written-object.ts');
    return writtenObject(request, this.#context.connection.platform);
  }

  /** Runs a command line up to its first request, which is not sent. Returns its failure, if it fails before. */
  async #runToFirstRequest(words: readonly string[], transport: Transport, confirm: (effect: string) => void) {
    const { platform } = this.#context.connection;
    return (await this.#outcomeOf(words, new Client({ platform, transport }), confirm)).failure;
  }

  async #run(words: readonly string[], client = this.#context.client.forTask()) {
    const outcome = await this.#outcomeOf(words, client, (effect) => this.#requireConfirmed(effect));
    for (const text of outcome.notices) this.#tell(text);
    if (outcome.hasMore)
      this.#tell('Some lists are longer than their results. To get all items, add --all to the command.');
    return outcome;
  }

  #outcomeOf(words: readonly string[], client: Client, confirm: (effect: string) => void): Promise<InnerOutcome> {
    const { config, runtime, connection, stdin, addSecret } = this.#context;
    return runWithin(words, { config, runtime, connection, client, stdin, confirm, addSecret });
  }

  #requireConfirmed(effect: string): void {
    if (!this.#isConfirmed)
      throw new UsageError(`Nothing was sent. This ${effect}; confirm with --yes and --expect before the command.`);
  }

  #tell(text: string): void {
    if (this.#noticed.has(text)) return;
    this.#noticed.add(text);
    this.#context.notice(text);
  }

  #result({ result, failure }: { readonly result?: unknown; readonly failure?: Failure }): unknown {
    if (failure) throw new InnerError(failure);
    return result;
  }
}

/** Ends a command at its first request, and stores that request. */
class RequestCapturingTransport implements Transport {
  readonly concurrency = 1;
  readonly now = Date.now;
  request: HttpRequest | undefined;

  newBudget(): RetryBudget {
    return new RetryBudget(0, this.now);
  }

  async send(request: HttpRequest): Promise<never> {
    this.request ??= request;
    throw new Error('Not sent.');
  }

  stream = this.send;

  async backOff(): Promise<boolean> {
    return false;
  }

  async close(): Promise<void> {}
}
