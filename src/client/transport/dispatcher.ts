/** Which way requests take to the platform: directly or through a proxy, and which certificates count. */
import { isLoopback } from '../platform.ts';
import { openNodeDispatcher } from './node-dispatcher.ts';
import type { RequestDispatcher, RouteOptions, TlsOptions } from './route.ts';

/** A proxy or certificates that cannot be used. The message does not repeat the address: it may hold a password. */
export class RouteError extends Error {}

/** What requests are like that a dispatcher is for. */
export type Use =
  /** Reads, few, one after the other. */
  | 'single'
  /** What changes something. */
  | 'write'
  /** Reads at the same time. */
  | 'side by side'
  /** Answers that are read as they come. */
  | 'streamed';

/**
 * Connections for one scheme.
 *
 * Single requests go over Node's own HTTP: its parser is part of Node, which saves a run 12 ms. All else is undici's. Reads
 * side by side share one connection where the platform offers HTTP/2. A write never goes that way: over HTTP/2 undici sends
 * requests again by itself when the server goes away, and a write must never be sent twice without the client knowing. It has a
 * connection of its own: one that was kept while a person thought may have been given up at its other end, and then nobody
 * would know what became of the write.
 */
export async function openDispatcher(protocol: string, options: RouteOptions, use: Use): Promise<RequestDispatcher> {
  const { concurrency, timeoutMs, ca } = options;
  const tls = await tlsOptions(ca);
  const proxy = proxyFor(protocol, options)?.url;
  if (proxy) {
    const { openProxied } = await loadUndici(options);
    return openProxied(proxy, { ...options, tls, kept: use !== 'write' });
  }
  if (use === 'single' || use === 'write')
    return openNodeDispatcher(protocol, { concurrency, tls, kept: use === 'single' });
  const { openPool } = await loadUndici(options);
  return openPool({ concurrency, timeoutMs, tls, http2: use === 'side by side' && protocol === 'https:' });
}

async function loadUndici({ beforeUndici }: RouteOptions): Promise<typeof import('./undici-dispatcher.ts')> {
  beforeUndici?.();
  return import('./undici-dispatcher.ts');
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
  const source = proxy === undefined ? variable : 'the setting proxy';
  const url = URL.parse(address.includes('://') ? address : `http://${address}`);
  if (!url?.hostname || !/^(?:https?|socks5?):$/.test(url.protocol))
    throw new RouteError(
      `the address of the proxy, from ${source}, cannot be used; write it like http://proxy.example.com:3128`,
    );
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
    throw new RouteError('the certificates to trust are not in PEM form', { cause: error });
  }
}
