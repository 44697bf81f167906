/** The published types of the endpoints: as valibot infers them, but without valibot. */
import type { AnswerOf, Endpoint, InputOf, PagedEndpoint, RecordOf } from '../platform/endpoint.ts';
import type * as endpoints from './endpoints.ts';

type Expanded<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;

type Published<E extends Endpoint> = {
  input: { [K in keyof InputOf<E>]: Expanded<InputOf<E>[K]> };
  /** For a paged list, the type of its records. */
  data: E extends PagedEndpoint ? RecordOf<E> : AnswerOf<E>;
};

/** Input and data types of each endpoint, by name. */
export type PublishedEndpoints = {
  [K in keyof typeof endpoints as (typeof endpoints)[K] extends Endpoint
    ? K
    : never]: (typeof endpoints)[K] extends Endpoint ? Published<(typeof endpoints)[K]> : never;
};
