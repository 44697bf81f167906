/** A command's connection to its platform: opened for the first request, closed at the end of the run. */
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '@oclif/core/config';
import type { ApiResponse, CallOptions, Client } from '../../client/client.ts';
import { ClientError, type Rename, RenamedError, type RequestSummary, unlessHidden } from '../../client/errors.ts';
import { isRead } from '../../client/http.ts';
import { type Place, refuseRename, unencoded } from '../../client/moves.ts';
import type { Page } from '../../client/pages.ts';
import type { RawRequest } from '../../client/raw-request.ts';
import { type HttpRequest, type PlannedRequest, planRequest } from '../../client/request.ts';
import { invalidResponse } from '../../client/response.ts';
import { settingsDirectory } from '../../disk/locations.ts';
import { isObject } from '../../json/exact-json.ts';
import type {
  AnswerOf,
  AnyInput,
  Declaration,
  Endpoint,
  InputOf,
  PagedEndpoint,
  RecordOf,
} from '../../platform/endpoint.ts';
import { type Connection, type ConnectionFlags, notLoggedIn, resolveConnection } from '../account/connection.ts';
import { GuardError, type PendingWrite, UsageError } from '../errors.ts';
import { closingDownFields } from '../input/field-shape.ts';
import { promptCount } from '../input/prompts/count.ts';
import { type AdviceContext, appKeyName, tokenKindNames, tokenOfKind } from '../report/advice.ts';
import type { Messages } from '../report/messages.ts';
import { nothingFoundText } from '../result/footer.ts';
import { type ListFlags, Listing, type ListNote, maxPerPage, planList } from '../result/listing.ts';
import type { Runtime } from '../runtime.ts';

export interface SessionFlags extends ConnectionFlags {
  readonly 'no-cache'?: boolean;
  readonly debug?: boolean;
  readonly 'dry-run'?: boolean;
}

export type FormatOption = Pick<CallOptions, 'format'>;

export interface SessionListOptions<T = unknown> extends FormatOption {
  /** Whether a record is shown, as the platform does not filter it; `limit` counts those that are. */
  readonly matches?: ((record: T) => boolean) | undefined;
  readonly note?: ListNote | undefined;
  /** True if the text of records is written as it is. */
  readonly raw?: boolean;
}

export interface WriteOptions extends FormatOption {
  /** The command that shows whether the write happened, in case its response is lost. */
  readonly verifyCommand: string;
}

/** A write of the run, and its state. While it waits for its turn, or for the end of a rate limit, it is not sent. */
interface SessionWrite extends PendingWrite {
  state: 'waiting' | 'sent' | 'done' | 'failed';
}

/** A connection passed to a command, with the client opened for it. */
export interface SharedClient {
  readonly connection: Connection;
  readonly client: Client;
  /** Confirms in place of the user; throws unless the command may proceed. */
  readonly confirm?: (effect: string) => void;
  /** Receives the secrets of the command, to mask them too. */
  readonly addSecret?: (secret: string, inRecords?: boolean) => void;
}

/** An object that was read, and after how many prompts. */
interface SeenObject {
  readonly plan: PlannedRequest;
  /** Undefined if the record had nothing that distinguishes it: a later one that has is another object. */
  readonly identity: Identity | undefined;
  readonly prompts: number;
  /** When it was read last, in epoch milliseconds. */
  readonly at: number;
}

/** The dependencies of a session. */
interface SessionOptions {
  readonly flags: SessionFlags;
  readonly runtime: Runtime;
  readonly messages: Messages;
  readonly config: Pick<Config, 'version'>;
  /** A client to use instead of opening one; it stays open. */
  readonly shared?: SharedClient | undefined;
  /** As in `ForgectlCommand`. */
  readonly writeConcurrency?: number | undefined;
  /** As in `ForgectlCommand`. */
  readonly progress?: (() => string | undefined) | undefined;
  /** Whether the run reads thousands of objects, whose responses are cached in one file. */
  readonly readings?: boolean | undefined;
}

export class Session {
  readonly #options: SessionOptions;
  #connection: Promise<Connection> | undefined;
  #client: Promise<Client> | undefined;
  readonly #writes: SessionWrite[] = [];
  /** Objects that were read, by path. */
  readonly #seen = new Map<string, SeenObject>();
  /** Objects that were read under a former name. */
  readonly #renames = new Map<string, Rename>();

  constructor(options: SessionOptions) {
    this.#options = options;
    const { shared } = options;
    if (!shared) return;
    this.use(shared.connection);
    this.#client = Promise.resolve(this.#watched(shared.client));
  }

  /** Returns a client that reports reads of renamed repositories and organizations. */
  #watched(client: Client): Client {
    return client.onRename((rename) => {
      const { named, current } = rename;
      if (!this.#renames.has(named)) this.#options.messages.notice(`${named} is now ${current}.`);
      this.#renames.set(named, rename);
    });
  }

  /**
   * Returns the platform and the token that flags, environment and profile select. Throws as `resolveConnection` does.
   */
  connection(): Promise<Connection> {
    this.#connection ??= this.#resolveConnection();
    return this.#connection;
  }

  /** Sends all requests to this platform, with this token. */
  use(connection: Connection): Connection {
    const { credential } = connection;
    const secret = credential?.token ?? credential?.app?.key;
    if (secret !== undefined) this.#options.messages.addSecret(secret);
    this.#connection = Promise.resolve(connection);
    return connection;
  }

  async #resolveConnection(): Promise<Connection> {
    const { env } = this.#options.runtime;
    return this.use(
      await resolveConnection(this.#options.flags, env, settingsDirectory(env), this.#options.config.version),
    );
  }

  /** Returns the client, for requests that the other methods do not cover. */
  client(): Promise<Client> {
    this.#client ??= this.#openClient().then((client) => this.#watched(client));
    return this.#client;
  }

  async #openClient(): Promise<Client> {
    const connection = await this.#sendingConnection();
    const { openClient } = await import('./open-client.ts');
    const { runtime, messages, flags, readings = false, writeConcurrency, progress } = this.#options;
    const notice = (text: string) => messages.notice(text);
    return openClient(connection, {
      runtime,
      redactor: messages.redactor,
      addSecret: (secret) => messages.addSecret(secret),
      cached: !flags['no-cache'],
      readings,
      writeConcurrency,
      debug: flags.debug ? (line) => messages.trace(line) : undefined,
      notice,
      progress,
      announcement: (text, { endpoint }) => {
        // Deprecations in the declaration were reported before the request.
        if (!endpoint?.closingDown) notice(text);
      },
    });
  }

  /**
   * Returns the connection for requests. Throws NotLoggedInError if the token of the profile in use is missing: without
   * it, private resources would be omitted silently.
   */
  async #sendingConnection(): Promise<Connection> {
    const connection = await this.connection();
    if (connection.credential || this.#options.flags.anonymous) return connection;
    if (connection.profile !== undefined) throw notLoggedIn(connection, ' To send no token, add --anonymous.');
    for (const text of connection.ignoredTokens) this.#options.messages.notice(text);
    this.#options.messages.notice(`No token for ${connection.platform.baseUrl}; sending requests without one.`);
    return connection;
  }

  async close(): Promise<void> {
    if (this.#options.shared) return;
    const client = await this.#client?.catch(() => undefined);
    await client?.close();
  }

  /** Returns the client for requests to this endpoint. */
  async clientFor<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<Client> {
    await this.#prepare(endpoint, input as AnyInput);
    return this.client();
  }

  /** Sends a request and returns its response, without the envelope. */
  async call<E extends Endpoint>(endpoint: E, input: InputOf<E>, options: FormatOption): Promise<AnswerOf<E>> {
    const client = await this.clientFor(endpoint, input);
    return this.#sent(client, client.plan(endpoint, input, options));
  }

  /** Reads an object by its current name. Throws RenamedError for a former one. */
  async read<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
  ): Promise<{ readonly data: AnswerOf<E>; readonly asked: RequestSummary }> {
    const client = (await this.clientFor(endpoint, input)).onRename(refuseRename);
    const plan = client.plan(endpoint, input);
    return { data: await this.#sent(client, plan), asked: plan.asked };
  }

  /** Sends a request, and remembers what object it reads: no later write is repeated, or sent after a prompt, if another has its name. */
  async #sent<D extends Declaration>(client: Client, plan: PlannedRequest<D>): Promise<AnswerOf<D>> {
    const at = client.now();
    const { data } = await client.send(plan);
    this.#remember(plan, data, at);
    return data;
  }

  #remember(plan: PlannedRequest, data: unknown, at: number): void {
    if (!isObject(data) || !isRead(plan.request.method)) return;
    const identity = identityOf(data);
    const { path } = plan.asked;
    // The first object is the one that a prompt showed.
    const first = this.#seen.get(path);
    if (!first || isDeepStrictEqual(first.identity, identity))
      this.#seen.set(path, { plan, identity, at, prompts: this.#prompts });
  }

  /** Returns when the first of the objects on a path was read, in epoch milliseconds; undefined if none was. */
  #firstRead(path: string): number | undefined {
    const times = [...this.#seen].flatMap(([of, { at }]) => (isOnPath(of, path) ? [at] : []));
    return times.length === 0 ? undefined : times.reduce((first, at) => Math.min(first, at));
  }

  #seenAt(path: string): SeenObject | undefined {
    const [, seen] = [...this.#seen].find(([of]) => comparable(of) === comparable(path)) ?? [];
    return seen;
  }

  /** Reads a repository or an organization as `watch` does, unless an ID of it or of something in it was read. */
  async watchPlace(path: string): Promise<void> {
    for (const [of, { identity }] of this.#seen)
      if (comparable(of).startsWith(comparable(path)) && (identity?.id ?? identity?.organization) !== undefined) return;
    await this.watch(path);
  }

  /** Reads an object before a prompt: a write after it requires the same one. One that the token cannot read is not compared. */
  async watch(path: string): Promise<void> {
    const received = await unlessHidden(this.send({ method: 'GET', path }));
    if (received && 'data' in received && !this.#seen.get(path)?.identity)
      throw invalidResponse({ method: 'GET', path }, 'a record without a valid id');
  }

  get #prompts(): number {
    return promptCount(this.#options.runtime.stdin);
  }

  /**
   * Reads the objects again that lie on the path of a write, or only those that were read before the last prompt. Throws
   * GuardError for another object.
   */
  async #requireSame({ path }: RequestSummary, since: 'wait' | 'prompt'): Promise<void> {
    const client = (await this.client()).onRename(refuseRename);
    const prompts = this.#prompts;
    for (const [of, seen] of this.#seen) {
      if (!isOnPath(of, path) || (since === 'prompt' && seen.prompts === prompts)) continue;
      const at = client.now();
      const { data } = await client.send(seen.plan);
      if (!isDeepStrictEqual(identityOf(data), seen.identity))
        throw new GuardError(`${of} was replaced or renamed during the ${since}. Nothing was changed.`);
      this.#seen.set(of, { ...seen, at, prompts });
    }
  }

  /**
   * Lists the records of an endpoint according to the list flags. No request is sent before the first record is read.
   */
  async list<E extends PagedEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    flags: ListFlags,
    { note, matches, raw = false, ...options }: SessionListOptions<RecordOf<E>>,
  ): Promise<Listing<RecordOf<E>>> {
    await this.#prepare(endpoint, input as AnyInput);
    const isSelective = flags.where !== undefined || matches !== undefined;
    const { limit, page, perPage, pageSize, onePage } = planList(flags, endpoint, isSelective);
    const client = await this.client();
    const { concurrency } = await this.connection();
    const { path, query } = input as AnyInput;
    const onDemand = isSelective && limit !== undefined;
    // With a limit of 0, only the first page is fetched.
    const wanted = onePage ? 0 : onDemand ? undefined : limit;
    // The text of a page takes less memory than its records, but longer to prepare, which only a long list is worth.
    const isLong = limit === undefined || limit > maxPerPage;
    const pages = { limit: wanted, onDemand, perPage, page, concurrency, raw: raw || isLong };
    const listing = new Listing(client.pages(endpoint, input, { ...options, ...pages }), {
      limit,
      note,
      page,
      onePage,
      perPage: pageSize,
      nothingFound: (what) => nothingFoundText(what, { path, query, page }),
    });
    if (!matches) return listing;
    return listing.selectedBy(async (records) =>
      Array.from(records, (record, index) => (matches(record as RecordOf<E>) ? [index] : [])).flat(),
    );
  }

  /** The writes that were sent and have no response yet. */
  get pendingWrites(): readonly PendingWrite[] {
    return this.#writes.filter(({ state }) => state === 'sent');
  }

  /** True once the platform has made a change. */
  get hasChanged(): boolean {
    return this.#writes.some(({ state }) => state === 'done');
  }

  /**
   * Sends a write, once. With `--dry-run` returns the request instead. Throws RenamedError if something that the command has
   * read was renamed.
   */
  async write<E extends Endpoint>(
    endpoint: E,
    input: InputOf<E>,
    { verifyCommand, ...options }: WriteOptions,
  ): Promise<AnswerOf<E> | PlannedRequest<E>> {
    await this.#prepare(endpoint, input as AnyInput);
    const { platform } = await this.connection();
    const plan = planRequest<E>(platform, endpoint, input, options);
    this.#refuseRenames(plan);
    if (this.#options.flags['dry-run']) return plan;
    await this.#requireSame(plan.asked, 'prompt');
    return (await this.#send(plan, verifyCommand)).data;
  }

  /** Throws RenamedError if something that the command has read was renamed: a write may rely on it. */
  #refuseRenames({ asked }: PlannedRequest): void {
    for (const rename of this.#renames.values()) throw new RenamedError(asked, rename);
  }

  /** Sends a request that no endpoint declares. With `--dry-run` returns the request instead. */
  async send(raw: RawRequest): Promise<ApiResponse<unknown> | PlannedRequest> {
    const plan = await this.#planRaw(raw);
    if (this.#options.flags['dry-run']) return plan;
    if (!isRead(raw.method)) {
      this.#refuseRenames(plan);
      await this.#requireSame(plan.asked, 'prompt');
    }
    const at = (await this.client()).now();
    const received = await this.#send(plan);
    this.#remember(plan, received.data, at);
    return received;
  }

  /**
   * Returns all pages of an undeclared request, or the single record that it returns. With `--dry-run` returns the
   * request for the first page.
   */
  async sendForAll(raw: RawRequest): Promise<unknown> {
    if (this.#options.flags['dry-run']) return this.#planRaw(raw);
    const all = await (await this.client()).requestAll(raw);
    return 'record' in all ? all.record : new Listing(all.pages, { limit: undefined });
  }

  /**
   * Returns the pages of an undeclared request as they are received. With `--dry-run` returns the request for the first
   * page.
   */
  async sendForPages(raw: RawRequest): Promise<AsyncIterable<Page<ApiResponse<unknown>>> | PlannedRequest> {
    return this.#options.flags['dry-run'] ? this.#planRaw(raw) : (await this.client()).requestPages(raw);
  }

  async #planRaw(raw: RawRequest): Promise<PlannedRequest> {
    const { planRawRequest } = await import('../../client/raw-request.ts');
    const { platform } = await this.connection();
    return planRawRequest(platform, raw);
  }

  /** Sends a planned request, and records the outcome if it is a write. */
  async #send<D extends Declaration>(
    plan: PlannedRequest<D>,
    verifyCommand?: string,
  ): Promise<ApiResponse<AnswerOf<D>>> {
    const client = await this.client();
    const { asked } = plan;
    if (isRead(asked.method)) return client.send(plan);
    const write: SessionWrite = { asked, verifyCommand, state: 'waiting' };
    this.#writes.push(write);
    const watch = {
      sending: () => {
        write.state = 'sent';
      },
      received: () => {
        write.state = 'waiting';
      },
      ...(this.#seen.size > 0 && {
        since: this.#firstRead(asked.path),
        repeating: () => this.#requireSame(asked, 'wait'),
        idOf: ({ record }: Place) => this.#seenAt(record)?.identity?.id,
      }),
    };
    try {
      const received = await client.send(plan, { watch });
      write.state = 'done';
      return received;
    } catch (error) {
      write.state = 'failed';
      throw error;
    }
  }

  /** Returns planned requests with the token masked. Throws NotLoggedInError if the token is missing. */
  async previews(plans: readonly PlannedRequest[]): Promise<readonly HttpRequest[]> {
    const { credential } = await this.#sendingConnection();
    const authorization: Record<string, string> = credential ? { authorization: 'Bearer ********' } : {};
    return plans.map(({ request }) => ({ ...request, headers: { ...request.headers, ...authorization } }));
  }

  /**
   * Reports deprecations of the declaration. Throws UsageError if the endpoint does not accept the kind of token in
   * use.
   */
  async #prepare(endpoint: Endpoint, input: AnyInput): Promise<void> {
    if (endpoint.closingDown)
      this.#options.messages.notice(`${endpoint.route} is deprecated: ${endpoint.closingDown}.`);
    for (const { name, replacement } of closingDownFields(endpoint.body?.entries ?? {}, input.body ?? {}))
      this.#options.messages.notice(`${name} is deprecated: ${replacement}.`);
    const { tokenKind, credential, loginCommand } = await this.connection();
    if (endpoint.asApp && !credential?.app)
      throw new UsageError(
        `This command requires ${appKeyName}${tokenKind ? `; the token in use is ${tokenOfKind(tokenKind)}` : ''}. Nothing was sent.`,
        `Log in as the app with “${loginCommand} --app-id ID --private-key-file FILE”, or set FORGECTL_APP_ID.`,
      );
    if (!endpoint.tokens || !tokenKind || endpoint.tokens.includes(tokenKind)) return;
    throw new UsageError(
      `This command works only with ${tokenKindNames(endpoint.tokens)}; the token in use is ${tokenOfKind(tokenKind)}. Nothing was sent.`,
      'Use another token: forgectl auth login --profile NAME, then --profile NAME.',
    );
  }

  /** Returns the context of an error, for its advice. */
  async circumstances(error: unknown): Promise<AdviceContext> {
    const connection = await this.#connection?.catch(() => undefined);
    const asked = error instanceof ClientError ? error.asked : undefined;
    const isSame = (write: SessionWrite) => write.asked.method === asked?.method && write.asked.path === asked.path;
    return {
      endpoint: asked && (asked.endpoint ?? (await requirementsOf(asked, connection))),
      sentFields: asked?.sentFields,
      verifyCommand: this.#writes.findLast(isSame)?.verifyCommand,
      baseUrl: connection?.platform.baseUrl,
      baseUrlFrom: connection?.baseUrlFrom,
      loginCommand: connection?.loginCommand,
      profile: connection?.profile,
      tokenKind: connection?.tokenKind,
      tokenSource: connection?.credential?.source,
      tokenVariable: connection?.credential?.variable,
    };
  }
}

/** Returns the access data for an undeclared request. Loaded only after a failure. */
async function requirementsOf({ method, path }: RequestSummary, connection: Connection | undefined) {
  const { requirementsFor } = await import('../../platform/permissions.ts');
  return requirementsFor(method, path, connection?.platform);
}

/** Returns whether the path of a write names an object, or a person that was read as a user or as a member. */
function isOnPath(of: string, path: string): boolean {
  const segments = comparable(of).replace(/^(?:\/users|\/orgs\/[^/]+\/memberships)(?=\/[^/]+\/$)/, '');
  return comparable(path).includes(segments);
}

/**
 * Returns the one spelling of a path that tells whether two are the same to a platform or a proxy before it. Some endpoints have
 * organizations below `/organizations`.
 */
const comparable = (path: string): string =>
  `${unencoded(path)}/`
    .replace(/\/+/g, '/')
    .toLowerCase()
    .replace(/^\/organizations(?=\/)/, '/orgs');

/** What distinguishes an object from another one at the same path. */
type Identity = Readonly<
  Record<'id' | 'name' | 'fullName' | 'login' | 'created' | 'person' | 'organization' | 'repository', unknown>
>;

/**
 * Returns the identity of a record; undefined if it has none. Some records have no ID, and a platform that is restored from a
 * backup assigns IDs again.
 */
function identityOf(record: unknown): Identity | undefined {
  if (!isObject(record)) return undefined;
  // A transferred repository keeps its name, and a renamed organization its display name.
  const { id, name, full_name: fullName, login, created_at: created } = record;
  const [person, organization, repository] = [record.user, record.organization, record.repository].map((of) =>
    isObject(of) ? of.id : undefined,
  );
  const identity = { id, name, fullName, login, created, person, organization, repository };
  return Object.values(identity).some((each) => each !== undefined) ? identity : undefined;
}
