import { describe, expect, it } from 'vitest';
import { Timeline } from '../../../src/cli/result/timeline.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

const onTerminal = { stdoutIsTTY: true, plain: false, utf8: true };

function linesFor(times: readonly unknown[], terminal = onTerminal) {
  const timeline = new Timeline();
  for (const time of times) timeline.see(time);
  return timeline.lines('changes', terminal);
}

describe('the timeline of events', () => {
  const times = [
    ...Array.from({ length: 8 }, () => '2026-02-25T09:00:00Z'),
    '2026-02-24T23:59:59Z',
    '2026-02-27T00:00:00+02:00',
    ...Array.from({ length: 4 }, () => '2026-02-28T12:00:00Z'),
  ];

  it('is drawn and described, by the day in UTC', () => {
    expect(linesFor(times)).toEqual([
      'Each day: ▁█▁ ▄',
      '14 changes from 2026-02-24 to 2026-02-28, most on 2026-02-25: 8.',
    ]);
  });

  it.each([
    { ...onTerminal, plain: true },
    { ...onTerminal, utf8: false },
    { ...onTerminal, stdoutIsTTY: false },
  ])('is only described with %j', (terminal) => {
    expect(linesFor(times, terminal)).toEqual(['14 changes from 2026-02-24 to 2026-02-28, most on 2026-02-25: 8.']);
  });

  it('has longer steps for a longer time', () => {
    const [drawn] = linesFor(['2025-03-01T00:00:00Z', '2026-02-28T00:00:00Z']);
    expect(drawn).toBe(`Every 7 days: █${' '.repeat(51)}█`);
  });

  it('is empty for a single day, or without times', () => {
    expect(linesFor(['2026-02-25T09:00:00Z', '2026-02-25T10:00:00Z', null, 'soon'])).toEqual([]);
    expect(linesFor([])).toEqual([]);
  });
});

it('is printed below the table of a repository’s activity on a terminal', async () => {
  const change = (pushed_at: string) => ({ id: 1, ref: 'refs/heads/main', before: 'a', after: 'b', pushed_at });
  const body = [change('2026-02-27T12:00:00Z'), change('2026-02-25T12:00:00Z')];
  const platform = await scriptedPlatform({ 'GET /repos/acme/site/activity': { body } });
  const words = ['repos', 'activity', 'acme/site'];
  expect((await run(words, { env: platform.env, tty: true })).stderr).toBe(
    'Each day: █ █\n2 changes from 2026-02-25 to 2026-02-27, most on 2026-02-27: 1.\n',
  );
  expect((await run(words, { env: platform.env })).stderr).toBe('');
});
