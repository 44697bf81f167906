/** The targets of a journal as records: how each ended, and the values before its write. */
import type { EntryLine, TargetsLine } from '../../fleet/journal/lines.ts';
import { targetChanged } from '../../fleet/journal/state.ts';
import { isObject } from '../../json/exact-json.ts';

/** A target of a run, with the names that lists of targets have. */
export interface JournalRecord {
  readonly target: string;
  /** The name of a repository. */
  readonly full_name?: string;
  /** The login of an organization. */
  readonly login?: string;
  /** The ID of a repository, where it is known. */
  readonly id?: number;
  readonly outcome: 'ok' | 'failed' | 'unknown' | 'open';
  readonly writes: number;
  /** The value before the first write, with secrets masked; absent if it is not known. */
  readonly before?: unknown;
}

interface State {
  readonly name: string;
  id?: number | undefined;
  outcome: JournalRecord['outcome'];
  readonly steps: Map<string, unknown>;
}

export class JournalRecords {
  readonly #targets = new Map<string, State>();

  /** Adds a line after the header. */
  take(line: TargetsLine | EntryLine): void {
    if ('targets' in line) {
      for (const { name, id } of line.targets) this.#of(name).id = id;
      return;
    }
    const state = this.#of(line.target);
    if ('outcome' in line) state.outcome = line.outcome;
    if ('sending' in line && !state.steps.has(line.sending)) state.steps.set(line.sending, line.before);
  }

  get all(): readonly JournalRecord[] {
    return [...this.#targets.values()].map(({ name, id, outcome, steps: [...steps] }) => {
      const [[, before] = []] = steps;
      // The value before another write is that of something in the target, which has its own ID.
      const [, own] = steps.find(([step]) => targetChanged(step) === name.toLowerCase()) ?? [];
      const known = id ?? (isObject(own) && typeof own.id === 'number' ? own.id : undefined);
      return {
        target: name,
        ...(name.includes('/') ? { full_name: name } : { login: name }),
        ...(known !== undefined && { id: known }),
        outcome,
        writes: steps.length,
        ...(before !== undefined && { before }),
      };
    });
  }

  #of(name: string): State {
    const state = this.#targets.get(name.toLowerCase()) ?? { name, outcome: 'open', steps: new Map() };
    this.#targets.set(name.toLowerCase(), state);
    return state;
  }
}
