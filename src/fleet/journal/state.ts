/** The state of a run, from the lines of its journal. */
import { leavesOutcomeUnknown } from '../../client/http.ts';
import { changedAt } from '../../client/moves.ts';
import { isObject } from '../../json/exact-json.ts';
import type { EntryLine, JournalHeader, JournalTarget, OutcomeLine, TargetsLine } from './lines.ts';

/** A write that was sent and has no known response. */
export interface DoubtfulWrite {
  readonly step: string;
  /** When it was sent, in epoch milliseconds. */
  readonly sentAt: number;
  readonly creates: boolean;
  /** The value before it, with secrets masked. */
  readonly before: unknown;
}

export interface TargetRecord {
  readonly outcome: OutcomeLine['outcome'] | undefined;
  /** The completed steps. */
  readonly done: ReadonlySet<string>;
  readonly inDoubt: ReadonlyMap<string, DoubtfulWrite>;
}

interface MutableRecord extends TargetRecord {
  outcome: OutcomeLine['outcome'] | undefined;
  readonly done: Set<string>;
  readonly inDoubt: Map<string, DoubtfulWrite>;
}

/** The number of targets in each state. */
export interface JournalCounts {
  readonly done: number;
  readonly failed: number;
  /** Targets with a write whose outcome is unknown. */
  readonly unknown: number;
  /** Targets that were not started, or not finished. */
  readonly open: number;
}

/** Most targets of a large journal are done, and need no further data, unless an undo plan needs their steps. */
const finished: MutableRecord = { outcome: 'ok', done: new Set(), inDoubt: new Map() };

export class JournalState {
  readonly header: JournalHeader;
  readonly #records = new Map<string, MutableRecord>();
  readonly #targets = new Map<string, JournalTarget>();
  /** The IDs of what writes created, by target and step. */
  readonly #created = new Map<string, number>();
  /** The IDs that targets had when they were changed themselves: a file of targets has none. */
  readonly #changedIds = new Map<string, number>();
  #of: number | undefined;

  constructor(header: JournalHeader) {
    this.header = header;
  }

  find(target: string): TargetRecord | undefined {
    return this.#records.get(target.toLowerCase());
  }

  /** The targets in lower case. */
  get targets(): Iterable<string> {
    return this.#records.keys();
  }

  /** The targets that are done, or have a write that happened or is in doubt, in lower case. */
  get changed(): readonly string[] {
    return [...this.#records].flatMap(([target, { outcome, done, inDoubt }]) =>
      outcome === 'ok' || done.size + inDoubt.size > 0 ? [target] : [],
    );
  }

  /** The number of targets: as recorded by the run, or at least those that were started. */
  get targetCount(): number {
    return Math.max(this.#targets.size, this.#records.size);
  }

  /** The number of targets of all shards. */
  get totalCount(): number {
    return this.#of ?? this.targetCount;
  }

  /** False for a run that ended before its targets were recorded, and so before anything was sent. */
  get hasBegun(): boolean {
    return this.targetCount > 0;
  }

  /** The targets as they were listed. */
  get listed(): readonly JournalTarget[] {
    return [...this.#targets.values()];
  }

  hasTarget(name: string): boolean {
    return this.#targets.has(name.toLowerCase());
  }

  idOf(target: string): number | undefined {
    const name = target.toLowerCase();
    return this.#targets.get(name)?.id ?? this.#changedIds.get(name);
  }

  /** Returns the ID of what a write created, if it was recorded. */
  createdId(target: string, step: string): number | undefined {
    return this.#created.get(JSON.stringify([target.toLowerCase(), step]));
  }

  /** Adds a line. Returns false for one that cannot follow those before it. */
  apply(line: TargetsLine | EntryLine): boolean {
    if ('targets' in line) {
      for (const target of line.targets) {
        const name = target.name.toLowerCase();
        const known = this.#targets.get(name);
        if (known && known.id !== target.id) return false;
        this.#targets.set(name, target);
      }
      this.#of ??= line.of;
      return true;
    }
    const target = line.target.toLowerCase();
    const record = this.#records.get(target) ?? { outcome: undefined, done: new Set(), inDoubt: new Map() };
    if (record.outcome === 'ok') return false;
    this.#records.set(target, record);
    if ('sending' in line) {
      const { sending: step, at, creates = false, before } = line;
      record.outcome = undefined;
      record.inDoubt.set(step, { step, sentAt: Date.parse(at), creates, before });
      const id = isObject(before) ? before.id : undefined;
      if (typeof id === 'number' && targetChanged(step) === target && !this.#changedIds.has(target))
        this.#changedIds.set(target, id);
      return !record.done.has(step);
    }
    if ('outcome' in line) {
      record.outcome = line.outcome;
      if (line.outcome === 'ok' && this.header.plan === undefined) this.#records.set(target, finished);
      return true;
    }
    if ('received' in line && line.id !== undefined)
      this.#created.set(JSON.stringify([target, line.received]), line.id);
    if ('received' in line) return settle(record, line.received, line.status < 300, !leavesOutcomeUnknown(line.status));
    if ('unsent' in line) return settle(record, line.unsent, false, true);
    if (record.done.has(line.verified)) return line.found === 'other' && record.done.delete(line.verified);
    return settle(record, line.verified, line.found === 'wanted', line.found !== 'other');
  }

  /** Returns the number of targets in each state. */
  counts(): JournalCounts {
    const records = [...this.#records.values()];
    const count = (is: (record: TargetRecord) => boolean) => records.filter(is).length;
    const isUnknown = ({ outcome, inDoubt }: TargetRecord) => outcome !== 'ok' && inDoubt.size > 0;
    const done = count(({ outcome }) => outcome === 'ok');
    const unknown = count((record) => isUnknown(record) || record.outcome === 'unknown');
    const failed = count((record) => record.outcome === 'failed' && !isUnknown(record));
    return { done, failed, unknown, open: this.targetCount - done - failed - unknown };
  }
}

/** Returns the repository or the organization, in lower case, that a write of `each` changes itself; undefined for any other. */
export function targetChanged(step: string): string | undefined {
  const [, path = ''] = /^[A-Z]+ (.+?)(?: \(\d+\))?$/.exec(step) ?? [];
  return changedAt({ baseUrl: '' }, path)?.toLowerCase();
}

/** After a response or a verification, a write is done, certainly not done, or still in doubt. */
function settle({ done, inDoubt }: MutableRecord, step: string, isDone: boolean, isKnown: boolean): boolean {
  if (!inDoubt.has(step)) return false;
  if (isDone) done.add(step);
  if (isDone || isKnown) inDoubt.delete(step);
  return true;
}
