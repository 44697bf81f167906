/** Which way requests take to the platform: directly or through a proxy, and which certificates count. */
import type { SecureContext } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import type { buildConnector, Dispatcher } from 'undici';
// The part of undici that is used; its index takes twice as long to load.
import Agent from 'undici/lib/dispatcher/agent.js';
import { ProxyConnectionError } from './http.ts';
import { isLoopback } from './platform.ts';

type Connector = buildConnector.connector;

export interface RouteOptions {
  /** Connections side by side. */
  readonly concurrency: number;
  /** For making a connection. */
  readonly timeoutMs: number;
  /** The address of a proxy for all requests that `NO_PROXY` does not except; it wins over the environment. */
  readonly proxy?: string | undefined;
  /** Certificates in PEM that are trusted beside those that Node trusts. */
  readonly ca?: string | undefined;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in either case; lower case wins, as with curl. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A proxy or certificates that cannot be used. The message does not repeat the address: it may hold a password. */
export class RouteError extends Error {}

/** In bytes, as in Node itself, which would load all of its HTTP to say so. */
const maxHeaderSize = 16 * 1024;

/** In bytes, of what may be on its way to us: as much as many HTTP/1.1 connections would have on theirs. */
const http2Windows = { connectionWindowSize: 64 * 1024 * 1024, settings: { initialWindowSize: 16 * 1024 * 1024 } };

/**
 * A pool of kept-alive connections for one scheme. With `http2` it is for reads side by side: they share one connection
 * where the platform offers HTTP/2. For all else it is HTTP/1.1: over HTTP/2 undici sends requests again by itself when
 * the server goes away, and a write must never be sent twice without the client knowing. One read is sooner there, too.
 */
export async function openDispatcher(
  protocol: string,
  options: RouteOptions,
  { http2 }: { readonly http2: boolean },
): Promise<Dispatcher> {
  optimizeParserLater();
  const { concurrency, timeoutMs, env = {} } = options;
  const tls = await tlsOptions(options.ca);
  const pool = { allowH2: false, connections: concurrency, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize };
  const connect = { ...tls, timeout: timeoutMs };
  const proxy = proxyFor(protocol, options)?.url;
  if (proxy === undefined) {
    return new Agent({ ...pool, connect, ...(http2 ? { allowH2: true, h2Options: http2Windows } : {}) });
  }
  // The proxy agent alone does not do: undici's index gives it the method that asks for the tunnel.
  const { EnvHttpProxyAgent, Pool } = await import('undici');
  // A proxy has less time than a request, so that it is told of the proxy that it is dead, and not of the platform.
  const proxyTimeout = timeoutMs * 0.8;
  return new EnvHttpProxyAgent({
    ...pool,
    connect,
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

/** What messages call the proxy for requests of a scheme: its address without a password, and where that comes from. */
export function proxyName(protocol: string, options: RouteOptions): string | undefined {
  const proxy = proxyFor(protocol, options);
  return proxy && `the proxy ${proxy.url.host} (from ${proxy.source})`;
}

/**
 * The proxy for requests of a scheme. Plain http goes only to this machine itself, and so it takes only a proxy on this
 * machine: through another the token would cross the network unencrypted.
 */
function proxyFor(protocol: string, { proxy, env = {} }: RouteOptions): { url: URL; source: string } | undefined {
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = names.find((name) => env[name] !== undefined) ?? '';
  const address = (proxy ?? env[variable] ?? '').trim();
  if (address === '') return undefined;
  const source = proxy === undefined ? variable : 'the setting proxy';
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (!url?.hostname || !/^(?:https?|socks5?):$/.test(url.protocol))
    throw new RouteError(
      `the address of the proxy, from ${source}, cannot be used; write it like http://proxy.example.com:3128`,
    );
  return protocol === 'https:' || isLoopback(url.hostname) ? { url, source } : undefined;
}

async function tlsOptions(ca: string | undefined): Promise<{ secureContext?: SecureContext }> {
  if (ca === undefined) return {};
  const { createSecureContext, getCACertificates } = await import('node:tls');
  await requireCertificate(ca);
  return { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
}

/** Node takes anything for certificates and trusts none of it; the reason would never be found. */
async function requireCertificate(pem: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new RouteError('the certificates to trust are not in PEM form', { cause: error });
  }
}

/**
 * undici parses answers in WebAssembly, and after a single one V8 finds that worth compiling anew, optimized. That takes
 * 60 ms of a thread which the process waits for at its end. Only a run with a hundred answers is repaid.
 */
function optimizeParserLater(): void {
  setFlagsFromString('--wasm-tiering-budget=1300000000');
}
