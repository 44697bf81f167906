/** What the parts of the client say to one another about one exchange with the platform. */

/** An answer as it came, with its body decompressed. */
export interface HttpAnswer {
  readonly status: number;
  /** By lower-case name; a header that came several times is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/** An answer whose body is still to be read, once and as it comes. Reading it can fail as asking can. */
export interface StreamedAnswer extends HttpAnswer {
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Why there is no answer. */
export type FailureKind =
  | 'connection'
  | 'refused'
  | 'timeout'
  | 'name'
  | 'tls'
  | 'proxy'
  | 'bad answer'
  | 'invalid request'
  | 'closed';

/** An exchange that ended without an answer. The message says what the host did: `refused the connection`. */
export class ExchangeFailure extends Error {
  readonly kind: FailureKind;
  /** Whether the request may have reached the platform. */
  readonly sent: boolean;

  constructor(kind: FailureKind, sent: boolean, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExchangeFailure';
    this.kind = kind;
    this.sent = sent;
  }
}

/** A connection to the proxy that did not come about; the cause says why. */
export class ProxyConnectionError extends Error {
  constructor(cause: Error) {
    super('the proxy cannot be reached', { cause });
    this.name = 'ProxyConnectionError';
  }
}

/** Reads change nothing, so that they can be repeated. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
