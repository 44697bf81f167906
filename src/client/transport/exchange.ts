/** One request, one answer: no retries, no redirects, but limits of time and size. */
import type { Dispatcher } from 'undici';
import type { HttpRequest } from '../request.ts';
import { Body } from './body.ts';
import { decompress } from './decompress.ts';
import { ExchangeFailure, type FailureKind, type HttpAnswer, ProxyConnectionError } from './http.ts';
import { Limiter } from './limiter.ts';
import type { Dispatching } from './route.ts';

/** No page of records comes near it; it keeps a broken or hostile server from filling the memory. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Answers that come at the same time may have this much together, in bytes. */
const maxBytesAtOnce = 2 * maxBodyBytes;

/** The bytes that answers hold which have not come to their end. */
export interface Intake {
  bytes: number;
}

/** Small answers can become large ones; this many do so at once. */
const unpacking = new Limiter(2);

export interface ExchangeOptions {
  /** For the whole exchange, from its start until the end of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Shared by the exchanges of one client. */
  readonly intake?: Intake | undefined;
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
  dispatcher: Dispatching,
  request: HttpRequest,
  { timeoutMs, signal, proxy, intake = { bytes: 0 } }: ExchangeOptions,
): Promise<HttpAnswer> {
  signal?.throwIfAborted();
  const answer = await new Promise<HttpAnswer>((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let sent = false;
    let over = false;
    let status = 0;
    let headers: HttpAnswer['headers'] = {};
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
      () => fail(new ExchangeFailure('timeout', sent, `did not answer in full within ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });

    const { origin, pathname, search } = new URL(request.url);
    dispatcher.dispatch(
      { origin, path: `${pathname}${search}`, method: request.method, headers: request.headers, body: request.body },
      {
        onRequestStart(started) {
          // Either given up while the connection was being made, or about to be sent a second time by undici itself.
          if (over || sent) started.abort(new ExchangeFailure('connection', sent, 'closed the connection'));
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
          else if (intake.bytes > maxBytesAtOnce)
            fail(tooLarge(' together with the answers beside it', maxBytesAtOnce));
        },
        onResponseEnd() {
          if (over) return;
          end();
          resolve({ status, headers, body: body.bytes(), url: request.url });
        },
        onResponseError(_controller, error) {
          fail(failureOf(error, { sent, answering: status > 0, proxy }));
        },
      },
    );
  });
  return decompressed(answer);
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

const tooLarge = (how = '', bytes = maxBodyBytes) =>
  new ExchangeFailure('bad answer', true, `answered with more than ${bytes / 1024 / 1024} MiB${how}`);

const brokeOff = (sent: boolean, options?: ErrorOptions) =>
  new ExchangeFailure('connection', sent, 'broke off in the middle of its answer', options);

async function decompressed(answer: HttpAnswer): Promise<HttpAnswer> {
  const encoding = answer.headers['content-encoding'];
  if (encoding === undefined || answer.body.length === 0) return answer;
  const body = await unpacking.run(() => decompress(answer.body, encoding, maxBodyBytes));
  if (body === 'too large') throw tooLarge();
  // Over HTTP/2 undici takes a body for whole whose stream was reset.
  if (body === 'cut short') throw brokeOff(true);
  if (body === 'broken') throw new ExchangeFailure('bad answer', true, `answered with broken ${encoding} data`);
  return { ...answer, body };
}

/** What undici and Node say of a failed exchange, in words about the host. */
export function failureOf(
  error: Error & { code?: unknown },
  { sent, answering, proxy: named }: { sent: boolean; answering: boolean; proxy?: string | undefined },
): ExchangeFailure {
  const proxy = named ?? 'the proxy';
  if (error instanceof ProxyConnectionError) {
    const { kind, message } = failureOf(error.cause as Error, { sent: false, answering: false });
    return new ExchangeFailure(kind, false, `cannot be reached, because ${proxy} ${message}`, { cause: error });
  }
  const code = String(error.code ?? '');
  const failure = (kind: FailureKind, message: string) => new ExchangeFailure(kind, sent, message, { cause: error });
  const refusedByProxy = /^Proxy response \((\d+)\)/.exec(error.message)?.[1];
  if (refusedByProxy === '407')
    return failure('proxy', `cannot be reached, because ${proxy} wants a user name and password, or others (407)`);
  if (refusedByProxy) return failure('proxy', `cannot be reached, because ${proxy} answered ${refusedByProxy}`);
  if (code.startsWith('UND_ERR_PRX'))
    return failure('proxy', `cannot be reached, because ${proxy} closed the connection`);
  // Only a proxy has its time measured by undici.
  if (code === 'UND_ERR_HEADERS_TIMEOUT' && !sent)
    return failure('timeout', `cannot be reached, because ${proxy} did not answer in time`);
  if (code === 'ECONNREFUSED') return failure('refused', 'refused the connection');
  if (code === 'ENOTFOUND') return failure('name', 'is a name that cannot be found');
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') return failure('timeout', 'did not answer in time');
  if (code === 'UND_ERR_INVALID_ARG') return failure('invalid request', error.message);
  // Node tells the name of the header, and of all else about it nothing is told: it may be the token.
  if (code === 'ERR_INVALID_CHAR')
    return failure('invalid request', `invalid ${/\["([\w-]+)"\]$/.exec(error.message)?.[1] ?? 'request'} header`);
  if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED')
    return failure('closed', 'was still being asked when the client was closed');
  if (/CERT|^UNABLE_TO_|^HOSTNAME_|^INVALID_(?:CA|PURPOSE)/.test(code))
    return failure('tls', `showed a certificate that is not trusted (${code})`);
  if (/^ERR_SSL_|^ERR_TLS_|^EPROTO/.test(code)) return failure('tls', `does not speak TLS as it should (${code})`);
  if (error.name === 'HTTPParserError' || error.name === 'HeadersOverflowError' || code.startsWith('HPE_')) {
    const answered = 'answered with what is not HTTP as it should be';
    // Before the request was sent only the proxy can have answered.
    if (!sent && named) return failure('proxy', `cannot be reached, because ${proxy} ${answered}`);
    return failure('bad answer', answered);
  }
  if (answering) return brokeOff(sent, { cause: error });
  return failure(
    'connection',
    sent ? 'closed the connection before it answered' : `cannot be reached (${code || error.message})`,
  );
}
