import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { type Poll, poll } from '../../../src/cli/command/poll.ts';
import { WaitLimitError } from '../../../src/cli/errors.ts';

/** Surroundings whose time passes only by sleeping, which record pauses and what was written to stderr. */
function surroundings({ tty = false } = {}) {
  const pauses: number[] = [];
  const written: string[] = [];
  let now = 1000;
  const stderr = new Writable({
    write: (chunk, _encoding, done) => {
      written.push(String(chunk));
      done();
    },
  });
  const runtime = {
    clock: {
      now: () => now,
      sleep: async (ms: number) => {
        pauses.push(ms);
        now += ms;
      },
    },
    terminal: {
      stdout: stderr,
      stderr,
      stdoutIsTTY: tty,
      stderrIsTTY: tty,
      columns: 200,
      stderrColumns: 60,
      color: false,
      plain: false,
      links: false,
      utf8: true,
      now: () => new Date(0),
    },
  };
  return { runtime, pauses, written };
}

/** A wait for the `place`th answer; jitter is switched off. */
function waitFor(place: number, changes: Partial<Poll<number>> = {}): Poll<number> {
  let answers = 0;
  return {
    ask: async () => ++answers,
    done: (answer) => answer === place,
    describe: (answer) => `answer ${answer} is not it`,
    limitMs: 300_000,
    advice: 'Ask somebody.',
    random: () => 0.5,
    ...changes,
  };
}

test('an immediate result is returned without a pause', async () => {
  const { runtime, pauses } = surroundings();
  expect(await poll(waitFor(1), runtime)).toBe(1);
  expect(pauses).toEqual([]);
});

test('pauses grow by half from one second', async () => {
  const { runtime, pauses } = surroundings();
  expect(await poll(waitFor(5), runtime)).toBe(5);
  expect(pauses).toEqual([1000, 1500, 2250, 3375]);
});

test('no pause is longer than half a minute', async () => {
  const { runtime, pauses } = surroundings();
  await poll(waitFor(12), runtime);
  expect(pauses.slice(8)).toEqual([25628.90625, 30000, 30000]);
});

test('jitter changes a pause by a quarter at most', async () => {
  const least = surroundings();
  const most = surroundings();
  await poll(waitFor(3, { random: () => 0 }), least.runtime);
  await poll(waitFor(3, { random: () => 1 }), most.runtime);
  expect([least.pauses, most.pauses]).toEqual([
    [750, 1125],
    [1250, 1875],
  ]);
});

test('polls once more at the limit, and then reports the state and advice', async () => {
  const { runtime, pauses } = surroundings();
  const failure = await poll(waitFor(100, { limitMs: 5000 }), runtime).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WaitLimitError);
  expect(failure).toMatchObject({ message: 'Timed out after 5s: answer 5 is not it.', advice: 'Ask somebody.' });
  expect(pauses).toEqual([1000, 1500, 2250, 250]);
});

test.each([
  [0, 'Timed out after 0s: nothing is there.'],
  [90_000, 'Timed out after 1m 30s: nothing is there.'],
  [5_400_000, 'Timed out after 1h 30m: nothing is there.'],
])('a limit of %d milliseconds is printed in hours, minutes and seconds', async (limitMs, message) => {
  const { runtime } = surroundings();
  const nothing = waitFor(Number.NaN, { limitMs, describe: () => 'nothing is there' });
  await expect(poll(nothing, runtime)).rejects.toThrow(message);
});

test('an error of a poll ends the wait', async () => {
  const { runtime, pauses } = surroundings();
  const ask = async () => {
    throw new Error('refused');
  };
  await expect(poll(waitFor(1, { ask }), runtime)).rejects.toThrow('refused');
  expect(pauses).toEqual([]);
});

test('on a terminal one line is overwritten, truncated to the width, and cleared at the end', async () => {
  const { runtime, written } = surroundings({ tty: true });
  const describe = (answer: number) => (answer === 1 ? 'x'.repeat(80) : 'almost\u001b[2J');
  await poll(waitFor(3, { describe }), runtime);
  expect(written).toEqual([
    `\r0s: ${'x'.repeat(54)}…`,
    `\r${'1s: almost\\u001b[2J'.padEnd(59)}`,
    `\r${' '.repeat(19)}\r`,
  ]);
});

test('away from a terminal nothing is written while waiting', async () => {
  const { runtime, written } = surroundings();
  await poll(waitFor(3), runtime);
  expect(written).toEqual([]);
});
