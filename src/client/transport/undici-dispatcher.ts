/** undici's connections: over HTTP/2, for downloads, and through proxies. */
import type { buildConnector } from 'undici';
// The part of undici that is used; its index takes twice as long to load.
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { ProxyConnectionError } from './failure.ts';
import type { RequestDispatcher, RouteOptions, TlsOptions } from './route.ts';

type Connector = buildConnector.connector;

/** In bytes, of what may be on its way to us: as much as many HTTP/1.1 connections would have on theirs. */
const http2Windows = { connectionWindowSize: 64 * 1024 * 1024, settings: { initialWindowSize: 16 * 1024 * 1024 } };

const pool = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  // In bytes, as in Node itself, which would load all of its HTTP to say so.
  maxHeaderSize: 16 * 1024,
};

export interface PoolOptions extends Pick<RouteOptions, 'concurrency' | 'timeoutMs'> {
  readonly tls: TlsOptions;
  /** Whether HTTP/2 is spoken where the platform offers it: for shared reads only. */
  readonly http2: boolean;
}

/** Connections to the platform itself, made when they are needed. */
export function openPool({ concurrency, timeoutMs, tls, http2 }: PoolOptions): RequestDispatcher {
  return new Agent({
    ...pool,
    connections: concurrency,
    connect: { ...tls, timeout: timeoutMs },
    ...(http2 ? { allowH2: true, h2Options: http2Windows } : {}),
  });
}

/** Connections through a proxy, as `NO_PROXY` in `env` allows. */
export async function openProxied(
  proxy: URL,
  { concurrency, timeoutMs, tls, kept, env = {} }: RouteOptions & { readonly tls: TlsOptions; readonly kept: boolean },
): Promise<RequestDispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // The proxy agent opens tunnels with it, and only the index of undici, which replaces the global dispatcher, adds it.
  Dispatcher.prototype.connect = connect;
  // A proxy has half the time of a request, so that it is told of the proxy that it is dead, and not of the platform.
  const proxyTimeout = timeoutMs / 2;
  return new EnvHttpProxyAgent({
    ...pool,
    connections: concurrency,
    // In undici’s words: none is kept for the next request.
    pipelining: kept ? 1 : 0,
    connect: { ...tls, timeout: timeoutMs },
    connectTimeout: proxyTimeout,
    clientFactory: (url, { connect }: { connect?: Connector }) =>
      new Pool(url, { headersTimeout: proxyTimeout, ...(connect && { connect: namingTheProxy(connect) }) }),
    requestTls: tls,
    proxyTls: tls,
    // The proxy sees the host and port of a tunnel, and never a request with its token.
    proxyTunnel: true,
    httpProxy: proxy.href,
    httpsProxy: proxy.href,
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
}

/** Connects to the proxy; whatever goes wrong there is told apart from what goes wrong beyond it. */
const namingTheProxy =
  (connect: Connector): Connector =>
  (options, done) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) done(new ProxyConnectionError(error), null);
      else done(null, socket as NonNullable<typeof socket>);
    });
