/**
 * The one way to declare an endpoint of the platform: as data. The request, its static types, the flags and their limits,
 * local validation, paging, help, advice after a refusal and the sandbox's route all follow from the declaration.
 */
import type * as v from 'valibot';

import type { Rule } from './validate.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Method and path below the base URL. `{name}` is a path parameter; `<alerts>` is the segment that names the
 * dependency-alert product, which differs between platforms.
 */
export type Route = `${Method} /${string}`;

/** The kinds of token the specification tells apart. The last three are its "fine-grained tokens". */
export const tokenKinds = ['classic', 'oauth', 'fine_grained', 'app_user', 'installation'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** Where an endpoint exists; an endpoint that names no edition exists on all of them. */
export type Edition = 'self-managed' | 'hosted-enterprise' | 'hosted';

/**
 * How a list continues: `page` by page numbers and `Link`; `since` and `cursor` by the `Link` of each answer alone;
 * `has_next_page` by page numbers until the answer's own flag says false.
 */
export type Paging = 'page' | 'since' | 'cursor' | 'has_next_page';

declare const answered: unique symbol;

/** What an endpoint answers with: one record, a list of them, or nothing (204). `T` is the record. */
export interface Answer<T, K extends 'record' | 'list' | 'nothing'> {
  readonly kind: K;
  readonly [answered]?: T;
}

export const record = <T>(): Answer<T, 'record'> => ({ kind: 'record' });
export const list = <T>(): Answer<T, 'list'> => ({ kind: 'list' });
export const nothing = (): Answer<Record<string, never>, 'nothing'> => ({ kind: 'nothing' });

type FieldSchemas = v.ObjectEntries;
type BodySchema = v.GenericSchema & { readonly entries: FieldSchemas };

/** A refusal whose reason only the platform can know, and what a person can do about it. */
export interface KnownRefusal {
  readonly status: number;
  /** The body field that was given; the advice is not shown when the request did not carry it. */
  readonly field?: string;
  readonly advice: string;
}

export interface Declaration {
  readonly route: Route;
  /** One line that says what the endpoint does, without a full stop. */
  readonly summary: string;
  /** The path parameters that are not plain strings. */
  readonly path?: FieldSchemas;
  /** Query parameters, all optional; `per_page` and `page` follow from `paging`. */
  readonly query?: FieldSchemas;
  readonly body?: BodySchema;
  /** What must hold between several fields of the body. */
  readonly rules?: readonly Rule[];
  readonly paging?: Paging;
  /** The member of the answer that holds the list, where a list comes in an envelope. */
  readonly items?: string;
  /** `per_page` when it is left out; 30 unless the specification says otherwise. The maximum is 100 everywhere. */
  readonly perPage?: number;
  /** Values of `accept` by format name, with `<vendor>` for the platform's own name. The first is the default. */
  readonly mediaTypes?: Readonly<Record<string, string>>;
  /**
   * Fine-grained permissions, written as the platform does in `X-Accepted-<vendor>-Permissions`: `,` means and, `;`
   * means or; for example `members=read,metadata=read; administration=write`. Absent: none needed.
   */
  readonly permission?: string;
  /** Scopes for classic and OAuth tokens; any one suffices. Absent: none needed. */
  readonly scopes?: readonly string[];
  /** The role that the caller must hold beside a permission. */
  readonly role?: string;
  /** The token kinds that the endpoint works with; absent: all. */
  readonly tokens?: readonly TokenKind[];
  /** True where public resources are served without a token. */
  readonly anonymous?: boolean;
  readonly editions?: readonly Edition[];
  /** Set when the specification calls the endpoint closing down: what replaces it. */
  readonly closingDown?: string;
  readonly refusals?: readonly KnownRefusal[];
  /** The status of success. */
  readonly status: number;
  readonly answer: Answer<unknown, 'record' | 'list' | 'nothing'>;
}

type PathNames<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** A declaration, completed with what is read off its route. */
export type Endpoint<D extends Declaration = Declaration> = D & {
  readonly method: Method;
  readonly template: string;
  /** Names of the path parameters, in the order of the route. */
  readonly pathNames: readonly string[];
};

/** An endpoint that answers with a list in pages. */
export type PagedEndpoint = Endpoint & { readonly paging: Paging; readonly answer: Answer<unknown, 'list'> };

/**
 * Declares an endpoint. A path schema for a name that the route does not have fails to compile.
 */
export function endpoint<const D extends Declaration>(
  declaration: D & { readonly path?: { readonly [K in PathNames<D['route']>]?: v.GenericSchema } },
): Endpoint<D> {
  const [method, template] = declaration.route.split(' ') as [Method, string];
  const pathNames = [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
  return { ...declaration, method, template, pathNames };
}

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** Of one endpoint or another, the parameters of either. */
type PathInput<D extends Declaration> = D extends unknown
  ? {
      [K in PathNames<D['route']>]: D['path'] extends Record<K, infer S extends v.GenericSchema>
        ? v.InferInput<S>
        : string;
    }
  : never;
type QueryInput<E extends FieldSchemas> = { [K in keyof E]?: v.InferInput<E[K] & v.GenericSchema> | undefined };

/**
 * What a call to the endpoint takes: three bags, so that a body field named like a path parameter cannot collide with it.
 * A bag that the endpoint does not have is absent; path and body are required where it has them.
 */
export type InputOf<D extends Declaration> = Simplify<
  ([PathNames<D['route']>] extends [never] ? unknown : { path: PathInput<D> }) &
    (D extends { readonly query: infer Q extends FieldSchemas } ? { query?: QueryInput<Q> } : unknown) &
    (D extends { readonly body: infer B extends BodySchema } ? { body: v.InferInput<B> } : unknown)
>;

/** One record of the endpoint's answer. */
export type RecordOf<D extends Declaration> =
  D['answer'] extends Answer<infer T, 'record' | 'list' | 'nothing'> ? T : never;

/** The whole answer, taken out of its list envelope. */
export type AnswerOf<D extends Declaration> = D['answer'] extends Answer<infer T, 'list'> ? T[] : RecordOf<D>;

/** Any endpoint's input, where only its shape matters. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}
