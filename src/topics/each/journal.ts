/** The journal of a run of `each`, either given by a flag or created with the first write. */
import { maskedWords } from '../../cli/input/masked-words.ts';
import { type PrintedLine, printedLine, wordsWithoutFlags } from '../../cli/input/printed-line.ts';
import type { Runtime } from '../../cli/runtime.ts';
import { DeferredJournal, type RunJournal } from '../../fleet/journal/deferred.ts';
import { Journal, requireSame } from '../../fleet/journal/journal.ts';
import { type JournalHeader, journalVersion } from '../../fleet/journal/lines.ts';
import { type Shard, shardText } from '../../fleet/shard.ts';
import { type EarlierRun, ofJournal, type ResumeFlags } from '../runs/earlier-run.ts';
import { newJournalPath } from '../runs/journal-path.ts';
import type { EachLine } from './line.ts';
import { continuing, undoing } from './resume.ts';
import { inputAgain } from './shared-stdin.ts';
import type { Target } from './targets.ts';
import type { TypedWords } from './words.ts';
import type { EachWork } from './work.ts';

export interface JournalOptions {
  readonly baseUrl: string;
  /** The command line as typed. */
  readonly typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>;
  /** Its words, with the command of the run to continue. */
  readonly words: TypedWords;
  /** That command. */
  readonly line: Pick<EachLine, 'readsStdin'>;
  /** The run to continue. */
  readonly earlier: EarlierRun | undefined;
  readonly flags: ResumeFlags & {
    readonly journal?: string | undefined;
    readonly shard?: Shard | undefined;
    readonly 'dry-run': boolean;
  };
  readonly runtime: Runtime;
  /** Masks the secrets of the run. */
  readonly mask: (text: string) => string;
  readonly notice: (text: string) => void;
  /** Returns whether the command has read anything from standard input; undefined if it has not tried. */
  readonly hasReadStdin: () => boolean | undefined;
}

interface RunOptions {
  /** The targets of the run, also those that an earlier one has completed. */
  readonly targets: readonly Target[];
  /** The number of targets of all shards. */
  readonly total: number;
  /** True if the first request of the command is a write. */
  readonly isWrite: boolean;
  /** False for a command that only reads. */
  readonly mayWrite: boolean;
}

export class EachJournal {
  readonly #with: JournalOptions;
  readonly #header: Omit<JournalHeader, 'journal'>;
  /** What is masked in the journal. */
  readonly #masked: readonly string[];
  #opened: Journal | undefined;

  /** Throws JournalError for a named journal that this run cannot use. */
  constructor(options: JournalOptions) {
    this.#with = options;
    const { baseUrl: platform, typed, words, earlier, flags, mask } = options;
    const shard = flags.shard ? shardText(flags.shard) : earlier?.state.header.shard;
    const { words: command, masked } = maskedWords(words.inner, mask);
    const line = maskedWords(wordsWithoutFlags(words.own, typed.declared, ofJournal), mask).words;
    this.#masked = masked;
    const again = masked.length ? { masked } : {};
    this.#header = { platform, line, command, ...again, ...(shard !== undefined && { shard }) };
    if (earlier && flags['dry-run'])
      requireSame(earlier.path, earlier.state.header, { journal: journalVersion, ...this.#header });
    else if (this.#named !== undefined) Journal.check(this.#named, this.#header, { resume: earlier !== undefined });
  }

  /** The command line that continues the run; undefined before the journal is open. */
  get continuation(): string | undefined {
    if (!this.#opened) return undefined;
    const { typed, words, mask, hasReadStdin } = this.#with;
    const masked = this.#masked.length ? words.inner : undefined;
    const line = printedLine('Continue with', { ...continuing(typed, this.#opened.path, masked), mask });
    return hasReadStdin() ? `${line}\n${inputAgain}` : line;
  }

  /**
   * Returns the command lines that undo the run, or a sentence if there are none; undefined if it is not known to have
   * changed anything.
   */
  async undo({ write }: EachWork): Promise<string | undefined> {
    if (!this.#opened || !write) return undefined;
    const { baseUrl, typed, mask } = this.#with;
    const { undoText } = await import('./undo.ts');
    return undoText({ path: this.#opened.path, write, baseUrl, typed: { ...undoing(typed), mask } });
  }

  /** Returns the journal of a run; undefined for one that has none. */
  forRun({ isWrite, mayWrite, ...run }: RunOptions): RunJournal | undefined {
    if (this.#with.flags['dry-run']) return undefined;
    if (this.#named !== undefined || isWrite) return this.#open(run);
    return mayWrite ? new DeferredJournal(() => this.#open(run)) : undefined;
  }

  close(): void {
    this.#opened?.close();
  }

  /** The file given by a flag. */
  get #named(): string | undefined {
    const { journal, resume, 'resume-or-start': start } = this.#with.flags;
    return resume ?? start ?? journal;
  }

  #open({ targets, total }: Pick<RunOptions, 'targets' | 'total'>): Journal {
    const { line, earlier, runtime, mask, notice, hasReadStdin } = this.#with;
    const path = this.#named ?? newJournalPath(runtime);
    // The check before the run has read it, unless the command reads it after a request, or only for other targets.
    const stdin = hasReadStdin() ?? line.readsStdin(targets.map(({ name }) => name));
    const header = { ...this.#header, ...(stdin && { stdin }) };
    const journal = new Journal(path, header, { resume: earlier !== undefined, mask });
    try {
      const listed = targets.map(({ name, id }) => ({ name, ...(id !== undefined && { id }) }));
      journal.recordTargets(listed, this.#header.shard === undefined ? undefined : total);
    } catch (error) {
      journal.close();
      throw error;
    }
    this.#opened = journal;
    notice(`Journal: ${path}`);
    return journal;
  }
}
