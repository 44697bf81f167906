/** Which way requests take to the platform: directly or through a proxy, and which certificates count. */
import { isLoopback } from '../platform.ts';
import { openNodeDispatcher } from './node-dispatcher.ts';
import type { RequestDispatcher, RouteOptions, TlsOptions } from './route.ts';

/** A proxy or certificates that cannot be used. The message does not repeat the address: it may hold a password. */
export class RouteError extends Error {}

/** What a dispatcher is used for. */
export type Use =
  | 'read'
  | 'write'
  /** Reads at the same time over TLS, which may share a connection. */
  | 'shared'
  /** Reads whose bodies are consumed as they arrive. */
  | 'streamed';

/**
 * Returns the connections for one scheme.
 *
 * Reads and writes go over Node's own HTTP/1.1: its parser is part of Node, while undici's is WebAssembly, which V8 optimizes
 * in a thread that the end of the process waits for. undici serves the rest. Over HTTP/2, where the platform offers it, shared
 * reads take one connection. Of a download that breaks off, undici hands on all that arrived, while Node drops what it has
 * buffered. A write never goes over HTTP/2: undici repeats requests by itself when the server goes away, and a write must never
 * be sent twice without the client knowing. Each write has a connection of its own: one that was kept while a person thought
 * may be closed at its other end, and then the outcome of the write would be unknown.
 */
export async function openDispatcher(protocol: string, options: RouteOptions, use: Use): Promise<RequestDispatcher> {
  const { concurrency, timeoutMs, ca } = options;
  const tls = await tlsOptions(ca);
  const proxy = proxyFor(protocol, options)?.url;
  if (proxy) {
    const { openProxied } = await import('./undici-dispatcher.ts');
    return openProxied(proxy, { ...options, tls, kept: use !== 'write' });
  }
  if (use === 'read' || use === 'write') return openNodeDispatcher(protocol, { tls, kept: use === 'read' });
  const { openPool } = await import('./undici-dispatcher.ts');
  return openPool({ concurrency, timeoutMs, tls, http2: use === 'shared' });
}

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
  const source = proxy === undefined ? variable : 'the proxy setting';
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (!url?.hostname || !/^(?:https?|socks5?):$/.test(url.protocol))
    throw new RouteError(`invalid proxy address in ${source} (example: http://proxy.example.com:3128)`);
  return protocol === 'https:' || isLoopback(url.hostname) ? { url, source } : undefined;
}

async function tlsOptions(ca: string | undefined): Promise<TlsOptions> {
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
    throw new RouteError('the CA certificates are not in PEM format', { cause: error });
  }
}
