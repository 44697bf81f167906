/** The platform as functions: call an endpoint, walk a list. It knows endpoints and nothing of commands. */

import { isObject } from '../json/exact-json.ts';
import type { Answer, AnswerOf, Declaration, Endpoint, InputOf, Paging, RecordOf } from '../platform/endpoint.ts';
import type { ResponseCache } from './cache.ts';
import type { FileSource } from './download/download.ts';
import { openStorage } from './download/storage.ts';
import type { RequestSummary } from './errors.ts';
import { type HttpResponse, isRead } from './http.ts';
import { type Page, type PageSource, pagesOf, type ReadPage } from './pages.ts';
import type { Platform } from './platform.ts';
import { planRawRequest, type RawRequest } from './raw-request.ts';
import { errorFor } from './refusal.ts';
import { type HttpRequest, type PlannedRequest, planRequest } from './request.ts';
import { dataOf, envelopedList, invalidResponse, listIn, parse, recordTextOf, untypedDataOf } from './response.ts';
import { release } from './transport/body.ts';
import type { RetryBudget } from './transport/retry.ts';
import type { Credential, RequestWatch, SendOptions, Transport } from './transport/transport.ts';

export interface ClientOptions {
  readonly platform: Platform;
  /** Absent: requests go without `Authorization`. */
  readonly credential?: Credential | undefined;
  readonly transport: Transport;
  /** Absent: every answer comes from the platform in full. */
  readonly cache?: ResponseCache | undefined;
  /** What waiting for the platform is charged to; the transport's own budget unless given. */
  readonly budget?: RetryBudget | undefined;
  /** Returns who follows a write on its way. */
  readonly watchWrite?: WriteWatcher | undefined;
}

export type WriteWatcher = (plan: PlannedRequest) => RequestWatch;

export interface CallOptions {
  /** The name of one of the endpoint's media types. */
  readonly format?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface ListOptions extends CallOptions {
  readonly perPage?: number | undefined;
  /** The page to begin with. */
  readonly page?: number | undefined;
  /** How many records are wanted. It only keeps pages from being fetched; the caller cuts. */
  readonly limit?: number | undefined;
  /** Pages asked for at once; at most, and unless given, what the transport sends at once. */
  readonly concurrency?: number | undefined;
  /**
   * Hands pages on as their text where their form allows it: for whoever does not look into records. A page lasts until
   * the next one is asked for.
   */
  readonly raw?: boolean | undefined;
}

/** An answer with what its headers say. */
export interface ApiResponse<T> {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly data: T;
}

type SendingOptions = Pick<SendOptions, 'signal' | 'sideBySide' | 'watch'>;

type PagedDeclaration = Declaration & { readonly paging: Paging; readonly answer: Answer<unknown, 'list'> };

/**
 * All methods throw a ClientError for whatever is not the answer that was asked for, or the signal's reason.
 */
export class Client {
  readonly platform: Platform;
  readonly #credential: Credential | undefined;
  readonly #transport: Transport;
  readonly #cache: ResponseCache | undefined;
  readonly #budget: RetryBudget | undefined;
  readonly #watchWrite: WriteWatcher | undefined;

  constructor({ platform, credential, transport, cache, budget, watchWrite }: ClientOptions) {
    this.platform = platform;
    this.#credential = credential;
    this.#transport = transport;
    this.#cache = cache;
    this.#budget = budget;
    this.#watchWrite = watchWrite;
  }

  /**
   * Returns a client over the same connections and limits for one task of many: its waiting is charged to a budget of its own,
   * and `watchWrite` follows each write that it sends.
   */
  forTask(watchWrite?: WriteWatcher): Client {
    return new Client({
      platform: this.platform,
      credential: this.#credential,
      transport: this.#transport,
      cache: this.#cache,
      budget: this.#transport.newBudget(),
      watchWrite,
    });
  }

  /** Plans a call of an endpoint, without sending anything. Throws UnsafeRequestError as `buildRequest` does. */
  plan<D extends Declaration>(
    endpoint: Endpoint<D>,
    input: InputOf<D>,
    options: Pick<CallOptions, 'format'> = {},
  ): PlannedRequest<D> {
    return planRequest(this.platform, endpoint, input, options);
  }

  /**
   * Sends a planned request. The data is the record that its endpoint answers with, or its list: `{}` or `[]` after a 204. Of a
   * list in pages it is the first. Where no endpoint declares the request, it is JSON if the platform sends it, else text.
   */
  async send<D extends Declaration>(
    plan: PlannedRequest<D>,
    options: Pick<SendOptions, 'signal' | 'watch'> = {},
  ): Promise<ApiResponse<AnswerOf<D>>> {
    const { request, asked, endpoint } = plan;
    const watch = isRead(request.method) ? options.watch : watchBoth(this.#watchWrite?.(plan), options.watch);
    const response = await this.#read(request, asked, { ...options, watch });
    const data = (endpoint ? dataOf(endpoint, response, asked) : untypedDataOf(response, asked)) as AnswerOf<D>;
    return { status: response.status, headers: response.headers, data };
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

  /** The pages of a list, in order; see pagesOf. */
  pages<D extends PagedDeclaration>(
    endpoint: Endpoint<D>,
    input: InputOf<D>,
    options: ListOptions = {},
  ): AsyncIterable<Page<RecordOf<D>>> {
    const { paging, items } = endpoint;
    const plan = planRequest(this.platform, endpoint, input, options);
    return this.#pages(plan, paging, options, (response) => {
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

  /**
   * All that a request that no endpoint declares answers: the pages of a list, taken out of its envelope, or a record. Of
   * pages that are no lists, each is one item as it is.
   */
  async requestAll(raw: RawRequest): Promise<{ pages: AsyncIterable<Page<unknown>> } | { record: unknown }> {
    let record: { readonly value: unknown } | undefined;
    let isFirst = true;
    /** Where the first enveloped page has its list, which tells the list on every page after it. */
    let member: string | undefined;
    const plan = planRawRequest(this.platform, raw);
    const all = this.#pages<unknown>(plan, 'page', {}, (response) => {
      const data = response.status === 204 ? [] : untypedDataOf(response, plan.asked);
      member ??= envelopedList(data, response.headers.link?.includes('rel="next"') ?? false);
      const list = isObject(data) && member !== undefined ? data[member] : data;
      const items = Array.isArray(list) ? list : undefined;
      if (isFirst && items === undefined) record = { value: data };
      isFirst = false;
      return { items: items ?? [data], hasNextPage: isObject(data) && data.has_next_page === true };
    });
    const pages = all[Symbol.asyncIterator]();
    const first = await pages.next();
    if (record && !first.done && !first.value.more) return { record: record.value };
    return { pages: resume(first, pages) };
  }

  /** The file that an endpoint redirects to. The token goes to the platform, and nowhere after it. */
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
      waitAfterBreak: (breaks) => this.#transport.backOff(breaks, 'The download was interrupted', signal),
    };
  }

  /** Ends all connections at once. */
  async close(): Promise<void> {
    this.#cache?.prune();
    await this.#transport.close();
  }

  #pages<T>(
    { request: first, asked }: PlannedRequest,
    paging: Paging,
    { limit, signal, raw, concurrency = this.#transport.concurrency }: ListOptions,
    readPage: (response: HttpResponse) => ReadPage<T>,
  ): AsyncIterable<Page<T>> {
    // Only the first page is kept: that of a list that is looked at often. What nobody reads is for streaming.
    const fetch: PageSource<T>['fetch'] = (request, options) =>
      request.url === first.url && !raw ? this.#read(request, asked, options) : this.#exchange(request, asked, options);
    const done = raw ? ({ body }: HttpResponse) => release(body) : undefined;
    return pagesOf(
      { first, paging, asked, fetch, read: readPage, done },
      { limit, signal, concurrency: Math.max(1, Math.min(concurrency, this.#transport.concurrency)) },
    );
  }

  /** The answer to a request, if it is a success; that to a GET may be a kept one that the platform says still holds. */
  async #read(request: HttpRequest, asked: RequestSummary, options: SendingOptions): Promise<HttpResponse> {
    const cache = request.method === 'GET' && !isConditional(request) ? this.#cache : undefined;
    const token = this.#credential?.token;
    const kept = cache?.find(request, token);
    const condition = kept && { 'if-none-match': kept.headers.etag };
    const conditional = { ...request, headers: { ...request.headers, ...condition } };
    const response = await this.#exchange(conditional, asked, options);
    if (response.status === 304 && kept)
      return { ...response, status: 200, headers: { ...kept.headers, ...response.headers }, body: kept.body };
    // Some platforms send again what they were told is here.
    if (response.status === 200 && response.headers.etag !== kept?.headers.etag) cache?.keep(request, token, response);
    return response;
  }

  /** The answer to a request, if it is a success, or a 304 to one that has a condition. */
  async #exchange(
    request: HttpRequest,
    asked: RequestSummary,
    { signal, sideBySide, watch }: SendingOptions,
  ): Promise<HttpResponse> {
    const response = await this.#unlessRefused(request, asked, { signal, sideBySide, watch });
    const { status } = response;
    const success = (status >= 200 && status <= 299) || (status === 304 && isConditional(request));
    if (!success) throw invalidResponse(asked, `unexpected status ${status}`);
    return response;
  }

  async #unlessRefused(
    request: HttpRequest,
    asked: RequestSummary,
    options: SendingOptions & Pick<SendOptions, 'redirect'>,
  ): Promise<HttpResponse> {
    const budget = this.#budget;
    const response = await this.#transport.send(request, { ...options, token: this.#credential, asked, budget });
    if (response.status < 400) return response;
    const { vendor } = this.platform;
    throw errorFor(response, { asked, vendor, apiVersion: versionIn(request), now: this.#transport.now() });
  }
}

/** Both follow the request, the first ahead of the second. */
function watchBoth(first: RequestWatch | undefined, second: RequestWatch | undefined): RequestWatch | undefined {
  if (!first || !second) return first ?? second;
  return {
    sending: async () => {
      await first.sending?.();
      await second.sending?.();
    },
    answered: async (status) => {
      await first.answered?.(status);
      await second.answered?.(status);
    },
  };
}

/** An iteration whose first step is taken already. */
async function* resume<T>(first: IteratorResult<T, unknown>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}

/** The version of the API that a request asks for. */
function versionIn({ headers }: HttpRequest): string {
  return Object.entries(headers).find(([name]) => /-api-version$/i.test(name))?.[1] ?? '';
}

/** Whether the request asks only for what is new, so that a 304 answers it. */
const isConditional = ({ headers }: HttpRequest) => Object.keys(headers).some((name) => /^if-/i.test(name));
