/** What `api --paginate` prints: pages as `gh` prints them. */

import { Documents, Listing } from '../../cli/result/listing.ts';
import type { ApiResponse } from '../../client/client.ts';
import { type Page, resume } from '../../client/pages.ts';

interface Shape {
  /** Whether every page is one element of a list. */
  readonly slurp: boolean;
  /** Whether lists stay separate pages, so that jq sees one at a time. */
  readonly separate: boolean;
  /** Called with each page before it is printed. */
  readonly received: (page: ApiResponse<unknown>) => Promise<void>;
}

/** Returns lists joined into one, the record of a single page, or other pages as documents of their own. */
export async function shownPages(
  pages: AsyncIterable<Page<ApiResponse<unknown>>>,
  { slurp, separate, received }: Shape,
): Promise<unknown> {
  const data = dataOf(pages, received);
  if (slurp) return new Listing(data, { limit: undefined });
  const first = await data.next();
  if (first.done) return undefined;
  const [only] = first.value.items;
  if (!first.value.more) return only;
  const all = resume(first, data);
  return Array.isArray(only) && !separate
    ? new Listing(joined(all), { limit: undefined })
    : new Documents(all, { limit: undefined });
}

async function* dataOf(
  pages: AsyncIterable<Page<ApiResponse<unknown>>>,
  received: Shape['received'],
): AsyncGenerator<Page<unknown>> {
  for await (const { items, more } of pages)
    for (const page of items) {
      await received(page);
      yield { items: [page.data], more };
    }
}

async function* joined(pages: AsyncIterable<Page<unknown>>): AsyncGenerator<Page<unknown>> {
  for await (const { items, more } of pages) yield { items: [...items].flat(), more };
}
