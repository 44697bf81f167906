/** A list as returned by a list command, before any request. */
import type { Page } from '../../client/pages.ts';
import { LazyList } from '../../json/lazy-list.ts';
import { type Records, RecordText } from '../../json/record-text.ts';
import type { PagedEndpoint } from '../../platform/endpoint.ts';
import { type Given, invalid } from '../../platform/validate.ts';
import { ValidationError } from '../errors.ts';
import type { ListRange } from './footer.ts';

interface ListingOptions {
  /** Maximum number of records; absent for all. */
  readonly limit: number | undefined;
  /** Whether the list continues until it is interrupted. */
  readonly isEndless?: boolean;
  /**
   * A notice needed to understand the list, such as the time it covers; a function if it depends on the envelope of the
   * first page.
   */
  readonly note?: ListNote | undefined;
  /** The first page to fetch (default: 1). */
  readonly page?: number | undefined;
  /** Whether the list ends with that page. */
  readonly onePage?: boolean | undefined;
  /** Records per page as requested; absent if pages have no numbers. */
  readonly perPage?: number | undefined;
  /** Returns the message for an empty list. */
  readonly nothingFound?: ((what: string) => string) | undefined;
  /** Returns the progress line, for a list that is not merely fetched. */
  readonly progress?: (() => string) | undefined;
}

/** Returns the positions of the records to show among those of a page. Throws JqError. */
export type Selection = (records: Records<unknown>) => Promise<readonly number[]>;

export type ListNote = string | ((envelope: Given) => string | undefined);

/** The records of a list, page by page, up to a limit; afterwards reports whether more follow. */
export class Listing<T> {
  #pages: AsyncIterable<Page<T>>;
  readonly #limit: number | undefined;
  readonly #firstPage: number;
  readonly #onePage: boolean;
  readonly #perPage: number | undefined;
  #note: ListNote | undefined;
  #total: ListRange['total'];
  #selection: Selection | undefined;
  readonly nothingFound: ListingOptions['nothingFound'];
  readonly isEndless: boolean;
  /** Returns the progress line, for a list that is not merely fetched. */
  readonly progress: ListingOptions['progress'];
  /** Records returned so far. */
  shown = 0;
  /** Records seen so far: more than `shown` if only some are selected. */
  seen = 0;
  /** True once the limit was reached and the platform has more. */
  more = false;
  /** The page that could not be fetched, if the list was cut off. */
  brokenAt: number | undefined;

  constructor(pages: AsyncIterable<Page<T>>, options: ListingOptions) {
    this.#pages = pages;
    this.#limit = options.limit;
    this.#note = options.note;
    this.#firstPage = options.page ?? 1;
    this.#onePage = options.onePage ?? false;
    this.#perPage = options.perPage;
    this.nothingFound = options.nothingFound;
    this.isEndless = options.isEndless ?? false;
    this.progress = options.progress;
  }

  /** Returns a list of records that are already available. */
  static of<T>(records: T[] | LazyList<T>, options: Partial<ListingOptions> = {}): Listing<T> {
    return new Listing(records instanceof LazyList ? somePages(records) : onePage(records), {
      limit: undefined,
      ...options,
    });
  }

  /** Runs a function on the records of each page before they are returned. Returns this list. */
  preparedBy(prepare: (records: Records<T>) => Promise<void>): this {
    this.#pages = preparedPages(this.#pages, prepare);
    return this;
  }

  /**
   * Restricts the list to the selected records, among those of earlier selections; only these count towards the limit.
   * Returns this list.
   */
  selectedBy(selection: Selection): this {
    const earlier = this.#selection;
    this.#selection = earlier ? (records) => selectedOfBoth(records, earlier, selection) : selection;
    return this;
  }

  /** Complete once the first page has arrived. */
  get note(): string | undefined {
    return typeof this.#note === 'string' ? this.#note : undefined;
  }

  /** How much of the list was shown. */
  get extent(): ListRange {
    const { shown, seen, more } = this;
    const perPage = this.#perPage ?? 0;
    const before = (this.#firstPage - 1) * perPage;
    const endsPage = perPage > 0 && (before + seen) % perPage === 0;
    const pageAfter = endsPage ? (before + seen) / perPage + 1 : undefined;
    const nextPage = this.#onePage ? this.#firstPage + 1 : pageAfter;
    const searched = this.#selection && seen;
    return { from: before + 1, shown, searched, more, total: this.#total, nextPage };
  }

  async records(): Promise<T[]> {
    const records: T[] = [];
    for await (const page of this.pages()) for (const record of page) records.push(record);
    return records;
  }

  async *pages(): AsyncGenerator<Records<T>> {
    let asked = this.#firstPage;
    try {
      for await (const items of this.#cutPages()) {
        yield items;
        asked++;
      }
    } catch (error) {
      if (asked > this.#firstPage && !this.progress) this.brokenAt = asked;
      throw error;
    }
  }

  async *#cutPages(): AsyncGenerator<Records<T>> {
    for await (const page of this.#pages) {
      if (typeof this.#note === 'function') this.#note = this.#note(page.envelope ?? {});
      this.#total ??= totalOf(page, this.#perPage);
      const room = (this.#limit ?? Number.POSITIVE_INFINITY) - this.shown;
      const { items, seen } = await this.#shownOf(page.items, room);
      this.shown += items.length;
      this.seen += seen;
      const full = this.#onePage || (this.#limit !== undefined && this.shown >= this.#limit);
      if (full) this.more = page.more || seen < page.items.length;
      yield items;
      if (full) return;
    }
  }

  /** Returns the records of a page to show, at most `room`, and how many were seen up to the first omitted one. */
  async #shownOf(page: Records<T>, room: number): Promise<{ readonly items: Records<T>; readonly seen: number }> {
    if (!this.#selection)
      return page.length > room ? { items: [...page].slice(0, room), seen: room } : { items: page, seen: page.length };
    const places = await this.#selection(page);
    const shown = places.slice(0, room);
    return {
      items: page instanceof RecordText ? page.only(shown) : shown.map((place) => page[place] as T),
      seen: places[room] ?? page.length,
    };
  }
}

async function selectedOfBoth(page: Records<unknown>, first: Selection, second: Selection) {
  const records = [...page];
  const places = await first(records);
  const chosen = await second(places.map((place) => records[place]));
  return chosen.map((index) => places[index] as number);
}

/** A list whose records are printed as documents of their own, one after another. */
export class Documents extends Listing<unknown> {}

/** The number of all records from the envelope, or that of the pages before the last one, which may be partial. */
function totalOf({ envelope, lastPage }: Page<unknown>, perPage: number | undefined): ListRange['total'] {
  const total = envelope?.total_count;
  if (typeof total === 'number' && Number.isSafeInteger(total)) return { count: total, isExceeded: false };
  if (lastPage === undefined || perPage === undefined) return undefined;
  return perPage === 1 ? { count: lastPage, isExceeded: false } : { count: (lastPage - 1) * perPage, isExceeded: true };
}

async function* preparedPages<T>(
  pages: AsyncIterable<Page<T>>,
  prepare: (records: Records<T>) => Promise<void>,
): AsyncGenerator<Page<T>> {
  for await (const page of pages) {
    await prepare(page.items);
    yield page;
  }
}

async function* onePage<T>(items: T[]): AsyncGenerator<Page<T>> {
  yield { items, more: false };
}

/** Records on a page of a list that is not in memory: more would survive garbage collections. */
const perPage = 50;

async function* somePages<T>(records: LazyList<T>): AsyncGenerator<Page<T>> {
  let items: T[] = [];
  for (const record of records) {
    items.push(record);
    if (items.length < perPage) continue;
    yield { items, more: true };
    items = [];
  }
  yield { items, more: false };
}

/** The plan for a list, from the shared flags of list commands. */
export interface ListFlags {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly 'per-page'?: number | undefined;
  readonly page?: number | undefined;
  readonly where?: string | undefined;
}

interface ListPlan {
  readonly limit: number | undefined;
  /** Absent for the platform's default. */
  readonly perPage: number | undefined;
  readonly page: number | undefined;
  /** Records per page; absent if pages have no numbers. */
  readonly pageSize: number | undefined;
  /** Whether only one page is requested, however many records it has. */
  readonly onePage: boolean;
}

/** The platform serves at most this many records on one page. Specification, Limits. */
export const maxPerPage = 100;
/** The platform's default page size. Specification, Limits. */
const platformPerPage = 30;
const defaultLimit = 30;

/**
 * Chooses limit and page size: `--all` requests the largest pages, a limit no more than it needs, and `--page` one page
 * unless a limit is given; `isSelective` if only some records are shown. Throws ValidationError for flags that conflict with each other or with the list.
 */
export function planList(
  flags: ListFlags,
  { paging, perPage: usual = platformPerPage }: PagedEndpoint,
  isSelective: boolean,
): ListPlan {
  const numbered = paging === 'page' || paging === 'has_next_page';
  if (flags.page !== undefined && !numbered)
    throw new ValidationError([invalid('--page', 'not supported: this list has no page numbers')]);
  if (flags.all && flags.limit !== undefined)
    throw new ValidationError([invalid('--all and --limit', 'cannot be used together')]);
  const { page, 'per-page': given } = flags;
  const plan = (limit: number | undefined, perPage: number | undefined): ListPlan => ({
    limit,
    page,
    perPage,
    pageSize: numbered ? (perPage ?? usual) : undefined,
    onePage: page !== undefined && limit === undefined && !flags.all,
  });
  const ask = (perPage: number) => (perPage === usual ? undefined : perPage);
  if (flags.all) return plan(undefined, ask(given ?? maxPerPage));
  if (page !== undefined && flags.limit === undefined) return plan(undefined, given);
  const limit = flags.limit ?? defaultLimit;
  // The number of records needed until enough match is unknown.
  return plan(limit, given ?? ask(isSelective ? maxPerPage : Math.min(limit, maxPerPage)));
}
