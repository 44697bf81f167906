/** What the parts of the client say to one another about one exchange with the platform. */

/** An answer as it came, with its body decompressed. */
export interface HttpResponse {
  readonly status: number;
  /** By lower-case name; a header that came several times is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Where the answer came from, after redirects. */
  readonly url: string;
}

/** An answer whose body is still to be read, once and as it comes. Reading it can fail as asking can. */
export interface StreamedResponse extends HttpResponse {
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Reads change nothing, so that they can be repeated. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';
