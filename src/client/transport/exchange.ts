/** One request, one answer: no retries, no redirects, but limits of time and size. */
import type { Dispatcher } from 'undici';
import type { HttpResponse } from '../http.ts';
import type { HttpRequest } from '../request.ts';
import { Body } from './body.ts';
import { decompress } from './decompress.ts';
import { ExchangeFailure, type Fault, ProxyConnectionError } from './failure.ts';
import { Limiter } from './limiter.ts';
import type { RequestDispatcher } from './route.ts';

/** No page of records comes near it; it keeps a broken or hostile server from filling the memory. */
const maxBodyBytes = 48 * 1024 * 1024;

/** Answers that come at the same time may have this much together, in bytes. */
const maxBytesAtOnce = 128 * 1024 * 1024;

/** The bytes that answers hold which have not come to their end. */
export interface BytesInFlight {
  bytes: number;
}

/** Small answers can become large ones; this many do so at once. */
const unpacking = new Limiter(2);

export interface ExchangeOptions {
  /** For the whole exchange, from its start until the end of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Shared by the exchanges of one client. */
  readonly intake?: BytesInFlight | undefined;
  /** What messages call the proxy, where the request may go through one. */
  readonly proxy?: string | undefined;
}

/**
 * Sends the request once. Rejects with ExchangeFailure, or with the signal's reason.
 *
 * `onRequestStart` is called when the request goes out over a connection that stands: this is how a failure knows whether
 * the request may have reached the platform, and why undici's `request` function would not do.
 */
export async function exchange(
  dispatcher: RequestDispatcher,
  request: HttpRequest,
  { timeoutMs, signal, proxy, intake = { bytes: 0 } }: ExchangeOptions,
): Promise<HttpResponse> {
  signal?.throwIfAborted();
  const response = await new Promise<HttpResponse>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let sent = false;
    let over = false;
    let status = 0;
    let headers: HttpResponse['headers'] = {};
    const body = new Body();

    const end = () => {
      over = true;
      intake.bytes -= body.length;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    };
    const fail = (error: Error) => {
      if (over) return;
      end();
      reject(error);
      controller?.abort(error);
    };
    const onAbort = () => fail(signal?.reason);
    const timer = setTimeout(
      () => fail(new ExchangeFailure({ kind: 'timeout', limitMs: timeoutMs }, { sent })),
      timeoutMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });

    const { origin, pathname, search } = new URL(request.url);
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: request.method, headers: request.headers, body: request.body },
      {
        onRequestStart(started) {
          // Either given up while the connection was being made, or about to be sent a second time by undici itself.
          if (over || sent) started.abort(new ExchangeFailure({ kind: 'connection', while: 'waiting' }, { sent }));
          controller = started;
          sent = true;
        },
        onResponseStart(_controller, statusCode, received) {
          // Only says that an answer will come.
          if (statusCode < 200) return;
          status = statusCode;
          headers = joined(received);
          const announced = Number(headers['content-length'] ?? 0);
          if (announced > 0 && announced <= maxBodyBytes) body.expect(announced);
        },
        onResponseData(_controller, chunk) {
          if (over) return;
          intake.bytes += chunk.length;
          body.add(chunk);
          if (body.length > maxBodyBytes) fail(tooLarge());
          else if (intake.bytes > maxBytesAtOnce) fail(tooLarge(maxBytesAtOnce, true));
        },
        onResponseEnd() {
          if (over) return;
          end();
          resolve({ status, headers, body: body.bytes(), url: request.url });
        },
        onResponseError(_controller, error) {
          fail(failureOf(error, { sent, responding: status > 0, proxy }));
        },
      },
    );
  });
  return decompressed(response);
}

/** Headers by lower-case name; one that came several times is joined with commas. */
export function joined(received: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}

const tooLarge = (limitBytes = maxBodyBytes, together = false) =>
  new ExchangeFailure({ kind: 'too large', limitBytes, together }, { sent: true });

async function decompressed(response: HttpResponse): Promise<HttpResponse> {
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined || response.body.length === 0) return response;
  const body = await unpacking.run(() => decompress(response.body, encoding, maxBodyBytes));
  if (body === 'too large') throw tooLarge();
  // Over HTTP/2 undici takes a body for whole whose stream was reset.
  if (body === 'cut short') throw new ExchangeFailure({ kind: 'connection', while: 'reading' }, { sent: true });
  if (body === 'broken') throw new ExchangeFailure({ kind: 'bad encoding', encoding }, { sent: true });
  return { ...response, body };
}

/** Where an exchange failed. */
interface Circumstances {
  readonly sent: boolean;
  /** True once the response has begun. */
  readonly responding: boolean;
  readonly proxy?: string | undefined;
}

/** Reads what went wrong off an error of undici or Node. */
export function failureOf(error: Error, { sent, responding, proxy }: Circumstances): ExchangeFailure {
  const named = proxy ?? 'the proxy';
  if (error instanceof ProxyConnectionError) {
    const fault = faultOf(error.cause as Error, { sent: false, responding: false });
    return new ExchangeFailure(fault, { sent: false, proxy: named, cause: error });
  }
  const fault = faultOf(error, { sent, responding });
  // Only a proxy has its time measured by undici, and before the request was sent only the proxy can have answered.
  const isFromProxy =
    fault.kind === 'proxy' ||
    (!sent && codeOf(error) === 'UND_ERR_HEADERS_TIMEOUT') ||
    (!sent && proxy !== undefined && fault.kind === 'not http');
  return new ExchangeFailure(fault, { sent, proxy: isFromProxy ? named : undefined, cause: error });
}

const codeOf = (error: Error & { code?: unknown }) => String(error.code ?? '');

function faultOf(error: Error, { sent, responding }: Pick<Circumstances, 'sent' | 'responding'>): Fault {
  const code = codeOf(error);
  // undici tells the status of a proxy nowhere else.
  const refusedByProxy = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (refusedByProxy) return { kind: 'proxy', status: Number(refusedByProxy) };
  if (code.startsWith('UND_ERR_PRX')) return { kind: 'proxy' };
  if (code === 'ECONNREFUSED') return { kind: 'refused' };
  if (code === 'ENOTFOUND') return { kind: 'name' };
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT' || (code === 'UND_ERR_HEADERS_TIMEOUT' && !sent))
    return { kind: 'timeout' };
  if (code === 'UND_ERR_INVALID_ARG') return { kind: 'invalid request', reason: error.message };
  // Node tells the name of the header, and of all else about it nothing is told: it may be the token.
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
