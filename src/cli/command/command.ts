/** The base of every command: from parsed flags to the printed result, the error and the exit code. */
import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type { Input, ParserOutput } from '@oclif/core/interfaces';
import { ApiError, AuthenticationError, RateLimitError, ServerError } from '../../client/errors.ts';
import { PlannedRequest } from '../../client/request.ts';
import { settingsDirectory } from '../../disk/locations.ts';
import type { LazyList } from '../../json/lazy-list.ts';
import { checkJq } from '../../output/jq.ts';
import type { Format } from '../../output/render.ts';
import type { Column } from '../../output/table/columns.ts';
import type { Terminal } from '../../output/terminal.ts';
import { ClosedPipe } from '../../output/writer.ts';
import type { AnswerOf, Endpoint, InputOf, PagedEndpoint, RecordOf, Route } from '../../platform/endpoint.ts';
import { type Given, invalid, type Problem } from '../../platform/validate.ts';
import { InterruptedError, UnshownResultError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { lenient, placeNamed, typedArgs, type Valid } from '../input/args.ts';
import { CommandInput, type InputFlags } from '../input/command-input.ts';
import { undecodableProblems } from '../input/command-line-bytes.ts';
import { stdinProblems } from '../input/file-flags.ts';
import { withoutBooleanValues } from '../input/flag-words.ts';
import { commonFlags } from '../input/flags.ts';
import { secretsOfWords } from '../input/masked-words.ts';
import type { PrintedLine } from '../input/printed-line.ts';
import type { DeletionPreview, Promptable } from '../input/prompts/questions.ts';
import { type GivenAddress, isOn } from '../input/repository-url.ts';
import type { BodyOptions } from '../input/request-body.ts';
import { secretsInValue } from '../input/sent-secrets.ts';
import { ProgressLine } from '../progress-line.ts';
import { Messages, type Screen, shortestSent } from '../report/messages.ts';
import { describeFailure, type Failure, failureText } from '../report/report.ts';
import { requestsJson } from '../report/requests-json.ts';
import { CommandOutput, type PrintingFlags } from '../result/command-output.ts';
import { type ListFlags, Listing } from '../result/listing.ts';
import { outputProblems, requestsFieldsHelp, supportsJq, wordsRequestFieldsHelp } from '../result/output-flags.ts';
import { type DryRun, type PreviewedRequest, previewed } from '../result/result.ts';
import type { WhereCheck } from '../result/where-check.ts';
import { type Runtime, runtimeOf, withPlainTerminal } from '../runtime.ts';
import type { PickLists } from './picking.ts';
import {
  type FormatOption,
  Session,
  type SessionFlags,
  type SessionListOptions,
  type SharedClient,
  type WriteOptions,
} from './session.ts';

/** Returns a command's examples: command lines by what they achieve. */
export const examples = (lines: Readonly<Record<string, string>>): Command.Example[] =>
  Object.entries(lines).map(([description, command]) => ({ description, command }));

/** Ends a command with `--fields help` before it does anything. */
class FieldsHelpRequested {}

/** The requests that a command would have sent without `--dry-run`: one, or several from a command that may send several. */
export type Planned = PlannedRequest | readonly PlannedRequest[];

const isPlanned = (result: unknown): result is Planned =>
  result instanceof PlannedRequest || (Array.isArray(result) && result[0] instanceof PlannedRequest);

/** The result of a command run by another one: its JSON, and its failure. */
export interface Outcome {
  readonly result?: unknown;
  readonly failure?: Failure;
  /** With `--dry-run`: the requests of the result. */
  readonly planned?: readonly PlannedRequest[];
  /** True if the result is a list that ends at its limit, and the platform has more. */
  readonly hasMore?: boolean;
}

/** The notice on a terminal for a write whose response is empty. */
type Success<E extends Endpoint> = E['answer']['kind'] extends 'nothing'
  ? { readonly done: string }
  : { readonly done?: never };

interface RemoveOptions extends WriteOptions {
  /** The name to type for confirmation. */
  readonly name: string;
  /** The effect, unless the named thing is removed: `unlocks acme/site`. */
  readonly effect?: string;
  /** Reads the record shown before confirmation. */
  readonly preview?: () => Promise<DeletionPreview>;
}

// biome-ignore lint/suspicious/noExplicitAny: oclif's own constraint on parsed flags and arguments
type ParsedValues = Record<string, any>;

/** The flags, and the words as typed. */
export type Parsed = Pick<ParserOutput<ParsedValues>, 'flags' | 'raw'>;

interface CommonFlags extends InputFlags, PrintingFlags, SessionFlags {
  readonly plain?: boolean;
  readonly web?: boolean;
  readonly where?: string;
}

/** Errors of one request that every other request would get too. */
const fatalForAll = [AuthenticationError, RateLimitError, ServerError];

/** The flags until the command line is parsed. */
const unparsed: CommonFlags = {};

/**
 * One command. `run` returns a record, a `Listing` of records, or `PlainText`; that value is the JSON output, and
 * `columns` select the fields that a table shows. Nothing is printed for an undefined value. With `--dry-run`, `run`
 * returns the requests that `write` has planned.
 */
export abstract class ForgectlCommand<T> extends Command {
  static override baseFlags = commonFlags;

  /**
   * The endpoints that the command calls, except those used only for display and for looking up IDs for some flag.
   * Help, `permissions explain` and `auth check` read them.
   */
  static requests: readonly Route[] = [];

  /** Problems of arguments and flags, collected while oclif parses them. */
  readonly problems: Problem[] = [];

  /** Repositories and organizations given by their addresses. */
  readonly addresses: GivenAddress[] = [];

  protected runtime: Runtime;

  // biome-ignore lint/suspicious/noExplicitAny: columns of any record; each command narrows it to its own
  protected readonly columns: readonly Column<any>[] = [];

  /** The details that a table shows of a single record; `columns` or all fields by default. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  protected readonly details: readonly Column<any>[] | undefined;

  /** True for commands that exist to print a secret. */
  protected readonly showsSecrets: boolean = false;

  /** The format of records that are documents, unless flags select another one. */
  protected readonly documentFormat: Format | undefined;

  /** The value that `--quiet` prints, accepted as an argument by other commands: a field, or text made from several. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  protected readonly idField: Column<any>['get'] | undefined;

  /** The message for an empty table, instead of the default. */
  protected emptyText: string | undefined;

  /** The name of the records, for the progress line. */
  protected readonly recordsName: string = 'records';

  /** Returns when a record's event happened; the table is followed by the distribution of the events over time. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  protected readonly timeOf: ((record: any) => string | undefined) | undefined;

  /** The rows of a record that is a map, for table, TSV and CSV. */
  protected readonly rowsOf: ((record: T) => readonly object[] | LazyList<object>) | undefined;

  /** Returns the text that a table shows for a record instead of rows, escaped and laid out; undefined for rows. */
  protected readonly drawn: ((record: T, terminal: Terminal) => Promise<string | undefined>) | undefined;

  /** Notices that follow the result. */
  protected readonly closing: string[] = [];

  /** Returns the line that a terminal shows for a created record. */
  protected readonly made: ((record: T) => string | undefined) | undefined;

  /**
   * Number of concurrent writes if the platform reports no rate limits and `concurrency` is not set; where absent, writes
   * are sent one at a time.
   */
  protected readonly writeConcurrency: number | undefined;

  /** True for a command that reads thousands of objects, whose responses are cached in one file. */
  protected readonly readings: boolean = false;

  /** The progress of a run over targets, which the terminal shows beside waits. */
  protected get progress(): string | undefined {
    return undefined;
  }

  /** True for a command that sends no requests. */
  protected get offline(): boolean {
    return (this.ctor as typeof ForgectlCommand).requests.length === 0;
  }

  /** False where `--where` selects something other than the records of the result. */
  protected readonly wherePicksResult: boolean = true;

  /** True if each record has fields of its own, so that the fields of one page do not predict those of the next. */
  protected readonly recordsVary: boolean = false;
  #whereCheck: WhereCheck | undefined;

  /** An error reported after the result, with its exit code. */
  protected failure: unknown;

  readonly #messages: Messages;
  readonly #organizations = new Set<string>();
  /** The path of the organization or the repository that the command line names, if there is one. */
  #place: string | undefined;
  #flags = unparsed;
  #shared: SharedClient | undefined;
  #session: Session | undefined;
  #input: CommandInput | undefined;
  #output: CommandOutput | undefined;

  /** The command line as typed. oclif does not keep it. */
  protected readonly typed: Pick<PrintedLine, 'command' | 'given' | 'declared'>;

  constructor(argv: string[], config: Config) {
    super(argv, config);
    const declared = { ...this.ctor.baseFlags, ...this.ctor.flags };
    this.typed = { command: [config.bin, ...(this.id ?? '').split(':')], given: argv, declared };
    this.runtime = runtimeOf(config);
    this.#messages = new Messages(this.runtime, secretsOfWords(argv), argv.includes('--dry-run'));
  }

  abstract override run(): Promise<T | Planned>;

  /**
   * Runs the command, prints its result or its error, and sets the exit code. oclif's implementation prints entire
   * errors with `--json`, including headers, loses exit codes, and prints nothing for a falsy result.
   */
  // biome-ignore lint/suspicious/noExplicitAny: oclif's signature
  override async _run<R = any>(): Promise<R> {
    const done = this.runtime.onInterrupt(() => {
      // The terminal shows ^C at the cursor, perhaps after a progress line.
      new ProgressLine(this.runtime.terminal).leave();
      this.interrupted();
    });
    try {
      const result = await this.#result();
      await (this.#flags.web ? this.output.showPages(result, this.recordsName) : this.#print(result));
      if (!isPlanned(result)) await this.#rememberOrganizations();
    } catch (error) {
      await this.#fail(error);
    } finally {
      await this.#session?.close();
      done();
    }
    return undefined as R;
  }

  /** Runs the command for another one, with its client, and returns the outcome instead of printing it. Never throws. */
  async runWith(shared: SharedClient): Promise<Outcome> {
    this.#shared = shared;
    try {
      const given = await this.#result();
      const planned = isPlanned(given) ? [given].flat() : undefined;
      const result = await this.output.valueOf(isPlanned(given) ? await this.#previews(given) : given);
      const failure = this.failure === undefined ? undefined : await this.describe(this.failure);
      const hasMore = given instanceof Listing && given.more;
      return { result, ...(failure && { failure }), ...(planned && { planned }), ...(hasMore && { hasMore }) };
    } catch (error) {
      return { failure: await this.describe(error) };
    }
  }

  /** Runs the command. `--where` selects the records of a list. */
  async #result(): Promise<T | Planned> {
    const result = await this.run();
    const { where } = this.#flags;
    if (where === undefined || !this.wherePicksResult || isPlanned(result)) return result;
    const { idField, recordsName } = this;
    const check = this.recordsVary ? undefined : this.#whereCheck;
    return (await this.output.selected(result, where, { idField, recordsName, check })) as T;
  }

  /**
   * Returns the check of a jq expression by the fields of the records that a command prints; undefined if only the platform
   * knows them. Throws UsageError for misspelled fields.
   */
  protected async whereCheck(where: string, id: string): Promise<WhereCheck | undefined> {
    const { WhereCheck } = await import('../result/where-check.ts');
    const check = WhereCheck.of(where, id, this.config.root);
    check?.refuseMisspelled();
    return check;
  }

  /** Parses arguments and flags, and prompts for missing arguments. Throws one error that lists all problems. */
  protected override async parse<F extends ParsedValues, B extends ParsedValues, A extends ParsedValues>(
    command?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A & Valid<A>>> {
    const parsed = await this.collect(command, argv);
    return { ...parsed, args: this.valid(parsed.args) as A & Valid<A> };
  }

  /** Returns the arguments if the command line is valid. Throws one error that lists all problems noted so far. */
  protected valid<A>(args: A): Valid<A> {
    this.input.refuseProblems();
    return args as Valid<A>;
  }

  /** Parses like `parse`, but leaves problems for `inputFor` to report together with those of the fields. */
  protected async collect<F extends ParsedValues, B extends ParsedValues, A extends ParsedValues>(
    command?: Input<F, B, A>,
    argv = this.argv,
  ): Promise<ParserOutput<F, B, A>> {
    const declared = { ...this.ctor.baseFlags, ...this.ctor.flags };
    const parsed = await super
      .parse(command && lenient(command), withoutBooleanValues(argv, declared, this.ctor.id))
      .catch(async (error: unknown) => {
        if (wordsRequestFieldsHelp(argv)) throw new FieldsHelpRequested();
        const { readableParseError } = await import('./parse-errors.ts');
        throw readableParseError(error, this.ctor, argv);
      });
    this.#flags = parsed.flags as CommonFlags;
    if (requestsFieldsHelp(this.#flags)) throw new FieldsHelpRequested();
    if (this.#flags.debug) await this.#tellCacheProblem();
    if (this.#flags.plain) this.runtime = withPlainTerminal(this.runtime);
    this.problems.push(...undecodableProblems(parsed.raw), ...outputProblems(this.#flags, this.#mayPrintIds()));
    if (this.#flags.jq !== undefined && supportsJq(this.#flags)) await checkJq(this.#flags.jq);
    if (this.#flags.where !== undefined) {
      await checkJq(this.#flags.where);
      this.#whereCheck = this.wherePicksResult ? await this.whereCheck(this.#flags.where, this.ctor.id) : undefined;
    }
    if (this.addresses.length) await this.requireOwnHosts();
    const unreadable = stdinProblems(declared, parsed.flags);
    this.problems.push(...unreadable);
    // Standard input is not read if several flags need it.
    if (unreadable.length) this.input.refuseProblems();
    const args = await this.placed(typedArgs(parsed.args), parsed);
    for (const [name, { required }] of Object.entries(this.ctor.args))
      if (required && args[name] === undefined) args[name] = await this.input.missingArgument(name, { given: args });
    this.#place = placeNamed(args);
    this.noteOrganizations([args.org].flat().filter((org) => typeof org === 'string'));
    return { ...parsed, args: args as A };
  }

  /** Records organizations for completion; they are saved if the command succeeds at a terminal. */
  protected noteOrganizations(logins: readonly string[]): void {
    for (const login of logins) this.#organizations.add(login);
  }

  async #rememberOrganizations(): Promise<void> {
    const { env, terminal } = this.runtime;
    if (this.offline || this.failure !== undefined || !terminal.stderrIsTTY || this.#organizations.size === 0) return;
    const { rememberOrganizations } = await import('../../disk/known-organizations.ts');
    try {
      rememberOrganizations(env, [...this.#organizations]);
    } catch {
      // Completion works without them.
    }
  }

  /** Reports addresses of other platforms than the one in use. */
  protected async requireOwnHosts(): Promise<void> {
    const { baseUrl } = (await this.session.connection()).platform;
    for (const address of this.addresses)
      if (!isOn(baseUrl, address))
        this.problems.push(
          invalid(address.field, `is on ${address.host}, but the platform in use is ${new URL(baseUrl).host}`),
        );
  }

  /** Returns the arguments under their own names if an earlier one was omitted. */
  protected placed(args: ParsedValues, _parsed: Parsed): ParsedValues | Promise<ParsedValues> {
    return args;
  }

  /** Runs without the cache take longer and repeat requests. */
  async #tellCacheProblem(): Promise<void> {
    const { openCache } = await import('../../disk/private-cache.ts');
    try {
      for (const kind of ['compile', 'responses'] as const) openCache(this.runtime.env, kind);
    } catch (error) {
      this.notice(`Cache disabled: ${(error as Error).message}.`);
    }
  }

  /** Responses to writes may be empty, and then `--quiet` prints nothing. */
  #mayPrintIds(): boolean {
    const { requests } = this.ctor as typeof ForgectlCommand;
    return this.idField !== undefined || requests.some((route) => !route.startsWith('GET '));
  }

  /**
   * Lists of choices for missing arguments, depending on the other input. Arguments without a list are prompted for
   * with `promptable`.
   */
  protected readonly picks: PickLists = {};

  /** Returns the prompt for an argument, if it depends on the run. `given` are the other arguments so far. */
  protected promptable(argument: string, _given: ParsedValues): Promptable {
    return this.ctor.args[argument] as Promptable;
  }

  /** True if another command runs this one for each of its targets. */
  protected get isWithinAnother(): boolean {
    return this.#shared !== undefined;
  }

  /** Input beside the parsed words: files, and answers to prompts. */
  protected get input(): CommandInput {
    const { ctor: command, runtime, problems } = this;
    const messages = this.#messages;
    const promptable = async (argument: string, given: ParsedValues) => {
      const asked = this.promptable(argument, given);
      const list = await this.picks[argument]?.(given, this.#flags);
      // Input for the list may turn out to be invalid.
      if (!list || !this.input.promptsForMissing()) return asked;
      return (await import('./picking.ts')).withChoices(asked, list, this.session);
    };
    const showsChange = () => this.output.showsChanges;
    const beforeConfirmation = async () => {
      if (this.#place !== undefined) await this.session.watchPlace(this.#place);
    };
    this.#input ??= new CommandInput({
      command,
      flags: this.#flags,
      runtime,
      messages,
      problems,
      showsChange,
      promptable,
      beforeConfirmation,
      confirmation: this.#shared?.confirm,
    });
    return this.#input;
  }

  /**
   * Returns the query and the body from flags, `--input` and `options`, checked against the declaration, as
   * `CommandInput` does.
   */
  protected inputFor<E extends Endpoint>(
    endpoint: E,
    flags: Given,
    options: BodyOptions = {},
  ): Promise<Omit<InputOf<E>, 'path'>> {
    return this.input.inputFor(endpoint, flags, options);
  }

  /** The directory of the settings and the stored tokens. */
  protected get settingsDirectory(): string {
    return settingsDirectory(this.runtime.env);
  }

  /** The connection of the run, from its flags. */
  protected get session(): Session {
    const { runtime, config, writeConcurrency, readings } = this;
    const shared = this.#shared;
    const messages = this.#messages;
    this.#session ??= new Session({
      flags: this.#flags,
      runtime,
      config,
      messages,
      shared,
      writeConcurrency,
      readings,
      progress: () => this.progress,
    });
    return this.#session;
  }

  /** Sends a request and returns its response, without the envelope. */
  protected call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: FormatOption = {}): Promise<AnswerOf<E>> {
    return this.session.call(endpoint, input, options);
  }

  /**
   * Lists the records of an endpoint according to the list flags. No request is sent before the first record is read.
   */
  protected list<E extends PagedEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    flags: ListFlags,
    options: Omit<SessionListOptions<RecordOf<E>>, 'raw'> = {},
  ): Promise<Listing<RecordOf<E>>> {
    return this.session.list(endpoint, input, flags, { ...options, raw: this.output.takesText });
  }

  /** Sends a write, once. With `--dry-run` returns the request, for `run` to return. */
  protected async write<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { done, ...options }: WriteOptions & Success<E>,
  ): Promise<AnswerOf<E> | PlannedRequest> {
    const answer = await this.session.write(endpoint, input, options);
    if (answer instanceof PlannedRequest) return answer;
    if (done !== undefined && this.runtime.terminal.stderrIsTTY && !this.output.saysJson) this.notice(done);
    return answer;
  }

  /** Deletes something after the user has typed its name, or with `--yes`. */
  protected async remove<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { name, effect, preview, ...options }: RemoveOptions & Success<E>,
  ): Promise<AnswerOf<E> | PlannedRequest> {
    await this.input.confirm(name, effect, preview);
    return this.write(endpoint, input, options as WriteOptions & Success<E>);
  }

  /** Reports an error that concerns only one of several targets. Throws any other error. */
  protected async reportRefusal(error: unknown): Promise<void> {
    if (!(error instanceof ApiError) || fatalForAll.some((type) => error instanceof type)) throw error;
    this.notice(failureText(await this.describe(error)));
  }

  /** Reports an error after the results of earlier targets. Throws it if there are none. */
  protected failAfter(results: readonly unknown[], error: unknown): void {
    if (results.length === 0) throw error;
    this.failure = error;
  }

  /** Prints records as a table on stderr. */
  protected noticeTable<R>(records: readonly R[], columns: readonly Column<R>[]): Promise<void> {
    return this.#messages.table(records, columns);
  }

  /** Prints what `draw` lays out for stderr, if anything. */
  protected async noticeDrawn(draw: (screen: Screen) => Promise<string | undefined>): Promise<void> {
    const text = await draw(this.#messages.screen);
    if (text) this.#messages.write(text);
  }

  /** Prints a notice on stderr. */
  protected notice(text: string): void {
    this.#messages.notice(text);
  }

  /** Masks a secret from now on; a short one in records only if `inRecords` says so. */
  protected addSecret(secret: string, inRecords?: boolean): void {
    this.#messages.addSecret(secret, inRecords);
    this.#shared?.addSecret?.(secret, inRecords);
  }

  /** Masks a secret that a request contains, because the platform may return it. The record of a dry run is the request. */
  protected addSentSecret(secret: string, isDryRun = false): void {
    if (secret.length >= shortestSent) this.addSecret(secret, isDryRun || undefined);
  }

  /** Returns text with the secrets of the run masked. */
  protected masked(text: string): string {
    return this.#messages.redactor.redact(text);
  }

  /** The output options, from flags, settings and the terminal. */
  protected get output(): CommandOutput {
    const { runtime, settingsDirectory, documentFormat, showsSecrets } = this;
    const surroundings = { runtime, settingsDirectory, documentFormat, showsSecrets };
    this.#output ??= new CommandOutput({ flags: this.#flags, messages: this.#messages, ...surroundings });
    return this.#output;
  }

  /** Returns the changed record within a result. */
  protected changedRecord(result: T): object {
    return result as object;
  }

  async #print(result: T | Planned): Promise<void> {
    if (isPlanned(result)) await this.output.printDryRun(await this.#previews(result));
    else await this.#printResult(result);
    for (const text of this.closing) this.notice(text);
    if (this.failure !== undefined) return this.#fail(this.failure);
    await this.#printCommandLine();
  }

  async #previews(planned: Planned): Promise<DryRun> {
    const previews = (await this.session.previews([planned].flat())).map(previewed);
    for (const { body } of previews) for (const secret of secretsInValue(body)) this.addSentSecret(secret, true);
    return Array.isArray(planned) ? previews : (previews[0] as PreviewedRequest);
  }

  async #printResult(result: T): Promise<void> {
    const { columns, details, idField, recordsName, timeOf, emptyText, rowsOf, drawn, made } = this;
    const knownFields = async (maxDepth: number) =>
      (await import('../result/field-list.ts')).fieldsPrinted(this.ctor.id, this.config.root, maxDepth);
    const prepared = this.#input?.change;
    const change = prepared && { ...prepared, after: this.changedRecord(result) };
    const shape = {
      columns,
      details,
      idField,
      recordsName,
      timeOf,
      emptyText,
      rowsOf,
      drawn,
      knownFields,
      change,
      made,
    };
    await this.output.print(result, shape).catch((error: unknown) => {
      throw this.#session?.hasChanged && !(error instanceof ClosedPipe) ? new UnshownResultError(error) : error;
    });
  }

  async #printCommandLine(): Promise<void> {
    await this.#input?.printCommandLine(this.typed);
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof FieldsHelpRequested)
      return this.output.printFields(this.ctor.id, this.config.root).catch((failure: unknown) => this.#fail(failure));
    if (error instanceof ClosedPipe) return;
    const failure = await this.describe(error);
    this.#messages.failure(failure, this.#errorsInJson());
    this.runtime.exit(failure.exit);
  }

  /** Describes an error of this run, with advice that names its token and profile. */
  protected async describe(error: unknown): Promise<Failure> {
    return describeFailure(error, { ...(await this.#session?.circumstances(error)), offline: this.offline });
  }

  /** True if errors are printed as JSON. If parsing failed, the words are checked instead of the flags. */
  #errorsInJson(): boolean {
    return this.#flags === unparsed ? requestsJson(this.argv, this.runtime.terminal) : this.output.errorsInJson;
  }

  /** Ends the run immediately, as Ctrl-C should, and reports writes whose outcome is unknown. */
  protected interrupted(): void {
    const interruption = new InterruptedError(this.#session?.pendingWrites);
    this.#messages.failure(describeFailure(interruption, {}), this.#errorsInJson());
    this.runtime.abandon(exitCodes.interrupted);
  }
}
