/** `--web`: the pages of records in the browser, instead of the records on stdout. */
import { pageOf } from '../../output/links.ts';
import { UsageError } from '../errors.ts';
import type { Runtime } from '../runtime.ts';
import { Listing } from './listing.ts';

/** The maximum number of browser tabs. */
const mostPages = 5;

interface WebView {
  readonly runtime: Pick<Runtime, 'openPage'>;
  readonly recordsName: string;
  readonly notice: (text: string) => void;
  /** Prints on stdout. */
  readonly print: (text: string) => Promise<void>;
}

/**
 * Opens the web pages of records. If no browser is available, prints their addresses. Throws UsageError if there is no
 * page, or too many.
 */
export async function showPages(result: unknown, { runtime, recordsName, notice, print }: WebView): Promise<void> {
  const records = result instanceof Listing ? await recordsOf(result, recordsName) : [result];
  if (result instanceof Listing && records.length === 0)
    return notice(result.nothingFound?.(recordsName) ?? `Found no ${recordsName}.`);
  const pages = records.map(pageOf).filter((url) => url !== undefined);
  if (pages.length === 0) throw new UsageError('This record has no web page.', 'Use -o json to see every field.');
  for (const url of pages) {
    notice(`Opening ${url} in the browser.`);
    if (await runtime.openPage(url)) continue;
    notice('Cannot open a browser. Page address:');
    await print(`${url}\n`);
  }
}

async function recordsOf(listing: Listing<unknown>, recordsName: string): Promise<unknown[]> {
  const records: unknown[] = [];
  for await (const page of listing.pages()) {
    for (const record of page) records.push(record);
    if (records.length > mostPages)
      throw new UsageError(
        `--web opens at most ${mostPages} pages, but the list has more ${recordsName}. Nothing was opened.`,
        `Narrow the list, or use --limit ${mostPages}.`,
      );
  }
  return records;
}
