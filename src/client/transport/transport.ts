/**
 * Sends requests over pooled connections, with retries, redirects and rate limits, within limits of time and number.
 * Knows HTTP but no endpoints; returns responses of any status.
 */
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Authorization, authorizationOf, type Credential } from '../credential.ts';
import {
  InvalidResponseError,
  NetworkError,
  OutcomeUnknownError,
  type RequestSummary,
  UnsafeRequestError,
} from '../errors.ts';
import { type HttpResponse, isRead, type StreamedResponse } from '../http.ts';
import type { Place } from '../moves.ts';
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

export interface TransportOptions extends Partial<RouteOptions> {
  /** Timeout for one request, including its response. Milliseconds (default: 30 000). */
  readonly timeoutMs?: number | undefined;
  /** Time limit for all waits and retries that the platform causes. Milliseconds (default: 60 000). */
  readonly maxWaitMs?: number | undefined;
  /** Concurrent requests for each rate limit, at most 100. */
  readonly concurrency?: number | undefined;
  /** Concurrent writes while the platform announces no rate limits (default: 1). Where it does, writes go one by one. */
  readonly writeConcurrency?: number | undefined;
  /** Time between writes where the platform announces rate limits. Milliseconds (default: 1000). */
  readonly betweenWritesMs?: number | undefined;
  /** Masks debug output; learns every token that is sent. */
  readonly redactor?: Redactor | undefined;
  /** Receives deprecation notices, each once. */
  readonly onNotice?: ((text: string, asked: RequestSummary) => void) | undefined;
  /** Receives requests and responses line by line, masked. */
  readonly onDebug?: ((line: string) => void) | undefined;
  readonly random?: () => number;
  readonly now?: () => number;
  /** Waits; rejects with the signal's reason (default: sleeps). */
  readonly wait?: ((waiting: Waiting, signal?: AbortSignal) => Promise<void>) | undefined;
}

/** A wait before a request is sent. */
export interface Waiting {
  readonly ms: number;
  /** Shown to the user: `The platform returned 503`. */
  readonly reason: string;
  /** True if requests are only paced, and the platform did not force the wait. */
  readonly paced?: boolean;
}

export interface SendOptions {
  /** Authorizes the request if it goes to the credential's origin. */
  readonly token?: Credential | undefined;
  readonly signal?: AbortSignal | undefined;
  /** How messages name the request (default: its method and path). */
  readonly asked?: RequestSummary | undefined;
  /** A concurrent read, which may share a connection. */
  readonly sideBySide?: boolean | undefined;
  /** Observes each attempt and each response; the request continues only after the observer is done. */
  readonly watch?: RequestWatch | undefined;
  /** Budget that waits and retries are charged to (default: the transport's own). */
  readonly budget?: RetryBudget | undefined;
  /** `manual` returns redirects instead of following them. Redirects of writes are always returned. */
  readonly redirect?: 'follow' | 'manual' | undefined;
}

/** Observes one request. An error that it throws ends the request, before anything is sent. */
export interface RequestWatch {
  /** When what a write relies on was read, in epoch milliseconds: a wait for a rate limit after that holds it, too. */
  readonly since?: number | undefined;
  /** Called before the request is sent. */
  readonly sending?: () => void | Promise<void>;
  /** Called before a write that waited for the end of a rate limit that another request met, or for its token. */
  readonly held?: () => void;
  /** Called with the status of a response, with its headers if they are known, and with the data of a successful write. */
  readonly received?: (status: number, headers?: HttpResponse['headers'], data?: unknown) => void | Promise<void>;
  /** Called if the request certainly did not reach the platform, such as after a refused connection. */
  readonly unsent?: () => void | Promise<void>;
  /**
   * Called after the wait for a rate limit, before a write is sent again: what it concerns may have changed meanwhile. May
   * send requests. The client calls it.
   */
  readonly repeating?: (() => Promise<void>) | undefined;
  /** Returns the ID that a repository or organization must have for a write to follow a redirect in it; undefined if unknown. */
  readonly idOf?: ((place: Place) => unknown) | undefined;
}

export interface Transport {
  /**
   * Sends a request and returns the response, whatever its status, after all retries. Throws NetworkError,
   * OutcomeUnknownError, InvalidResponseError, RedirectError, UnsafeRequestError, or the signal's reason.
   */
  send(request: HttpRequest, options?: SendOptions): Promise<HttpResponse>;
  /**
   * Sends a read like `send`, but returns redirects, and a success with a body still to be read, not decompressed. The
   * timeout applies to each pause in the body. Reading the body throws NetworkError or the signal's reason.
   */
  stream(request: HttpRequest, options?: Omit<SendOptions, 'redirect'>): Promise<StreamedResponse>;
  /**
   * Waits before an interrupted read is resumed, longer after each of `breaks` consecutive interruptions. Returns false
   * without waiting if that would exceed the budget. Throws the signal's reason.
   */
  backOff(breaks: number, reason: string, options?: Pick<SendOptions, 'signal' | 'budget'>): Promise<boolean>;
  /** Returns a new budget of `maxWaitMs`, for requests that do not share the transport's. */
  newBudget(): RetryBudget;
  /** Maximum number of concurrent requests for each rate limit. */
  readonly concurrency: number;
  /** Epoch milliseconds on the transport's clock. */
  now(): number;
  /** Closes all connections at once, and ends their requests. */
  close(): Promise<void>;
}

/** Options of one request, with its name for messages. */
interface Delivery extends SendOptions {
  readonly asked: RequestSummary;
  readonly use: Use;
  readonly authorization: Authorization | undefined;
  readonly group: RateLimitGroup;
}

/** The requests that count against one rate limit. */
class RateLimitGroup {
  readonly places: Limiter;
  /** One write at a time, until it is known that the platform has no rate limits. Published rules for clients. */
  readonly writes = new Limiter(1);
  readonly pace: Pace;
  /** Admits requests one at a time, each at a distance from the one before. */
  readonly gate = new Limiter(1);

  constructor(concurrency: number, betweenWritesMs: number | undefined) {
    this.places = new Limiter(concurrency);
    this.pace = new Pace(betweenWritesMs);
  }
}

/** Sends one request and returns its response. */
type Exchange<A> = (dispatcher: RequestDispatcher, request: HttpRequest, options: ExchangeOptions) => Promise<A>;

/**
 * The published limits are 100 concurrent requests and 900 points per minute for one endpoint, where a read counts one
 * point: 15 reads per second. A page of 100 takes the platform more than a second, so 20 concurrent reads stay close to
 * that rate; more would only reach the limit sooner.
 */
const defaultConcurrency = 20;
const maxConcurrency = 100;

/** A token that takes this long to be created may have waited for a rate limit: none ends sooner. Milliseconds. */
const longTokenMs = 1000;

/** Tokens may all take long and expire at once: no write may be held forever. */
const mostLongTokens = 200;

/**
 * Responses returned in one turn of the event loop, if many reads are expected. undici sends a request only in the next
 * turn: otherwise requests would wait until all responses that arrived together are processed.
 */
const responsesPerTurn = 10;

/** Creates a transport with its own connections; nothing is connected before the first request. */
export function createTransport(options: TransportOptions = {}): Transport {
  return new PooledTransport(options);
}

class PooledTransport implements Transport {
  readonly #options: TransportOptions;
  readonly #random: () => number;
  readonly #maxWaitMs: number;
  readonly #route: RouteOptions;
  readonly #dispatchers = new Map<string, Promise<RequestDispatcher>>();
  readonly #groups = new Map<string | undefined, RateLimitGroup>();
  readonly #writeConcurrency: number;
  readonly #budget: RetryBudget;
  readonly #redactor: Redactor;
  readonly #log: DebugLog | undefined;
  readonly #announced = new Set<string>();
  readonly #intake: BytesInFlight = { bytes: 0 };
  /** Number of writes that waited long for their token. */
  #longTokens = 0;
  /** Responses about to be returned. */
  readonly #turns = new Limiter(responsesPerTurn);
  /** False once a response over a shared HTTP/2 connection could have been truncated unnoticed. */
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
    this.#writeConcurrency = options.writeConcurrency ?? 1;
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
    const authorization = options.token && authorizationOf(options.token, asked);
    const group = this.#groupOf(authorization);
    const queuedAt = this.now();
    const deliver = () =>
      group.places.run(() => this.#deliver(request, { ...options, asked, use, authorization, group }, queuedAt));
    return isRead(request.method) ? deliver() : group.writes.run(deliver);
  }

  async stream(request: HttpRequest, options: Omit<SendOptions, 'redirect'> = {}): Promise<StreamedResponse> {
    const asked = options.asked ?? { method: request.method, path: new URL(request.url).pathname };
    const { openStream } = await import('./stream.ts');
    const whole = { ...request, headers: { ...request.headers, 'accept-encoding': 'identity' } };
    const authorization = options.token && authorizationOf(options.token, asked);
    const group = this.#groupOf(authorization);
    const response = await group.places.run(() =>
      this.#retry(whole, { ...options, asked, use: 'streamed', authorization, group }, openStream),
    );
    return { ...response, stream: told(response.stream, (failure) => errorOf(failure, request, asked)) };
  }

  #groupOf(authorization: Authorization | undefined): RateLimitGroup {
    const known = this.#groups.get(authorization?.quota);
    if (known) return known;
    const group = new RateLimitGroup(this.concurrency, this.#options.betweenWritesMs);
    this.#groups.set(authorization?.quota, group);
    return group;
  }

  /** Sends a request, retries it, and follows the redirects of a read. */
  async #deliver(request: HttpRequest, options: Delivery, queuedAt: number): Promise<HttpResponse> {
    let current = request;
    for (let hops = 0; ; hops++) {
      const hasWaited = await this.#keepPace(current, options);
      const since = Math.min(queuedAt, options.watch?.since ?? queuedAt);
      if (hasWaited || options.group.pace.wasLimited(since, this.now())) options.watch?.held?.();
      const response = await this.#retry(current, options, exchange);
      if (this.#route.manyReads) await this.#turns.run(nextTurn);
      const { pace, writes } = options.group;
      pace.learn(response, this.now());
      writes.resize(pace.isUnlimited ? this.#writeConcurrency : 1);
      this.#announce(response, options.asked);
      const follows = options.redirect !== 'manual' && isRead(request.method);
      const next = follows ? redirected(current, response, hops, options.asked) : undefined;
      if (!next) return response;
      current = next;
    }
  }

  async backOff(
    breaks: number,
    reason: string,
    { signal, budget = this.#budget }: Pick<SendOptions, 'signal' | 'budget'> = {},
  ): Promise<boolean> {
    const ms = backoff(breaks - 1, this.#random);
    if (ms > budget.leftMs) return false;
    await budget.charge(() => this.#wait({ ms, reason }, signal));
    return true;
  }

  /**
   * Waits for the pace and for the end of a rate limit that another request reached, but never longer than the limit
   * for all other waits: then the request is sent, and the platform decides. Returns whether it waited for such a limit.
   */
  async #keepPace(request: HttpRequest, { signal, budget = this.#budget, group, asked }: Delivery): Promise<boolean> {
    const { pace } = group;
    return group.gate.run(async () => {
      const limitMs = pace.limitLeftMs(this.now());
      const waits = limitMs > 0 && limitMs <= budget.leftMs;
      if (waits) await budget.charge(() => this.#wait({ ms: limitMs, reason: rateLimited }, signal));
      const { ms, reason } = pace.waitFor(request, this.now(), asked.endpoint?.route);
      if (ms > 0 && ms <= Math.max(this.#maxWaitMs, betweenWritesMs))
        await this.#wait({ ms, reason, paced: true }, signal);
      pace.sent(request, this.now(), asked.endpoint?.route);
      return waits;
    });
  }

  /** Retries a request after failures and rate limits, if it may be retried and the budget allows. */
  async #retry<A extends HttpResponse>(request: HttpRequest, options: Delivery, how: Exchange<A>): Promise<A> {
    const { budget = this.#budget, authorization } = options;
    const { pace } = options.group;
    let history: History = { faults: 0, silentLimits: 0 };
    let outcome = await this.#attempt(request, options, how);
    let wait = this.#waitAfter(request, outcome, history, authorization);
    if (wait)
      await budget.charge(async () => {
        while (wait && wait.ms <= budget.leftMs) {
          history = wait.history;
          if (wait.isLimit) pace.holdUntil(this.now() + wait.ms);
          await this.#wait({ ms: wait.ms, reason: wait.reason }, options.signal);
          if (!wait.isLimit) this.#heldFor(wait.ms, options.watch);
          pace.sent(request, this.now(), options.asked.endpoint?.route);
          outcome = await this.#attempt(request, options, how);
          wait = this.#waitAfter(request, outcome, history, authorization);
        }
      });
    if (outcome instanceof ExchangeFailure) throw errorOf(outcome, request, options.asked);
    return outcome;
  }

  #waitAfter(
    request: HttpRequest,
    outcome: HttpResponse | ExchangeFailure,
    history: History,
    authorization: Authorization | undefined,
  ): Wait | undefined {
    const random = this.#random;
    // A 401 did nothing, so writes are sent again, too.
    if (!(outcome instanceof ExchangeFailure) && outcome.status === 401) {
      const ms = authorization?.retryAfter(outcome);
      return ms === undefined ? undefined : { ms, reason: 'The platform returned 401', history };
    }
    return outcome instanceof ExchangeFailure
      ? waitAfterFailure(request, outcome, history, random)
      : waitAfterResponse(request, outcome, history, { now: this.now(), random });
  }

  #wait(waiting: Waiting, signal: AbortSignal | undefined): Promise<void> {
    const { wait = pause } = this.#options;
    return wait(waiting, signal);
  }

  /** Sends a request once; again over a connection of its own if the shared one may have truncated the response. */
  async #attempt<A extends HttpResponse>(
    request: HttpRequest,
    options: Delivery,
    how: Exchange<A>,
  ): Promise<A | ExchangeFailure> {
    for (;;) {
      const use = this.#useFor(request, options);
      const outcome = await this.#sendOnce(request, { ...options, use }, how);
      if (use !== 'shared' || outcome instanceof ExchangeFailure || provesItsEnd(outcome)) return outcome;
      this.#sharesConnections = false;
    }
  }

  /** HTTP/2 is only negotiated over TLS. */
  #useFor({ url }: HttpRequest, { use }: Delivery): Use {
    const mayShare = this.#sharesConnections && url.startsWith('https:');
    return use === 'shared' && !mayShare ? 'read' : use;
  }

  async #sendOnce<A extends HttpResponse>(
    request: HttpRequest,
    options: Delivery,
    how: Exchange<A>,
  ): Promise<A | ExchangeFailure> {
    const { asked, watch, signal, use } = options;
    const url = new URL(request.url);
    const authorization = await this.#authorization(url, options);
    const sent = { ...request, headers: { 'accept-encoding': acceptEncoding, ...request.headers, ...authorization } };
    const dispatcher = await this.#dispatcherFor(url, asked, use);
    await watch?.sending?.();
    const report = this.#log?.sent(sent, asked.endpoint?.secretResponse);
    try {
      const proxy = () => proxyName(url.protocol, this.#route);
      const { timeoutMs } = this.#route;
      const response = await how(dispatcher, sent, { timeoutMs, signal, proxy, intake: this.#intake });
      report?.answered(response);
      await watch?.received?.(response.status, response.headers);
      return response;
    } catch (error) {
      report?.failed(error as Error);
      if (!(error instanceof ExchangeFailure)) throw error;
      if (!error.sent) await watch?.unsent?.();
      return error;
    }
  }

  /** Tells the observer of a write that it waited for its token, if it waited long. */
  #heldFor(ms: number, watch: RequestWatch | undefined): void {
    if (watch?.held && ms >= longTokenMs && this.#longTokens++ < mostLongTokens) watch.held();
  }

  async #authorization(
    url: URL,
    { token: credential, authorization, watch }: Delivery,
  ): Promise<Record<string, string>> {
    if (!authorization || url.origin !== credential?.origin) return {};
    const since = this.now();
    const token = await authorization.token();
    this.#heldFor(this.now() - since, watch);
    this.#redactor.add(token);
    return { authorization: `Bearer ${token}` };
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

/** Converts failures while reading to errors. */
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
 * Whether a truncated body would be noticed. Over HTTP/2, Node reports a stream reset without an error as a normal end,
 * so the body needs a length or a compressed format; over HTTP/1.1 the transfer encoding suffices.
 */
function provesItsEnd({ status, headers }: HttpResponse): boolean {
  const { 'content-encoding': encoding = 'identity' } = headers;
  const hasBody = status !== 204 && status !== 304;
  return !hasBody || encoding !== 'identity' || 'content-length' in headers || 'transfer-encoding' in headers;
}

/** Sleeps for the duration of a wait. Rejects with the signal's reason. */
export async function pause({ ms }: Waiting, signal?: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
}

/** Returns the error for a request without a response; the outcome of a write that was sent is unknown. */
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

/** Kinds of responses that arrived but cannot be used. */
const invalidResponses: readonly FaultKind[] = ['not http', 'too large', 'bad encoding'];
