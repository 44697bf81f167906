/** Paged lists: follows `Link`, and fetches pages concurrently where their number is known. */
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
  /** Whether more pages follow. */
  readonly more: boolean;
  /** The other fields of the list's envelope. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  /** Number of the last page, if the first response contains it. */
  readonly lastPage?: number | undefined;
}

export interface PagesOptions {
  /** Number of records needed. Limits the pages that are fetched; the caller truncates the records. */
  readonly limit?: number | undefined;
  /**
   * Requests no page before the caller asks for it, as any may turn out to be the last one needed; then as many as have
   * been read so far, up to `concurrency`.
   */
  readonly onDemand?: boolean | undefined;
  /** Pages fetched at once. */
  readonly concurrency: number;
  readonly signal?: AbortSignal | undefined;
}

/** A parsed page. */
export interface ReadPage<T> {
  readonly items: Records<T>;
  /** Whether more pages follow, for endpoints that report it in the body. */
  readonly hasNextPage?: boolean | undefined;
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
}

export interface PageSource<T> {
  readonly first: HttpRequest;
  readonly paging: Paging;
  readonly asked: RequestSummary;
  /** `sideBySide` is true for a page fetched concurrently with others, or whose connection will be shared. */
  fetch(
    request: HttpRequest,
    options: { readonly signal: AbortSignal | undefined; readonly sideBySide: boolean },
  ): Promise<HttpResponse>;
  /**
   * Parses a page just before it is returned, in order: unparsed pages use less memory. Throws InvalidResponseError.
   */
  read(response: HttpResponse): ReadPage<T>;
  /** Called when a page is no longer used: once the next one, or the end, has been requested. */
  done?: ((response: HttpResponse) => void) | undefined;
}

/**
 * Yields the pages of a list in order. Before a page is yielded, the following pages are requested: one, or up to
 * `concurrency` where the first response contains the number of the last page. No more pages are fetched until the
 * caller asks for the next one, so memory stays bounded; `onDemand`, not even those. Ending the iteration aborts pending
 * requests.
 */
export async function* pagesOf<T>(
  source: PageSource<T>,
  options: PagesOptions,
): AsyncGenerator<Page<T>, void, undefined> {
  const { limit = Number.POSITIVE_INFINITY, onDemand = false } = options;
  const needsAll = limit === Number.POSITIVE_INFINITY && !onDemand;
  const walk = new PageWalk(source);
  const requests = new PageRequests(source, walk, options);
  try {
    // More pages usually follow the first one, and will share its connection.
    requests.first(needsAll);
    for (let response = await requests.response(); response; response = await requests.response()) {
      walk.measure(response);
      const linked = walk.linkIn(response);
      // If all pages are needed, request more before this one is parsed.
      if (needsAll && requests.known()) await flushRequests(walk.records === 0);
      const page = source.read(response);
      const next = linked ?? nextByFlag(response, page);
      walk.requireProgress(response, page.items.length, next !== undefined);
      if (next === undefined) {
        yield { ...page, more: false };
        // Callers may keep the last page of raw text.
        if (Array.isArray(page.items)) source.done?.(response);
        return;
      }
      if (!onDemand) requests.following(next);
      yield { ...page, more: true, lastPage: walk.lastPage };
      if (onDemand && !requests.arePending) requests.following(next);
    }
  } finally {
    requests.abort();
  }
}

/** The requests for pages that are not read yet, in order. */
class PageRequests<T> {
  readonly #source: PageSource<T>;
  readonly #walk: PageWalk<T>;
  readonly #options: PagesOptions;
  readonly #pending: Promise<HttpResponse>[] = [];
  /** Aborts the requests for all pages but the first, which is awaited in any case. Most lists have no others. */
  #stop: AbortController | undefined;
  #signal: AbortSignal | undefined;
  /** In bytes: the responses that have arrived. */
  #held = 0;

  constructor(source: PageSource<T>, walk: PageWalk<T>, options: PagesOptions) {
    this.#source = source;
    this.#walk = walk;
    this.#options = options;
  }

  get arePending(): boolean {
    return this.#pending.length > 0;
  }

  /** Returns the response of the oldest request; undefined if there is none. */
  async response(): Promise<HttpResponse | undefined> {
    const response = await this.#pending.shift();
    this.#held -= response?.body.length ?? 0;
    return response;
  }

  first(sideBySide: boolean): void {
    this.#pending.push(this.#fetch(this.#source.first.url, sideBySide, this.#options.signal));
  }

  /** Requests pages whose numbers are known, as many as are needed and allowed. Returns whether any request is pending. */
  known(): boolean {
    const { concurrency, onDemand, limit = Number.POSITIVE_INFINITY } = this.#options;
    const { places, pages, pageSize, records } = this.#walk;
    const allowed = Math.min(concurrency, places, onDemand ? pages : concurrency);
    while (this.#pending.length < allowed && records + this.#pending.length * pageSize < limit) {
      const url = this.#walk.known();
      if (url === undefined) break;
      this.#prefetch(url, true);
    }
    return this.arePending;
  }

  /** Requests what follows a page: pages whose numbers are known, otherwise the next one. */
  following(next: string): void {
    const { limit = Number.POSITIVE_INFINITY } = this.#options;
    if (!this.known() && this.#walk.records < limit) this.#prefetch(next, false);
  }

  /** Creating an AbortError takes longer than all else, so nothing is aborted needlessly. */
  abort(): void {
    if (this.arePending) this.#stop?.abort();
  }

  #prefetch(url: string, sideBySide: boolean): void {
    const { signal } = this.#options;
    this.#stop ??= new AbortController();
    this.#signal ??= signal ? AbortSignal.any([this.#stop.signal, signal]) : this.#stop.signal;
    const response = this.#fetch(url, sideBySide, this.#signal);
    // Errors surface where the page is awaited; errors of unneeded pages are ignored.
    response.catch(() => {});
    this.#pending.push(response);
  }

  async #fetch(url: string, sideBySide: boolean, signal: AbortSignal | undefined): Promise<HttpResponse> {
    const response = await this.#source.fetch({ ...this.#source.first, url }, { signal, sideBySide });
    const { length } = response.body;
    this.#held += length;
    if (this.#held > maxConcurrentBytes && this.#held > length)
      throw invalidResponse(
        this.#source.asked,
        `more than ${maxConcurrentBytes / 1024 / 1024} MiB of pages at the same time`,
      );
    return response;
  }
}

/**
 * Waits until pending requests have been written to their sockets. Processing a page takes longer than fetching one; a
 * request on an idle connection is written one turn of the event loop later, on a new connection three turns.
 */
async function flushRequests(onNewConnections: boolean): Promise<void> {
  for (let turns = onNewConnections ? 3 : 1; turns > 0; turns--) await nextTurn();
}

/** A platform that filters after paging may send some empty pages. */
const maxEmptyPages = 100;

/** Ten million records in full pages; longer lists are considered endless. */
const maxPages = 100_000;

/** In bytes: target size of all concurrent pages, estimated from earlier ones. Large pages reduce concurrency. */
const targetConcurrentBytes = 64 * 1024 * 1024;

/** In bytes: hard limit for concurrent pages, reached if large pages follow small ones. */
const maxConcurrentBytes = 128 * 1024 * 1024;

/** Longer loops end at `maxPages`. */
const maxRememberedUrls = 1000;

interface NumberedPages {
  readonly urlOf: (page: number) => string;
  /** The first page not yet requested. */
  next: number;
  readonly last: number;
}

/** Tracks the progress through a list. */
class PageWalk<T> {
  readonly #source: PageSource<T>;
  readonly #visited = new Set<string>();
  #numbers: NumberedPages | undefined;
  #previous: HttpResponse | undefined;
  #emptyInARow = 0;
  /** Pages and records read so far. */
  pages = 0;
  records = 0;
  #largest = 1;
  /** Records per page, according to the first page. */
  pageSize = 1;

  constructor(source: PageSource<T>) {
    this.#source = source;
  }

  /** Maximum number of pending pages, according to the largest page so far. */
  get places(): number {
    return Math.max(1, Math.floor(targetConcurrentBytes / this.#largest));
  }

  measure({ body }: HttpResponse): void {
    this.#largest = Math.max(this.#largest, body.length);
  }

  /** Throws InvalidResponseError if a list repeats itself or does not end. */
  requireProgress(response: HttpResponse, records: number, more: boolean): void {
    this.#emptyInARow = records === 0 ? this.#emptyInARow + 1 : 0;
    if (this.#emptyInARow > maxEmptyPages)
      throw invalidResponse(this.#source.asked, `more than ${maxEmptyPages} empty pages in a row`);
    if (records > 0 && this.#previous?.body.equals(response.body))
      throw invalidResponse(this.#source.asked, 'the same page twice');
    this.pages++;
    if (more && this.pages >= maxPages)
      throw invalidResponse(this.#source.asked, `${maxPages} pages and still links to a next page`);
    this.records += records;
    if (!this.#previous) this.pageSize = Math.max(records, 1);
    if (this.#previous) this.#source.done?.(this.#previous);
    this.#previous = response;
  }

  get lastPage(): number | undefined {
    return this.#numbers?.last;
  }

  /** Returns the URL of the next page not yet requested, while page numbers are known. */
  known(): string | undefined {
    const numbers = this.#numbers;
    return numbers && numbers.next <= numbers.last ? numbers.urlOf(numbers.next++) : undefined;
  }

  /**
   * Returns the URL of the next page in `Link`, if the list uses it. Throws InvalidResponseError for an invalid one.
   */
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

/** Returns the URL of the next page if the body reports one. */
function nextByFlag<T>({ url }: HttpResponse, { hasNextPage }: ReadPage<T>): string | undefined {
  if (!hasNextPage) return undefined;
  const here = new URL(url);
  return withPage(here, Number(here.searchParams.get('page') ?? 1) + 1);
}

/**
 * Returns the numbers from the next page to the last, if `Link` contains both and their URLs differ in nothing else.
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

/** Whether the next page has a lower number than the current one. */
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

/** Continues an iteration after its first step. */
export async function* resume<T>(first: IteratorResult<T, unknown>, rest: AsyncIterator<T>): AsyncGenerator<T> {
  try {
    for (let step = first; !step.done; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}
