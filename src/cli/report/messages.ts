/** The messages of a run on stderr, with its secrets masked. */
import { maskingFailed, Redactor, shortestInRecords } from '../../client/redact.ts';
import { safeLines } from '../../output/safe-text.ts';
import type { Column } from '../../output/table/columns.ts';
import type { Terminal } from '../../output/terminal.ts';
import { withoutCommands } from '../../output/workflow-commands.ts';
import { ProgressLine } from '../progress-line.ts';
import type { Runtime } from '../runtime.ts';
import { secretVariables } from '../secret-variables.ts';
import { wrappedMessage } from '../word-wrap.ts';
import { type Failure, failureJson, failureText } from './report.ts';

export type Screen = Omit<Terminal, 'stdout' | 'stderr' | 'stderrIsTTY' | 'stderrColumns'>;

/** In characters: shorter secrets would match other text by chance. */
export const shortestSent = 8;

export class Messages {
  /** Masks the secrets of the run in messages. */
  readonly redactor = new Redactor();
  /** Masks them in records that the platform returns. */
  readonly recordRedactor = new Redactor();
  readonly #surroundings: Pick<Runtime, 'env' | 'terminal'>;

  /** `typed` are the secrets in the words of the command line, which the records of a dry run repeat. */
  constructor(surroundings: Pick<Runtime, 'env' | 'terminal'>, typed: readonly string[] = [], isDryRun = false) {
    this.#surroundings = surroundings;
    for (const secret of typed) if (secret.length >= shortestSent) this.addSecret(secret, isDryRun);
    for (const name of secretVariables) this.addSecret(surroundings.env[name] ?? '');
  }

  /** Records a secret, which is masked from now on. A short one is masked in records only if `inRecords` says so. */
  addSecret(secret: string, inRecords = secret.length >= shortestInRecords): void {
    this.redactor.add(secret);
    if (inRecords) this.recordRedactor.add(secret);
  }

  notice(text: string): void {
    this.write(this.#wrapped(this.#safe(text)));
  }

  /** The capabilities of stderr, in the form of those of standard output. */
  get screen(): Screen {
    const { color, plain, utf8, now, stderrIsTTY, stderrColumns } = this.#surroundings.terminal;
    return {
      ...{ plain, utf8, now, stdoutIsTTY: stderrIsTTY, links: false },
      color: color && stderrIsTTY,
      columns: stderrIsTTY ? stderrColumns : Number.POSITIVE_INFINITY,
    };
  }

  /** Writes records as the table that stdout would show, in full if stderr is not a terminal. */
  async table<R>(records: readonly R[], columns: readonly Column<R>[]): Promise<void> {
    const { tableFormat } = await import('../../output/table/table.ts');
    const { shownColumns } = await import('../../output/table/columns.ts');
    const table = tableFormat(shownColumns(columns), this.screen);
    const text = (await table.page(records)) + (await table.end());
    this.write(text.trimEnd());
  }

  failure(failure: Failure, asJson: boolean): void {
    const { exit, code } = failure;
    if (asJson) this.write(failureJson(failure), failureJson({ exit, code, message: maskingFailed }));
    else this.write(this.#wrapped(this.#safe(failureText(failure))));
  }

  /** Writes a line of --debug, which is not wrapped: it may be data. */
  trace(line: string): void {
    this.write(this.#safe(line));
  }

  #wrapped(text: string): string {
    const { stderrIsTTY, stderrColumns } = this.#surroundings.terminal;
    return stderrIsTTY ? wrappedMessage(text, stderrColumns) : text;
  }

  /** Masks secrets first: they may contain what is escaped, and a line break within one would hide it. */
  #safe(text: string): string {
    return safeLines(this.redactor.message(text));
  }

  /**
   * Writes text that is already escaped and laid out for a terminal.
   *
   * @param otherwise written if the text cannot be masked
   */
  write(text: string, otherwise?: string): void {
    const { env, terminal } = this.#surroundings;
    const redacted = this.redactor.message(text, otherwise);
    new ProgressLine(terminal).clear();
    terminal.stderr.write(`${env.GITHUB_ACTIONS ? withoutCommands(redacted) : redacted}\n`);
  }
}
