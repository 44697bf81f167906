/** Sends one request and streams the body of its response. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { StreamedResponse } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { addressOf, type ExchangeOptions, failureOf, joined } from './exchange.ts';
import type { RequestDispatcher } from './route.ts';

/**
 * Sends a read, and resolves once the headers have arrived. The timeout applies to them, and then to each pause in the
 * body. Only a success has a body. Rejects with ExchangeFailure, or with the signal's reason; reading the body does so
 * after the data that has arrived.
 */
export async function openStream(
  dispatcher: RequestDispatcher,
  request: HttpRequest,
  options: ExchangeOptions,
): Promise<StreamedResponse> {
  options.signal?.throwIfAborted();
  return new Promise<StreamedResponse>((resolve, reject) => {
    const { method, headers } = request;
    const limits = { headersTimeout: options.timeoutMs, bodyTimeout: options.timeoutMs };
    const handler = new StreamHandler(request, options, resolve, reject);
    dispatcher.dispatch({ ...addressOf(request), method, headers, ...limits }, handler);
  });
}

/** Passes the body of one response on as it arrives. */
class StreamHandler implements Dispatcher.DispatchHandler {
  readonly #request: HttpRequest;
  readonly #options: ExchangeOptions;
  readonly #resolve: (response: StreamedResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #body: Readable;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #responding = false;
  #over = false;

  constructor(
    request: HttpRequest,
    options: ExchangeOptions,
    resolve: (response: StreamedResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#request = request;
    this.#options = options;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#body = new Readable({
      read: () => this.#controller?.resume(),
      destroy: (_error, done) => {
        this.#end();
        this.#controller?.abort(new Error('stream closed'));
        done(null);
      },
    });
    options.signal?.addEventListener('abort', this.#onAbort, { once: true });
  }

  onRequestStart(started: Dispatcher.DispatchController): void {
    if (this.#over) started.abort(this.#failure ?? new Error('request abandoned'));
    this.#controller = started;
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    received: NodeJS.Dict<string | string[]>,
  ): void {
    // An informational response.
    if (status < 200) return;
    this.#responding = true;
    const response = { status, headers: joined(received), body: Buffer.alloc(0), url: this.#request.url };
    this.#resolve({ ...response, stream: this.#read() });
    if (status <= 299) return;
    this.onResponseEnd();
    controller.abort(new Error('response body ignored'));
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#over && !this.#body.push(chunk)) controller.pause();
  }

  onResponseEnd(): void {
    if (this.#over) return;
    this.#end();
    this.#body.push(null);
  }

  onResponseError(_: unknown, error: Error): void {
    this.#fail(failureOf(error, { sent: true, responding: this.#responding, proxy: this.#options.proxy?.() }));
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    yield* this.#body;
    if (this.#failure) throw this.#failure;
  }

  readonly #onAbort = () => {
    const reason = this.#options.signal?.reason;
    this.#fail(reason);
    this.#controller?.abort(reason);
  };

  #end(): void {
    this.#over = true;
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  #fail(error: Error): void {
    if (this.#over) return;
    this.#end();
    this.#failure = error;
    this.#reject(error);
    // Not destroyed, so that buffered data can still be read.
    this.#body.push(null);
  }
}
