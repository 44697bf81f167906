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
    super('the proxy cannot be reached', { cause });
    this.name = 'ProxyConnectionError';
  }
}

/** Returns what a host did, to follow its name. */
function faultText(fault: Fault): string {
  switch (fault.kind) {
    case 'connection':
      if (fault.while === 'connecting') return `cannot be reached (${fault.code})`;
      return fault.while === 'waiting'
        ? 'closed the connection before it answered'
        : 'broke off in the middle of its answer';
    case 'refused':
      return 'refused the connection';
    case 'timeout':
      return fault.limitMs === undefined
        ? 'did not answer in time'
        : `did not answer in full within ${fault.limitMs / 1000} s`;
    case 'name':
      return 'is a name that cannot be found';
    case 'certificate':
      return `showed a certificate that is not trusted (${fault.code})`;
    case 'tls':
      return `does not speak TLS as it should (${fault.code})`;
    case 'proxy':
      if (fault.status === undefined) return 'closed the connection';
      return fault.status === 407 ? 'wants a user name and password, or others (407)' : `answered ${fault.status}`;
    case 'not http':
      return 'answered with what is not HTTP as it should be';
    case 'too large':
      return `answered with more than ${fault.limitBytes / 1024 / 1024} MiB${fault.together ? ' together with the answers beside it' : ''}`;
    case 'bad encoding':
      return `answered with broken ${fault.encoding} data`;
    case 'invalid request':
      return fault.reason;
    case 'closed':
      return 'was still being asked when the client was closed';
  }
}
