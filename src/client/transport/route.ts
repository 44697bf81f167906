/** What a way to the platform is made of, whichever library takes it. */
import type { SecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';

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

/** How requests are handed over: undici's interface, as far as it is used. */
export type RequestDispatcher = Pick<Dispatcher, 'dispatch' | 'destroy'>;

/** Which certificates count. */
export interface TlsOptions {
  readonly secureContext?: SecureContext;
}
