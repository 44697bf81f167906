/** The base of commands that check files offline. */

import { ForgectlCommand } from '../cli/command/command.ts';
import { LintError, UsageError } from '../cli/errors.ts';
import { readBodyInput } from '../cli/input/body-input.ts';
import { counted } from '../output/amounts.ts';
import type { Column } from '../output/table/columns.ts';
import { type Findings, type Given, refuseUnknown } from '../platform/validate.ts';

interface LintFinding {
  /** The file as given on the command line, or `standard input`. */
  readonly file: string;
  /** Warnings concern unknown parts that a newer platform may support. */
  readonly severity: 'error' | 'warning';
  /** The location in the file; empty for the whole file. */
  readonly path: string;
  readonly message: string;
}

interface LintFlags {
  readonly 'allow-unknown'?: boolean;
}

export abstract class LintCommand extends ForgectlCommand<LintFinding[]> {
  protected override readonly emptyText = 'No findings.';

  protected override readonly columns: readonly Column<LintFinding>[] = [
    { header: 'File', get: 'file', as: 'name', priority: 1 },
    { header: 'Severity', get: 'severity', as: 'state', priority: 1 },
    { header: 'Path', get: 'path', as: 'text', priority: 1 },
    { header: 'Message', get: 'message', as: 'message', priority: 1 },
  ];

  /** The maximum file size in bytes, if larger than for other input. */
  protected readonly largestFile: number | undefined;

  /** Checks the object of one file. */
  protected abstract check(document: Given): Findings;

  /** Checks every file; an unreadable one is reported as an error. Errors make the command fail at the end. */
  protected async lint(
    files: readonly string[],
    { 'allow-unknown': allowsUnknown = false }: LintFlags,
  ): Promise<LintFinding[]> {
    if (files.filter((file) => file === '-').length > 1)
      throw new UsageError('Standard input (-) can be given only once.');
    const findings: LintFinding[] = [];
    for (const file of files) for (const finding of await this.#findingsIn(file, allowsUnknown)) findings.push(finding);
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    const warnings = findings.length - errors;
    const where = `in ${counted(files.length, 'file')}`;
    if (errors)
      this.failure = new LintError(
        `${counted(errors, 'error')}${warnings ? ` and ${counted(warnings, 'warning')}` : ''} ${where}.`,
      );
    else if (warnings) this.notice(`${counted(warnings, 'warning')} and no errors ${where}.`);
    return findings;
  }

  async #findingsIn(source: string, allowsUnknown: boolean): Promise<LintFinding[]> {
    const file = source === '-' ? 'standard input' : source;
    try {
      const document = await readBodyInput(source, this.runtime.stdin, undefined, this.largestFile);
      const { problems, unknown } = refuseUnknown(this.check(document), allowsUnknown);
      return [
        ...problems.map(({ field, message }) => ({ file, severity: 'error' as const, path: field, message })),
        ...unknown.map(({ field, message }) => ({ file, severity: 'warning' as const, path: field, message })),
      ];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return [{ file, severity: 'error', path: '', message: error.message }];
    }
  }
}
