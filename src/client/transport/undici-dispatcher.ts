/** undici's connections: for thousands of reads, HTTP/2, downloads and proxies. */
import type { buildConnector } from 'undici';
// Loading undici's index takes twice as long.
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import { ProxyConnectionError } from './failure.ts';
import type { RequestDispatcher, RouteOptions, TlsOptions } from './route.ts';

type Connector = buildConnector.connector;

/** In bytes: receive windows as large as those of many HTTP/1.1 connections together. */
const http2Windows = { connectionWindowSize: 64 * 1024 * 1024, settings: { initialWindowSize: 16 * 1024 * 1024 } };

const pool = {
  allowH2: false,
  headersTimeout: 0,
  bodyTimeout: 0,
  // In bytes, like Node's default, which can only be read by loading its HTTP module.
  maxHeaderSize: 16 * 1024,
};

export interface PoolOptions extends Pick<RouteOptions, 'concurrency' | 'timeoutMs'> {
  readonly tls: TlsOptions;
  /** Whether to negotiate HTTP/2: for concurrent reads only. */
  readonly http2: boolean;
}

/** Returns direct connections to the platform, opened on demand. */
export function openPool({ concurrency, timeoutMs, tls, http2 }: PoolOptions): RequestDispatcher {
  return new Agent({
    ...pool,
    connections: concurrency,
    connect: { ...tls, timeout: timeoutMs },
    ...(http2 ? { allowH2: true, h2Options: http2Windows } : {}),
  });
}

/** Returns connections through a proxy, respecting `NO_PROXY` in `env`. */
export async function openProxied(
  proxy: URL,
  { concurrency, timeoutMs, tls, kept, env = {} }: RouteOptions & { readonly tls: TlsOptions; readonly kept: boolean },
): Promise<RequestDispatcher> {
  const [{ default: EnvHttpProxyAgent }, { default: connect }] = await Promise.all([
    import('undici/lib/dispatcher/env-http-proxy-agent.js'),
    import('undici/lib/api/api-connect.js'),
  ]);
  // The proxy agent opens tunnels with `connect`, which otherwise only undici's index adds; the index also replaces the
  // global dispatcher.
  Dispatcher.prototype.connect = connect;
  // The proxy has half of the request's time, so that the error blames the proxy and not the platform.
  const proxyTimeout = timeoutMs / 2;
  return new EnvHttpProxyAgent({
    ...pool,
    connections: concurrency,
    // In undici, 0 disables keep-alive.
    pipelining: kept ? 1 : 0,
    connect: { ...tls, timeout: timeoutMs },
    connectTimeout: proxyTimeout,
    clientFactory: (url, { connect }: { connect?: Connector }) =>
      new Pool(url, { headersTimeout: proxyTimeout, ...(connect && { connect: namingTheProxy(connect) }) }),
    requestTls: tls,
    proxyTls: tls,
    // The proxy sees the host and port of the tunnel, but never a request with its token.
    proxyTunnel: true,
    httpProxy: proxy.href,
    httpsProxy: proxy.href,
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
}

/** Connects to the proxy, and marks errors of the proxy itself. */
const namingTheProxy =
  (connect: Connector): Connector =>
  (options, done) =>
    connect(options, (...result) => {
      const [error, socket] = result;
      if (error) done(new ProxyConnectionError(error), null);
      else done(null, socket as NonNullable<typeof socket>);
    });
