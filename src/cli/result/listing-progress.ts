/** Shows the progress of a slow list on a terminal. */

import type { Records } from '../../json/record-text.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Terminal } from '../../output/terminal.ts';
import type { Clock } from '../runtime.ts';
import type { Listing } from './listing.ts';
import { ProgressLine } from './progress-line.ts';

/** Shorter waits need no progress line. */
const worthTellingMs = 1000;
const betweenMs = 200;

/** Returns the pages of a list. While the next one is loading, a line on stderr shows the number of records seen so far. */
export async function* tellingProgress<T>(
  listing: Pick<Listing<T>, 'pages' | 'seen' | 'progress'>,
  what: string,
  { terminal, clock }: { readonly terminal: Terminal; readonly clock: Pick<Clock, 'now'> },
): AsyncGenerator<Records<T>> {
  const line = new ProgressLine(terminal);
  let next = clock.now() + worthTellingMs;
  try {
    for await (const page of listing.pages()) {
      // Records may be printed on the same terminal.
      if (terminal.stdoutIsTTY) line.clear();
      yield page;
      const now = clock.now();
      if (now < next) continue;
      line.show(listing.progress?.() ?? `${formatCount(listing.seen)} ${what}…`);
      next = now + betweenMs;
    }
  } finally {
    line.clear();
  }
}
