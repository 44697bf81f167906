/** A list on its way: what a list command returns, before any of it was asked for. */
import type { Page } from '../client/pages.ts';
import type { Given } from '../platform/validate.ts';

export interface ListingOptions {
  /** Records at most; none means all. */
  readonly limit: number | undefined;
  /**
   * What must be said with the list so that it is not misunderstood, such as which time it covers; a function where the
   * envelope of the first page says it.
   */
  readonly remark?: Remark | undefined;
}

export type Remark = string | ((envelope: Given) => string | undefined);

/** The records of a list, page by page, cut at a limit; it knows afterwards whether there was more. */
export class Listing<T> {
  readonly #pages: AsyncIterable<Page<T>>;
  readonly #limit: number | undefined;
  #remark: Remark | undefined;
  /** Records handed on so far. */
  shown = 0;
  /** True once the limit was reached and the platform has more. */
  more = false;

  constructor(pages: AsyncIterable<Page<T>>, { limit, remark }: ListingOptions) {
    this.#pages = pages;
    this.#limit = limit;
    this.#remark = remark;
  }

  /** A list that is there already. */
  static of<T>(records: T[]): Listing<T> {
    return new Listing(onePage(records), { limit: undefined });
  }

  /** Complete once the first page has come. */
  get remark(): string | undefined {
    return typeof this.#remark === 'string' ? this.#remark : undefined;
  }

  async *pages(): AsyncGenerator<readonly T[]> {
    for await (const page of this.#pages) {
      if (typeof this.#remark === 'function') this.#remark = this.#remark(page.envelope ?? {});
      const room = (this.#limit ?? Number.POSITIVE_INFINITY) - this.shown;
      const items = page.items.length > room ? page.items.slice(0, room) : page.items;
      this.shown += items.length;
      const full = this.#limit !== undefined && this.shown >= this.#limit;
      if (full) this.more = page.more || items.length < page.items.length;
      yield items;
      if (full) return;
    }
  }
}

async function* onePage<T>(items: T[]): AsyncGenerator<Page<T>> {
  yield { items, more: false };
}

/** How a list is asked for, from the flags that list commands share. */
export interface ListFlags {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
  readonly 'per-page'?: number | undefined;
  readonly page?: number | undefined;
}

export interface ListPlan {
  readonly limit: number | undefined;
  /** Absent where the platform's own default is what is wanted. */
  readonly perPage: number | undefined;
  readonly page: number | undefined;
}

/** The platform serves at most this many records on one page. Specification, Limits. */
const maxPerPage = 100;
const defaultLimit = 30;

/**
 * Chooses limit and page size: `--all` asks for the largest pages, a limit for no more than it needs, and `--page` shows
 * one page unless a limit says otherwise.
 */
export function planList(flags: ListFlags, platformPerPage: number): ListPlan {
  const ask = (perPage: number) => (perPage === platformPerPage ? undefined : perPage);
  if (flags.all) return { limit: undefined, perPage: ask(flags['per-page'] ?? maxPerPage), page: flags.page };
  if (flags.page !== undefined && flags.limit === undefined)
    return { limit: flags['per-page'] ?? platformPerPage, perPage: flags['per-page'], page: flags.page };
  const limit = flags.limit ?? defaultLimit;
  return { limit, perPage: flags['per-page'] ?? ask(Math.min(limit, maxPerPage)), page: flags.page };
}
