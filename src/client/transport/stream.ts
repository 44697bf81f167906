/** Sends one request and streams the body of its response. */
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { StreamedResponse } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { type ExchangeOptions, failureOf, joined } from './exchange.ts';
import type { RequestDispatcher } from './route.ts';

/**
 * Sends a read, and resolves once the headers have arrived. The timeout applies to them, and then to each pause in the
 * body. Only a success has a body. Rejects with ExchangeFailure, or with the signal's reason; reading the body does so
 * after the data that has arrived.
 */
export async function openStream(
  dispatcher: RequestDispatcher,
  request: HttpRequest,
  { timeoutMs, signal, proxy }: ExchangeOptions,
): Promise<StreamedResponse> {
  signal?.throwIfAborted();
  return new Promise<StreamedResponse>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let failure: Error | undefined;
    let responding = false;
    let over = false;

    const body = new Readable({
      read: () => controller?.resume(),
      destroy: (_error, done) => {
        end();
        controller?.abort(new Error('stream closed'));
        done(null);
      },
    });
    const end = () => {
      over = true;
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error) => {
      if (over) return;
      end();
      failure = error;
      reject(error);
      // Not destroyed, so that buffered data can still be read.
      body.push(null);
    };
    const onAbort = () => {
      fail(signal?.reason);
      controller?.abort(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });

    async function* read(): AsyncGenerator<Uint8Array> {
      yield* body;
      if (failure) throw failure;
    }

    const { origin, pathname, search } = new URL(request.url);
    const { method, headers } = request;
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method, headers, headersTimeout: timeoutMs, bodyTimeout: timeoutMs },
      {
        onRequestStart(started) {
          if (over) started.abort(failure ?? new Error('request abandoned'));
          controller = started;
        },
        onResponseStart(answered, status, received) {
          // An informational response.
          if (status < 200) return;
          responding = true;
          const response = { status, headers: joined(received), body: Buffer.alloc(0), url: request.url };
          resolve({ ...response, stream: read() });
          if (status >= 200 && status <= 299) return;
          end();
          body.push(null);
          answered.abort(new Error('response body ignored'));
        },
        onResponseData(data, chunk) {
          if (!over && !body.push(chunk)) data.pause();
        },
        onResponseEnd() {
          if (over) return;
          end();
          body.push(null);
        },
        onResponseError(_controller, error) {
          fail(failureOf(error, { sent: true, responding, proxy: proxy?.() }));
        },
      },
    );
  });
}
