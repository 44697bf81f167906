/** Chooses connections: direct or through a proxy, and which certificates to trust. */
import { isLoopback } from '../platform.ts';
import { openNodeDispatcher } from './node-dispatcher.ts';
import type { RequestDispatcher, RouteOptions, TlsOptions } from './route.ts';

/** An invalid proxy or CA file. The message does not contain the proxy's address, which may contain a password. */
export class RouteError extends Error {}

/** Purpose of a dispatcher. */
export type Use =
  | 'read'
  | 'write'
  /** Concurrent reads over TLS, which may share a connection. */
  | 'shared'
  /** Reads whose bodies are consumed as they arrive. */
  | 'streamed';

/**
 * Returns the dispatcher for one scheme: Node's HTTP/1.1 or undici, each for what it does best. CPU time of whole commands,
 * medians of 3 to 31 runs in turn, November 2026:
 *
 * | | Node | undici |
 * |---|---|---|
 * | One record | 76 ms | 138 ms |
 * | 60 pages of a list | 0.52 s | 0.59 s |
 * | A plan of 10,000 repositories, 20,021 requests | 8.96 s | 7.40 s |
 *
 * undici needs longer to load, and V8 optimizes its WebAssembly parser in a thread that delays the end of the process, which
 * only many reads outweigh. Beyond that, it serves what Node does not offer: pages side by side on one connection over
 * HTTP/2, where the platform speaks it; proxies; and interrupted downloads, of which it returns all bytes that arrived, while
 * Node drops its buffer. Writes never use HTTP/2: undici retries requests by itself when the server goes away, and a write
 * must never be sent twice without the client knowing. Each write opens a new connection: an idle one may have been closed by
 * the server, and then the outcome of the write would be unknown.
 */
export async function openDispatcher(protocol: string, options: RouteOptions, use: Use): Promise<RequestDispatcher> {
  const { concurrency, timeoutMs, ca, manyReads = false } = options;
  const tls = await tlsOptions(ca);
  const proxy = proxyFor(protocol, options)?.url;
  if (proxy) {
    const { openProxied } = await import('./undici-dispatcher.ts');
    return openProxied(proxy, { ...options, tls, kept: use !== 'write' });
  }
  if (use === 'write' || (use === 'read' && !manyReads))
    return openNodeDispatcher(protocol, { tls, kept: use === 'read' });
  const { openPool } = await import('./undici-dispatcher.ts');
  return openPool({ concurrency, timeoutMs, tls, http2: use === 'shared' });
}

/** Returns how messages name the proxy for a scheme: its address without a password, and its source. */
export function proxyName(protocol: string, options: RouteOptions): string | undefined {
  const proxy = proxyFor(protocol, options);
  return proxy && `the proxy ${proxy.url.host} (from ${proxy.source})`;
}

/**
 * Returns the proxy for requests of a scheme. Plain http is only allowed for this machine, so its proxy must be on this
 * machine, too: otherwise the token would cross the network unencrypted.
 */
function proxyFor(protocol: string, { proxy, env = {} }: RouteOptions): { url: URL; source: string } | undefined {
  const names = protocol === 'https:' ? ['https_proxy', 'HTTPS_PROXY'] : ['http_proxy', 'HTTP_PROXY'];
  const variable = names.find((name) => env[name] !== undefined) ?? '';
  const address = (proxy ?? env[variable] ?? '').trim();
  if (address === '') return undefined;
  const source = proxy === undefined ? variable : 'the proxy setting';
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (!url?.hostname || !/^https?:$/.test(url.protocol))
    throw new RouteError(`invalid proxy address in ${source} (example: http://proxy.example.com:3128)`);
  // As in curl, only the origin and the credentials count.
  [url.pathname, url.search, url.hash] = ['', '', ''];
  return protocol === 'https:' || isLoopback(url.hostname) ? { url, source } : undefined;
}

async function tlsOptions(ca: string | undefined): Promise<TlsOptions> {
  if (ca === undefined) return {};
  const { createSecureContext, getCACertificates } = await import('node:tls');
  await requireCertificate(ca);
  return { secureContext: createSecureContext({ ca: [...getCACertificates('default'), ca] }) };
}

/** Node accepts any text as certificates and then trusts none, without an error. */
async function requireCertificate(pem: string): Promise<void> {
  const { X509Certificate } = await import('node:crypto');
  try {
    new X509Certificate(pem);
  } catch (error) {
    throw new RouteError('the CA certificates are not in PEM format', { cause: error });
  }
}
