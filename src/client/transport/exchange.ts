/** Sends one request, without retries and redirects, within limits of time and size. */
import type { Dispatcher } from 'undici';
import { asText } from '../../json/exact-json.ts';
import type { HttpResponse } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { Body, release } from './body.ts';
import { decompress } from './decompress.ts';
import { ExchangeFailure, type Fault, ProxyConnectionError } from './failure.ts';
import { Limiter } from './limiter.ts';
import type { RequestDispatcher } from './route.ts';

/** No page of records comes close; protects the memory against a broken or hostile server. */
const maxBodyBytes = 48 * 1024 * 1024;

/** In bytes: limit for all concurrent responses together. */
const maxBytesAtOnce = 128 * 1024 * 1024;

/** Bytes of all incomplete responses. */
export interface BytesInFlight {
  bytes: number;
}

/** Limits concurrent decompression, since small responses can become large ones. */
const unpacking = new Limiter(2);

export interface ExchangeOptions {
  /** For the whole exchange, from its start to the end of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Shared by the exchanges of one client. */
  readonly intake?: BytesInFlight | undefined;
  /** Returns how messages name the proxy, if the request may use one. */
  readonly proxy?: (() => string | undefined) | undefined;
}

/** Sends the request once. Rejects with ExchangeFailure, or with the signal's reason. */
export async function exchange(
  dispatcher: RequestDispatcher,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<HttpResponse> {
  options.signal?.throwIfAborted();
  const response = await new Promise<HttpResponse>((resolve, reject) => {
    const { method, headers, body } = request;
    const handler = new ResponseHandler(request, options, resolve, reject);
    dispatcher.dispatch({ ...addressOf(request), method, headers, body }, handler);
  });
  return decompressed(response);
}

/** Returns the address of a request as dispatchers expect it. */
export function addressOf({ url }: HttpRequest): Pick<Dispatcher.DispatchOptions, 'origin' | 'path'> {
  const { origin, pathname, search } = new URL(url);
  return { origin, path: `${pathname}${search}` };
}

/**
 * Collects the response to one request. `onRequestStart` is called when the request is sent over an open connection.
 * This tells whether the request may have reached the platform; undici's `request` function does not.
 */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #proxy: ExchangeOptions['proxy'];
  readonly #intake: BytesInFlight;
  readonly #resolve: (response: HttpResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #timer: NodeJS.Timeout;
  readonly #removeAbort: (() => void) | undefined;
  readonly #body = new Body();
  #controller: Dispatcher.DispatchController | undefined;
  #sent = false;
  #over = false;
  #status = 0;
  #headers: HttpResponse['headers'] = {};

  constructor(
    request: HttpRequest,
    { timeoutMs, signal, proxy, intake = { bytes: 0 } }: ExchangeOptions,
    resolve: (response: HttpResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#proxy = proxy;
    this.#intake = intake;
    this.#resolve = resolve;
    this.#reject = reject;
    const timeOut = () =>
      this.#fail(new ExchangeFailure({ kind: 'timeout', limitMs: timeoutMs }, { sent: this.#sent }));
    this.#timer = setTimeout(timeOut, timeoutMs);
    this.#removeAbort = signal && onAbort(signal, () => this.#fail(signal.reason));
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    const sent = this.#sent;
    // Either cancelled while connecting, or about to be resent by undici.
    if (this.#over || sent) started.abort(new ExchangeFailure({ kind: 'connection', while: 'waiting' }, { sent }));
    this.#controller = started;
    this.#sent = true;
  }

  onResponseStart(_: unknown, status: number, received: NodeJS.Dict<string | string[]>): void {
    // An informational response.
    if (status < 200) return;
    this.#status = status;
    this.#headers = joined(received);
    const announced = Number(this.#headers['content-length'] ?? 0);
    if (announced > 0 && announced <= maxBodyBytes) this.#body.expect(announced);
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    if (this.#over) return;
    this.#intake.bytes += chunk.length;
    this.#body.add(chunk);
    if (this.#body.length > maxBodyBytes) this.#fail(tooLarge());
    else if (this.#intake.bytes > maxBytesAtOnce) this.#fail(tooLarge(maxBytesAtOnce, true));
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#end();
    const { url } = this.#request;
    this.#resolve({ status: this.#status, headers: this.#headers, body: this.#body.bytes(), url });
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(failureOf(error, { sent: this.#sent, responding: this.#status > 0, proxy: this.#proxy?.() }));
  }

  #end(): void {
    this.#over = true;
    this.#intake.bytes -= this.#body.length;
    clearTimeout(this.#timer);
    this.#removeAbort?.();
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#end();
    this.#reject(error);
    this.#controller?.abort(error);
  }
}

/** Callbacks of the exchanges under way, by their signal. */
const abortCallbacks = new WeakMap<AbortSignal, (() => void)[]>();

/**
 * Calls back when the signal is aborted. Returns a function that removes the callback.
 *
 * A signal gets one listener for all exchanges, as Node links a removed listener to those added after it: one that V8
 * has moved to its old generation would keep all later exchanges in memory.
 */
function onAbort(signal: AbortSignal, callback: () => void): () => void {
  const callbacks = abortCallbacks.get(signal) ?? [];
  if (!abortCallbacks.has(signal)) {
    abortCallbacks.set(signal, callbacks);
    const callAll = () => {
      for (const call of [...callbacks]) call();
    };
    signal.addEventListener('abort', callAll, { once: true });
  }
  callbacks.push(callback);
  return () => callbacks.splice(callbacks.indexOf(callback), 1);
}

/** Returns headers by lower-case name; repeated ones are joined with commas. */
export function joined(received: NodeJS.Dict<string | string[]>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in received) {
    const value = received[name];
    headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : (value ?? '');
  }
  return headers;
}

const tooLarge = (limitBytes = maxBodyBytes, together = false) =>
  new ExchangeFailure({ kind: 'too large', limitBytes, together }, { sent: true });

async function decompressed(response: HttpResponse): Promise<HttpResponse> {
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined || response.body.length === 0) return response;
  const body = await unpacking.run(() => decompress(response.body, encoding, maxBodyBytes));
  if (body !== response.body) release(response.body);
  if (body === 'too large') throw tooLarge();
  // Over HTTP/2, undici treats the body of a reset stream as complete.
  if (body === 'cut short') throw new ExchangeFailure({ kind: 'connection', while: 'reading' }, { sent: true });
  if (body === 'broken') throw new ExchangeFailure({ kind: 'bad encoding', encoding }, { sent: true });
  return { ...response, body };
}

/** State of the exchange when it failed. */
interface Circumstances {
  readonly sent: boolean;
  /** True once the response has begun. */
  readonly responding: boolean;
  readonly proxy?: string | undefined;
}

/** Classifies an error of undici or Node. */
export function failureOf(error: Error, { sent, responding, proxy }: Circumstances): ExchangeFailure {
  const named = proxy ?? 'the proxy';
  if (error instanceof ProxyConnectionError) {
    const fault = faultOf(error.cause as Error, { sent: false, responding: false });
    return new ExchangeFailure(fault, { sent: false, proxy: named, cause: error });
  }
  const fault = faultOf(error, { sent, responding });
  // undici applies timeouts only to proxies, and before the request was sent only the proxy can have responded.
  const isFromProxy =
    fault.kind === 'proxy' ||
    (!sent && codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT') ||
    (!sent && proxy !== undefined && fault.kind === 'not http');
  return new ExchangeFailure(fault, { sent, proxy: isFromProxy ? named : undefined, cause: error });
}

const codeOf = (error: Error & { code?: unknown }) => asText(error.code ?? '');

function faultOf(error: Error, { sent, responding }: Pick<Circumstances, 'sent' | 'responding'>): Fault {
  const code = codeOf(error);
  // undici exposes the proxy's status only in the message.
  const refusedByProxy = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (refusedByProxy) return { kind: 'proxy', status: Number(refusedByProxy) };
  if (code.startsWith('UND_ERR_PRX')) return { kind: 'proxy' };
  if (code === 'ECONNREFUSED') return { kind: 'refused' };
  if (code === 'ENOTFOUND') return { kind: 'name' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || (code === 'UND_ERR_HEADERS_TIMEOUT' && !sent))
    return { kind: 'timeout' };
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'invalid request', reason: error.message };
  // Only the name of the header is safe to show: its value may be the token.
  if (code === 'ERR_INVALID_CHAR')
    return {
      kind: 'invalid request',
      reason: `invalid ${/\["([\w-]+)"\]$/.exec(error.message)?.[1] ?? 'request'} header`,
    };
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') return { kind: 'closed' };
  if (/CERT|^UNABLE_TO_|^HOSTNAME_|^INVALID_(?:CA|PURPOSE)/.test(code)) return { kind: 'certificate', code };
  if (/^ERR_SSL_|^ERR_TLS_|^EPROTO/.test(code)) return { kind: 'tls', code };
  if (error.name === 'HTTPParserError' || error.name === 'HeadersOverflowError' || code.startsWith('HPE_'))
    return { kind: 'not http' };
  if (responding) return { kind: 'connection', while: 'reading' };
  if (sent) return { kind: 'connection', while: 'waiting' };
  return { kind: 'connection', while: 'connecting', code: code || error.message };
}
