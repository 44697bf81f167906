/** Exchanges that ended without a response, and their messages. */

/** Reason of a failure. */
export type Fault =
  /** The connection could not be opened; `code` is the system's error code. */
  | { readonly kind: 'connection'; readonly while: 'connecting'; readonly code: string }
  /** The connection was closed before or during the response. */
  | { readonly kind: 'connection'; readonly while: 'waiting' | 'reading' }
  | { readonly kind: 'refused' }
  /** `limitMs` is absent if only the connection timed out. */
  | { readonly kind: 'timeout'; readonly limitMs?: number }
  /** The host name cannot be resolved. */
  | { readonly kind: 'name' }
  | { readonly kind: 'certificate' | 'tls'; readonly code: string }
  /** The proxy refused the tunnel; `status` is its response, if any. */
  | { readonly kind: 'proxy'; readonly status?: number }
  | { readonly kind: 'not http' }
  | { readonly kind: 'too large'; readonly limitBytes: number; readonly together?: boolean }
  | { readonly kind: 'bad encoding'; readonly encoding: string }
  | { readonly kind: 'invalid request'; readonly reason: string }
  /** The client was closed before the response. */
  | { readonly kind: 'closed' };

export type FaultKind = Fault['kind'];

interface Circumstances extends ErrorOptions {
  /** Whether the request may have reached the platform. */
  readonly sent: boolean;
  /** How messages name the proxy, if the proxy failed and not the platform. */
  readonly proxy?: string | undefined;
}

/** An exchange that ended without a response. The message follows the name of the host: `refused the connection`. */
export class ExchangeFailure extends Error {
  readonly kind: FaultKind;
  readonly sent: boolean;
  readonly atProxy: boolean;

  constructor(fault: Fault, { sent, proxy, ...options }: Circumstances) {
    super(proxy === undefined ? faultText(fault) : `cannot be reached, because ${proxy} ${faultText(fault)}`, options);
    this.kind = fault.kind;
    this.sent = sent;
    this.atProxy = proxy !== undefined;
  }
}

/** A failed connection to the proxy; see the cause. */
export class ProxyConnectionError extends Error {
  constructor(cause: Error) {
    super('cannot reach the proxy', { cause });
  }
}

/** Returns the message for a fault, which follows the name of the host. */
function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'connection':
      if (fault.while === 'connecting') return `cannot be reached (${fault.code})`;
      return fault.while === 'waiting'
        ? 'closed the connection before responding'
        : 'closed the connection in the middle of the response';
    case 'refused':
      return 'refused the connection';
    case 'timeout':
      return fault.limitMs === undefined ? 'timed out' : `timed out after ${fault.limitMs / 1000} s`;
    case 'name':
      return 'could not be resolved';
    case 'certificate':
      return `presented an untrusted certificate (${fault.code})`;
    case 'tls':
      return `failed the TLS handshake (${fault.code})`;
    case 'proxy':
      if (fault.status === undefined) return 'closed the connection';
      return fault.status === 407 ? 'requires a valid user name and password (407)' : `returned ${fault.status}`;
    case 'not http':
      return 'sent an invalid HTTP response';
    case 'too large':
      return `sent more than ${fault.limitBytes / 1024 / 1024} MiB${fault.together ? ' in concurrent responses' : ''}`;
    case 'bad encoding':
      return `sent invalid ${fault.encoding} data`;
    case 'invalid request':
      return fault.reason;
    case 'closed':
      return 'had not responded when the client was closed';
  }
}
