/** Requests and responses on the HTTP level. */

/** A response, with its body decompressed. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name; repeated headers are joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** URL of the response, after redirects. */
  readonly url: string;
}

/** A response whose body is still to be read, once, as it arrives. Reading can fail like the request itself. */
export interface StreamedResponse extends HttpResponse {
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Reads change nothing, so they can be retried. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Returns whether a write may have happened despite its status: proxies return 408 and 5xx for requests that they have forwarded. */
export const leavesOutcomeUnknown = (status: number): boolean => status >= 500 || status === 408;
