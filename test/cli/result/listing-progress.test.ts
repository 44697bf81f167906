import { expect, it } from 'vitest';
import { Listing } from '../../../src/cli/result/listing.ts';
import { tellingProgress } from '../../../src/cli/result/listing-progress.ts';
import { FakeTerminal } from '../../support/fake-terminal.ts';

/** Lists three pages of 600 records, each of which takes so long to come, and gives all that was shown meanwhile. */
async function list(pageMs: number, isPrinted: boolean, progress?: (ms: number) => string) {
  const screen = new FakeTerminal();
  const { terminal } = screen.asking;
  let now = 0;
  async function* pages() {
    for (let page = 0; page < 3; page++) {
      now += pageMs;
      yield { items: Array.from({ length: 600 }, () => ({})), more: page < 2 };
    }
  }
  const counts: number[] = [];
  const listing = new Listing(pages(), { limit: undefined, progress: progress && (() => progress(now)) });
  for await (const page of tellingProgress(listing, 'repositories', {
    terminal,
    clock: { now: () => now },
    isPrinted,
  })) {
    if (isPrinted) screen.stderr.write('[rows]');
    counts.push(page.length);
  }
  screen.stderr.end();
  return { counts, shown: screen.shown };
}

it('shows the number of records so far, and clears the line at the end', async () => {
  expect(await list(1500, false)).toEqual({
    counts: [600, 600, 600],
    shown: `\r600 repositories…\r1,200 repositories…\r1,800 repositories…\r${' '.repeat(19)}\r`,
  });
});

it('prints nothing for a list that arrives within a second', async () => {
  expect(await list(300, false)).toEqual({ counts: [600, 600, 600], shown: '' });
});

it('clears the line before rows on the same terminal', async () => {
  const { shown } = await list(1500, true);
  expect(shown).toBe(
    [
      `[rows]\r600 repositories…\r${' '.repeat(17)}\r`,
      `[rows]\r1,200 repositories…\r${' '.repeat(19)}\r`,
      `[rows]\r1,800 repositories…\r${' '.repeat(19)}\r`,
    ].join(''),
  );
});

it('shows the progress of the list itself from the start, five times a second at most', async () => {
  const { shown } = await list(120, false, (ms) => `${ms} ms`);
  expect(shown).toBe('\r0 ms\r240 ms\r      \r');
});

it('shows it again after rows on the same terminal', async () => {
  const { shown } = await list(120, true, (ms) => `${ms} ms`);
  expect(shown).toBe(
    ['\r0 ms\r    \r[rows]', '\r0 ms\r    \r[rows]', '\r240 ms\r      \r[rows]', '\r240 ms\r      \r'].join(''),
  );
});
