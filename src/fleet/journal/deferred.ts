/** A journal that is opened for the first write: a run that only reads has none. */
import type { Journal } from './journal.ts';
import type { EntryLine } from './lines.ts';
import type { TargetRecord } from './state.ts';

/** What a run needs of its journal. */
export interface RunJournal {
  find(target: string): TargetRecord | undefined;
  /** Records a line. The line of a write about to be sent is on disk when this returns. Throws `failure`. */
  record(line: EntryLine): void;
  /** Why no more lines are accepted. Nothing is sent without a line. */
  readonly failure: Error | undefined;
}

export class DeferredJournal implements RunJournal {
  readonly #open: () => Journal;
  #journal: Journal | undefined;
  /** The outcomes of targets without a write. */
  readonly #early: EntryLine[] = [];
  #failure: Error | undefined;

  /** `open` opens a new journal. */
  constructor(open: () => Journal) {
    this.#open = open;
  }

  get failure(): Error | undefined {
    return this.#failure ?? this.#journal?.failure;
  }

  find(target: string): TargetRecord | undefined {
    return this.#journal?.find(target);
  }

  record(line: EntryLine): void {
    if (this.#failure) throw this.#failure;
    if (!this.#journal && 'sending' in line) this.#begin();
    if (this.#journal) this.#journal.record(line);
    else this.#early.push(line);
  }

  #begin(): void {
    try {
      this.#journal = this.#open();
      for (const line of this.#early.splice(0)) this.#journal.record(line);
    } catch (error) {
      this.#failure = error as Error;
      throw error;
    }
  }
}
