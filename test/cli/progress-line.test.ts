import { describe, expect, it } from 'vitest';
import { ProgressLine } from '../../src/cli/progress-line.ts';
import { Messages } from '../../src/cli/report/messages.ts';
import { WaitingLine } from '../../src/cli/result/waiting-line.ts';
import type { Waiting } from '../../src/client/transport/transport.ts';
import { FakeTerminal } from '../support/fake-terminal.ts';

function screenOf(stderrColumns: number) {
  const screen = new FakeTerminal();
  return { screen, terminal: { ...screen.asking.terminal, stderrColumns } };
}

describe('a progress line', () => {
  it.each([
    [80, 'Exporting 3 of 12 repositories'],
    [31, 'Exporting 3 of 12 repositories'],
    [30, 'Exporting 3 of 12…'],
    [6, 'Expo…'],
  ])('is truncated after a word on %i columns', (columns, shown) => {
    const { screen, terminal } = screenOf(columns);
    new ProgressLine(terminal).show('Exporting 3 of 12 repositories');
    screen.stderr.end();
    expect(screen.shown).toBe(`\r${shown}`);
  });
});

describe('the progress lines of a terminal', () => {
  it('replace each other completely', () => {
    const { screen, terminal } = screenOf(80);
    const countdown = new ProgressLine(terminal);
    new ProgressLine(terminal).show('120 of 2,310 targets');
    countdown.show('Retrying in 2 s');
    countdown.clear();
    screen.stderr.end();
    expect(screen.shown).toBe(`\r120 of 2,310 targets\rRetrying in 2 s     \r${' '.repeat(15)}\r`);
  });

  it('give way to messages', () => {
    const { screen, terminal } = screenOf(80);
    new ProgressLine(terminal).show('3 of 12 targets');
    new Messages({ env: {}, terminal }).notice('Slow down');
    screen.stderr.end();
    expect(screen.shown).toBe(`\r3 of 12 targets\r${' '.repeat(15)}\rSlow down\n`);
  });

  it('stay on the screen above what follows Ctrl-C', () => {
    const { screen, terminal } = screenOf(80);
    const line = new ProgressLine(terminal);
    line.show('3 of 12 targets');
    line.leave();
    new Messages({ env: {}, terminal }).notice('Interrupted');
    screen.stderr.end();
    expect(screen.shown).toBe('\r3 of 12 targets\nInterrupted\n');
  });

  it.each([{ stderrIsTTY: false }, { plain: true }])('print nothing with %j', (settings) => {
    const { screen, terminal } = screenOf(80);
    const line = new ProgressLine({ ...terminal, ...settings });
    line.show('3 of 12 targets');
    line.clear();
    screen.stderr.end();
    expect(screen.shown).toBe('');
  });
});

describe('a countdown', () => {
  it.each([
    [80, false, ['Rate limit reached; retrying in 2 s', 'Rate limit reached; retrying in 1 s']],
    [30, false, ['Retrying in 2 s', 'Retrying in 1 s']],
    [30, true, ['Continuing in 2 s', 'Continuing in 1 s']],
  ])('shows the seconds left on %i columns (paced: %s)', async (columns, paced, lines) => {
    expect(await shownOf({ ms: 2000, reason: 'Rate limit reached', paced }, columns)).toEqual(['', ...lines, '', '']);
  });

  it.each([
    [
      80,
      'Rate limit reached',
      [
        '3 of 12 targets, 1 failed, waiting 2 s for the rate limit',
        '3 of 12 targets, 1 failed, waiting 1 s for the rate limit',
      ],
    ],
    [40, 'Rate limit reached', ['Waiting 2 s for the rate limit', 'Waiting 1 s for the rate limit']],
    [
      80,
      'The platform returned 503',
      [
        '3 of 12 targets, 1 failed, waiting 2 s: the platform returned 503',
        '3 of 12 targets, 1 failed, waiting 1 s: the platform returned 503',
      ],
    ],
  ])('stands beside the progress of a run on %i columns, which stays after “%s”', async (columns, reason, lines) => {
    const progress = '3 of 12 targets, 1 failed';
    expect(await shownOf({ ms: 2000, reason }, columns, () => progress)).toEqual(['', ...lines, progress]);
  });

  async function shownOf(waiting: Waiting, columns: number, progress?: () => string) {
    const { screen, terminal } = screenOf(columns);
    let now = 0;
    const clock = {
      now: () => now,
      sleep: async (ms: number) => {
        now += ms;
      },
    };
    await new WaitingLine(terminal, clock, () => {}, progress).wait(waiting);
    screen.stderr.end();
    return screen.shown.split('\r').map((text) => text.trim());
  }
});
