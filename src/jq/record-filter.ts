/** Selects records by a jq expression, as `--where` does. */
import { fieldsUsed } from './fields-used.ts';
import { JqError, reasonOf, runJq } from './jq.ts';

export interface RecordFilterOptions {
  /** Masks secrets in what jq sees of the records, as its messages quote data. */
  readonly mask?: ((records: readonly unknown[]) => readonly unknown[]) | undefined;
  /** Receives the output of `debug`. */
  readonly debug?: ((text: string) => void) | undefined;
}

/** In characters: a filter can put an entire record into its error. */
const maxReasonLength = 1000;

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
    this.#program = `[.[] | try any((${expression}\n); .) catch ${reason}]`;
    this.#options = options;
  }

  /**
   * Returns the indices of the records for which the expression has a result other than `false` and `null`. All records
   * are filtered in one run of jq, which takes milliseconds to start. Throws JqError with the name of a record for which
   * the expression fails.
   */
  async matching(records: readonly unknown[], nameOf: (index: number) => string): Promise<number[]> {
    if (records.length === 0) return [];
    const { mask = (all) => all, debug } = this.#options;
    const { stdout, stderr, exitCode } = await runJq(this.#program, mask(records.map((record) => this.#used(record))));
    if (exitCode !== 0) throw new JqError(this.#expression, reasonOf(stderr).slice(0, maxReasonLength));
    if (stderr !== '') debug?.(stderr);
    const results = JSON.parse(stdout) as readonly (boolean | { readonly reason: string })[];
    return results.flatMap((result, index) => {
      if (typeof result === 'object') throw new JqError(this.#expression, result.reason, nameOf(index));
      return result ? [index] : [];
    });
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
