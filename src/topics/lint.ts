/** The base of commands that check files offline. */

import { ForgectlCommand } from '../cli/command/command.ts';
import { LintError, UsageError } from '../cli/errors.ts';
import { parseBody } from '../cli/input/body-input.ts';
import { isStandardInput, largestInput, nameOf, readRepositoryText } from '../cli/input/sources.ts';
import type { RulesetFinding } from '../foresight/lint-ruleset.ts';
import { counted } from '../output/amounts.ts';
import type { Column } from '../output/table/columns.ts';
import { type Findings, type Given, type Problem, refuseUnknown } from '../platform/validate.ts';

interface LintFinding {
  /** The file as given on the command line, or `standard input`. */
  readonly file: string;
  /** Counts from 1, like the column. Both are absent for a file that cannot be read. */
  readonly line?: number;
  readonly column?: number;
  /** The location in the file; empty for the whole file. */
  readonly path: string;
  /** Stays the same from version to version, such as `invalid`. */
  readonly code: string;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

interface LintFlags {
  readonly 'allow-unknown'?: boolean;
  readonly strict?: boolean;
}

/** Returns the line and column of a part of a file. */
type Locate = (path: string) => { readonly line: number; readonly column: number };

export abstract class LintCommand extends ForgectlCommand<LintFinding[]> {
  protected override readonly emptyText = 'No findings.';

  protected override readonly columns: readonly Column<LintFinding>[] = [
    {
      header: 'File',
      get: ({ file, line, column }) => (line === undefined ? file : `${file}:${line}:${column}`),
      as: 'name',
      priority: 1,
    },
    { header: 'Severity', get: 'severity', as: 'state', priority: 1 },
    { header: 'Code', get: 'code', as: 'text', priority: 2 },
    { header: 'Path', get: 'path', as: 'text', priority: 1 },
    { header: 'Message', get: 'message', as: 'message', priority: 1 },
  ];

  /** The maximum file size in bytes, if larger than for other input. */
  protected readonly largestFile: number | undefined;

  /** Checks the object of one file. */
  protected abstract check(document: Given): Findings;

  /** Returns what is likely a mistake in an object, though its fields are valid (default: nothing). */
  protected async advise(_document: Given): Promise<readonly RulesetFinding[]> {
    return [];
  }

  /** Returns a function that locates parts of a text; undefined for files that are too large for it (default). */
  protected async locatorOf(_text: string): Promise<Locate | undefined> {
    return undefined;
  }

  protected codeOf({ code }: Problem): string {
    return code.replaceAll('_', '-');
  }

  /** Checks every file; an unreadable one is reported as an error. Errors make the command fail at the end. */
  protected async lint(
    files: readonly string[],
    { 'allow-unknown': allowsUnknown = false, strict = false }: LintFlags,
  ): Promise<LintFinding[]> {
    if (files.filter(isStandardInput).length > 1) throw new UsageError('Standard input (-) can be given only once.');
    const findings: LintFinding[] = [];
    for (const file of files) for (const finding of await this.#findingsIn(file, allowsUnknown)) findings.push(finding);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const warnings = findings.length - errors;
    const where = `in ${counted(files.length, 'file')}`;
    if (errors || (strict && warnings)) {
      const amounts = [errors && counted(errors, 'error'), warnings && counted(warnings, 'warning')];
      this.failure = new LintError(`${amounts.filter(Boolean).join(' and ')} ${where}.`);
    } else if (warnings) this.notice(`${counted(warnings, 'warning')} and no errors ${where}.`);
    return findings;
  }

  async #findingsIn(source: string, allowsUnknown: boolean): Promise<LintFinding[]> {
    const file = source === '-' ? 'standard input' : source;
    try {
      const { largestFile = largestInput } = this;
      const text = await readRepositoryText(source, this.runtime.stdin, largestFile, { staysInFolder: false });
      const document = await parseBody(nameOf(source), text);
      const { problems, unknown } = refuseUnknown(this.check(document), allowsUnknown);
      const findings = [
        ...problems.map((problem) => ({ ...problem, code: this.codeOf(problem), severity: 'error' as const })),
        ...unknown.map((problem) => ({ ...problem, code: this.codeOf(problem), severity: 'warning' as const })),
        ...(await this.advise(document)),
      ];
      const locate = findings.length > 0 ? await this.locatorOf(text) : undefined;
      return findings.map(({ field: path, code, severity, message }) => {
        const { line, column } = locate?.(path) ?? {};
        return { file, ...(line && { line, column }), path, code, severity, message };
      });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [{ file, severity: 'error', path: '', code: 'unreadable', message: error.message }];
    }
  }
}
