/** Lists in pages: `Link` decides how they go on; where their number is known, pages are fetched side by side. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Records } from '../json/record-text.ts';
import type { Paging } from '../platform/endpoint.ts';
import { bad } from './answer.ts';
import type { Asked } from './errors.ts';
import type { HttpAnswer } from './http.ts';
import { type Links, parseLinks } from './link.ts';
import type { HttpRequest } from './request.ts';

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
  readonly asked: Asked;
  /** `sideBySide` is true for a page that is asked for together with others, or whose connection will be. */
  fetch(
    request: HttpRequest,
    options: { readonly signal: AbortSignal; readonly sideBySide: boolean },
  ): Promise<HttpAnswer>;
  /** Called in order, when the page is about to be handed on: pages that wait are small. Throws BadAnswerError. */
  read(answer: HttpAnswer): ReadPage<T>;
  /** Called when nobody looks at a page any more: after the next one has been asked for. */
  done?: ((answer: HttpAnswer) => void) | undefined;
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
  const underWay: Promise<HttpAnswer>[] = [];
  let held = 0;
  const fetch = async (url: string, sideBySide: boolean) => {
    const answer = await source.fetch({ ...source.first, url }, { signal, sideBySide });
    const { length } = answer.body;
    held += length;
    if (held > mostHeld && held > length)
      throw bad(source.asked, `more than ${mostHeld / 1024 / 1024} MiB of pages at the same time`);
    return answer;
  };
  const ask = (url: string, sideBySide: boolean) => {
    const answer = fetch(url, sideBySide);
    // Whoever awaits it hears of its failure; if nobody does, it was not needed.
    answer.catch(() => {});
    underWay.push(answer);
  };
  const trail = new PageWalk(source);
  let seen = 0;
  const askAhead = () => {
    const places = Math.min(concurrency, trail.places);
    while (underWay.length < places && seen + underWay.length * trail.pageSize < limit) {
      const url = trail.known();
      if (url === undefined) return;
      ask(url, true);
    }
  };
  try {
    // The first of all pages is hardly the last, and its connection is for those after it.
    ask(source.first.url, limit === Number.POSITIVE_INFINITY);
    for (let answer = await underWay.shift(); answer; answer = await underWay.shift()) {
      held -= answer.body.length;
      trail.measure(answer);
      const linked = trail.linkIn(answer);
      // Where all are wanted, the platform need not wait until this page is read.
      if (limit === Number.POSITIVE_INFINITY) {
        askAhead();
        await flushRequests(seen === 0);
      }
      const page = source.read(answer);
      const next = linked ?? nextByFlag(answer, page);
      trail.requireProgress(answer, page.items.length, next !== undefined);
      seen += page.items.length;
      if (next === undefined) {
        yield { ...page, more: false };
        return;
      }
      askAhead();
      if (underWay.length === 0 && seen < limit) ask(next, false);
      yield { ...page, more: true, lastPage: trail.lastPage };
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
  for (let turns = onNewConnections ? 3 : 1; turns > 0; turns--) await turn();
}

/** A platform that filters after it has cut pages may send some without a record. */
const mostEmptyPages = 100;

/** Ten million records in full pages. A list that goes on after them is taken for one that never ends. */
const mostPages = 100_000;

/** Pages under way may take this much together, in bytes, going by those before: large ones go fewer side by side. */
const mostSideBySide = 64 * 1024 * 1024;

/** In bytes: where large pages come after small ones, so that too many were asked for. */
const mostHeld = 128 * 1024 * 1024;

/** Circles that are longer end at the last page that is followed. */
const mostRemembered = 1000;

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
  #previous: HttpAnswer | undefined;
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
    return Math.max(1, Math.floor(mostSideBySide / this.#largest));
  }

  measure({ body }: HttpAnswer): void {
    this.#largest = Math.max(this.#largest, body.length);
  }

  /** A list that goes on must come to an end, or bring something new. Throws BadAnswerError. */
  requireProgress(answer: HttpAnswer, records: number, more: boolean): void {
    this.#emptyInARow = records === 0 ? this.#emptyInARow + 1 : 0;
    if (this.#emptyInARow > mostEmptyPages)
      throw bad(this.#source.asked, `more than ${mostEmptyPages} empty pages in a row`);
    if (records > 0 && this.#previous?.body.equals(answer.body)) throw bad(this.#source.asked, 'the same page twice');
    if (more && ++this.#pages >= mostPages)
      throw bad(this.#source.asked, `${mostPages} pages and still links to a next page`);
    if (!this.#previous) this.pageSize = Math.max(records, 1);
    if (this.#previous) this.#source.done?.(this.#previous);
    this.#previous = answer;
  }

  get lastPage(): number | undefined {
    return this.#numbers?.last;
  }

  /** The URL of the next page that nobody has asked for, while page numbers are known. */
  known(): string | undefined {
    const numbers = this.#numbers;
    return numbers && numbers.next <= numbers.last ? numbers.urlOf(numbers.next++) : undefined;
  }

  /** The URL that the answer's `Link` names next, if pages go by it. Throws BadAnswerError for one that goes astray. */
  linkIn(answer: HttpAnswer): string | undefined {
    if (this.#source.paging === 'has_next_page') return undefined;
    const links = parseLinks(answer.headers.link);
    this.#remember(answer.url);
    if (links.next === undefined) return undefined;
    const here = new URL(answer.url);
    const next = URL.parse(links.next, here.href);
    if (next?.origin !== here.origin) throw bad(this.#source.asked, 'a next-page link to another origin');
    if (this.#visited.has(next.href)) throw bad(this.#source.asked, 'a next-page link to a page already visited');
    if (goesBack(here, next)) throw bad(this.#source.asked, 'a next-page link to an earlier page');
    if (!this.#previous && this.#source.paging === 'page') this.#numbers = numberedPages(next, links);
    return next.href;
  }

  #remember(url: string): void {
    this.#visited.add(url);
    if (this.#visited.size > mostRemembered) this.#visited.delete(this.#visited.values().next().value as string);
  }
}

/** The URL of the next page where the answer itself says that there is one. */
function nextByFlag<T>({ url }: HttpAnswer, { hasNextPage }: ReadPage<T>): string | undefined {
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
function goesBack(from: URL, to: URL): boolean {
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
