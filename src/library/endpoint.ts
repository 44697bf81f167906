/** The published types of endpoints; replaces platform/endpoint.ts in the published declarations. */

declare const types: unique symbol;

/** An endpoint, with the types of its input and of the data in its response. */
export interface ApiEndpoint<Input, Data> {
  /** Method and path, such as `GET /orgs/{org}`. */
  readonly route: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** One line that says what the endpoint does, without a full stop. */
  readonly summary: string;
  /**
   * Fine-grained permissions, such as `members=read,metadata=read; administration=write`: `,` means and, `;` means or.
   */
  readonly permission?: string;
  /** Scopes for classic and OAuth tokens; any one suffices. Absent: none needed. */
  readonly scopes?: readonly string[];
  /** The role that the caller must have in addition to the permission. */
  readonly role?: string;
  /** The kinds of token that the endpoint accepts. Absent: all. */
  readonly tokens?: readonly string[];
  /** True where public resources are served without a token. */
  readonly anonymous?: boolean;
  /** Set when the endpoint is closing down: what replaces it. */
  readonly closingDown?: string;
  readonly [types]?: (input: Input) => Data;
}

/** An endpoint that returns a list in pages. */
export interface ApiList<Input, Item> extends ApiEndpoint<Input, Item[]> {
  readonly paging: string;
}

/** Any endpoint. */
export type Declaration = ApiEndpoint<never, unknown>;
