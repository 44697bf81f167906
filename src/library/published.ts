/** The types of the endpoints as the library declares them: what valibot infers, without valibot. */
import type { AnswerOf, Endpoint, InputOf, PagedEndpoint, RecordOf } from '../platform/endpoint.ts';
import type * as endpoints from './endpoints.ts';

type Expanded<T> = T extends unknown ? { [K in keyof T]: T[K] } : never;

type Published<E extends Endpoint> = {
  input: { [K in keyof InputOf<E>]: Expanded<InputOf<E>[K]> };
  /** Of a list in pages, the record. */
  data: E extends PagedEndpoint ? RecordOf<E> : AnswerOf<E>;
};

/** Input and data of each endpoint, by its name. */
export type PublishedEndpoints = {
  [K in keyof typeof endpoints as (typeof endpoints)[K] extends Endpoint
    ? K
    : never]: (typeof endpoints)[K] extends Endpoint ? Published<(typeof endpoints)[K]> : never;
};
