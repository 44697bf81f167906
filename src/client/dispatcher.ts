/** Which way requests take to the platform: directly or through a proxy, and which certificates count. */
import type { SecureContext } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import type { Dispatcher } from 'undici';
// The part of undici that is used; its index takes twice as long to load.
import Agent from 'undici/lib/dispatcher/agent.js';
import { isLoopback } from './platform.ts';

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

/**
 * A pool of kept-alive connections for one scheme. HTTP/1.1 only: over HTTP/2 undici sends requests again by itself
 * when the server goes away, and a write must never be sent twice without the client knowing.
 */
export async function openDispatcher(protocol: string, options: RouteOptions): Promise<Dispatcher> {
  optimizeParserLater();
  const { concurrency, timeoutMs, env = {} } = options;
  const tls = await tlsOptions(options.ca);
  const pool = { allowH2: false, connections: concurrency, headersTimeout: 0, bodyTimeout: 0, maxHeaderSize };
  const connect = { ...tls, timeout: timeoutMs };
  const proxy = proxyFor(protocol, options);
  if (proxy === undefined) {
    return new Agent({ ...pool, connect });
  }
  // The proxy agent alone does not do: undici's index gives it the method that asks for the tunnel.
  const { EnvHttpProxyAgent } = await import('undici');
  return new EnvHttpProxyAgent({
    ...pool,
    connect,
    connectTimeout: timeoutMs,
    requestTls: tls,
    proxyTls: tls,
    // The proxy sees the host and port of a tunnel, and never a request with its token.
    proxyTunnel: true,
    httpProxy: proxy.href,
    httpsProxy: proxy.href,
    noProxy: env.no_proxy ?? env.NO_PROXY ?? '',
  });
}

/**
 * The proxy for requests of a scheme. Plain http goes only to this machine itself, and so it takes only a proxy on this
 * machine: through another the token would cross the network unencrypted.
 */
function proxyFor(protocol: string, { proxy, env = {} }: RouteOptions): URL | undefined {
  const fromEnv = protocol === 'https:' ? (env.https_proxy ?? env.HTTPS_PROXY) : (env.http_proxy ?? env.HTTP_PROXY);
  const address = (proxy ?? fromEnv ?? '').trim();
  if (address === '') return undefined;
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (!url?.hostname)
    throw new RouteError('the address of the proxy is not a URL; write it like http://proxy.example.com:3128');
  return protocol === 'https:' || isLoopback(url.hostname) ? url : undefined;
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
