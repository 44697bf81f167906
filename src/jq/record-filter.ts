/** Selects records by a jq expression, as `--where` does. */
import { fieldsUsed } from './fields-used.ts';
import { JqError, type JqRun, reasonOf, runJq, selectionTimeoutMs } from './jq.ts';

type MaskRecords = (records: readonly unknown[]) => readonly unknown[];

/** Whether a record was selected, or why the expression failed for it. */
type Result = boolean | { readonly reason: string };

export interface RecordFilterOptions {
  /** In milliseconds: limit on each page of records (default: 10 s). */
  readonly timeoutMs?: number | undefined;
  /** Whether messages may quote records (default: true). */
  readonly quotesRecords?: boolean | undefined;
  /** Masks secrets in what jq sees of the records. */
  readonly mask?: MaskRecords | undefined;
  /** Masks secrets in what messages quote, which jq may truncate (default: `mask`). */
  readonly maskQuoted?: MaskRecords | undefined;
  /** Receives the output of `debug` and `stderr`; without it, they write nothing. */
  readonly debug?: ((text: string) => void) | undefined;
}

/** In characters: a filter can put an entire record into its error. */
const maxReasonLength = 1000;

const noInput = 'input and inputs are not available, as the expression is applied to one record at a time';

/** Within a record, jq's own functions read nothing, and “input” fails with the reason “break”. */
const definitions = `def input: error("${noInput}"); def inputs: input;`;

const type = '(?:null|boolean|number|string|array|object)';

/** Without a reader: what they write is kept until the end, and an expression can write gigabytes in its time. */
const silent = 'def stderr: .; def debug: .; def debug(messages): (messages | empty), .;';

const unquoted = 'its message is not shown, as it may quote the record';

/** jq's own messages of which a part quotes nothing but types. */
const ownMessages = new RegExp(
  `^(Cannot index ${type} with ${type}|Cannot iterate over ${type})|^(${type}) \\(.*\\) (cannot be matched, as it is not a string|has no keys)$`,
  's',
);

export class RecordFilter {
  readonly #expression: string;
  readonly #fields: readonly string[] | undefined;
  readonly #program: string;
  readonly #options: RecordFilterOptions;

  constructor(expression: string, options: RecordFilterOptions = {}) {
    this.#expression = expression;
    this.#fields = fieldsUsed(expression);
    // The newline ends a comment at the end of the expression.
    const reason = `{reason: (if type == "string" then . else tojson end | .[:${maxReasonLength}])}`;
    const own = options.debug ? definitions : `${definitions} ${silent}`;
    this.#program = `${own} [.[] | try any((${expression}\n); .) catch ${reason}]`;
    this.#options = options;
  }

  /**
   * Returns the indices of the records for which the expression has a result other than `false` and `null`. All records
   * are filtered in one run of jq, which takes milliseconds to start. Throws JqError with the name of a record for which
   * the expression fails.
   */
  async matching(records: Iterable<unknown>, nameOf: (index: number) => string): Promise<number[]> {
    const used = Array.from(records, (record) => this.#used(record));
    if (used.length === 0) return [];
    const { mask = (all) => all, maskQuoted, debug, timeoutMs = selectionTimeoutMs } = this.#options;
    const run = await runJq(this.#program, mask(used), { timeoutMs });
    const results = resultsOf(run);
    const failed = results?.findIndex((result) => typeof result === 'object');
    const speaks = run.exceeded === undefined && (run.stderr !== '' || failed !== -1);
    const told = speaks && maskQuoted ? await runJq(this.#program, maskQuoted(used), { timeoutMs }) : run;
    if (!results) throw this.#failure(told);
    if (told.stderr !== '') debug?.(told.stderr);
    if (failed !== undefined && failed !== -1) {
      const result = resultsOf(told)?.[failed];
      const reason = typeof result === 'object' ? this.#shown(result.reason) : unquoted;
      throw new JqError(this.#expression, reason, nameOf(failed));
    }
    return results.flatMap((result, index) => (result ? [index] : []));
  }

  /** Returns the error of a run without results, such as one that a limit or `halt` ended. */
  #failure({ exceeded, stderr }: JqRun): JqError {
    const halted = stderr === '' ? 'it ended without a result' : undefined;
    const reason = exceeded ?? halted ?? this.#shown(reasonOf(stderr).slice(0, maxReasonLength));
    return new JqError(this.#expression, reason);
  }

  /** Returns the reason of an error without what it may quote of a record, if that must not be shown. */
  #shown(reason: string): string {
    if (this.#options.quotesRecords !== false || reason === noInput) return reason;
    const [own, ...parts] = ownMessages.exec(reason) ?? [];
    return own === undefined ? unquoted : parts.filter(Boolean).join(' ');
  }

  /** Returns the part of a record that the expression depends on. Reading all of it would take jq ten times as long. */
  #used(record: unknown): unknown {
    const fields = this.#fields;
    if (!fields || typeof record !== 'object' || record === null || Array.isArray(record) || JSON.isRawJSON(record))
      return record;
    return Object.fromEntries(
      fields.filter((name) => Object.hasOwn(record, name)).map((name) => [name, record[name as keyof object]]),
    );
  }
}

/** Returns the result for each record; undefined for a run without results. */
const resultsOf = ({ exitCode, stdout }: JqRun): readonly Result[] | undefined =>
  exitCode !== 0 || stdout === '' ? undefined : (JSON.parse(stdout) as readonly Result[]);
