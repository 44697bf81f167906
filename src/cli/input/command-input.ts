/** What a command is given: by its words, by `--input`, and by the person who is asked for the rest. */
import type { Readable } from 'node:stream';
import type * as v from 'valibot';
import { ClientError } from '../../client/errors.ts';
import type { Endpoint, InputOf } from '../../platform/endpoint.ts';
import { optionalFields } from '../../platform/schema.ts';
import { checkValue, type Given, invalid, missing, type Problem, refuseUnknown } from '../../platform/validate.ts';
import { UsageError, ValidationError } from '../errors.ts';
import type { Messages } from '../report/messages.ts';
import type { Runtime } from '../runtime.ts';
import { type Unread, unread } from './args.ts';
import type { Askable, DeletionPreview, Questions } from './prompts/questions.ts';
import { type BodyOptions, givenBody, requestBody } from './request-body.ts';
import { type TypedFields, typedFields } from './typed-fields.ts';
import type { ParsedCommand } from './usage.ts';

export interface InputFlags {
  readonly 'no-input'?: boolean;
  readonly yes?: boolean;
  readonly 'dry-run'?: boolean;
}

interface Surroundings {
  readonly command: ParsedCommand;
  readonly flags: InputFlags;
  readonly runtime: Runtime;
  readonly messages: Messages;
  /** What is wrong with the command line so far; more is added. */
  readonly problems: Problem[];
  /** Returns whether a change is shown by its old and new values, for which the record is read first. */
  readonly showsChange: () => boolean;
  /** What an argument is asked for with, after the others that are given. It may ask something itself. */
  readonly askable: (argument: string, given: Record<string, unknown>) => Promise<Askable>;
}

/** A record before a change, and what was sent to change it. */
export interface Change {
  readonly before: object;
  readonly sent: Given;
  /** The paths of lists whose order means nothing. */
  readonly sets: readonly string[] | undefined;
}

export class CommandInput {
  readonly #command: ParsedCommand;
  readonly #flags: InputFlags;
  readonly #runtime: Runtime;
  readonly #messages: Messages;
  readonly #problems: Problem[];
  readonly #showsChange: () => boolean;
  readonly #askable: Surroundings['askable'];
  /** The change that `inputFor` has prepared, where it is shown. */
  change: Change | undefined;
  /** How the command is typed, where an argument is missing. */
  #usage: string | undefined;
  #questions: Promise<Questions> | undefined;

  constructor({ command, flags, runtime, messages, problems, showsChange, askable }: Surroundings) {
    this.#command = command;
    this.#flags = flags;
    this.#runtime = runtime;
    this.#messages = messages;
    this.#problems = problems;
    this.#showsChange = showsChange;
    this.#askable = askable;
  }

  /** Throws one error that names everything noted so far. */
  refuseProblems(): void {
    if (this.#problems.length) throw new ValidationError(this.#problems, this.#usage);
  }

  /** True where a person can be asked: on a terminal, outside CI, without `--no-input`. */
  mayAsk(): boolean {
    const { env, stdin, terminal } = this.#runtime;
    return !this.#flags['no-input'] && Boolean(stdin.isTTY) && terminal.stderrIsTTY && !env.CI;
  }

  /** Whether what is missing is asked for: not where the command line is wrong in ways that no answer mends. */
  asks(): boolean {
    return this.mayAsk() && this.#problems.length === 0;
  }

  #ask(): Promise<Questions> {
    this.#questions ??= import('./prompts/questions.ts').then(
      ({ Questions }) => new Questions(this.#command, this.#runtime),
    );
    return this.#questions;
  }

  /** Asks for an argument that was not given; where nobody can be asked, or there is more to mend, notes that it is missing. */
  async missingArgument<T>(
    name: string,
    { problem, given = {} }: { readonly problem?: string; readonly given?: Record<string, unknown> } = {},
  ): Promise<T | Unread> {
    if (this.asks()) return (await this.#ask()).argument<T>(name, await this.#askable(name, given));
    const { usageAdvice } = await import('./usage.ts');
    this.#usage = usageAdvice(this.#command);
    const { description } = this.#command.args[name] as Askable;
    this.#problems.push(missing(name.toUpperCase(), problem ?? `is required: ${description}`));
    return unread;
  }

  /** The one of several flags that was given. Where none was, it is asked for as a missing argument is. */
  async oneOfFlags<N extends string>(names: readonly N[], flags: Given): Promise<Partial<Record<N, string>>> {
    const given = names.filter((name) => flags[name] !== undefined);
    const labels = (some: readonly N[], word: string) => some.map((name) => `--${name}`).join(` ${word} `);
    if (given.length > 1) this.#problems.push(invalid(labels(given, 'and'), 'cannot be used together'));
    if (given.length === 0 && this.asks()) return (await this.#ask()).oneOfFlags(names);
    const isNoted = this.#problems.some(({ field }) => names.some((name) => field === `--${name}`));
    if (given.length === 0 && !isNoted) this.#problems.push(missing(labels(names, 'or'), 'is required'));
    return Object.fromEntries(given.map((name) => [name, flags[name]])) as Partial<Record<N, string>>;
  }

  /**
   * The query and the body that flags, `--input` and `options` give for an endpoint, checked against its declaration. What
   * is required and missing is asked for. Only what was given is in them. Throws one `ValidationError` that names everything
   * wrong with the command line, and UsageError for a change that changes nothing.
   */
  async inputFor<E extends Endpoint>(
    endpoint: E,
    flags: Given,
    bodyOptions: BodyOptions,
  ): Promise<Omit<InputOf<E>, 'path'>> {
    const options = { ...bodyOptions, ...readingOnce(bodyOptions) };
    const query = await typedQuery(endpoint.query ?? {}, flags, this.#runtime.stdin);
    let given = await givenBody(endpoint, flags, options, this.#runtime);
    if (given.ignored.length)
      this.#messages.notice(`Ignored read-only or null fields of --input: ${given.ignored.join(', ')}.`);
    for (;;) {
      const { values, unknown, ...body } = requestBody(endpoint, given, options);
      const problems = [...this.#problems, ...query.problems, ...body.problems];
      if (problems.length === 0 && !(options.changes && Object.keys(values).length === 0)) {
        for (const { field, message } of unknown) this.#messages.notice(`${field} ${message}; sending it anyway.`);
        this.change = await this.#prepareChange(values, options);
        return {
          ...(Object.keys(query.values).length ? { query: query.values } : {}),
          ...(endpoint.body ? { body: values } : {}),
        } as Omit<InputOf<E>, 'path'>;
      }
      // Who gives the body with the keyboard cannot answer with it, too.
      const questions = flags.input !== '-' && this.asks() ? await this.#ask() : undefined;
      const completed = await questions?.fields({ endpoint, given, options }, problems);
      if (!completed) throw await this.#unusable(problems, endpoint, options);
      given = completed;
    }
  }

  /** Reads the record to be changed, unless questions have read it already. What may not be read is not shown. */
  async #prepareChange(values: Given, { resource, current, made = [] }: BodyOptions): Promise<Change | undefined> {
    const sent = Object.fromEntries(Object.entries(values).filter(([name]) => !made.includes(name)));
    if (!current || Object.keys(sent).length === 0 || this.#flags['dry-run'] || !this.#showsChange()) return undefined;
    const before = await current().catch((error: unknown) => {
      if (error instanceof ClientError) return undefined;
      throw error;
    });
    return before && { before, sent, sets: resource?.sets };
  }

  /** The error for a body that cannot be sent, with the flags for what it lacks: problems call fields as the platform does. */
  async #unusable(problems: readonly Problem[], endpoint: Endpoint, options: BodyOptions): Promise<Error> {
    if (problems.length === 0)
      return new UsageError('No changes given. Nothing was sent.', 'See --help for the flags.');
    const { flags } = this.#command;
    if (
      problems.every(({ code, isMisspelled }) => code === 'unknown_word' && !isMisspelled) &&
      'allow-unknown' in flags
    )
      return new ValidationError(problems, 'To send values that only a newer platform knows, use --allow-unknown.');
    const { lackingFlags } = await import('./prompts/body-questions.ts');
    const lacking = lackingFlags({ endpoint, options, flags }, problems);
    if (lacking.length === 0) return new ValidationError(problems, this.#usage);
    const { usageAdvice } = await import('./usage.ts');
    return new ValidationError(problems, usageAdvice(this.#command, lacking));
  }

  /** True where nothing has to be confirmed: `--yes`, or a dry run. */
  #goesUnasked(): boolean {
    return Boolean(this.#flags.yes || this.#flags['dry-run']);
  }

  /** Returns whether `confirm` lets the command go on, or asks; it throws otherwise, before any request. */
  mayConfirm(): boolean {
    return this.#goesUnasked() || this.mayAsk();
  }

  /**
   * Shows what is about to go and asks the person to type `name`, unless nothing will be sent. Where nobody can be asked,
   * `--yes` must have been given.
   */
  async confirm(name: string, effect = `removes ${name}`, preview?: () => Promise<DeletionPreview>): Promise<void> {
    if (this.#goesUnasked()) return;
    if (!this.mayAsk()) throw new UsageError(`Nothing was sent. This ${effect}; confirm with --yes.`);
    const shown = await preview?.();
    if (shown) await this.showRecord(shown);
    await (await this.#ask()).confirm(name, effect, shown);
  }

  /** Shows a record to the person who is about to decide on it. */
  async showRecord(preview: DeletionPreview): Promise<void> {
    const { recordShown } = await import('./prompts/questions.ts');
    this.#messages.write(await recordShown(preview, this.#runtime));
  }

  /** Takes note of flags that would have made a question unnecessary that the command has asked itself. */
  async noteAsked(...words: readonly string[]): Promise<void> {
    (await this.#ask()).note(...words);
  }

  /** Takes note of flags that replace a given one, which asks a question itself. */
  async noteAskedBy(flag: string, ...words: readonly string[]): Promise<void> {
    const questions = await this.#ask();
    questions.drop(flag);
    questions.note(...words);
  }

  /** Tells the person who was asked what to type for the same without questions. */
  async tellCommandLine(command: readonly string[], given: readonly string[]): Promise<void> {
    const line = (await this.#questions)?.commandLine(command, given);
    if (line !== undefined) this.#messages.notice(`Without prompts:\n  ${line}`);
  }
}

/** Reads the query parameters that were typed, and checks them. */
async function typedQuery(entries: v.ObjectEntries, flags: Given, stdin: Readable): Promise<TypedFields> {
  const { values, problems: unreadable } = await typedFields(entries, flags, stdin);
  const { problems } = refuseUnknown(checkValue(optionalFields(entries), values), false);
  return { values, problems: [...unreadable, ...problems] };
}

/** Returns the reading of the current record that questions and the shown change share. */
function readingOnce({ current }: BodyOptions): Pick<BodyOptions, 'current'> {
  let record: Promise<object> | undefined;
  if (!current) return {};
  return {
    current: () => {
      record ??= current();
      return record;
    },
  };
}
