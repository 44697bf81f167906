/** Node's own HTTP connections behind undici's interface. */
import type { ClientRequest, RequestOptions } from 'node:http';
import type { Dispatcher } from 'undici';
import { release } from './body.ts';
import type { RequestDispatcher, TlsOptions } from './route.ts';

export interface NodeDispatcherOptions {
  readonly tls: TlsOptions;
  /** Whether connections are kept alive for the next request. */
  readonly kept: boolean;
}

/** Returns a dispatcher for `http:` or `https:`, which opens as many connections as there are concurrent requests. */
export function openNodeDispatcher(protocol: string, { tls, kept }: NodeDispatcherOptions): RequestDispatcher {
  // An import would read all exports, and load WebSocket and more.
  const http = process.getBuiltinModule(protocol === 'https:' ? 'node:https' : 'node:http');
  const agent = new http.Agent({ keepAlive: kept, ...tls });
  const connected = protocol === 'https:' ? 'secureConnect' : 'connect';
  return new NodeDispatcher(
    (url, how) => http.request(url, { ...how, agent }),
    connected,
    () => agent.destroy(),
  );
}

type RequestFunction = (url: string, options: RequestOptions) => ClientRequest;

/** Ends pending requests when the dispatcher is closed. */
class Closed extends Error {
  readonly code = 'UND_ERR_DESTROYED';
}

/** Node's parser reports an unrequested protocol upgrade under this code. */
class Upgraded extends Error {
  readonly code = 'HPE_PAUSED_UPGRADE';
}

class NodeDispatcher implements RequestDispatcher {
  readonly #request: RequestFunction;
  /** Event of a socket that is connected. */
  readonly #connected: 'connect' | 'secureConnect';
  readonly #end: () => void;
  /** Not a Set: V8 links the outgrown tables of one, so an old table would keep all later requests in memory. */
  readonly #underWay: ClientRequest[] = [];

  constructor(request: RequestFunction, connected: 'connect' | 'secureConnect', end: () => void) {
    this.#request = request;
    this.#connected = connected;
    this.#end = end;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const { origin, path, method, headers, body } = options;
    let request: ClientRequest;
    const controller = { abort: (error: Error) => request.destroy(error) } as unknown as Dispatcher.DispatchController;
    const failed = (error: Error) => handler.onResponseError?.(controller, error);
    try {
      request = this.#request(`${origin}${path}`, { method, headers: framed(headers as Record<string, string>, body) });
    } catch (error) {
      failed(error as Error);
      return true;
    }
    this.#underWay.push(request);
    request.on('close', () => this.#underWay.splice(this.#underWay.indexOf(request), 1));
    request.on('error', failed);
    request.on('socket', (socket) => {
      const started = () => handler.onRequestStart?.(controller, undefined);
      // The request is buffered until the socket is connected.
      if (socket.connecting) socket.once(this.#connected, started);
      else started();
      // Added last, also on a reused connection: the parser copies what it needs from a chunk.
      socket.off('data', release);
      socket.on('data', release);
    });
    // Without a listener, Node closes the connection silently.
    request.on('upgrade', (_response, socket) => {
      socket.destroy();
      failed(new Upgraded());
    });
    request.on('response', (response) => {
      handler.onResponseStart?.(controller, response.statusCode ?? 0, response.headersDistinct, response.statusMessage);
      response.on('data', (chunk: Buffer) => handler.onResponseData?.(controller, chunk));
      response.on('end', () => handler.onResponseEnd?.(controller, {}));
      response.on('error', failed);
    });
    request.end(body);
    return true;
  }

  destroy(): Promise<void> {
    for (const request of [...this.#underWay]) request.destroy(new Closed());
    this.#end();
    return Promise.resolve();
  }
}

/** Node sends no content-length for the body of a DELETE, so a server would parse the body as the next request. */
const framed = (headers: Record<string, string>, body: Dispatcher.DispatchOptions['body']) =>
  typeof body === 'string' ? { ...headers, 'content-length': String(Buffer.byteLength(body)) } : headers;
