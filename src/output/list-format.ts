import type { RecordText } from '../json/record-text.ts';
import { TooLargeError } from './too-large.ts';

/** A format that receives a list page by page. */
export interface ListFormat {
  /** Returns the text to write after `records`; empty while the format needs more of them. */
  page(records: readonly unknown[]): string | Promise<string>;
  /** True if the text after a page is that after each of its records. */
  readonly isByRecord?: boolean;
  /** Formats unparsed records; undefined if they must be parsed. */
  text?(records: RecordText): Uint8Array | undefined;
  /** Returns the rest, after the last page. */
  end(): string | Promise<string>;
  /** Returns the text for an interrupted list, if the format can show the records received so far. */
  brokenOff?(): string | Promise<string>;
  /** Number of columns that did not fit; known at the end. */
  readonly hiddenColumns?: readonly string[];
}

/** Far more than anyone reads; collected records stay in memory. */
const maxCollected = 1_000_000;

/** A format that needs all records before it can write the first. Throws `TooLargeError` for too many. */
export function collected(render: (records: readonly unknown[]) => string | Promise<string>): ListFormat {
  const records: unknown[] = [];
  return {
    page(page) {
      requireCollectable(records.length + page.length);
      for (const record of page) records.push(record);
      return '';
    },
    end: () => render(records),
  };
}

/** Throws `TooLargeError` for too many records to keep until the last one. */
export function requireCollectable(count: number): void {
  if (count > maxCollected)
    throw new TooLargeError(
      `The list has more than ${maxCollected} records, too many for a format that needs all of them at once`,
    );
}
