/** The journal of a run of `each`: one that is named, or one that starts with the first write. */
import { maskedWords, withoutJournal } from '../../cli/input/masked-words.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { DeferredJournal, type RunJournal } from '../../fleet/journal/deferred.ts';
import { Journal } from '../../fleet/journal/journal.ts';
import type { JournalHeader } from '../../fleet/journal/lines.ts';
import type { JournalState } from '../../fleet/journal/state.ts';
import { type Shard, shardText } from '../../fleet/shard.ts';
import { secretMask } from '../../json/secrets.ts';
import { newJournalPath } from '../journal-path.ts';
import type { Target } from './selection.ts';
import { readsStdin, resumption, type TypedWords } from './words.ts';

export interface JournalOptions {
  readonly baseUrl: string;
  readonly typed: TypedWords;
  readonly flags: {
    readonly journal?: string | undefined;
    readonly resume?: string | undefined;
    readonly shard?: Shard | undefined;
    readonly 'dry-run': boolean;
  };
  readonly runtime: Runtime;
  /** Masks the secrets of the run. */
  readonly mask: (text: string) => string;
  readonly notice: (text: string) => void;
  /** Returns whether the command has read standard input. */
  readonly hasReadStdin: () => boolean;
}

interface RunOptions {
  /** The targets of the run, also those that an earlier one has completed. */
  readonly targets: readonly Target[];
  /** True if the first request of the command is a write. */
  readonly isWrite: boolean;
  /** False for a command that only reads. */
  readonly mayWrite: boolean;
}

export class EachJournal {
  /** The state of the journal to resume. */
  readonly earlier: JournalState | undefined;
  readonly #with: JournalOptions;
  readonly #header: Omit<JournalHeader, 'journal'>;
  /** What is masked in the journal. */
  readonly #masked: readonly string[];
  #opened: Journal | undefined;

  /** Throws JournalError for a named journal that this run cannot use. */
  constructor(options: JournalOptions) {
    this.#with = options;
    const { baseUrl: platform, typed, flags, mask } = options;
    const { shard, resume } = flags;
    const { words: command, masked } = maskedWords(typed.inner, mask);
    const line = maskedWords(withoutJournal(typed.own)).words;
    const again = { ...(masked.length && { masked }), ...(readsStdin(typed.inner) && { stdin: true as const }) };
    this.#masked = masked;
    this.#header = { platform, line, command, ...again, ...(shard && { shard: shardText(shard) }) };
    const path = resume ?? flags.journal;
    if (path !== undefined) this.earlier = Journal.check(path, this.#header, { resume: resume !== undefined });
  }

  /** The command line that continues the run; undefined before the journal is open. */
  get continuation(): string | undefined {
    if (!this.#opened) return undefined;
    const { typed, hasReadStdin } = this.#with;
    const again = [
      ...(this.#masked.length ? [`Give ${this.#masked.join(' and ')} again, in place of ${secretMask}.`] : []),
      ...(hasReadStdin() ? ['The command read standard input: give the same again.'] : []),
    ];
    return [`Continue with:\n  ${resumption(typed, this.#opened.path)}`, ...again].join('\n');
  }

  /** Returns the journal of a run; undefined for one that has none. */
  forRun({ targets, isWrite, mayWrite }: RunOptions): RunJournal | undefined {
    const { journal, resume, 'dry-run': dryRun } = this.#with.flags;
    const path = resume ?? journal;
    if (dryRun) return undefined;
    if (path !== undefined || isWrite) return this.#open(path, targets);
    return mayWrite ? new DeferredJournal(() => this.#open(undefined, targets)) : undefined;
  }

  close(): void {
    this.#opened?.close();
  }

  #open(named: string | undefined, targets: readonly Target[]): Journal {
    const { flags, runtime, mask, notice } = this.#with;
    const path = named ?? newJournalPath(runtime);
    this.#opened = new Journal(path, this.#header, { resume: flags.resume !== undefined, mask });
    this.#opened.recordTargets(targets.map(({ name, id }) => ({ name, ...(id !== undefined && { id }) })));
    notice(`Journal: ${path}`);
    return this.#opened;
  }
}
