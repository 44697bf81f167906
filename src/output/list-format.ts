import type { RecordText } from '../json/record-text.ts';
import { TooLargeError } from './too-large.ts';

/** A format, as it takes a list page by page. */
export interface ListFormat {
  /** The text that can be written once `records` are known; empty while the format has to see them all. */
  page(records: readonly unknown[]): string | Promise<string>;
  /** The same for records that nobody has read; undefined where they must be. */
  text?(records: RecordText): Uint8Array | undefined;
  /** The rest, after the last page. */
  end(): string | Promise<string>;
  /** What is written of a list that breaks off, where there is something to show of what came. */
  brokenOff?(): string | Promise<string>;
  /** Known at the end: how many columns there was no room for. */
  readonly hiddenColumns?: number;
}

/** Far more than anybody reads; what is collected stands in memory. */
const mostCollected = 1_000_000;

/** A format that has to see all the records before it can write the first. Throws `TooLargeError` for too many. */
export function collected(render: (records: readonly unknown[]) => string | Promise<string>): ListFormat {
  const records: unknown[] = [];
  return {
    page(page) {
      if (records.length + page.length > mostCollected)
        throw new TooLargeError(
          `The list has more than ${mostCollected} records, too many for a format that needs all of them at once`,
        );
      for (const record of page) records.push(record);
      return '';
    },
    end: () => render(records),
  };
}
