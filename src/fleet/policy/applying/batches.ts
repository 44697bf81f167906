/** Makes the same change of several targets with one request. Each target keeps its own journal lines and its own outcome. */
import { type Client, watchBoth } from '../../../client/client.ts';
import { ApiError, isRefusedInstallation, RateLimitError } from '../../../client/errors.ts';
import type { RequestWatch } from '../../../client/transport/transport.ts';
import { LimitedError, unlessLimited } from '../../../client/until-limited.ts';
import type { Together } from '../../runner.ts';
import { groupsOf, isShared } from '../kinds/groups.ts';
import type { Step } from '../live/change.ts';
import { requestOf, startOf } from './steps.ts';

/** A step that is about to be made. */
export interface Member {
  readonly step: Step;
  /** The same with the IDs of what the run created. */
  readonly identified: Step;
  readonly client: Client;
  /** Observes the write. */
  readonly watch: RequestWatch;
}

/** Sends a write under an observer that counts it until its response. */
export type Tracked = <T>(watch: RequestWatch, send: (watch: RequestWatch) => Promise<T>) => Promise<T>;

export class Batch<T> {
  /** The tasks with a step in the batch. */
  readonly tasks: readonly T[];
  readonly #steps: readonly Step[];
  readonly #members = new Map<Step, Member>();
  #made: Promise<Made> | undefined;

  constructor(tasks: readonly T[], steps: readonly Step[]) {
    this.tasks = tasks;
    this.#steps = steps;
  }

  has(step: Step): boolean {
    return this.#steps.includes(step);
  }

  /** Makes a step together with those of the tasks that wait with it; returns false if not needed. Throws like `makeChange`. */
  async make(member: Member, together: Together, tracked: Tracked): Promise<boolean> {
    this.#members.set(member.step, member);
    const made = await together(() => {
      this.#made ??= makeTogether(
        this.#steps.flatMap((step) => this.#members.get(step) ?? []),
        tracked,
      );
      return this.#made;
    });
    return resultOf(member.step, made);
  }
}

/** The outcomes of steps: whether each was made, or why not. Steps that are not needed are absent. */
type Made = ReadonlyMap<Step, PromiseSettledResult<boolean>>;

/** Returns whether a step was made. Throws the reason if it failed. */
function resultOf(step: Step, made: Made): boolean {
  const result = made.get(step);
  if (result?.status === 'rejected') throw result.reason;
  return result?.value ?? false;
}

/** Returns the batches of tasks. Alone, or without a step that is left and can be shared, a task has none. */
export function batchesOf<T>(tasks: readonly T[], stepsLeft: (task: T) => readonly Step[]): ReadonlyMap<T, Batch<T>> {
  const shared = new Map(
    tasks.flatMap((task): [Step, T][] => {
      const step = stepsLeft(task).find(isShared);
      return step ? [[step, task]] : [];
    }),
  );
  const groups = groupsOf([...shared.keys()]).filter(({ length }) => length > 1);
  return new Map(
    groups.flatMap((steps) => {
      const batch = new Batch(
        steps.map((step) => shared.get(step) as T),
        steps,
      );
      return batch.tasks.map((task) => [task, batch] as const);
    }),
  );
}

/** Reads the object of each step, and sends one request for those that are needed and start from what was planned. */
async function makeTogether(members: readonly Member[], tracked: Tracked): Promise<Made> {
  const made = new Map<Step, PromiseSettledResult<boolean>>();
  const needed: Member[] = [];
  const since = members[0]?.client.now() ?? 0;
  const starts = await Promise.allSettled(members.map(({ identified, client }) => startOf(identified, client)));
  for (const [at, member] of members.entries()) {
    const start = starts[at];
    if (start?.status === 'rejected') made.set(member.step, start);
    else if (start?.value) needed.push(member);
  }
  const results = await sendFor(needed, since, tracked);
  for (const [at, { step }] of needed.entries()) made.set(step, results[at] as PromiseSettledResult<boolean>);
  return made;
}

/**
 * Sends a request for several steps. If the platform refuses it, which may be because of one of them, sends one for each.
 *
 * @param since when their objects were read, in epoch milliseconds
 */
async function sendFor(
  members: readonly Member[],
  since: number,
  tracked: Tracked,
): Promise<readonly PromiseSettledResult<boolean>[]> {
  const [first] = members;
  if (!first) return [];
  const { client, identified } = first;
  const { endpoint, input } = requestOf(
    identified,
    members.map((member) => member.step.target),
  );
  const send = async (watch: RequestWatch) => {
    await client.send(client.plan(endpoint, input as never), { watch });
    return true;
  };
  const watch = unlessLimited(members.map((member) => member.watch).reduce(watchBoth), since);
  const [result] = await Promise.allSettled([tracked(watch, send)]);
  const makeAgain = async (those: readonly Member[]): Promise<readonly PromiseSettledResult<boolean>[]> => {
    const made = await makeTogether(those, tracked);
    return those.map((member) => made.get(member.step) ?? { status: 'fulfilled', value: false });
  };
  if (result.status === 'rejected' && result.reason instanceof LimitedError) return makeAgain(members);
  if (result.status === 'fulfilled' || members.length === 1 || !isRefusal(result.reason))
    return members.map(() => result);
  const results: PromiseSettledResult<boolean>[] = [];
  for (const member of members) results.push(...(await makeAgain([member])));
  return results;
}

/** Returns whether the platform refused a request for a reason that may concern one of its targets only. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ApiError &&
  [403, 404, 422].includes(error.refusal.status) &&
  !(error instanceof RateLimitError) &&
  !isRefusedInstallation(error);
