/** The base of every command: from parsed flags over a connection to the printed result, the error and the exit code. */
import { Command } from '@oclif/core/command';
import type { Config } from '@oclif/core/config';
import type { Input, ParserOutput } from '@oclif/core/interfaces';
import type { Client, Received } from '../client/client.ts';
import type { RawRequest } from '../client/raw-request.ts';
import { Redactor } from '../client/redact.ts';
import type { HttpRequest } from '../client/request.ts';
import type { Column } from '../output/columns.ts';
import { type Format, type RenderOptions, takesText } from '../output/render.ts';
import { safeLines } from '../output/safe-text.ts';
import { withoutCommands } from '../output/workflow-commands.ts';
import { ClosedPipe } from '../output/writer.ts';
import type { AnswerOf, AnyInput, Endpoint, InputOf, PagedEndpoint, RecordOf, Route } from '../platform/endpoint.ts';
import { type Given, invalid, missing, type Problem } from '../platform/validate.ts';
import { type Connection, resolveConnection } from './account/connection.ts';
import { cacheDirectory, outputSetting, settingsDirectory } from './account/settings.ts';
import { tokenVariables } from './account/token-variables.ts';
import type { AdviceContext } from './advice.ts';
import { undemanding } from './args.ts';
import type { Askable, AskedWords } from './asking.ts';
import { asksForJson } from './asks-for-json.ts';
import { withoutBooleanValues } from './boolean-values.ts';
import type { Going } from './confirmation.ts';
import { InterruptedError, UnshownResultError, UsageError, ValidationError } from './errors.ts';
import { exitCodes } from './exit-codes.ts';
import { closingDownFields, typedFields } from './fields.ts';
import { commonFlags } from './flags.ts';
import { nothingFoundText } from './footer.ts';
import { type ListFlags, Listing, planList, type Remark } from './listing.ts';
import { asksForFields, type OutputFlags, outputProblems, takesJq, wordsAskForFields } from './output-flags.ts';
import { describeFailure, type Failure, failureJson, failureText } from './report.ts';
import { type BodyOptions, type GivenBody, givenBody, requestBody } from './request-body.ts';
import { printPreview, printResult, type ResultView } from './result.ts';
import { type Runtime, runtimeOf, withPlainTerminal } from './runtime.ts';
import { stdinProblems } from './stdin-readers.ts';

/** Shorter ones would be found in records by chance; no token is as short. */
const shortestMaskedInRecords = 16;

/** A write that is only shown: it ends the command where the request would have been sent. */
class Preview {
  readonly request: HttpRequest;

  constructor(request: HttpRequest) {
    this.request = request;
  }
}

/** The fields that `--fields` takes are asked for: that ends the command before it does anything. */
class FieldsAsked {}

export interface WriteOptions {
  /** The command that shows whether the write happened, for when its answer is lost. */
  readonly look: string;
  /** The name of one of the endpoint's media types. */
  readonly format?: string | undefined;
}

/** What is said on a terminal once the platform has done it and, having nothing to show, has said nothing itself. */
type Success<E extends Endpoint> = E['answer']['kind'] extends 'nothing'
  ? { readonly done: string }
  : { readonly done?: never };

export interface RemoveOptions extends WriteOptions {
  /** What is removed, as the person must type it to confirm. */
  readonly name: string;
  /** What happens, where it is not that something of this name is removed: `unlocks acme/site`. */
  readonly effect?: string;
  /** Reads what is about to go, to show it to the person who is asked. */
  readonly going?: () => Promise<Going>;
}

// biome-ignore lint/suspicious/noExplicitAny: oclif's own constraint on parsed flags and arguments
type Bag = Record<string, any>;

interface CommonFlags extends OutputFlags {
  readonly 'csv-safe'?: boolean;
  readonly 'show-secrets'?: boolean;
  readonly profile?: string;
  readonly 'base-url'?: string;
  readonly 'api-version'?: string;
  readonly timeout?: number;
  readonly 'max-wait'?: number;
  readonly concurrency?: number;
  readonly 'no-cache'?: boolean;
  readonly 'no-input'?: boolean;
  readonly plain?: boolean;
  readonly debug?: boolean;
  readonly 'dry-run'?: boolean;
  readonly yes?: boolean;
  readonly web?: boolean;
  readonly input?: string;
}

/**
 * One command. `run` returns the record that the command is about, a `Listing` of records, or `PlainText`; that value
 * is the JSON, and `columns` say which of it a table shows. Nothing for a value means nothing is printed.
 */
export abstract class ForgectlCommand<T> extends Command {
  static override baseFlags = commonFlags;

  /**
   * The endpoints that the command asks, besides what it shows to a person whom it asks. Help, `permissions explain` and
   * `auth check` read what they need.
   */
  static requests: readonly Route[] = [];

  /** What is wrong with arguments and flags, collected while oclif parses them. */
  readonly problems: Problem[] = [];

  protected runtime: Runtime;

  // biome-ignore lint/suspicious/noExplicitAny: columns of any record; each command narrows it to its own
  protected readonly columns: readonly Column<any>[] = [];

  /** What a table shows of a record that has far more than people look at; `columns`, or all of it, unless given. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  protected readonly sheet: readonly Column<any>[] | undefined;

  /** True for commands that exist to print a secret. */
  protected readonly showsSecrets: boolean = false;

  /** The format of a result that is a document, unless another one is asked for. */
  protected readonly documentFormat: Format | undefined;

  /** The member of a record that names it to the next command, which `--quiet` prints alone. */
  protected readonly idField: string | undefined;

  /** What is said in place of an empty table, where it is not that nothing was found. */
  protected emptyText: string | undefined;

  /** What the records of a list are, for the line that tells its progress. */
  protected readonly recordsName: string = 'records';

  /** When the event happened that a record of the list is; a table is followed by how they spread over time. */
  // biome-ignore lint/suspicious/noExplicitAny: as for columns
  protected readonly timeOf: ((record: any) => string | undefined) | undefined;

  /** What a table, TSV or CSV shows of a record that is a map rather than a set of fields: a row for each entry. */
  protected readonly rowsOf: ((record: T) => readonly object[]) | undefined;

  /** What went wrong although there is a result: told once the result is printed, and the exit code follows from it. */
  protected failure: Error | undefined;

  /** Masks what the run knows to be secret in everything that goes to stderr. */
  readonly #redactor = new Redactor();
  /** Masks the same in records, where the platform sends it back. */
  readonly #recordRedactor = new Redactor();
  /** True once the platform has answered that a change was made. */
  #changed = false;
  /** Why the output setting cannot be used. */
  #outputProblem: string | undefined;
  #flags: CommonFlags = {};
  /** What the person was asked for, as it could have been typed. */
  #asked: AskedWords = { args: [], flags: [] };
  /** How the command is typed, where an argument is missing. */
  #usage: string | undefined;
  #connection: Promise<Connection> | undefined;
  #client: Promise<Client> | undefined;
  /** The write that has been sent and not answered yet. */
  #underWay: string | undefined;
  #doing: Pick<AdviceContext, 'endpoint' | 'input' | 'look'> & { readonly raw?: RawRequest } = {};

  constructor(argv: string[], config: Config) {
    super(argv, config);
    this.runtime = runtimeOf(config);
    for (const name of tokenVariables) this.keepSecret(this.runtime.env[name] ?? '');
  }

  abstract override run(): Promise<T>;

  /**
   * Runs the command, prints its result or its error, and sets the exit code. oclif's own version prints errors whole
   * with `--json`, headers and all, loses exit codes, and prints nothing for a falsy result.
   */
  // biome-ignore lint/suspicious/noExplicitAny: oclif's signature
  override async _run<R = any>(): Promise<R> {
    const done = this.runtime.onInterrupt(() => this.#interrupted());
    try {
      const result = await this.run();
      if (this.#flags.web) return await this.#showPages(result);
      await printResult(result, this.#resultView()).catch((error: unknown) => {
        throw this.#changed && !(error instanceof ClosedPipe) ? new UnshownResultError(error) : error;
      });
      await this.#tellCommandLine();
      if (this.failure) await this.#fail(this.failure);
    } catch (error) {
      await this.#fail(error);
    } finally {
      const client = await this.#client?.catch(() => undefined);
      await client?.close();
      done();
    }
    return undefined as R;
  }

  /** Parses arguments and flags, and asks for arguments that are missing; throws one error that names everything wrong with them. */
  protected override async parse<F extends Bag, B extends Bag, A extends Bag>(
    command?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const parsed = await this.collect(command, argv);
    this.refuseProblems();
    return parsed;
  }

  /** Throws one error that names everything noted so far. */
  protected refuseProblems(): void {
    if (this.problems.length) throw new ValidationError(this.problems, this.#usage);
  }

  /** Parses as `parse` does, and leaves what is wrong for `inputFor` to tell together with the fields' own problems. */
  protected async collect<F extends Bag, B extends Bag, A extends Bag>(
    command?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const parsed = await super
      .parse(
        command && undemanding(command),
        withoutBooleanValues(argv ?? this.argv, { ...this.ctor.baseFlags, ...this.ctor.flags }),
      )
      .catch(async (error: unknown) => {
        if (wordsAskForFields(argv ?? this.argv)) throw new FieldsAsked();
        const { readableParseError } = await import('./parse-errors.ts');
        throw readableParseError(error, { id: this.ctor.id, args: this.ctor.args, flags: this.#flagWords() });
      });
    this.#flags = parsed.flags as CommonFlags;
    if (asksForFields(this.#flags)) throw new FieldsAsked();
    if (this.#flags.plain) this.runtime = withPlainTerminal(this.runtime);
    this.problems.push(...outputProblems(this.#flags, this.#mayPrintIds()));
    if (this.#flags.jq !== undefined && takesJq(this.#flags)) await this.#checkJq(this.#flags.jq);
    const unreadable = stdinProblems({ ...this.ctor.baseFlags, ...this.ctor.flags }, parsed.flags);
    this.problems.push(...unreadable);
    // Nothing is read of what cannot be read twice.
    if (unreadable.length) this.refuseProblems();
    const args: Bag = parsed.args;
    for (const [name, { required }] of Object.entries(this.ctor.args))
      if (required && args[name] === undefined) args[name] = await this.missingArgument(name);
    return parsed;
  }

  /** What changes something may be answered with nothing, and then nothing is what `--quiet` prints. */
  #mayPrintIds(): boolean {
    const { requests } = this.ctor as typeof ForgectlCommand;
    return this.idField !== undefined || requests.some((route) => !route.startsWith('GET '));
  }

  /** Asks for an argument that was not given; where nobody can be asked, or there is more to mend, notes that it is missing. */
  protected async missingArgument<T>(name: string, problem?: string): Promise<T> {
    const label = name.toUpperCase();
    const arg = this.ctor.args[name] as Askable;
    if (!this.asks()) {
      const { usageAdvice } = await import('./parse-errors.ts');
      this.#usage = usageAdvice(this.ctor);
      this.problems.push(missing(label, problem ?? `is required: ${arg.description}`));
      // Nothing reads it, as nothing reads the text of a bad value, because the command stops before it runs.
      return '' as T;
    }
    const { askValue, wordsIn } = await import('./asking.ts');
    const words = wordsIn(arg, await askValue(arg, label, this.runtime, this.wordsOf(name) ?? arg.options));
    this.#asked.args.push(...words);
    const values = await Promise.all(words.map((word) => arg.parse(word, this, arg)));
    return (arg.multiple ? values : values[0]) as T;
  }

  /** The words to choose an argument from, where they are known only when the command runs. */
  protected wordsOf(_argument: string): readonly string[] | undefined {
    return undefined;
  }

  /** The one of several flags that was given. Where none was, it is asked for as a missing argument is. */
  protected async oneOfFlags<N extends string>(names: readonly N[], flags: Given): Promise<Partial<Record<N, string>>> {
    const given = names.filter((name) => flags[name] !== undefined);
    const labels = (some: readonly N[], word: string) => some.map((name) => `--${name}`).join(` ${word} `);
    if (given.length > 1) this.problems.push(invalid(labels(given, 'and'), 'do not go together'));
    if (given.length === 0 && this.asks()) return this.#askOneOfFlags(names);
    if (given.length === 0) this.problems.push(missing(labels(names, 'or'), 'is required'));
    return Object.fromEntries(given.map((name) => [name, flags[name]])) as Partial<Record<N, string>>;
  }

  async #askOneOfFlags<N extends string>(names: readonly N[]): Promise<Partial<Record<N, string>>> {
    const { askOneOf, flagWords } = await import('./asking.ts');
    const { name, text } = await askOneOf(names, this.ctor.flags as Record<string, Askable>, this.runtime);
    this.#asked.flags.push(...flagWords(name, text));
    return { [name]: text } as Partial<Record<N, string>>;
  }

  /** Whether what is missing is asked for: not where the command line is wrong in ways that no answer mends. */
  protected asks(): boolean {
    return this.mayAsk() && this.problems.length === 0;
  }

  /** A filter that does not compile stops the command before anything is sent. */
  async #checkJq(filter: string): Promise<void> {
    const { checkJq } = await import('../output/jq.ts');
    await checkJq(filter);
  }

  /** The flags of this command as they are typed. */
  #flagWords(): string[] {
    return Object.entries({ ...this.ctor.baseFlags, ...this.ctor.flags }).flatMap(([name, flag]) =>
      flag.type === 'boolean' && flag.allowNo ? [`--${name}`, `--no-${name}`] : [`--${name}`],
    );
  }

  /**
   * The query and the body that flags, `--input` and `fixed` give for an endpoint, checked against its declaration. What is
   * required and missing is asked for. Only what was given is in them. Throws one `ValidationError` that names everything
   * wrong with the command line, and UsageError for a change that changes nothing.
   */
  protected async inputFor<E extends Endpoint>(
    endpoint: E,
    flags: Given,
    options: BodyOptions = {},
  ): Promise<Omit<InputOf<E>, 'path'>> {
    const query = await typedFields(endpoint.query ?? {}, flags, this.runtime.stdin);
    let given = await givenBody(endpoint, flags, options, this.runtime);
    let body = requestBody(endpoint, given, options);
    for (;;) {
      const problems = [...this.problems, ...query.problems, ...body.problems];
      const changesNothing = options.changes && Object.keys(body.values).length === 0;
      if (problems.length === 0 && !changesNothing) break;
      // Who gives the body with the keyboard cannot answer with it, too.
      const asked = flags.input === '-' ? undefined : await this.#askForFields(endpoint, given, options, problems);
      if (asked === undefined && problems.length)
        throw new ValidationError(problems, await this.#usageOfBody(problems, endpoint, options));
      if (asked === undefined)
        throw new UsageError(
          'There is nothing to change: no setting was given. Nothing was sent.',
          'See --help for the settings.',
        );
      given = asked;
      body = requestBody(endpoint, given, options);
    }
    for (const { field, message } of body.unknown) this.notice(`${field} ${message}; it is sent as it is.`);
    return {
      ...(Object.keys(query.values).length ? { query: query.values } : {}),
      ...(endpoint.body ? { body: body.values } : {}),
    } as Omit<InputOf<E>, 'path'>;
  }

  /** How the command is typed, with the flags for what a body lacks: problems call fields as the platform does. */
  async #usageOfBody(
    problems: readonly Problem[],
    endpoint: Endpoint,
    options: BodyOptions,
  ): Promise<string | undefined> {
    const { lackingFlags } = await import('./asking.ts');
    const hasFlag = (flag: string) => Object.hasOwn(this.ctor.flags, flag);
    const flags = lackingFlags({ endpoint, options, hasFlag }, problems);
    if (flags.length === 0) return this.#usage;
    const { usageAdvice } = await import('./parse-errors.ts');
    return usageAdvice(
      this.ctor,
      flags.map((name) => {
        const flag = this.ctor.flags[name];
        return flag?.type === 'option' ? `--${name}=${flag.helpValue ?? 'VALUE'}` : `--[no-]${name}`;
      }),
    );
  }

  /** Asks for what a body lacks; undefined where nobody can be asked, or no answer would mend it. */
  async #askForFields(
    endpoint: Endpoint,
    given: GivenBody,
    options: BodyOptions,
    problems: readonly Problem[],
  ): Promise<GivenBody | undefined> {
    if (!this.asks()) return undefined;
    const { askForFields } = await import('./asking.ts');
    const hasFlag = (flag: string) => Object.hasOwn(this.ctor.flags, flag);
    const asked = await askForFields({ endpoint, given, options, hasFlag }, problems, this.runtime);
    this.#asked.flags.push(...(asked?.words ?? []));
    return asked?.given;
  }

  /** The platform and the token that flags, environment and profile name. */
  protected connection(): Promise<Connection> {
    this.#connection ??= this.#resolveConnection();
    return this.#connection;
  }

  async #resolveConnection(): Promise<Connection> {
    const { env } = this.runtime;
    const directory = settingsDirectory(env, this.config.configDir);
    const connection = await resolveConnection(this.#flags, env, directory, this.config.version);
    if (connection.credential) this.keepSecret(connection.credential.token);
    return connection;
  }

  /** Takes note of a secret, so that no message, error or debug line shows it. */
  protected keepSecret(secret: string): void {
    this.#redactor.add(secret);
    if (secret.length >= shortestMaskedInRecords) this.#recordRedactor.add(secret);
  }

  protected client(): Promise<Client> {
    this.#client ??= this.#openClient();
    return this.#client;
  }

  async #openClient(): Promise<Client> {
    const connection = await this.connection();
    const { openClient } = await import('./open-client.ts');
    return openClient(connection, {
      runtime: this.runtime,
      redactor: this.#redactor,
      cacheDirectory: this.#flags['no-cache'] ? undefined : cacheDirectory(this.runtime.env, this.config.cacheDir),
      debug: this.#flags.debug ? (line) => this.notice(line) : undefined,
      notice: (text) => this.notice(text),
      announcement: (text) => {
        // What the declaration calls closing down was told before the request went out.
        if (!this.#doing.endpoint?.closingDown) this.notice(text);
      },
    });
  }

  /** Asks an endpoint and hands back its answer, taken out of its envelope. */
  protected async call<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    options: { readonly format?: string } = {},
  ): Promise<AnswerOf<E>> {
    const client = await this.clientFor(endpoint, input);
    return client.call(endpoint, input, options);
  }

  /** The client, for asking an endpoint in a way that `call` and `list` do not cover. */
  protected async clientFor<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Client> {
    await this.#about(endpoint, input as AnyInput);
    return this.client();
  }

  /** Lists an endpoint's records, as the list flags say. Nothing is asked before the first record is wanted. */
  protected async list<E extends PagedEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    flags: ListFlags,
    { remark, ...options }: { readonly format?: string | undefined; readonly remark?: Remark } = {},
  ): Promise<Listing<RecordOf<E>>> {
    await this.#about(endpoint, input as AnyInput);
    if (flags.page !== undefined && (endpoint.paging === 'since' || endpoint.paging === 'cursor'))
      throw new ValidationError([invalid('--page', 'does not go with a list that has no page numbers')]);
    if (flags.all && flags.limit !== undefined)
      throw new ValidationError([invalid('--all and --limit', 'do not go together')]);
    const client = await this.client();
    const { concurrency } = await this.connection();
    const { limit, perPage, page } = planList(flags, endpoint.perPage ?? 30);
    const unread = takesText(this.#renderOptions(), this.runtime.terminal);
    const pages = client.pages(endpoint, input, { ...options, limit, perPage, page, concurrency, unread });
    const { path, query } = input as AnyInput;
    return new Listing(pages, {
      limit,
      remark,
      page,
      perPage:
        endpoint.paging === 'page' || endpoint.paging === 'has_next_page'
          ? (perPage ?? endpoint.perPage ?? 30)
          : undefined,
      nothingFound: (what) => nothingFoundText(what, { path, query, page }),
    });
  }

  /** Sends a request that changes something, once; with `--dry-run` it is printed instead. */
  protected async write<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { look, done, ...options }: WriteOptions & Success<E>,
  ): Promise<AnswerOf<E>> {
    await this.#about(endpoint, input as AnyInput, look);
    if (this.#flags['dry-run']) {
      const { buildRequest } = await import('../client/request.ts');
      const { platform } = await this.connection();
      throw await this.#preview(buildRequest(platform, endpoint, input, options));
    }
    const client = await this.client();
    const { path } = input as AnyInput;
    const asked = endpoint.route.replace(/\{(\w+)\}/g, (_, name: string) => String(path?.[name]));
    const answer = await this.#noted(asked, client.call(endpoint, input, options));
    if (done !== undefined && this.runtime.terminal.stderrIsTTY && !this.saysJson()) this.notice(done);
    return answer;
  }

  /** Takes note of a write while it is under way. */
  async #noted<A>(write: string, answer: Promise<A>): Promise<A> {
    this.#underWay = write;
    try {
      const received = await answer;
      this.#changed = true;
      return received;
    } finally {
      this.#underWay = undefined;
    }
  }

  async #preview(request: HttpRequest): Promise<Preview> {
    const { credential } = await this.connection();
    const headers = credential ? { ...request.headers, authorization: 'Bearer ********' } : request.headers;
    return new Preview({ ...request, headers });
  }

  /** Sends a request that no endpoint declares; with `--dry-run` it is printed instead. */
  protected async sendRaw(raw: RawRequest): Promise<Received<unknown>> {
    const reads = raw.method === 'GET' || raw.method === 'HEAD';
    if (raw.method === 'DELETE') await this.confirm(raw.path);
    if (this.#flags['dry-run']) {
      const { rawRequest } = await import('../client/raw-request.ts');
      const { platform } = await this.connection();
      throw await this.#preview(rawRequest(platform, raw));
    }
    this.#doing = { raw };
    const client = await this.client();
    return reads ? client.request(raw) : this.#noted(`${raw.method} ${raw.path}`, client.request(raw));
  }

  /** All pages of what a request answers that no endpoint declares, or the one record that it answers. */
  protected async listRaw(raw: RawRequest): Promise<unknown> {
    this.#doing = { raw };
    const all = await (await this.client()).requestAll(raw);
    return 'record' in all ? all.record : new Listing(all.pages, { limit: undefined });
  }

  /** Removes something after the person has typed its name, or with `--yes`. */
  protected async remove<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { name, effect, going, ...options }: RemoveOptions & Success<E>,
  ): Promise<AnswerOf<E>> {
    await this.confirm(name, effect, going);
    return this.write(endpoint, input, options as WriteOptions & Success<E>);
  }

  /**
   * Shows what is about to go and asks the person to type `name`, unless nothing will be sent. Where nobody can be asked,
   * `--yes` must have been given.
   */
  protected async confirm(name: string, effect = `removes ${name}`, going?: RemoveOptions['going']): Promise<void> {
    if (this.#flags.yes || this.#flags['dry-run']) return;
    if (!this.mayAsk()) throw new UsageError(`Nothing was sent: this ${effect}. Confirm it with --yes.`);
    const { confirmByName } = await import('./confirmation.ts');
    const shown = await going?.();
    if (shown) await this.showRecord(shown);
    await confirmByName(name, effect, shown, this.runtime);
    this.#asked.confirmed = true;
  }

  /** Shows a record to the person who is about to decide on it. */
  protected async showRecord(going: Going): Promise<void> {
    const { shownRecord } = await import('./confirmation.ts');
    this.#toStderr(await shownRecord(going, this.runtime));
  }

  /** True where a person can be asked: on a terminal, outside CI, without `--no-input`. */
  protected mayAsk(): boolean {
    const { env, stdin, terminal } = this.runtime;
    return !this.#flags['no-input'] && Boolean(stdin.isTTY) && terminal.stderrIsTTY && !env.CI;
  }

  /** Tells the person something that is not the result. */
  protected notice(text: string): void {
    this.#toStderr(safeLines(text));
  }

  /** Takes note of a flag that would have made a question unnecessary. */
  protected noteAsked(...words: readonly string[]): void {
    this.#asked.flags.push(...words);
  }

  /** Tells the person who was asked what to type for the same without questions. */
  async #tellCommandLine(): Promise<void> {
    const asked = this.#asked;
    this.#asked = { args: [], flags: [] };
    if (asked.args.length + asked.flags.length === 0) return;
    const { wholeCommandLine } = await import('./asking.ts');
    const command = [this.config.bin, ...(this.id ?? '').split(':')];
    this.notice(`The same without questions:\n  ${wholeCommandLine(command, this.argv, asked)}`);
  }

  /** Text that the platform sent, without what is secret in it unless that is to be shown. */
  protected withoutSecrets(text: string): string {
    return this.#renderOptions().showSecrets ? text : this.#redactor.redact(text);
  }

  #toStderr(line: string): void {
    const { env, terminal } = this.runtime;
    const text = this.#redactor.redact(line);
    terminal.stderr.write(`${env.GITHUB_ACTIONS ? withoutCommands(text) : text}\n`);
  }

  /** Remembers what is being asked, and says first what the declaration already knows to go wrong or to end. */
  async #about(endpoint: Endpoint, input: AnyInput, look?: string): Promise<void> {
    this.#doing = { endpoint, input, look };
    if (endpoint.closingDown) this.notice(`${endpoint.route} is closing down: ${endpoint.closingDown}.`);
    for (const { name, replacement } of closingDownFields(endpoint.body?.entries ?? {}, input.body ?? {}))
      this.notice(`${name} is closing down: ${replacement}.`);
    const { tokenKind } = await this.connection();
    if (!endpoint.tokens || !tokenKind || endpoint.tokens.includes(tokenKind)) return;
    const { tokenKindNames, tokenOfKind } = await import('./advice.ts');
    throw new UsageError(
      `This command works only with ${tokenKindNames(endpoint.tokens)}, and the token in use is ${tokenOfKind(tokenKind)}. Nothing was sent.`,
      'Use another token: forgectl auth login --profile NAME, then --profile NAME.',
    );
  }

  /** With `--quiet` a result is its ids; a preview stays whole. */
  #resultView(): ResultView {
    const view = this.#view();
    return this.#flags.quiet && this.idField ? { ...view, options: { ...view.options, fields: [this.idField] } } : view;
  }

  #view(): ResultView {
    const options = this.#renderOptions();
    if (this.#outputProblem) this.notice(`The output setting is not used. ${this.#outputProblem}`);
    return {
      columns: this.columns,
      sheet: this.sheet,
      options,
      terminal: this.runtime.terminal,
      clock: this.runtime.clock,
      emptyText: this.emptyText,
      recordsName: this.recordsName,
      timeOf: this.timeOf,
      rowsOf: this.rowsOf as ResultView['rowsOf'],
      notice: (text) => this.notice(text),
    };
  }

  #renderOptions(): RenderOptions {
    const { fields, jq } = this.#flags;
    return {
      format: this.#format(),
      showSecrets: this.showsSecrets || (this.#flags['show-secrets'] ?? false),
      mask: (text) => this.#recordRedactor.maskKnown(text),
      mayMask: (text) => this.#recordRedactor.mayMask(text),
      csvSafe: this.#flags['csv-safe'] ?? false,
      inWorkflow: Boolean(this.runtime.env.GITHUB_ACTIONS),
      ...(fields ? { fields } : {}),
      ...(jq === undefined ? {} : { jq }),
      ...(this.#flags.debug
        ? { misfit: (column, { message }) => this.notice(`A record has nothing for the column ${column}: ${message}`) }
        : {}),
    };
  }

  #format(): Format {
    const { output, quiet, json, jq, profile } = this.#flags;
    const { env, terminal } = this.runtime;
    if (output) return output;
    if (quiet) return 'tsv';
    if (json || jq !== undefined) return 'json';
    if (this.documentFormat) return this.documentFormat;
    const { format, problem } = outputSetting(
      settingsDirectory(env, this.config.configDir),
      profile ?? env.FORGECTL_PROFILE,
    );
    this.#outputProblem = problem;
    return format ?? (terminal.stdoutIsTTY ? 'table' : 'tsv');
  }

  async #showPages<R>(result: unknown): Promise<R> {
    const { showPages } = await import('./web.ts');
    const { runtime, recordsName } = this;
    await showPages(result, {
      runtime,
      recordsName,
      notice: (text) => this.notice(text),
      withoutSecrets: (text) => this.withoutSecrets(text),
    });
    return undefined as R;
  }

  async #printFields(): Promise<void> {
    const { printFields } = await import('./field-list.ts');
    await printFields(this.ctor.id, this.config.root, this.#view()).catch((error: unknown) => this.#fail(error));
  }

  /** Ends the run at once, as Ctrl-C should, and says so if that leaves something in doubt. */
  #interrupted(): void {
    const { stderr, stderrIsTTY } = this.runtime.terminal;
    // The terminal shows ^C where the cursor stood, perhaps after a line that told how far something was.
    if (stderrIsTTY) stderr.write('\n');
    this.#tellFailure(describeFailure(new InterruptedError(this.#underWay), { look: this.#doing.look }));
    this.runtime.abandon(exitCodes.interrupted);
  }

  async #fail(error: unknown): Promise<void> {
    if (error instanceof FieldsAsked) return this.#printFields();
    if (error instanceof Preview) {
      await printPreview(error.request, this.#view());
      return this.#tellCommandLine();
    }
    if (error instanceof ClosedPipe) return;
    // What cannot be sent is no example for anybody.
    if (![InterruptedError, UsageError, ValidationError].some((type) => error instanceof type))
      await this.#tellCommandLine();
    const connection = await this.#connection?.catch(() => undefined);
    const failure = describeFailure(error, {
      ...this.#doing,
      endpoint: this.#doing.endpoint ?? (await this.#requirements(connection)),
      baseUrl: connection?.platform.baseUrl,
      profile: connection?.profile,
      tokenKind: connection?.tokenKind,
      tokenSource: connection?.credential?.source,
      tokenVariable: connection?.credential?.variable,
    });
    this.#tellFailure(failure);
    this.runtime.exit(failure.exit);
  }

  #tellFailure(failure: Failure): void {
    this.#toStderr(this.saysJson() ? failureJson(failure) : failureText(failure));
  }

  /** What the permission map knows of a request that no endpoint declares. It is loaded only when something failed. */
  async #requirements(connection: Connection | undefined): Promise<AdviceContext['endpoint']> {
    const { raw } = this.#doing;
    if (!raw) return undefined;
    const { requirementsFor } = await import('../platform/permissions.ts');
    return requirementsFor(raw.method, raw.path, connection?.platform);
  }

  /**
   * Whether what is not a record is said in JSON too: errors above all. Parsing may have failed before any flag was
   * known, so the words themselves are read.
   */
  protected saysJson(): boolean {
    if (Object.keys(this.#flags).length)
      return this.#flags.json === true || ['json', 'ndjson'].includes(this.#format());
    return asksForJson(this.argv);
  }
}
