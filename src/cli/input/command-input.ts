/** The input of a command: arguments, flags, `--input` and answers to prompts. */
import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import { ClientError, unlessHidden } from '../../client/errors.ts';
import { asText } from '../../json/exact-json.ts';
import { type AskingChange, askingChanges } from '../../platform/asking.ts';
import type { Endpoint, InputOf } from '../../platform/endpoint.ts';
import { optionalFields } from '../../platform/schema.ts';
import { checkValue, type Given, invalid, missing, type Problem, refuseUnknown } from '../../platform/validate.ts';
import { UsageError, ValidationError } from '../errors.ts';
import type { Messages } from '../report/messages.ts';
import type { Runtime } from '../runtime.ts';
import { type InvalidArgument, invalidArgument } from './args.ts';
import { isStdin } from './file-flags.ts';
import type { PrintedLine } from './printed-line.ts';
import type { DeletionPreview, Promptable, Questions } from './prompts/questions.ts';
import { type BodyOptions, givenBody, requestBody } from './request-body.ts';
import { type TypedFields, typedFields, underFlags } from './typed-fields.ts';
import type { ParsedCommand } from './usage.ts';

export interface InputFlags {
  readonly 'no-input'?: boolean;
  readonly yes?: boolean;
  readonly 'dry-run'?: boolean;
}

interface InputContext {
  readonly command: ParsedCommand;
  readonly flags: InputFlags;
  readonly runtime: Runtime;
  readonly messages: Messages;
  /** Problems of the command line so far; more are added. */
  readonly problems: Problem[];
  /** Returns whether a change is shown by its old and new values, for which the record is read first. */
  readonly showsChange: () => boolean;
  /** Returns the prompt for an argument, given the others. It may prompt itself. */
  readonly promptable: (argument: string, given: Record<string, unknown>) => Promise<Promptable>;
  /** Reads what the command changes, so that the write after the prompt can be refused if another took its name. */
  readonly beforeConfirmation: () => Promise<void>;
  /** Confirms in place of the user; throws unless the command may proceed. */
  readonly confirmation?: ((effect: string) => void) | undefined;
}

/** A record before a change, and the fields sent to change it. */
export interface Change {
  readonly before: object;
  readonly sent: Given;
  /** The paths of unordered lists. */
  readonly sets: readonly string[] | undefined;
}

export class CommandInput {
  readonly #context: InputContext;
  /** The change that `inputFor` has prepared, if it is shown. */
  change: Change | undefined;
  /** The usage line, if an argument is missing. */
  #usage: string | undefined;
  #questions: Promise<Questions> | undefined;

  constructor(context: InputContext) {
    this.#context = context;
  }

  /** Throws one error that lists all problems recorded so far. */
  refuseProblems(): void {
    if (this.#context.problems.length) throw new ValidationError(this.#context.problems, this.#usage);
  }

  /** True if prompts are allowed: on a terminal, outside CI, without `--no-input`. */
  canPrompt(): boolean {
    const { env, stdin, terminal } = this.#context.runtime;
    return !this.#context.flags['no-input'] && Boolean(stdin.isTTY) && terminal.stderrIsTTY && !env.CI;
  }

  /** True if missing values are prompted for; false if the command line has errors that no answer can fix. */
  promptsForMissing(): boolean {
    return this.canPrompt() && this.#context.problems.length === 0;
  }

  #ask(): Promise<Questions> {
    this.#questions ??= import('./prompts/questions.ts').then(
      ({ Questions }) => new Questions(this.#context.command, this.#context.runtime),
    );
    return this.#questions;
  }

  /** Prompts for a missing argument; without prompts, or if there are other errors, records that it is missing. */
  async missingArgument<T>(
    name: string,
    { problem, given = {} }: { readonly problem?: string; readonly given?: Record<string, unknown> } = {},
  ): Promise<T | InvalidArgument> {
    if (this.promptsForMissing())
      return (await this.#ask()).argument<T>(name, await this.#context.promptable(name, given));
    const { usageAdvice } = await import('./usage.ts');
    this.#usage = usageAdvice(this.#context.command);
    const { description } = this.#context.command.args[name] as Promptable;
    this.#context.problems.push(
      missing(name.toUpperCase(), problem ?? `is required: ${uncapitalized(description ?? '')}`),
    );
    return invalidArgument;
  }

  /** Prompts for a missing argument or the flag that takes its place; without prompts, records that both are missing. */
  async missingArgumentOrFlag<A extends string, F extends string>(
    name: A,
    flag: F,
  ): Promise<{ readonly [N in A | F]?: string }> {
    if (this.promptsForMissing()) return (await this.#ask()).argumentOrFlag(name, flag);
    await this.missingArgument(name, { problem: `or --${flag} is required` });
    return {};
  }

  /** Returns the one of several flags that was given, or prompts for it. */
  async oneOfFlags<N extends string>(names: readonly N[], flags: Given): Promise<Partial<Record<N, string>>> {
    const given = names.filter((name) => flags[name] !== undefined);
    const labels = (some: readonly N[], word: string) => some.map((name) => `--${name}`).join(` ${word} `);
    if (given.length > 1) this.#context.problems.push(invalid(labels(given, 'and'), 'cannot be used together'));
    if (given.length === 0 && this.promptsForMissing()) return (await this.#ask()).oneOfFlags(names);
    const isNoted = this.#context.problems.some(({ field }) => names.some((name) => field === `--${name}`));
    if (given.length === 0 && !isNoted) this.#context.problems.push(missing(labels(names, 'or'), 'is required'));
    return Object.fromEntries(given.map((name) => [name, flags[name]])) as Partial<Record<N, string>>;
  }

  /**
   * Returns the query and the body from flags, `--input` and `options`, checked against the declaration; they contain
   * only what was given. Prompts for missing required values. Throws one `ValidationError` for all problems of the
   * command line, and UsageError for a change without fields.
   */
  async inputFor<E extends Endpoint>(
    endpoint: E,
    flags: Given,
    bodyOptions: BodyOptions,
  ): Promise<Omit<InputOf<E>, 'path'>> {
    const options = { ...bodyOptions, ...readingOnce(bodyOptions) };
    const query = await typedQuery(endpoint.query ?? {}, flags, this.#context.runtime.stdin);
    let given = await givenBody(endpoint, flags, options, this.#context.runtime);
    if (given.ignored.length)
      this.#context.messages.notice(`Ignored read-only or null fields of --input: ${given.ignored.join(', ')}.`);
    let isShown = false;
    for (;;) {
      const { values, unknown, ...body } = requestBody(endpoint, given, options);
      const problems = [...this.#context.problems, ...query.problems, ...body.problems];
      if (problems.length === 0 && !(options.changes && Object.keys(values).length === 0)) {
        for (const { field, message } of underFlags(unknown, flags, options.parts))
          this.#context.messages.notice(`${field} ${message}; sending it anyway.`);
        this.change = await this.#prepareChange(values, options);
        return {
          ...(Object.keys(query.values).length ? { query: query.values } : {}),
          ...(endpoint.body ? { body: values } : {}),
        } as Omit<InputOf<E>, 'path'>;
      }
      // If the body is typed on the keyboard, prompts cannot read answers from it.
      const questions = !isStdin(flags.input) && this.promptsForMissing() ? await this.#ask() : undefined;
      if (questions && !isShown) await options.show?.();
      isShown = true;
      const completed = await questions?.fields({ endpoint, given, options }, problems);
      if (!completed) throw await this.#unusable(problems, endpoint, flags, options);
      given = completed;
    }
  }

  /** Reads the record to change, unless prompts have read it. An unreadable one is not shown. */
  async #prepareChange(values: Given, { resource, current, made = [] }: BodyOptions): Promise<Change | undefined> {
    const sent = Object.fromEntries(Object.entries(values).filter(([name]) => !made.includes(name)));
    if (!current || Object.keys(sent).length === 0 || this.#context.flags['dry-run'] || !this.#context.showsChange())
      return undefined;
    const before = await current().catch((error: unknown) => {
      if (error instanceof ClientError) return undefined;
      throw error;
    });
    return before && { before, sent, sets: resource?.sets };
  }

  /**
   * Returns the error for an invalid body: problems name the flags that were typed, the advice those for missing fields.
   */
  async #unusable(found: readonly Problem[], endpoint: Endpoint, typed: Given, options: BodyOptions): Promise<Error> {
    const problems = underFlags(found, typed, options.parts);
    if (problems.length === 0)
      return new UsageError('No changes given. Nothing was sent.', 'See --help for the flags.');
    const { flags } = this.#context.command;
    if (
      problems.every(({ code, isMisspelled }) => code === 'unknown_word' && !isMisspelled) &&
      'allow-unknown' in flags
    )
      return new ValidationError(problems, 'To send values that only a newer platform knows, use --allow-unknown.');
    const { lackingFlags } = await import('./prompts/body-questions.ts');
    const lacking = lackingFlags({ endpoint, options, flags }, found);
    if (lacking.length === 0) return new ValidationError(problems, this.#usage);
    const { usageAdvice } = await import('./usage.ts');
    return new ValidationError(problems, usageAdvice(this.#context.command, lacking));
  }

  /** True if no confirmation is needed: `--yes` or a dry run. */
  #skipsConfirmation(): boolean {
    return Boolean(this.#context.flags.yes || this.#context.flags['dry-run']);
  }

  /** Returns whether `confirm` can proceed or prompt; otherwise it throws before any request. */
  mayConfirm(): boolean {
    return this.#skipsConfirmation() || this.#context.confirmation !== undefined || this.canPrompt();
  }

  /**
   * Shows the deletion preview and prompts for `name`, unless nothing will be sent. Without prompts, `--yes` is
   * required.
   */
  async confirm(
    name: string,
    effect = `removes ${name}`,
    preview?: () => Promise<DeletionPreview | undefined>,
  ): Promise<void> {
    if (this.#skipsConfirmation()) return;
    if (this.#context.confirmation) return this.#context.confirmation(effect);
    if (!this.canPrompt()) throw new UsageError(`Nothing was sent. This ${effect}; confirm with --yes.`);
    const shown = await preview?.();
    await this.#context.beforeConfirmation();
    if (shown) await this.showRecord(shown);
    await (await this.#ask()).confirm(name, effect, shown);
  }

  /**
   * Asks for confirmation before a record is replaced, if there is one or if that is unknown; `each` asks once for all targets.
   */
  async confirmReplacing(
    name: string,
    effect: string,
    existing: () => Promise<DeletionPreview | 'unknown' | undefined>,
  ): Promise<void> {
    if (this.#skipsConfirmation()) return;
    if (this.#context.confirmation) return this.#context.confirmation(effect);
    const shown = await existing();
    if (shown === undefined) return;
    await this.confirm(name, effect, shown === 'unknown' ? undefined : async () => shown);
  }

  /**
   * Asks for confirmation before a body sets values that require it, unless the record already has them. Also asks if
   * the record cannot be read; `each` asks once for all targets.
   */
  async confirmValues(name: string, body: Given, read: () => Promise<object>): Promise<void> {
    if (this.#skipsConfirmation() || askingChanges(body).length === 0) return;
    if (this.#context.confirmation) return this.#context.confirmation(changesText(name, askingChanges(body)));
    const before = this.change?.before ?? (await unlessHidden(read()));
    const changes = askingChanges(body, { ...before });
    if (changes.length === 0) return;
    const effect = changesText(name, changes);
    if (!this.canPrompt()) throw new UsageError(`Nothing was changed. This ${effect}; confirm with --yes.`);
    await (await this.#ask()).confirm(name, effect, undefined);
  }

  /** Shows a record before a decision about it. */
  async showRecord(preview: DeletionPreview): Promise<void> {
    const { recordShown } = await import('./prompts/questions.ts');
    this.#context.messages.write(await recordShown(preview, this.#context.runtime));
  }

  /** Records flags that are equivalent to the answer of a prompt. */
  async noteAnswer(...words: readonly string[]): Promise<void> {
    (await this.#ask()).note(...words);
  }

  /** Records flags that replace a given one, which prompts by itself. */
  async noteReplacedFlag(flag: string, ...words: readonly string[]): Promise<void> {
    const questions = await this.#ask();
    questions.drop(flag);
    questions.note(...words);
  }

  /** Returns the arguments that were typed in answer to prompts. */
  async answeredArgs(): Promise<readonly string[]> {
    return (await this.#questions)?.answers?.args ?? [];
  }

  /** Prints the command line that needs no prompts, if there were prompts. */
  async printCommandLine(typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>): Promise<void> {
    const answers = (await this.#questions)?.answers;
    if (!answers) return;
    const { printedLine } = await import('./printed-line.ts');
    this.#context.messages.notice(printedLine('Without prompts', { ...typed, ...answers }));
  }
}

/** Returns `changes visibility (private → public) and archived (to true) of acme/site`. */
function changesText(name: string, changes: readonly AskingChange[]): string {
  const texts = changes.map((each) =>
    'from' in each
      ? `${each.path} (${asText(each.from)} → ${asText(each.to)})`
      : `${each.path} (to ${asText(each.to)})`,
  );
  return `changes ${new Intl.ListFormat('en-GB').format(texts)} of ${name}`;
}

/** Reads and checks the query parameters that were given. */
async function typedQuery(entries: v.ObjectEntries, flags: Given, stdin: Readable): Promise<TypedFields> {
  const { values, problems: unreadable } = await typedFields(entries, flags, stdin);
  const { problems } = refuseUnknown(checkValue(optionalFields(entries), values), false);
  return { values, problems: [...unreadable, ...problems] };
}

/** Returns the reader of the current record that prompts and the shown change share. */
function readingOnce({ current }: BodyOptions): Pick<BodyOptions, 'current'> {
  let record: Promise<object | undefined> | undefined;
  if (!current) return {};
  return {
    current: () => {
      record ??= current();
      return record;
    },
  };
}

/** Returns a description as the end of a sentence; abbreviations stay as they are. */
const uncapitalized = (text: string) => text.replace(/^\p{Lu}(?=\p{Ll})/u, (first) => first.toLowerCase());
