/** Lists in pages: `Link` decides how they go on; where their number is known, pages are fetched side by side. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Records } from '../json/record-text.ts';
import type { Paging } from '../platform/endpoint.ts';
import type { RequestSummary } from './errors.ts';
import type { HttpResponse } from './http.ts';
import { type Links, parseLinks } from './link.ts';
import type { HttpRequest } from './request.ts';
import { invalidResponse } from './response.ts';

export interface Page<T> {
  readonly items: Records<T>;
  /** Whether the platform has more after this page. */
  readonly more: boolean;
  /** What the list's envelope holds beside the list. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  /** The number of the last page, where the first answer names it. */
  readonly lastPage?: number | undefined;
}

export interface PagesOptions {
  /** How many records are wanted. It only keeps pages from being fetched; the caller cuts. */
  readonly limit?: number | undefined;
  /** Pages asked for at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

/** One page as it was read. */
export interface ReadPage<T> {
  readonly items: Records<T>;
  /** The answer's own word on whether there is more, where paging goes by it. */
  readonly hasNextPage?: boolean | undefined;
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
}

export interface PageSource<T> {
  readonly first: HttpRequest;
  readonly paging: Paging;
  readonly asked: RequestSummary;
  /** `sideBySide` is true for a page that is asked for together with others, or whose connection will be. */
  fetch(
    request: HttpRequest,
    options: { readonly signal: AbortSignal; readonly sideBySide: boolean },
  ): Promise<HttpResponse>;
  /** Called in order, when the page is about to be handed on: pages that wait are small. Throws InvalidResponseError. */
  read(response: HttpResponse): ReadPage<T>;
  /** Called when nobody looks at a page any more: after the next one has been asked for. */
  done?: ((response: HttpResponse) => void) | undefined;
}

/**
 * The pages of a list, in order. Before a page is handed on, the pages after it are asked for: one, or as many as
 * `concurrency` allows where the first answer names the last page by number. No more are fetched until the caller comes
 * for the next page, so that memory stays bounded. Ending the iteration aborts what is under way.
 */
export async function* pagesOf<T>(
  source: PageSource<T>,
  options: PagesOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const { limit = Number.POSITIVE_INFINITY, concurrency } = options;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([stop.signal, options.signal]) : stop.signal;
  const pending: Promise<HttpResponse>[] = [];
  let held = 0;
  const fetch = async (url: string, sideBySide: boolean) => {
    const response = await source.fetch({ ...source.first, url }, { signal, sideBySide });
    const { length } = response.body;
    held += length;
    if (held > maxConcurrentBytes && held > length)
      throw invalidResponse(
        source.asked,
        `more than ${maxConcurrentBytes / 1024 / 1024} MiB of pages at the same time`,
      );
    return response;
  };
  const prefetch = (url: string, sideBySide: boolean) => {
    const response = fetch(url, sideBySide);
    // Whoever awaits it hears of its failure; if nobody does, it was not needed.
    response.catch(() => {});
    pending.push(response);
  };
  const walk = new PageWalk(source);
  let seen = 0;
  const prefetchKnown = () => {
    const places = Math.min(concurrency, walk.places);
    while (pending.length < places && seen + pending.length * walk.pageSize < limit) {
      const url = walk.known();
      if (url === undefined) return;
      prefetch(url, true);
    }
  };
  try {
    // The first of all pages is hardly the last, and its connection is for those after it.
    prefetch(source.first.url, limit === Number.POSITIVE_INFINITY);
    for (let response = await pending.shift(); response; response = await pending.shift()) {
      held -= response.body.length;
      walk.measure(response);
      const linked = walk.linkIn(response);
      // Where all are wanted, the platform need not wait until this page is read.
      if (limit === Number.POSITIVE_INFINITY) {
        prefetchKnown();
        await flushRequests(seen === 0);
      }
      const page = source.read(response);
      const next = linked ?? nextByFlag(response, page);
      walk.requireProgress(response, page.items.length, next !== undefined);
      seen += page.items.length;
      if (next === undefined) {
        yield { ...page, more: false };
        return;
      }
      prefetchKnown();
      if (pending.length === 0 && seen < limit) prefetch(next, false);
      yield { ...page, more: true, lastPage: walk.lastPage };
    }
  } finally {
    stop.abort();
  }
}

/**
 * Waits until requests have gone out. What answers bring keeps the process busy for longer than a page takes on its way; on a
 * connection that is free again the next request goes out a turn of the event loop later, and on a new one after three.
 */
async function flushRequests(onNewConnections: boolean): Promise<void> {
  for (let turns = onNewConnections ? 3 : 1; turns > 0; turns--) await nextTurn();
}

/** A platform that filters after it has cut pages may send some without a record. */
const maxEmptyPages = 100;

/** Ten million records in full pages. A list that goes on after them is taken for one that never ends. */
const maxPages = 100_000;

/** Pages under way may take this much together, in bytes, going by those before: large ones go fewer side by side. */
const targetConcurrentBytes = 64 * 1024 * 1024;

/** In bytes: where large pages come after small ones, so that too many were asked for. */
const maxConcurrentBytes = 128 * 1024 * 1024;

/** Circles that are longer end at the last page that is followed. */
const maxRememberedUrls = 1000;

/** Pages whose numbers are known. */
interface NumberedPages {
  readonly urlOf: (page: number) => string;
  /** The first that nobody has asked for. */
  next: number;
  readonly last: number;
}

/** Where a list has been, and where it goes on. */
class PageWalk<T> {
  readonly #source: PageSource<T>;
  readonly #visited = new Set<string>();
  #numbers: NumberedPages | undefined;
  #previous: HttpResponse | undefined;
  #emptyInARow = 0;
  #pages = 0;
  #largest = 1;
  /** Records on a page, as the first one had them. */
  pageSize = 1;

  constructor(source: PageSource<T>) {
    this.#source = source;
  }

  /** How many pages may be under way, going by the largest so far. */
  get places(): number {
    return Math.max(1, Math.floor(targetConcurrentBytes / this.#largest));
  }

  measure({ body }: HttpResponse): void {
    this.#largest = Math.max(this.#largest, body.length);
  }

  /** A list that goes on must come to an end, or bring something new. Throws InvalidResponseError. */
  requireProgress(response: HttpResponse, records: number, more: boolean): void {
    this.#emptyInARow = records === 0 ? this.#emptyInARow + 1 : 0;
    if (this.#emptyInARow > maxEmptyPages)
      throw invalidResponse(this.#source.asked, `more than ${maxEmptyPages} empty pages in a row`);
    if (records > 0 && this.#previous?.body.equals(response.body))
      throw invalidResponse(this.#source.asked, 'the same page twice');
    if (more && ++this.#pages >= maxPages)
      throw invalidResponse(this.#source.asked, `${maxPages} pages and still links to a next page`);
    if (!this.#previous) this.pageSize = Math.max(records, 1);
    if (this.#previous) this.#source.done?.(this.#previous);
    this.#previous = response;
  }

  get lastPage(): number | undefined {
    return this.#numbers?.last;
  }

  /** The URL of the next page that nobody has asked for, while page numbers are known. */
  known(): string | undefined {
    const numbers = this.#numbers;
    return numbers && numbers.next <= numbers.last ? numbers.urlOf(numbers.next++) : undefined;
  }

  /** The URL that the answer's `Link` names next, if pages go by it. Throws InvalidResponseError for one that goes astray. */
  linkIn(response: HttpResponse): string | undefined {
    if (this.#source.paging === 'has_next_page') return undefined;
    const links = parseLinks(response.headers.link);
    this.#remember(response.url);
    if (links.next === undefined) return undefined;
    const here = new URL(response.url);
    const next = URL.parse(links.next, here.href);
    if (next?.origin !== here.origin) throw invalidResponse(this.#source.asked, 'a next-page link to another origin');
    if (this.#visited.has(next.href))
      throw invalidResponse(this.#source.asked, 'a next-page link to a page already visited');
    if (isEarlierPage(here, next)) throw invalidResponse(this.#source.asked, 'a next-page link to an earlier page');
    if (!this.#previous && this.#source.paging === 'page') this.#numbers = numberedPages(next, links);
    return next.href;
  }

  #remember(url: string): void {
    this.#visited.add(url);
    if (this.#visited.size > maxRememberedUrls) this.#visited.delete(this.#visited.values().next().value as string);
  }
}

/** The URL of the next page where the answer itself says that there is one. */
function nextByFlag<T>({ url }: HttpResponse, { hasNextPage }: ReadPage<T>): string | undefined {
  if (!hasNextPage) return undefined;
  const here = new URL(url);
  return withPage(here, Number(here.searchParams.get('page') ?? 1) + 1);
}

/**
 * The page numbers from the next page to the last, where `Link` names both by number and they differ in nothing else.
 * Published rules for clients: page numbers may be computed only then.
 */
function numberedPages(next: URL, links: Links): NumberedPages | undefined {
  const last = URL.parse(links.last ?? '', next.href);
  if (!last) return undefined;
  const [from, to] = [pageNumber(next), pageNumber(last)];
  const url = withPage(next, 0);
  if (from === undefined || to === undefined || url !== withPage(last, 0)) return undefined;
  const [before = '', after = ''] = url.split(/(?<=[?&]page=)0(?![^&#])/);
  return { urlOf: (page) => `${before}${page}${after}`, next: from, last: to };
}

/** Whether the pages are numbered, and the next one has a lower number. */
function isEarlierPage(from: URL, to: URL): boolean {
  const [page, next] = [pageNumber(from), pageNumber(to)];
  return page !== undefined && next !== undefined && next < page && withPage(from, next) === withPage(to, next);
}

function pageNumber(url: URL): number | undefined {
  const page = url.searchParams.get('page') ?? '';
  return /^\d{1,9}$/.test(page) ? Number(page) : undefined;
}

function withPage(url: URL, page: number): string {
  const numbered = new URL(url);
  numbered.searchParams.set('page', String(page));
  return numbered.href;
}
