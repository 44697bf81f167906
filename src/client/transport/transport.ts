/**
 * Sends requests: over pools of connections, with retries, redirects and rate limits handled, within bounds of time
 * and number. It knows HTTP and nothing of endpoints; an answer of any status is an answer.
 */
import { setTimeout as delay } from 'node:timers/promises';
import {
  InvalidResponseError,
  NetworkError,
  OutcomeUnknownError,
  type RequestSummary,
  UnsafeRequestError,
} from '../errors.ts';
import { type HttpResponse, isRead, type StreamedResponse } from '../http.ts';
import { isPlainLoopback } from '../platform.ts';
import { Redactor } from '../redact.ts';
import type { HttpRequest } from '../request.ts';
import { DebugLog } from './debug-log.ts';
import { acceptEncoding } from './decompress.ts';
import { openDispatcher, proxyName, RouteError, type Use } from './dispatcher.ts';
import { type BytesInFlight, type ExchangeOptions, exchange } from './exchange.ts';
import { ExchangeFailure, type FaultKind } from './failure.ts';
import { Limiter } from './limiter.ts';
import { announcementIn } from './notices.ts';
import { betweenWritesMs, Pace } from './pace.ts';
import { redirected } from './redirect.ts';
import {
  backoff,
  type History,
  RetryBudget,
  rateLimited,
  type Wait,
  waitAfterFailure,
  waitAfterResponse,
} from './retry.ts';
import type { RequestDispatcher, RouteOptions } from './route.ts';

/** A token, and the one origin (scheme, host, port) that it may be sent to. */
export interface Credential {
  readonly token: string;
  readonly origin: string;
}

export interface TransportOptions extends Partial<RouteOptions> {
  /** For one request, headers and body of its answer included. Milliseconds; 30 000 unless given. */
  readonly timeoutMs?: number | undefined;
  /** For all waiting and retrying that the platform causes, together. Milliseconds; 60 000 unless given. */
  readonly maxWaitMs?: number | undefined;
  /** Requests at once, at most 100. */
  readonly concurrency?: number | undefined;
  /** Masks what `onDebug` is told; it learns every token that is sent. */
  readonly redactor?: Redactor | undefined;
  /** Told once for each announcement that something of the platform's ends. */
  readonly onNotice?: ((text: string, asked: RequestSummary) => void) | undefined;
  /** Told what is sent and answered, line by line, masked. */
  readonly onDebug?: ((line: string) => void) | undefined;
  readonly random?: () => number;
  readonly now?: () => number;
  /** Lets the time of a wait pass; rejects with the signal's reason. Unless given, it only sleeps. */
  readonly wait?: ((waiting: Waiting, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** A wait before a request is sent. */
export interface Waiting {
  readonly ms: number;
  /** In words for people: `The platform returned 503`. */
  readonly reason: string;
  /** True where the platform did not make us wait: requests are only kept apart. */
  readonly paced?: boolean;
}

export interface SendOptions {
  /** Sent as `Authorization` if the request goes to the credential's origin. */
  readonly token?: Credential | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How messages name the request; its method and path unless given. */
  readonly asked?: RequestSummary | undefined;
  /** One of several reads at the same time, which may share a connection. */
  readonly sideBySide?: boolean | undefined;
  /** Told of the request as it goes out, each time, and of each response; it goes no further before both are taken in. */
  readonly watch?: RequestWatch | undefined;
  /** What waiting for the platform is charged to; the transport's own budget unless given. */
  readonly budget?: RetryBudget | undefined;
  /** `manual` gives redirects back instead of following them. */
  readonly redirect?: 'follow' | 'manual' | undefined;
}

/** Follows one request on its way. What it throws ends the request: what is about to be sent is then not sent. */
export interface RequestWatch {
  /** Called before the request goes out. */
  readonly sending?: () => void | Promise<void>;
  /** Called with the status of a response. */
  readonly answered?: (status: number) => void | Promise<void>;
}

export interface Transport {
  /**
   * Sends a request and gives the answer, whatever its status, after all retries that were allowed. Throws NetworkError,
   * OutcomeUnknownError, InvalidResponseError, RedirectError, UnsafeRequestError, or the signal's reason.
   */
  send(request: HttpRequest, options?: SendOptions): Promise<HttpResponse>;
  /**
   * Sends a request that changes nothing, as `send` does, but gives redirects back and a success with its body still to
   * be read, not decompressed. Each pause in the body has the time that a whole request otherwise has. Reading the body
   * throws NetworkError or the signal's reason.
   */
  stream(request: HttpRequest, options?: Omit<SendOptions, 'redirect'>): Promise<StreamedResponse>;
  /**
   * Waits before a read goes on that broke off, longer after each of `breaks` in a row. False, without a wait, where that
   * would exceed `maxWaitMs`. Throws the signal's reason.
   */
  backOff(breaks: number, reason: string, signal?: AbortSignal): Promise<boolean>;
  /** Returns a budget of `maxWaitMs`, for requests that share no other. */
  newBudget(): RetryBudget;
  /** Requests that it sends at once, at most. */
  readonly concurrency: number;
  /** Epoch milliseconds, as the transport counts them. */
  now(): number;
  /** Ends all connections at once, with whatever is on them. */
  close(): Promise<void>;
}

/** What one request is sent with, once it has a name for messages. */
type Delivery = SendOptions & { readonly asked: RequestSummary; readonly use: Use };

/** How one request is exchanged for its answer. */
type Exchange<A> = (dispatcher: RequestDispatcher, request: HttpRequest, options: ExchangeOptions) => Promise<A>;

/**
 * The published limits are 100 requests at once and 900 points a minute for one endpoint, a read counting one: 15 reads
 * a second. A page of 100 takes the platform more than a second, so that 20 at once keep close to that rate; more would only
 * meet the limit sooner.
 */
const defaultConcurrency = 20;
const maxConcurrency = 100;

/** A transport with connections of its own; nothing is connected before the first request. */
export function createTransport(options: TransportOptions = {}): Transport {
  return new PooledTransport(options);
}

class PooledTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #random: () => number;
  readonly #maxWaitMs: number;
  readonly #route: RouteOptions;
  readonly #dispatchers = new Map<string, Promise<RequestDispatcher>>();
  readonly #places: Limiter;
  /** Writes go one at a time. Published rules for clients. */
  readonly #writes = new Limiter(1);
  readonly #budget: RetryBudget;
  readonly #pace = new Pace();
  /** Requests keep their pace one after the other, so that each keeps its distance from the one before. */
  readonly #gate = new Limiter(1);
  readonly #redactor: Redactor;
  readonly #log: DebugLog | undefined;
  readonly #announced = new Set<string>();
  readonly #intake: BytesInFlight = { bytes: 0 };
  /** False once an answer over a shared connection, HTTP/2, did not prove its end. */
  #sharesConnections = true;
  readonly concurrency: number;
  readonly now: () => number;

  constructor(options: TransportOptions) {
    const { timeoutMs = 30_000, maxWaitMs = 60_000, concurrency = defaultConcurrency, now = Date.now } = options;
    this.#options = options;
    this.#random = options.random ?? Math.random;
    this.#maxWaitMs = maxWaitMs;
    this.concurrency = Math.min(Math.max(concurrency, 1), maxConcurrency);
    this.#route = { ...options, timeoutMs, concurrency: this.concurrency };
    this.#places = new Limiter(this.concurrency);
    this.#redactor = options.redactor ?? new Redactor();
    this.#log = options.onDebug && new DebugLog(options.onDebug, this.#redactor);
    this.now = now;
    this.#budget = this.newBudget();
  }

  newBudget(): RetryBudget {
    return new RetryBudget(this.#maxWaitMs, this.now);
  }

  async send(request: HttpRequest, options: SendOptions = {}): Promise<HttpResponse> {
    const asked = options.asked ?? { method: request.method, path: new URL(request.url).pathname };
    const readUse = options.sideBySide ? 'shared' : 'read';
    const use = isRead(request.method) ? readUse : 'write';
    const deliver = () => this.#places.run(() => this.#deliver(request, { ...options, asked, use }));
    return isRead(request.method) ? deliver() : this.#writes.run(deliver);
  }

  async stream(request: HttpRequest, options: Omit<SendOptions, 'redirect'> = {}): Promise<StreamedResponse> {
    const asked = options.asked ?? { method: request.method, path: new URL(request.url).pathname };
    const { openStream } = await import('./stream.ts');
    const whole = { ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } };
    const response = await this.#places.run(() =>
      this.#retry(whole, { ...options, asked, use: 'streamed' }, openStream),
    );
    return { ...response, stream: told(response.stream, (failure) => errorOf(failure, request, asked)) };
  }

  /** Sends a request until it has an answer that stands, along its redirects. */
  async #deliver(request: HttpRequest, options: Delivery): Promise<HttpResponse> {
    let current = request;
    for (let hops = 0; ; hops++) {
      await this.#keepPace(current, options);
      const response = await this.#retry(current, options, exchange);
      this.#pace.learn(response, this.now());
      this.#announce(response, options.asked);
      const next = options.redirect === 'manual' ? undefined : redirected(current, response, hops, options.asked);
      if (!next) return response;
      current = next;
    }
  }

  async backOff(breaks: number, reason: string, signal?: AbortSignal): Promise<boolean> {
    const ms = backoff(breaks - 1, this.#random);
    if (ms > this.#budget.leftMs) return false;
    await this.#budget.charge(() => this.#wait({ ms, reason }, signal));
    return true;
  }

  /**
   * Waits as the pace asks, and for the end of a rate limit that another request met, but never longer at once than all other
   * waiting may take: then the platform decides.
   */
  async #keepPace(request: HttpRequest, { signal, budget = this.#budget }: Delivery): Promise<void> {
    await this.#gate.run(async () => {
      const limitMs = this.#pace.limitLeftMs(this.now());
      if (limitMs > 0 && limitMs <= budget.leftMs)
        await budget.charge(() => this.#wait({ ms: limitMs, reason: rateLimited }, signal));
      const { ms, reason } = this.#pace.waitFor(request, this.now());
      if (ms > 0 && ms <= Math.max(this.#maxWaitMs, betweenWritesMs))
        await this.#wait({ ms, reason, paced: true }, signal);
      this.#pace.sent(request, this.now());
    });
  }

  /** Sends a request again after faults and limits, as far as it may be repeated and the budget lasts. */
  async #retry<A extends HttpResponse>(request: HttpRequest, options: Delivery, how: Exchange<A>): Promise<A> {
    const { budget = this.#budget } = options;
    let history: History = { faults: 0, silentLimits: 0 };
    let outcome = await this.#attempt(request, options, how);
    let wait = this.#waitAfter(request, outcome, history);
    if (wait)
      await budget.charge(async () => {
        while (wait && wait.ms <= budget.leftMs) {
          history = wait.history;
          if (wait.isLimit) this.#pace.holdUntil(this.now() + wait.ms);
          await this.#wait({ ms: wait.ms, reason: wait.reason }, options.signal);
          this.#pace.sent(request, this.now());
          outcome = await this.#attempt(request, options, how);
          wait = this.#waitAfter(request, outcome, history);
        }
      });
    if (outcome instanceof ExchangeFailure) throw errorOf(outcome, request, options.asked);
    return outcome;
  }

  #waitAfter(request: HttpRequest, outcome: HttpResponse | ExchangeFailure, history: History): Wait | undefined {
    const random = this.#random;
    return outcome instanceof ExchangeFailure
      ? waitAfterFailure(request, outcome, history, random)
      : waitAfterResponse(request, outcome, history, { now: this.now(), random });
  }

  #wait(waiting: Waiting, signal: AbortSignal | undefined): Promise<void> {
    const { wait = pause } = this.#options;
    return wait(waiting, signal);
  }

  async #attempt<A extends HttpResponse>(
    request: HttpRequest,
    options: Delivery,
    how: Exchange<A>,
  ): Promise<A | ExchangeFailure> {
    const url = new URL(request.url);
    const headers = {
      'accept-encoding': acceptEncoding,
      ...request.headers,
      ...this.#authorization(url, options.token),
    };
    const sent = { ...request, headers };
    // Only over TLS is HTTP/2 offered.
    const mayShare = this.#sharesConnections && url.protocol === 'https:';
    const use = options.use === 'shared' && !mayShare ? 'read' : options.use;
    const dispatcher = await this.#dispatcherFor(url, options.asked, use);
    await options.watch?.sending?.();
    const report = this.#log?.sent(sent);
    try {
      const proxy = proxyName(url.protocol, this.#route);
      const { timeoutMs } = this.#route;
      const response = await how(dispatcher, sent, { timeoutMs, signal: options.signal, proxy, intake: this.#intake });
      report?.answered(response);
      await options.watch?.answered?.(response.status);
      if (use !== 'shared' || provesItsEnd(response)) return response;
      this.#sharesConnections = false;
    } catch (error) {
      report?.failed(error as Error);
      if (error instanceof ExchangeFailure) return error;
      throw error;
    }
    return this.#attempt(request, options, how);
  }

  #authorization(url: URL, token: Credential | undefined): Record<string, string> {
    if (!token || url.origin !== token.origin) return {};
    this.#redactor.add(token.token);
    return { authorization: `Bearer ${token.token}` };
  }

  async #dispatcherFor(url: URL, asked: RequestSummary, use: Use): Promise<RequestDispatcher> {
    if (url.protocol !== 'https:' && !isPlainLoopback(url))
      throw new UnsafeRequestError(
        asked,
        `Nothing was sent: ${url.origin} is not https (plain http is only allowed for this machine).`,
      );
    const key = `${url.protocol} ${use}`;
    const opened = this.#dispatchers.get(key) ?? openDispatcher(url.protocol, this.#route, use);
    this.#dispatchers.set(key, opened);
    try {
      return await opened;
    } catch (error) {
      if (error instanceof RouteError)
        throw new UnsafeRequestError(asked, `${asked.method} ${asked.path} was not sent: ${error.message}.`, {
          cause: error,
        });
      throw error;
    }
  }

  #announce(response: HttpResponse, asked: RequestSummary): void {
    const { deprecation = '', sunset = '' } = response.headers;
    const text = announcementIn(response, asked);
    if (text === undefined || this.#announced.has(`${deprecation} ${sunset}`)) return;
    this.#announced.add(`${deprecation} ${sunset}`);
    this.#options.onNotice?.(text, asked);
  }

  async close(): Promise<void> {
    const dispatchers = await Promise.allSettled(this.#dispatchers.values());
    this.#dispatchers.clear();
    await Promise.all(dispatchers.map((opened) => opened.status === 'fulfilled' && opened.value.destroy()));
  }
}

/** Reads on, and says in full what went wrong. */
async function* told(
  stream: AsyncIterable<Uint8Array>,
  errorFrom: (failure: ExchangeFailure) => Error,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw error instanceof ExchangeFailure ? errorFrom(error) : error;
  }
}

/**
 * Whether a body that was cut short would show. Over HTTP/2 a stream that is reset without an error looks to Node like one
 * that ends, so that only a length or a compressed format tells; over HTTP/1.1 the transfer encoding does.
 */
function provesItsEnd({ status, headers }: HttpResponse): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  const hasBody = status !== 204 && status !== 304;
  return !hasBody || encoding !== 'identity' || 'content-length' in headers || 'transfer-encoding' in headers;
}

/** Sleeps for the time of a wait. Rejects with the signal's reason. */
export async function pause({ ms }: Waiting, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** The error for a request that got no answer: for a write that was sent, nobody knows what became of it. */
function errorOf(failure: ExchangeFailure, { method, url }: HttpRequest, asked: RequestSummary): Error {
  const { kind, atProxy, message } = failure;
  const what = `${asked.method} ${asked.path}`;
  const { host } = new URL(url);
  const happened = kind === 'name' && !atProxy ? `could not resolve host ${host}` : `${host} ${message}`;
  if (kind === 'invalid request') return new UnsafeRequestError(asked, `Nothing was sent: ${what} has an ${message}.`);
  if (failure.sent && !isRead(method))
    return new OutcomeUnknownError(asked, `The outcome of ${what} is unknown: the request was sent, but ${happened}.`, {
      cause: failure,
    });
  if (invalidResponses.includes(kind) && !atProxy)
    return new InvalidResponseError(asked, `${what} failed: ${happened}.`);
  return new NetworkError(asked, failure, `${what} failed: ${happened}.`, { cause: failure });
}

/** Responses that came and cannot be used. */
const invalidResponses: readonly FaultKind[] = ['not http', 'too large', 'bad encoding'];
