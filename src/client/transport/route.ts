/** Connection settings, independent of the HTTP library. */
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';

export interface RouteOptions {
  /** Maximum number of concurrent requests. */
  readonly concurrency: number;
  /** Whether thousands of reads are expected, so that they go over undici (default: false). */
  readonly manyReads?: boolean | undefined;
  /** For opening a connection. */
  readonly timeoutMs: number;
  /** Proxy for all requests that `NO_PROXY` does not exclude; takes precedence over the environment. */
  readonly proxy?: string | undefined;
  /** PEM certificates, trusted in addition to those that Node trusts. */
  readonly ca?: string | undefined;
  /** `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` in either case; lower case takes precedence, as in curl. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The part of undici's interface that is used. */
export type RequestDispatcher = Pick<Dispatcher, 'dispatch' | 'destroy'>;

/** Trusted certificates. */
export interface TlsOptions {
  readonly secureContext?: SecureContext;
}
