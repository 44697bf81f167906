/** Shows the progress of a slow list on a terminal. */

import type { Records } from '../../json/record-text.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Terminal } from '../../output/terminal.ts';
import { ProgressLine } from '../progress-line.ts';
import type { Clock } from '../runtime.ts';
import type { Listing } from './listing.ts';

/** Shorter waits need no progress line. */
const worthTellingMs = 1000;
const betweenMs = 200;

interface ProgressOptions {
  readonly terminal: Terminal;
  readonly clock: Pick<Clock, 'now'>;
  /** True if the records are printed on the same terminal as they arrive. */
  readonly isPrinted: boolean;
}

/**
 * Returns the pages of a list. While the next one is loading, a line on stderr shows the number of records seen so far,
 * or from the start the list's own progress.
 */
export async function* tellingProgress<T>(
  listing: Pick<Listing<T>, 'pages' | 'seen'> & Partial<Pick<Listing<T>, 'progress'>>,
  what: string,
  { terminal, clock, isPrinted }: ProgressOptions,
): AsyncGenerator<Records<T>> {
  const line = new ProgressLine(terminal);
  let text = listing.progress?.() ?? '';
  if (text) line.show(text);
  let next = clock.now() + (text ? betweenMs : worthTellingMs);
  try {
    for await (const page of listing.pages()) {
      if (isPrinted) line.clear();
      yield page;
      const now = clock.now();
      const isDue = now >= next;
      if (isDue) {
        text = listing.progress?.() ?? `${formatCount(listing.seen)} ${what}…`;
        next = now + betweenMs;
      }
      if (text && (isDue || isPrinted)) line.show(text);
    }
  } finally {
    line.clear();
  }
}
