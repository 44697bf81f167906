/** Converts the results of handlers to responses. */
import { createHash } from 'node:crypto';
import type { Context } from 'hono';
import type { Declaration, Endpoint } from '../platform/endpoint.ts';
import { type Continued, type Listing, link, listing, numberedLinks, type PageRequest } from './paging.ts';

/** A response other than the declared one. */
export class Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body?: unknown, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** Results of list handlers. */
export type ListOutcome<T> = readonly T[] | Listing<T> | Continued<T>;

/** Returns the response for a result: its page, its envelope, and the links to other pages. */
export function replyOf(declaration: Endpoint, outcome: unknown, url: URL, page: PageRequest): Reply {
  if (outcome instanceof Reply) return outcome;
  const { kind } = declaration.answer;
  if (kind === 'nothing') return new Reply(declaration.status);
  if (kind === 'record') return new Reply(declaration.status, outcome);
  const { elements, links, envelope } = pageOf(declaration, outcome as ListOutcome<unknown>, url, page);
  const body = declaration.items ? { ...envelope, [declaration.items]: elements } : elements;
  return new Reply(declaration.status, body, links ? { link: links } : {});
}

interface Page {
  readonly elements: readonly unknown[];
  readonly links?: string | undefined;
  readonly envelope?: Readonly<Record<string, unknown>>;
}

function pageOf({ paging }: Declaration, outcome: ListOutcome<unknown>, url: URL, request: PageRequest): Page {
  if ('elements' in outcome) {
    const { elements, next } = outcome;
    return { elements, links: next && link(url, next, 'next') };
  }
  if (!paging) return { elements: outcome as readonly unknown[] };
  const all = 'total' in outcome ? outcome : listing(outcome);
  const start = (request.page - 1) * request.perPage;
  const elements = all.slice(start, start + request.perPage);
  const envelope = { total_count: all.total, ...all.envelope };
  return paging === 'has_next_page'
    ? { elements, envelope: { ...envelope, has_next_page: start + request.perPage < all.total } }
    : { elements, envelope, links: numberedLinks(url, request, all.total) };
}

export const jsonType = 'application/json; charset=utf-8';

/** Sends a reply: JSON with an `ETag`, or 304 if it is unchanged. */
export function send(c: Context, reply: Reply): Response {
  for (const [name, value] of Object.entries(reply.headers)) c.header(name, value);
  if (reply.body === undefined) return c.body(null, reply.status as 204);
  const text = JSON.stringify(reply.body);
  if ((c.req.method === 'GET' || c.req.method === 'HEAD') && reply.status === 200) {
    const etag = `W/"${createHash('sha256').update(text).digest('hex')}"`;
    c.header('etag', etag);
    c.header('cache-control', 'private, max-age=60, s-maxage=60');
    if (matches(c.req.header('if-none-match'), etag)) return c.body(null, 304);
  }
  c.header('content-type', jsonType);
  return c.body(text, reply.status as 200);
}

/** Weak comparison, as RFC 9110 requires for `If-None-Match`. */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return ifNoneMatch?.split(',').some((tag) => tag.trim() === '*' || opaque(tag) === opaque(etag)) ?? false;
}
