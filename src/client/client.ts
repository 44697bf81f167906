/** The client: calls endpoints and iterates over lists. Knows endpoints, but not commands. */

import { isObject } from '../json/exact-json.ts';
import type { Answer, AnswerOf, Declaration, Endpoint, InputOf, Paging, RecordOf } from '../platform/endpoint.ts';
import type { CachedResponse, CacheEntry, ResponseStore } from './cache.ts';
import type { Credential } from './credential.ts';
import type { FileSource } from './download/download.ts';
import { openStorage } from './download/storage.ts';
import { ClientError, RedirectError, type Rename, RenamedError, type RequestSummary } from './errors.ts';
import { type HttpResponse, isRead } from './http.ts';
import { factsIn, isSameName, type Place, type PlaceFacts, placeIn, placeName } from './moves.ts';
import { type Page, type PageSource, pagesOf, type ReadPage, resume } from './pages.ts';
import type { Platform } from './platform.ts';
import { planRawRequest, type RawRequest } from './raw-request.ts';
import { errorFor } from './refusal.ts';
import { askedOf, type HttpRequest, type PlannedRequest, planRequest } from './request.ts';
import {
  dataOf,
  envelopedList,
  invalidResponse,
  listIn,
  parse,
  recordTextOf,
  recordWithFields,
  untypedDataOf,
  withFields,
} from './response.ts';
import { release } from './transport/body.ts';
import { redirected } from './transport/redirect.ts';
import type { RetryBudget } from './transport/retry.ts';
import type { RequestWatch, SendOptions, Transport } from './transport/transport.ts';
import { sendUntilLimited, untilLimited } from './until-limited.ts';

export interface ClientOptions {
  readonly platform: Platform;
  /** Absent: requests go without `Authorization`. */
  readonly credential?: Credential | undefined;
  readonly transport: Transport;
  /** Absent: responses are not cached. */
  readonly cache?: ResponseStore | undefined;
  /** Budget that waits and retries are charged to (default: the transport's own). */
  readonly budget?: RetryBudget | undefined;
  readonly watchWrite?: WriteWatcher | undefined;
  /** Called when a read was redirected to a repository or organization of another name; may throw. */
  readonly onRename?: RenameWatcher | undefined;
}

export type RenameWatcher = (rename: Rename, asked: RequestSummary) => void;

/**
 * Returns the observer of a write, or the response to a write that is not sent because it has happened already. `client` is
 * the one that sends it.
 */
export type WriteWatcher = (
  plan: PlannedRequest,
  client: Client,
) => RequestWatch | Promise<RequestWatch | EarlierResponse>;

/** The data of the response that an earlier run has received. */
interface EarlierResponse {
  readonly earlier: object;
}

export interface CallOptions {
  /** The name of one of the endpoint's media types. */
  readonly format?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  readonly perPage?: number | undefined;
  /** The page to begin with. */
  readonly page?: number | undefined;
  /** Number of records needed. Limits the pages that are fetched; the caller truncates the records. */
  readonly limit?: number | undefined;
  /** Requests no page before the caller asks for it. */
  readonly onDemand?: boolean | undefined;
  /** Pages fetched at once; default and maximum: the transport's concurrency. */
  readonly concurrency?: number | undefined;
  /**
   * Returns pages as raw text where possible, for callers that do not look into records. A page is valid until the next
   * one is requested.
   */
  readonly raw?: boolean | undefined;
  /**
   * The fields that the caller reads, including those that identify a record, if not all. Other fields of a list
   * without an envelope are neither returned nor cached.
   */
  readonly fields?: readonly string[] | undefined;
  /** Observes the requests. */
  readonly watch?: RequestWatch | undefined;
}

/** A response with its headers and data. */
export interface ApiResponse<T> {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: T;
}

type SendingOptions = Pick<SendOptions, 'signal' | 'sideBySide' | 'watch'>;

/** The cache's entry for a request. */
interface Lookup {
  /** Absent if its response is not cached. */
  readonly entry?: CacheEntry | undefined;
  readonly kept?: CachedResponse | undefined;
  /** True to cache the response again after a 304, so that its headers say when it was last confirmed. */
  readonly renews?: boolean;
  /** Reduces a new response to what is returned and cached. */
  readonly narrow?: ((response: HttpResponse) => HttpResponse) | undefined;
}

type PagedDeclaration = Declaration & { readonly paging: Paging; readonly answer: Answer<unknown, 'list'> };

/**
 * Client of one platform. All methods throw a ClientError for any response other than a successful one, or the signal's
 * reason.
 */
export class Client {
  readonly platform: Platform;
  readonly credential: Credential | undefined;
  readonly #transport: Transport;
  readonly #cache: ResponseStore | undefined;
  readonly #budget: RetryBudget | undefined;
  readonly #watchWrite: WriteWatcher | undefined;
  readonly #onRename: RenameWatcher | undefined;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    const { platform, credential, transport, cache, budget, watchWrite, onRename } = options;
    this.#options = options;
    this.platform = platform;
    this.credential = credential;
    this.#transport = transport;
    this.#cache = cache;
    this.#budget = budget;
    this.#watchWrite = watchWrite;
    this.#onRename = onRename;
  }

  /**
   * Returns a client with the same connections and limits for one of many tasks: its waits are charged to their own
   * budget, and `watchWrite` is called before each write.
   */
  forTask(watchWrite?: WriteWatcher): Client {
    return this.#with({ budget: this.#transport.newBudget(), watchWrite });
  }

  /** Returns the same client with another observer of redirected reads. */
  onRename(onRename: RenameWatcher): Client {
    return this.#with({ onRename });
  }

  #with(changes: Pick<ClientOptions, 'budget' | 'watchWrite' | 'onRename'>): Client {
    return new Client({ ...this.#options, ...changes });
  }

  /** Builds the request of a call without sending it. Throws UnsafeRequestError like `buildRequest`. */
  plan<D extends Declaration>(
    endpoint: Endpoint<D>,
    input: InputOf<D>,
    options: Pick<CallOptions, 'format'> = {},
  ): PlannedRequest<D> {
    return planRequest(this.platform, endpoint, input, options);
  }

  /**
   * Sends a planned request. Returns the endpoint's record or list; `{}` or `[]` after a 204, and the first page of a
   * paged list. Without an endpoint, returns parsed JSON if the response is JSON, text otherwise. `isCurrent` returns
   * whether a cached response to a read needs no request. Other fields of a record than `fields` are neither returned nor
   * cached.
   */
  async send<D extends Declaration>(
    plan: PlannedRequest<D>,
    options: Pick<SendOptions, 'signal' | 'watch'> & {
      readonly isCurrent?: ((cached: ApiResponse<AnswerOf<D>>) => boolean) | undefined;
      readonly fields?: readonly string[] | undefined;
    } = {},
  ): Promise<ApiResponse<AnswerOf<D>>> {
    const { request, asked } = plan;
    if (isRead(request.method)) {
      const { isCurrent, fields, ...sending } = options;
      const lookup = await this.#lookUp(request, asked, fields);
      const { kept } = lookup;
      const narrow = fields && ((response: HttpResponse) => recordWithFields(fields, response, asked));
      const cached = isCurrent && kept && received(plan, { status: 200, url: request.url, ...kept });
      if (cached && isCurrent(cached)) return cached;
      const renews = isCurrent !== undefined;
      return received(plan, await this.#read(request, asked, { ...lookup, renews, narrow }, sending));
    }
    const watched = await this.#watchWrite?.(plan, this);
    if (watched && 'earlier' in watched) return { status: 200, headers: {}, data: watched.earlier as AnswerOf<D> };
    return sendUntilLimited(
      watchBoth(watched, options.watch),
      () => this.now(),
      async (both) => {
        const { watch, tell } = holdSuccess(both);
        const response = received(plan, await this.#write(request, asked, { signal: options.signal, watch }));
        await tell(response.data);
        return response;
      },
    );
  }

  /** Plans and sends a call of an endpoint; see `send`. */
  async call<D extends Declaration>(
    endpoint: Endpoint<D>,
    input: InputOf<D>,
    options: CallOptions = {},
  ): Promise<AnswerOf<D>> {
    return (await this.send(this.plan(endpoint, input, options), options)).data;
  }

  /** Plans and sends a request that no endpoint declares; see `send`. */
  async request(raw: RawRequest, options: Pick<CallOptions, 'signal'> = {}): Promise<ApiResponse<unknown>> {
    return this.send(planRawRequest(this.platform, raw), options);
  }

  /** Returns the pages of a list in order; see `pagesOf`. */
  pages<D extends PagedDeclaration>(
    endpoint: Endpoint<D>,
    input: InputOf<D>,
    options: ListOptions = {},
  ): AsyncIterable<Page<RecordOf<D>>> {
    const { paging, items } = endpoint;
    const plan = planRequest(this.platform, endpoint, input, options);
    const fields = items === undefined ? options.fields : undefined;
    return this.#pages(plan, paging, { ...options, fields }, (response) => {
      const { asked } = plan;
      if (response.status === 204) return { items: [] };
      const text = options.raw && items === undefined ? recordTextOf<RecordOf<D>>(response) : undefined;
      if (text) return { items: text };
      const value = parse(response, asked);
      const records = listIn(value, items, asked) as RecordOf<D>[];
      if (items === undefined) return { items: records };
      const { [items]: _list, ...envelope } = value as Readonly<Record<string, unknown>>;
      return { items: records, envelope, hasNextPage: envelope.has_next_page === true };
    });
  }

  /** Returns the pages of a request that no endpoint declares, as they are received: one if the response is a record. */
  requestPages(raw: RawRequest): AsyncIterable<Page<ApiResponse<unknown>>> {
    const plan = planRawRequest(this.platform, raw);
    return this.#pages<ApiResponse<unknown>>(plan, 'page', {}, (response) => {
      const page = received(plan, response);
      return { items: [page], hasNextPage: isObject(page.data) && page.data.has_next_page === true };
    });
  }

  /**
   * Returns the full result of a request that no endpoint declares: the pages of a list, taken out of its envelope, or
   * a record. If the pages are not lists, each page is one item.
   */
  async requestAll(raw: RawRequest): Promise<{ pages: AsyncIterable<Page<unknown>> } | { record: unknown }> {
    const pages = recordPages(this.requestPages(raw));
    const first = await pages.next();
    if (!first.done && !first.value.more && first.value.record !== undefined) return { record: first.value.record };
    return { pages: resume(first, pages) };
  }

  /** Returns the file that an endpoint redirects to. The token is sent only to the platform. */
  file<D extends Declaration>(
    endpoint: Endpoint<D>,
    input: InputOf<D>,
    { signal }: Pick<CallOptions, 'signal'> = {},
  ): FileSource {
    const { request, asked } = this.plan(endpoint, input);
    return {
      asked,
      open: async (headers) => {
        const redirect = await this.#unlessRefused(request, asked, { signal, redirect: 'manual' });
        const { userAgent } = this.platform;
        const options = { asked, signal, headers: { accept: '*/*', 'user-agent': userAgent, ...headers } };
        return openStorage(this.#transport, redirect, options);
      },
      waitAfterBreak: (breaks) => this.#transport.backOff(breaks, 'The download was interrupted', { signal }),
    };
  }

  /** Waits after a failure; see `Transport.backOff`. */
  backOff(failures: number, reason: string): Promise<boolean> {
    return this.#transport.backOff(failures, reason, { budget: this.#budget });
  }

  /** Epoch milliseconds on the transport's clock. */
  now(): number {
    return this.#transport.now();
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    this.#cache?.close();
    await this.#transport.close();
    if (this.credential && 'authorize' in this.credential) await this.credential.close?.();
  }

  #pages<T>(
    { request: first, asked }: PlannedRequest,
    paging: Paging,
    { limit, onDemand, signal, raw, fields, watch, concurrency = this.#transport.concurrency }: ListOptions,
    readPage: (response: HttpResponse) => ReadPage<T>,
  ): AsyncIterable<Page<T>> {
    const isCached = (url: string) => (this.#cache?.hasAllPages ?? false) || (!raw && url === first.url);
    const narrow = fields && ((response: HttpResponse) => withFields(fields, response, asked));
    const fetch: PageSource<T>['fetch'] = async (request, options) => {
      const lookup = isCached(request.url) ? await this.#lookUp(request, asked, fields) : {};
      return this.#read(request, asked, { ...lookup, narrow }, { ...options, watch });
    };
    const done = raw || fields ? ({ body }: HttpResponse) => release(body) : undefined;
    return pagesOf(
      { first, paging, asked, fetch, read: readPage, done },
      { limit, onDemand, signal, concurrency: Math.max(1, Math.min(concurrency, this.#transport.concurrency)) },
    );
  }

  /**
   * Returns the response to a request if it is successful. For a GET this may be a cached response that the platform
   * has confirmed with a 304.
   */
  async #read(
    request: HttpRequest,
    asked: RequestSummary,
    { entry, kept, renews, narrow = (response) => response }: Lookup,
    options: SendingOptions,
  ): Promise<HttpResponse> {
    const condition = kept && { 'if-none-match': kept.headers.etag };
    const conditional = { ...request, headers: { ...request.headers, ...condition } };
    const response = await this.#exchange(conditional, asked, options);
    await this.#noticeRename(request, response, asked);
    if (response.status === 304 && kept) {
      const confirmed = {
        ...response,
        status: 200,
        headers: { ...kept.headers, ...response.headers },
        body: kept.body,
      };
      if (renews) entry?.keep(confirmed);
      return confirmed;
    }
    if (response.status !== 200) return response;
    const narrowed = narrow(response);
    // Some platforms return 200 with an unchanged ETag.
    if (narrowed.headers.etag !== kept?.headers.etag) entry?.keep(narrowed);
    return narrowed;
  }

  async #lookUp(request: HttpRequest, asked: RequestSummary, fields?: readonly string[]): Promise<Lookup> {
    const cache = this.#cache;
    const { credential } = this;
    if (!cache || request.method !== 'GET' || isConditional(request)) return {};
    const found = (caller: string | undefined): Lookup => {
      const entry = cache.entry(request, caller, fields);
      return { entry, kept: entry.find() };
    };
    if (!credential || 'token' in credential) return found(credential?.token);
    // ETags change with the token, so caching for renewed tokens helps only if responses are used without a request.
    const caller = cache.hasAllPages ? await credential.identify?.(asked) : undefined;
    return caller === undefined ? {} : found(caller);
  }

  /** Returns the response to a request if it is successful, or a 304 to a conditional request. */
  async #exchange(
    request: HttpRequest,
    asked: RequestSummary,
    { signal, sideBySide, watch }: SendingOptions,
  ): Promise<HttpResponse> {
    return requireSuccess(request, await this.#unlessRefused(request, asked, { signal, sideBySide, watch }), asked);
  }

  /**
   * Sends a write, to each URL once. A redirect is followed only within the repository or organization of the request:
   * throws RenamedError if it leads to one of another name, RedirectError if to one of another ID, or if that cannot be
   * determined, and LimitedError after the wait for a rate limit, during which the redirect may have become one to another.
   */
  async #write(request: HttpRequest, asked: RequestSummary, options: SendingOptions): Promise<HttpResponse> {
    let current = request;
    const sentTo = new Set<string>();
    for (let hops = 0; ; hops++) {
      const watch = hops > 0 ? untilLimited(options.watch ?? {}) : options.watch;
      const response = await this.#unlessRefused(current, asked, { ...options, watch });
      const next = redirected(current, response, hops, asked);
      if (!next) return requireSuccess(request, response, asked);
      await this.#requireSamePlace(request, next, asked, options);
      if (sentTo.add(current.url).has(next.url))
        throw new RedirectError(
          asked,
          `${asked.method} ${asked.path} was redirected in a circle. Nothing was changed.`,
        );
      current = next;
    }
  }

  async #requireSamePlace(
    { url }: HttpRequest,
    next: HttpRequest,
    asked: RequestSummary,
    { signal, watch }: SendingOptions,
  ): Promise<void> {
    const from = placeIn(this.platform, url);
    const place = placeIn(this.platform, next.url);
    const refuse = (why: string, options?: ErrorOptions) => {
      const { method, path } = asked;
      const to = askedOf(this.platform, next).path;
      return new RedirectError(
        asked,
        `${method} ${path} was redirected to ${to}, ${why}. Nothing was changed.`,
        options,
      );
    };
    if (from?.name === undefined || !place || place.rest !== from.rest) throw refuse('which may be something else');
    const { name: named } = from;
    const { name: current, id } = await this.#factsOf(place, signal).catch((cause: unknown) => {
      if (!(cause instanceof ClientError)) throw cause;
      throw refuse(`and ${cause.asked.method} ${cause.asked.path} failed: ${cause.message.replace(/\.$/, '')}`, {
        cause,
      });
    });
    if (!isSameName(named, current)) throw new RenamedError(asked, { named, current });
    const known = watch?.idOf?.(from);
    if (known !== undefined && id !== known) throw refuse('which has a different ID');
  }

  /** Calls `onRename` for a read that was redirected to a repository or organization of another name. */
  async #noticeRename(request: HttpRequest, response: HttpResponse, asked: RequestSummary): Promise<void> {
    if (!this.#onRename || response.url === request.url) return;
    const named = placeIn(this.platform, request.url)?.name;
    const place = placeIn(this.platform, response.url);
    if (named === undefined || !place || isSameName(named, place.name)) return;
    const { name: current } = await this.#factsOf(place).catch((error: unknown) => {
      if (error instanceof ClientError) return { name: placeName(place) };
      throw error;
    });
    if (!isSameName(named, current)) this.#onRename({ named, current }, asked);
  }

  /** Reads the name and the ID of a repository or organization. */
  async #factsOf(place: Place, signal?: AbortSignal): Promise<PlaceFacts> {
    const { request, asked } = planRawRequest(this.platform, { method: 'GET', path: place.record });
    return factsIn(place, await this.#exchange(request, asked, { signal }), asked);
  }

  async #unlessRefused(
    request: HttpRequest,
    asked: RequestSummary,
    options: SendingOptions & Pick<SendOptions, 'redirect'>,
  ): Promise<HttpResponse> {
    const budget = this.#budget;
    const response = await this.#transport.send(request, { ...options, token: this.credential, asked, budget });
    if (response.status < 400) return response;
    const { vendor } = this.platform;
    throw errorFor(response, { asked, vendor, apiVersion: versionIn(request), now: this.#transport.now() });
  }
}

/** Returns a successful response. Throws InvalidResponseError for another one. */
function requireSuccess(request: HttpRequest, response: HttpResponse, asked: RequestSummary): HttpResponse {
  const { status } = response;
  const success = (status >= 200 && status <= 299) || (status === 304 && isConditional(request));
  if (!success) throw invalidResponse(asked, `unexpected status ${status}`);
  return response;
}

/** Parses the response to a planned request. */
function received<D extends Declaration>(
  { endpoint, asked }: PlannedRequest<D>,
  response: HttpResponse,
): ApiResponse<AnswerOf<D>> {
  const data = (endpoint ? dataOf(endpoint, response, asked) : untypedDataOf(response, asked)) as AnswerOf<D>;
  return { status: response.status, headers: response.headers, data };
}

/**
 * Returns an observer of a write that is notified of a successful response only by `tell`, once the body is parsed: a
 * proxy's page also has the status 200, and does not show whether the write happened.
 */
function holdSuccess(watch: RequestWatch = {}): {
  readonly watch: RequestWatch;
  readonly tell: (data: unknown) => Promise<void>;
} {
  let success: number | undefined;
  const received = async (status: number) => {
    if (status >= 200 && status <= 299) success = status;
    // A 303 may refer to the result, so it does not show whether the write happened.
    else if (status !== 303) await watch.received?.(status);
  };
  return {
    watch: { ...watch, received },
    tell: async (data) => {
      if (success !== undefined) await watch.received?.(success, undefined, data);
    },
  };
}

/** Combines two observers; the first is called before the second. */
export function watchBoth(first: RequestWatch, second: RequestWatch): RequestWatch;
export function watchBoth(first: RequestWatch | undefined, second: RequestWatch | undefined): RequestWatch | undefined;
export function watchBoth(first: RequestWatch | undefined, second: RequestWatch | undefined): RequestWatch | undefined {
  if (!first || !second) return first ?? second;
  const times = [first.since, second.since].filter((time) => time !== undefined);
  return {
    ...(times.length > 0 && { since: Math.min(...times) }),
    sending: async () => {
      await first.sending?.();
      await second.sending?.();
    },
    held: () => {
      first.held?.();
      second.held?.();
    },
    received: async (...response) => {
      await first.received?.(...response);
      await second.received?.(...response);
    },
    unsent: async () => {
      await first.unsent?.();
      await second.unsent?.();
    },
    idOf: (place) => first.idOf?.(place) ?? second.idOf?.(place),
    ...((first.repeating ?? second.repeating) && {
      repeating: async () => {
        await first.repeating?.();
        await second.repeating?.();
      },
    }),
  };
}

/** Takes the records of each page out of the envelope, whose field is found in the first enveloped page. */
async function* recordPages(
  pages: AsyncIterable<Page<ApiResponse<unknown>>>,
): AsyncGenerator<Page<unknown> & { readonly record?: unknown }> {
  let member: string | undefined;
  for await (const { items, more } of pages) {
    const [page] = items;
    const data = page?.status === 204 ? [] : page?.data;
    member ??= envelopedList(data, page?.headers.link?.includes('rel="next"') ?? false);
    const list = isObject(data) && member !== undefined ? data[member] : data;
    yield Array.isArray(list) ? { items: list, more } : { items: [data], more, record: data };
  }
}

/** Returns the API version of a request. */
function versionIn({ headers }: HttpRequest): string {
  return Object.entries(headers).find(([name]) => /-api-version$/i.test(name))?.[1] ?? '';
}

/** Whether the request is conditional, so that a 304 is a valid response. */
const isConditional = ({ headers }: HttpRequest) => Object.keys(headers).some((name) => /^if-/i.test(name));
