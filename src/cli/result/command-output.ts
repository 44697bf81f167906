/** Prints the results of a command, as its flags, the settings and the terminal require. */
import { masked } from '../../client/redact.ts';
import { type Format, type RenderOptions, takesText } from '../../output/render.ts';
import { escapeHazards, safeLines } from '../../output/safe-text.ts';
import { maskSecrets } from '../../output/secrets.ts';
import { machineText } from '../../output/table/cells.ts';
import { shownColumns } from '../../output/table/columns.ts';
import { withoutCommands } from '../../output/workflow-commands.ts';
import { write } from '../../output/writer.ts';
import { outputSetting } from '../account/settings.ts';
import { UsageError } from '../errors.ts';
import type { Messages } from '../report/messages.ts';
import type { Runtime } from '../runtime.ts';
import { Listing } from './listing.ts';
import type { OutputFlags } from './output-flags.ts';
import {
  type DryRun,
  PlainText,
  type Printing,
  printDryRun,
  printResult,
  type ResultShape,
  showsChanges,
} from './result.ts';
import type { WhereCheck } from './where-check.ts';

export interface PrintingFlags extends OutputFlags {
  readonly 'csv-safe'?: boolean;
  readonly 'show-secrets'?: boolean;
  readonly debug?: boolean;
  readonly profile?: string;
  readonly timeout?: number;
}

type RecordNaming = Pick<ResultShape, 'idField' | 'recordsName'>;

interface Selecting extends RecordNaming {
  /** Checks the fields of the expression by the first page. */
  readonly check: WhereCheck | undefined;
}

interface Surroundings {
  readonly flags: PrintingFlags;
  readonly runtime: Runtime;
  readonly messages: Messages;
  readonly settingsDirectory: string;
  /** The command's own format for records; its texts, errors and dry runs are printed as those of any command. */
  readonly documentFormat: Format | undefined;
  /** True for commands that exist to print a secret. */
  readonly showsSecrets: boolean;
}

export class CommandOutput {
  readonly #flags: PrintingFlags;
  readonly #runtime: Runtime;
  readonly #messages: Messages;
  readonly #options: RenderOptions;
  /** The format of records, if it differs. */
  readonly #documentFormat: Format | undefined;
  /** The reason for ignoring the output setting, if any. */
  readonly #problem: string | undefined;

  constructor({ flags, runtime, messages, settingsDirectory, documentFormat, showsSecrets }: Surroundings) {
    this.#flags = flags;
    this.#runtime = runtime;
    this.#messages = messages;
    const typed = typedFormat(flags);
    const { format, fieldLines, problem } = typed
      ? { format: typed }
      : defaultFormat(flags, runtime, settingsDirectory);
    const { fields, jq, debug } = flags;
    this.#documentFormat = typed ? undefined : documentFormat;
    this.#problem = problem;
    this.#options = {
      format,
      ...(fieldLines && { fieldLines }),
      showSecrets: showsSecrets || (flags['show-secrets'] ?? false),
      mask: (text) => messages.recordRedactor.maskKnown(text),
      maskQuoted: masked,
      mayMask: (text, records) => messages.recordRedactor.mayMask(text, records),
      csvSafe: flags['csv-safe'] ?? false,
      inWorkflow: Boolean(runtime.env.GITHUB_ACTIONS),
      ...(fields ? { fields } : {}),
      ...(jq === undefined ? {} : { jq, jqTimeoutMs: flags.timeout }),
      ...(debug
        ? {
            onColumnError: (column, { message }) =>
              messages.notice(`Column ${column} is empty for a record: ${message}`),
          }
        : {}),
    };
  }

  /** True if messages and texts are printed as JSON too. */
  get saysJson(): boolean {
    return this.#flags.json === true || ['json', 'ndjson'].includes(this.#options.format);
  }

  /** True if errors are printed as JSON: users who type `--jq` read them. */
  get errorsInJson(): boolean {
    const { jq, json, output } = this.#flags;
    const onlyFiltered = jq !== undefined && !json && output === undefined;
    return this.saysJson && !(onlyFiltered && this.#runtime.terminal.stderrIsTTY);
  }

  /** True if the changed fields are shown instead of the whole record. */
  get showsChanges(): boolean {
    return showsChanges(this.#options, this.#runtime.terminal);
  }

  /** True if records are printed as a table with the command's own columns. */
  get showsColumns(): boolean {
    const { format, fields, jq } = this.#options;
    return format === 'table' && fields === undefined && jq === undefined;
  }

  /** Whether lists are printed without inspecting their records. */
  get takesText(): boolean {
    return takesText(this.#options, this.#runtime.terminal);
  }

  /** Prints text from the platform, with secrets masked unless they are to be shown, and safe for a terminal. */
  async printText(text: string): Promise<void> {
    const { showSecrets, inWorkflow } = this.#options;
    const shown = safeLines(showSecrets ? text : this.#messages.redactor.redact(text));
    await write(this.#runtime.terminal.stdout, inWorkflow ? withoutCommands(shown) : shown);
  }

  /** Prints JSON, or a part of it, with exactly its data. */
  async printJson(text: string): Promise<void> {
    const { stdout, stdoutIsTTY } = this.#runtime.terminal;
    const shown = stdoutIsTTY ? escapeHazards(text) : text;
    await write(stdout, this.#options.inWorkflow ? withoutCommands(shown) : shown);
  }

  /** Prints the result of a command's `run`. Throws as `printResult` does. */
  print(result: unknown, shape: ResultShape): Promise<void> {
    const format = result instanceof PlainText ? undefined : this.#documentFormat;
    return printResult(result, shape, format ? this.#printing({ ...this.#options, format }) : this.#printing());
  }

  /**
   * Returns the result of a command's `run` as JSON data: all records of a list, with secrets masked unless they are
   * shown.
   */
  async valueOf(result: unknown): Promise<unknown> {
    const { showSecrets, mask } = this.#options;
    const value =
      result instanceof Listing ? await result.records() : result instanceof PlainText ? result.text : result;
    return showSecrets ? value : maskSecrets(value, mask);
  }

  /**
   * Returns the list with the records for which a jq expression is true, which are selected as they are listed. Throws
   * UsageError for a result that is not a list.
   */
  async selected(
    result: unknown,
    where: string,
    { idField, recordsName, check }: Selecting,
  ): Promise<Listing<unknown>> {
    const listing = result instanceof Listing ? result : Array.isArray(result) ? Listing.of(result) : undefined;
    if (!listing) throw new UsageError('--where selects records of a list, but the response is a single record.');
    const { RecordFilter } = await import('../../jq/record-filter.ts');
    const { showSecrets, mask } = this.#options;
    const filter = new RecordFilter(where, {
      timeoutMs: this.#flags.timeout,
      mask: (records) => (showSecrets ? records : maskSecrets(records, mask)),
      maskQuoted: (records) => maskSecrets(records, masked),
      debug: (text) => this.#messages.notice(text),
    });
    const [id] = shownColumns([{ header: 'ID', get: idField ?? 'id' }]);
    return listing.selectedBy((records) => {
      if (listing.seen === 0) check?.refuseUnknown([...records]);
      return filter.matching(records, (index) => {
        const name = id?.value([...records][index]);
        return name === undefined ? `number ${listing.seen + index + 1} of the ${recordsName}` : machineText(name);
      });
    });
  }

  /** Prints requests that are not sent. */
  printDryRun(requests: DryRun): Promise<void> {
    return printDryRun(requests, this.#printing());
  }

  /** Prints the available fields, as `printFields` does. */
  async printFields(id: string, root: string): Promise<void> {
    const { printFields } = await import('./fields-help.ts');
    await printFields(id, root, this.#printing());
  }

  /** Opens the pages of records instead of printing them, as `showPages` does. */
  async showPages(result: unknown, recordsName: string): Promise<void> {
    const { showPages } = await import('./web.ts');
    await showPages(result, {
      runtime: this.#runtime,
      recordsName,
      notice: (text) => this.#messages.notice(text),
      print: (text) => this.printText(text),
    });
  }

  /** A broken output setting matters only if it is used. */
  #printing(options = this.#options): Printing {
    const { terminal, clock } = this.#runtime;
    const notice = (text: string) => this.#messages.notice(text);
    if (this.#problem && options === this.#options) notice(`Ignored the output setting. ${this.#problem}`);
    return { options, quiet: this.#flags.quiet ?? false, terminal, clock, notice };
  }
}

/** Returns the format given by flags. */
function typedFormat({ output, quiet, json, jq }: PrintingFlags): Format | undefined {
  if (output) return output;
  if (quiet) return 'tsv';
  return json || jq !== undefined ? 'json' : undefined;
}

/** Returns the format of the settings, or else the one that suits the terminal. */
function defaultFormat(
  { profile }: PrintingFlags,
  { env, terminal }: Runtime,
  directory: string,
): { readonly format: Format; readonly fieldLines?: boolean; readonly problem?: string | undefined } {
  const { format, problem } = outputSetting(directory, profile ?? env.FORGECTL_PROFILE);
  if (format !== undefined || terminal.stdoutIsTTY) return { format: format ?? 'table', problem };
  return { format: 'tsv', fieldLines: true, problem };
}
