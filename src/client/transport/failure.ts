/** Exchanges that end without a response: what went wrong, and what people are told of it. */

/** What went wrong. */
export type Fault =
  /** The connection could not be opened, for a reason that the system names by its code. */
  | { readonly kind: 'connection'; readonly while: 'connecting'; readonly code: string }
  /** The connection broke off, before or during the response. */
  | { readonly kind: 'connection'; readonly while: 'waiting' | 'reading' }
  | { readonly kind: 'refused' }
  /** `limitMs` is absent where only the connection has the limit. */
  | { readonly kind: 'timeout'; readonly limitMs?: number }
  /** The host name cannot be resolved. */
  | { readonly kind: 'name' }
  | { readonly kind: 'certificate' | 'tls'; readonly code: string }
  /** The proxy does not open a tunnel; `status` is its response, if it sent one. */
  | { readonly kind: 'proxy'; readonly status?: number }
  | { readonly kind: 'not http' }
  | { readonly kind: 'too large'; readonly limitBytes: number; readonly together?: boolean }
  | { readonly kind: 'bad encoding'; readonly encoding: string }
  | { readonly kind: 'invalid request'; readonly reason: string }
  /** The client was closed meanwhile. */
  | { readonly kind: 'closed' };

export type FaultKind = Fault['kind'];

interface Circumstances extends ErrorOptions {
  /** Whether the request may have reached the platform. */
  readonly sent: boolean;
  /** What messages call the proxy, where the fault is the proxy's and not the platform's. */
  readonly proxy?: string | undefined;
}

/** An exchange that ended without a response. The message says what the host did: `refused the connection`. */
export class ExchangeFailure extends Error {
  readonly kind: FaultKind;
  readonly sent: boolean;
  readonly atProxy: boolean;

  constructor(fault: Fault, { sent, proxy, ...options }: Circumstances) {
    super(proxy === undefined ? faultText(fault) : `cannot be reached, because ${proxy} ${faultText(fault)}`, options);
    this.name = 'ExchangeFailure';
    this.kind = fault.kind;
    this.sent = sent;
    this.atProxy = proxy !== undefined;
  }
}

/** A connection to the proxy that did not come about; the cause says why. */
export class ProxyConnectionError extends Error {
  constructor(cause: Error) {
    super('cannot reach the proxy', { cause });
    this.name = 'ProxyConnectionError';
  }
}

/** Returns what a host did, to follow its name. */
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
