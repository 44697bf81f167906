/** What a command has to do with its platform: opened when it is first asked for something, and closed at the end of the run. */
import type { Config } from '@oclif/core/config';
import type { CallOptions, Client, Received } from '../../client/client.ts';
import type { RawRequest } from '../../client/raw-request.ts';
import type { HttpRequest } from '../../client/request.ts';
import { settingsDirectory } from '../../disk/locations.ts';
import type { AnswerOf, AnyInput, Endpoint, InputOf, PagedEndpoint, RecordOf } from '../../platform/endpoint.ts';
import { type Connection, type ConnectionFlags, notLoggedIn, resolveConnection } from '../account/connection.ts';
import { UsageError } from '../errors.ts';
import { closingDownFields } from '../input/field-shape.ts';
import { type AdviceContext, tokenKindNames, tokenOfKind } from '../report/advice.ts';
import type { Messages } from '../report/messages.ts';
import { nothingFoundText } from '../result/footer.ts';
import { type ListFlags, Listing, planList, type Remark } from '../result/listing.ts';
import type { Runtime } from '../runtime.ts';

/** A write that is only shown: it ends the command where the request would have been sent. */
export class Preview {
  readonly request: HttpRequest;

  constructor(request: HttpRequest) {
    this.request = request;
  }
}

export interface SessionFlags extends ConnectionFlags {
  readonly 'no-cache'?: boolean;
  readonly debug?: boolean;
  readonly 'dry-run'?: boolean;
}

export type FormatOption = Pick<CallOptions, 'format'>;

export interface SessionListOptions extends FormatOption {
  readonly remark?: Remark | undefined;
  /** True where nothing looks into the records, so that pages can be handed on as their text. */
  readonly raw?: boolean;
}

export interface WriteOptions extends FormatOption {
  /** The command that shows whether the write happened, for when its answer is lost. */
  readonly look: string;
}

/** A write that has been sent and not answered yet. */
interface UnderWay {
  /** `PATCH /orgs/acme` */
  readonly request: string;
  /** The command that shows whether it happened. */
  readonly look: string | undefined;
}

/** What a session is opened with. */
interface SessionOptions {
  readonly flags: SessionFlags;
  readonly runtime: Runtime;
  readonly messages: Messages;
  readonly config: Pick<Config, 'version'>;
}

export class Session {
  readonly #flags: SessionFlags;
  readonly #runtime: Runtime;
  readonly #messages: Messages;
  readonly #config: SessionOptions['config'];
  #connection: Promise<Connection> | undefined;
  #client: Promise<Client> | undefined;
  /** What was asked last. */
  #doing: Pick<AdviceContext, 'endpoint' | 'input' | 'look'> & { readonly raw?: RawRequest } = {};
  underWay: UnderWay | undefined;
  /** True once the platform has answered that a change was made. */
  changed = false;

  constructor({ flags, runtime, messages, config }: SessionOptions) {
    this.#flags = flags;
    this.#runtime = runtime;
    this.#messages = messages;
    this.#config = config;
  }

  /** The platform and the token that flags, environment and profile name. Throws as `resolveConnection` does. */
  connection(): Promise<Connection> {
    this.#connection ??= this.#resolveConnection();
    return this.#connection;
  }

  /** Has all requests go to this platform, with this token. */
  use(connection: Connection): Connection {
    if (connection.credential) this.#messages.keepSecret(connection.credential.token);
    this.#connection = Promise.resolve(connection);
    return connection;
  }

  async #resolveConnection(): Promise<Connection> {
    const { env } = this.#runtime;
    return this.use(await resolveConnection(this.#flags, env, settingsDirectory(env), this.#config.version));
  }

  /** The client, for asking what the other functions here do not cover. */
  client(): Promise<Client> {
    this.#client ??= this.#openClient();
    return this.#client;
  }

  async #openClient(): Promise<Client> {
    const connection = await this.#sendingConnection();
    const { openClient } = await import('./open-client.ts');
    const notice = (text: string) => this.#messages.notice(text);
    return openClient(connection, {
      runtime: this.#runtime,
      redactor: this.#messages.redactor,
      cached: !this.#flags['no-cache'],
      debug: this.#flags.debug ? notice : undefined,
      notice,
      announcement: (text) => {
        // What the declaration calls closing down was told before the request went out.
        if (!this.#doing.endpoint?.closingDown) notice(text);
      },
    });
  }

  /**
   * Returns the connection that requests are sent with. Throws NotLoggedInError where a profile is in use and its token is
   * missing: without it the platform would answer less, and not say so.
   */
  async #sendingConnection(): Promise<Connection> {
    const connection = await this.connection();
    if (connection.credential || this.#flags.anonymous) return connection;
    if (connection.profile !== undefined) throw notLoggedIn(connection, ' To send no token, add --anonymous.');
    for (const text of connection.ignoredTokens) this.#messages.notice(text);
    this.#messages.notice(`No token for ${connection.platform.baseUrl}; sending requests without one.`);
    return connection;
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  /** The client, for asking this endpoint. */
  async clientFor<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Client> {
    await this.#about(endpoint, input as AnyInput);
    return this.client();
  }

  /** Asks an endpoint and hands back its answer, taken out of its envelope. */
  async call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: FormatOption): Promise<AnswerOf<E>> {
    const client = await this.clientFor(endpoint, input);
    return client.call(endpoint, input, options);
  }

  /** Lists an endpoint's records, as the list flags say. Nothing is asked before the first record is wanted. */
  async list<E extends PagedEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    flags: ListFlags,
    { remark, ...options }: SessionListOptions,
  ): Promise<Listing<RecordOf<E>>> {
    await this.#about(endpoint, input as AnyInput);
    const { limit, page, perPage, pageSize, onePage } = planList(flags, endpoint);
    const client = await this.client();
    const { concurrency } = await this.connection();
    const { path, query } = input as AnyInput;
    // Of no records at all, the first page is fetched and none after it.
    const wanted = onePage ? 0 : limit;
    return new Listing(client.pages(endpoint, input, { ...options, limit: wanted, perPage, page, concurrency }), {
      limit,
      remark,
      page,
      onePage,
      perPage: pageSize,
      nothingFound: (what) => nothingFoundText(what, { path, query, page }),
    });
  }

  /** Sends a request that changes something, once. Throws a `Preview` with `--dry-run`. */
  async write<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { look, ...options }: WriteOptions,
  ): Promise<AnswerOf<E>> {
    await this.#about(endpoint, input as AnyInput, look);
    if (this.#flags['dry-run']) {
      const { buildRequest } = await import('../../client/request.ts');
      const { platform } = await this.connection();
      throw await this.#preview(buildRequest(platform, endpoint, input, options));
    }
    const client = await this.client();
    const { path } = input as AnyInput;
    const route = endpoint.route.replaceAll('<alerts>', client.platform.alertsSegment);
    const request = route.replace(/\{(\w+)\}/g, (_, name: string) => String(path?.[name]));
    return this.#noted({ request, look }, client.call(endpoint, input, options));
  }

  /** Sends a request that no endpoint declares. Throws a `Preview` with `--dry-run`. */
  async send(raw: RawRequest): Promise<Received<unknown>> {
    if (this.#flags['dry-run']) {
      const { rawRequest } = await import('../../client/raw-request.ts');
      const { platform } = await this.connection();
      throw await this.#preview(rawRequest(platform, raw));
    }
    this.#doing = { raw };
    const answer = (await this.client()).request(raw);
    const reads = raw.method === 'GET' || raw.method === 'HEAD';
    return reads ? answer : this.#noted({ request: `${raw.method} ${raw.path}`, look: undefined }, answer);
  }

  /** All pages of what a request answers that no endpoint declares, or the one record that it answers. */
  async sendForAll(raw: RawRequest): Promise<unknown> {
    this.#doing = { raw };
    const all = await (await this.client()).requestAll(raw);
    return 'record' in all ? all.record : new Listing(all.pages, { limit: undefined });
  }

  async #preview(request: HttpRequest): Promise<Preview> {
    const { credential } = await this.#sendingConnection();
    const headers = credential ? { ...request.headers, authorization: 'Bearer ********' } : request.headers;
    return new Preview({ ...request, headers });
  }

  /** Takes note of a write while it is under way. */
  async #noted<A>(write: UnderWay, answer: Promise<A>): Promise<A> {
    this.underWay = write;
    try {
      const received = await answer;
      this.changed = true;
      return received;
    } finally {
      this.underWay = undefined;
    }
  }

  /** Remembers what is being asked, and says first what the declaration already knows to go wrong or to end. */
  async #about(endpoint: Endpoint, input: AnyInput, look?: string): Promise<void> {
    this.#doing = { endpoint, input, look };
    if (endpoint.closingDown) this.#messages.notice(`${endpoint.route} is closing down: ${endpoint.closingDown}.`);
    for (const { name, replacement } of closingDownFields(endpoint.body?.entries ?? {}, input.body ?? {}))
      this.#messages.notice(`${name} is closing down: ${replacement}.`);
    const { tokenKind } = await this.connection();
    if (!endpoint.tokens || !tokenKind || endpoint.tokens.includes(tokenKind)) return;
    throw new UsageError(
      `This command works only with ${tokenKindNames(endpoint.tokens)}, and the token in use is ${tokenOfKind(tokenKind)}. Nothing was sent.`,
      'Use another token: forgectl auth login --profile NAME, then --profile NAME.',
    );
  }

  /** What was being done, for the advice after a failure. */
  async circumstances(): Promise<AdviceContext> {
    const connection = await this.#connection?.catch(() => undefined);
    const { raw, ...doing } = this.#doing;
    return {
      ...doing,
      endpoint: raw ? await requirementsOf(raw, connection) : doing.endpoint,
      baseUrl: connection?.platform.baseUrl,
      loginCommand: connection?.loginCommand,
      profile: connection?.profile,
      tokenKind: connection?.tokenKind,
      tokenSource: connection?.credential?.source,
      tokenVariable: connection?.credential?.variable,
    };
  }
}

/** What the permission map knows of a request that no endpoint declares. It is loaded only when something failed. */
async function requirementsOf({ method, path }: RawRequest, connection: Connection | undefined) {
  const { requirementsFor } = await import('../../platform/permissions.ts');
  return requirementsFor(method, path, connection?.platform);
}
