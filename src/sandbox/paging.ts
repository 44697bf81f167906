/** Divides lists into pages, and builds their `Link` headers. */
import { invalid } from '../platform/validate.ts';
import { validationFailed } from './refusals.ts';

/** A list that can be paged without being in memory as a whole. */
export interface Listing<T> {
  readonly total: number;
  slice(start: number, end: number): T[];
  /** Other fields of the list's envelope, besides its length. */
  readonly envelope?: Readonly<Record<string, unknown>>;
}

/** Maps the elements of a listing, page by page. */
export function mapped<A, B>(list: Listing<A>, view: (element: A) => B): Listing<B> {
  return { total: list.total, slice: (start, end) => list.slice(start, end).map(view) };
}

/** Concatenates listings. */
export function joined<T>(first: Listing<T>, second: Listing<T>): Listing<T> {
  return {
    total: first.total + second.total,
    slice: (start, end) => [
      ...first.slice(start, Math.min(end, first.total)),
      ...second.slice(Math.max(0, start - first.total), Math.max(0, end - first.total)),
    ],
  };
}

export function listing<T>(elements: readonly T[]): Listing<T> {
  return { total: elements.length, slice: (start, end) => elements.slice(start, end) };
}

/** A page of an endpoint that pages by `since` or cursor: its elements, and the parameters of the next page. */
export interface Continued<T> {
  readonly elements: readonly T[];
  readonly next?: Readonly<Record<string, string | number>>;
}

/**
 * Returns the page of a list after or before a cursor; the link to the next page contains the cursor. Throws 422 for a
 * cursor of another list.
 */
export function cursorPage<A extends { readonly id: number | string }, B>(
  list: readonly A[],
  { after, before }: { readonly after?: string | undefined; readonly before?: string | undefined },
  { perPage, resource, view }: { perPage: number; resource: string; view: (element: A) => B },
): Continued<B> {
  const cursor = ({ id }: A) => Buffer.from(`${resource}:${id}`).toString('base64url');
  const place = (name: string, wanted: string) => {
    const found = list.findIndex((element) => cursor(element) === wanted);
    if (found < 0) throw validationFailed(resource, [invalid(name, 'is not a cursor of this list')]);
    return found;
  };
  const limit = before === undefined ? undefined : place('before', before);
  const start = after === undefined ? Math.max(0, (limit ?? 0) - perPage) : place('after', after) + 1;
  const end = Math.min(start + perPage, limit ?? list.length);
  const shown = list.slice(start, end);
  const last = shown.at(-1);
  return { elements: shown.map(view), ...(last && end < list.length && { next: { after: cursor(last) } }) };
}

export interface PageRequest {
  readonly page: number;
  readonly perPage: number;
}

/**
 * `per_page` above 100 counts as 100; an invalid value counts as absent. Specification, Limits, and the public
 * platform's handling of values outside of them.
 */
export function pageRequest(parameters: URLSearchParams, defaultPerPage: number): PageRequest {
  const positive = (name: string) => {
    const text = parameters.get(name) ?? '';
    return /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
  };
  return { page: positive('page') ?? 1, perPage: Math.min(positive('per_page') ?? defaultPerPage, 100) };
}

/** Returns the `Link` header of a numbered page; undefined if there is only one. */
export function numberedLinks(url: URL, { page, perPage }: PageRequest, total: number): string | undefined {
  const last = Math.max(1, Math.ceil(total / perPage));
  const links: string[] = [];
  const add = (rel: string, to: number) => links.push(link(url, { page: to }, rel));
  if (page < last) add('next', page + 1);
  if (page > 1) add('prev', Math.min(page - 1, last));
  if (page > 1) add('first', 1);
  if (page < last) add('last', last);
  return links.length ? links.join(', ') : undefined;
}

/** Returns one element of a `Link` header: the request's URL with some parameters replaced. */
export function link(url: URL, parameters: Readonly<Record<string, string | number>>, rel: string): string {
  const target = new URL(url);
  for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, String(value));
  return `<${target}>; rel="${rel}"`;
}
