/**
 * Declares endpoints as data. Requests, static types, flags and limits, local validation, paging, help, advice on
 * errors and the sandbox's routes all derive from the declaration.
 */
import type * as v from 'valibot';

import type { Rule } from './validate.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Method and path relative to the base URL. `{name}` is a path parameter; `<alerts>` is the path segment of
 * dependency alerts, which differs between platforms.
 */
export type Route = `${Method} /${string}`;

/** The token kinds of the specification, which calls the last three "fine-grained tokens". */
export const tokenKinds = ['classic', 'oauth', 'fine_grained', 'app_user', 'installation'] as const;
export type TokenKind = (typeof tokenKinds)[number];

/** The editions with an endpoint; an endpoint without editions exists on all of them. */
export type Edition = 'self-managed' | 'hosted-enterprise' | 'hosted';

/**
 * The paging scheme of a list: `page` uses page numbers and `Link`; `since` and `cursor` use only the `Link` of each
 * response; `has_next_page` uses page numbers until that field of the response is false.
 */
export type Paging = 'page' | 'since' | 'cursor' | 'has_next_page';

declare const answered: unique symbol;

/** The response of an endpoint: one record, a list of records, or nothing (204). `T` is the type of the record. */
export interface Answer<T, K extends 'record' | 'list' | 'nothing'> {
  readonly kind: K;
  readonly [answered]?: T;
}

export const record = <T>(): Answer<T, 'record'> => ({ kind: 'record' });
export const list = <T>(): Answer<T, 'list'> => ({ kind: 'list' });
export const nothing = (): Answer<Record<string, never>, 'nothing'> => ({ kind: 'nothing' });

type FieldSchemas = v.ObjectEntries;
type BodySchema = v.GenericSchema & { readonly entries: FieldSchemas };

/** Advice on a known error of the platform. */
export interface KnownRefusal {
  readonly status: number;
  /** The body field that causes the error; the advice applies only to requests with this field. */
  readonly field?: string;
  readonly advice: string;
}

export interface Declaration {
  readonly route: Route;
  /** What the endpoint does, in one line without a final stop. */
  readonly summary: string;
  /** Schemas of the path parameters that are not plain strings. */
  readonly path?: FieldSchemas;
  /** Query parameters, all optional; `per_page` and `page` follow from `paging`. */
  readonly query?: FieldSchemas;
  readonly body?: BodySchema;
  /** Checks across several fields of the body. */
  readonly rules?: readonly Rule[];
  readonly paging?: Paging;
  /** The field of the response that contains the list, if the list has an envelope. */
  readonly items?: string;
  /** The platform's default for `per_page`: 30 unless the specification says otherwise. The maximum is always 100. */
  readonly perPage?: number;
  /** Values of `accept` by format name, with `<vendor>` for the platform's own name. The first is the default. */
  readonly mediaTypes?: Readonly<Record<string, string>>;
  /** The value of `accept` where the response to the usual one lacks the record. */
  readonly accept?: string;
  /**
   * Fine-grained permissions in the syntax of `X-Accepted-<vendor>-Permissions`: `,` means and, `;` means or; for
   * example `members=read,metadata=read; administration=write`. None required if absent.
   */
  readonly permission?: string;
  /** Scopes for classic and OAuth tokens; any one suffices. None required if absent. */
  readonly scopes?: readonly string[];
  /** The role that the caller needs in addition to a permission. */
  readonly role?: string;
  /** The supported token kinds; all if absent. */
  readonly tokens?: readonly TokenKind[];
  /** True if only a JWT is accepted, signed with an app's private key. */
  readonly asApp?: boolean;
  /** True if the response is a secret as a whole, which `--debug` does not show, whatever its shape. */
  readonly secretResponse?: boolean;
  /** True if public resources require no token. */
  readonly anonymous?: boolean;
  readonly editions?: readonly Edition[];
  /** The replacement of an endpoint that is closing down. */
  readonly closingDown?: string;
  readonly refusals?: readonly KnownRefusal[];
  /** The status code of success (default: 200, or 204 for nothing). */
  readonly status?: number;
  readonly answer: Answer<unknown, 'record' | 'list' | 'nothing'>;
}

type PathNames<R extends string> = R extends `${string}{${infer Name}}${infer Rest}` ? Name | PathNames<Rest> : never;

/** A declaration with the parts of its route. */
export type Endpoint<D extends Declaration = Declaration> = D & {
  readonly method: Method;
  readonly template: string;
  /** Names of the path parameters, in the order of the route. */
  readonly pathNames: readonly string[];
  readonly status: number;
};

export type PagedEndpoint = Endpoint & { readonly paging: Paging; readonly answer: Answer<unknown, 'list'> };

/** Declares an endpoint. A path schema for a parameter that is not in the route fails to compile. */
export function endpoint<const D extends Declaration>(
  declaration: D & { readonly path?: { readonly [K in PathNames<D['route']>]?: v.GenericSchema } },
): Endpoint<D> {
  const [method, template] = declaration.route.split(' ') as [Method, string];
  const pathNames = [...template.matchAll(/\{([^}]+)\}/g)].map((match) => match[1] as string);
  const status = declaration.answer.kind === 'nothing' ? 204 : 200;
  return { status, ...declaration, method, template, pathNames };
}

type Simplify<T> = { [K in keyof T]: T[K] } & {};

/** Distributes over unions: the parameters of either endpoint. */
type PathInput<D extends Declaration> = D extends unknown
  ? {
      [K in PathNames<D['route']>]: D['path'] extends Record<K, infer S extends v.GenericSchema>
        ? v.InferInput<S>
        : string;
    }
  : never;
type QueryInput<E extends FieldSchemas> = { [K in keyof E]?: v.InferInput<E[K] & v.GenericSchema> | undefined };

/**
 * The input of a call, grouped so that a body field cannot collide with a path parameter of the same name. Groups
 * that the endpoint lacks are absent; `path` and `body` are required where they exist.
 */
export type InputOf<D extends Declaration> = Simplify<
  ([PathNames<D['route']>] extends [never] ? unknown : { path: PathInput<D> }) &
    (D extends { readonly query: infer Q extends FieldSchemas } ? { query?: QueryInput<Q> } : unknown) &
    (D extends { readonly body: infer B extends BodySchema } ? { body: v.InferInput<B> } : unknown)
>;

/** The type of one record in the response. */
export type RecordOf<D extends Declaration> =
  D['answer'] extends Answer<infer T, 'record' | 'list' | 'nothing'> ? T : never;

/** The type of the response without its list envelope. */
export type AnswerOf<D extends Declaration> = D['answer'] extends Answer<infer T, 'list'> ? T[] : RecordOf<D>;

/** The input of any endpoint, loosely typed. */
export interface AnyInput {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: Readonly<Record<string, unknown>>;
}
