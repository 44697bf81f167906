/** The progress line of forgectl each. */
import { describe, expect, it } from 'vitest';
import { OutcomeSummary, type TargetOutcome } from '../../../src/topics/each/outcomes.ts';
import { RunProgress } from '../../../src/topics/runs/progress.ts';
import { scriptedPlatform } from '../../support/platform.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

interface Step {
  /** Targets with this outcome, then the time that they took. */
  readonly count: number;
  readonly status?: TargetOutcome['status'];
  readonly ms: number;
}

function lineAfter(total: number, steps: readonly Step[]): string {
  let now = 5_000;
  const summary = new OutcomeSummary();
  const progress = new RunProgress(total, summary, () => now);
  for (const { count, status = 'ok', ms } of steps) {
    for (let index = 0; index < count; index++) summary.add({ target: `acme/r${index}`, status });
    now += ms;
  }
  return progress.line();
}

describe('the line', () => {
  it.each<[line: string, total: number, steps: readonly Step[]]>([
    ['0 of 12 targets', 12, []],
    ['0 of 1 target', 1, [{ count: 0, ms: 3_000 }]],
    ['120 of 2,310 targets, 18/s, 2 min left', 2310, [{ count: 120, ms: 6_667 }]],
    ['6 of 263 targets, 59/min, 4 min left', 263, [{ count: 6, ms: 6_100 }]],
    ['1 of 4 targets, 15/min, 12 s left', 4, [{ count: 1, ms: 4_000 }]],
    ['1,000 of 1,089 targets, 60/min, 89 s left', 1089, [{ count: 1000, ms: 1_000_000 }]],
    ['1 of 1,000 targets, 6/min, 2 h 47 min left', 1000, [{ count: 1, ms: 10_000 }]],
    [
      '4 of 12 targets, 2/s, 4 s left, 1 failed',
      12,
      [
        { count: 3, ms: 2_000 },
        { count: 1, status: 'failed', ms: 0 },
      ],
    ],
    [
      '4 of 4 targets, 2/s, 0 s left, 2 failed',
      4,
      [
        { count: 2, ms: 2_000 },
        { count: 2, status: 'unknown', ms: 0 },
      ],
    ],
  ])('%s', (line, total, steps) => {
    expect(lineAfter(total, steps)).toBe(line);
  });

  it('does not count skipped targets in the rate', () => {
    const steps: Step[] = [
      { count: 100, status: 'skipped', ms: 0 },
      { count: 10, ms: 5_000 },
    ];
    expect(lineAfter(200, steps)).toBe('110 of 200 targets, 2/s, 45 s left');
  });
});

describe('while targets are listed', () => {
  /** Lists 1,200 repositories of each organization, which takes a second. */
  async function shown(orgs: readonly string[], tty = true) {
    let now = 0;
    const platform = await scriptedPlatform(({ url }) => {
      now += 1_000;
      const [, org] = /orgs\/(\w+)\/repos/.exec(url) ?? [];
      return { body: Array.from({ length: 1200 }, (_, index) => ({ full_name: `${org}/r${index}` })) };
    });
    const words = ['each', 'repos', ...orgs, '--concurrency', '1', '--expect', '1', '--', 'repos', 'get', '{}'];
    const { stderr } = await run(words, { env: platform.env, tty, clock: { now: () => now, sleep: async () => {} } });
    return stderr
      .split('\r')
      .map((line) => line.trimEnd())
      .filter(Boolean);
  }

  it('a line counts the repositories', async () => {
    expect(await shown(['acme'])).toEqual([
      '1,200 repositories of acme…',
      'forgectl: Found 1,200 targets, but --expect allows 1. Nothing was sent.',
    ]);
  });

  it('it counts those of several organizations together', async () => {
    expect((await shown(['acme', 'globex'])).slice(-2)).toEqual([
      '2,400 repositories…',
      'forgectl: Found 2,400 targets, but --expect allows 1. Nothing was sent.',
    ]);
  });

  it('there is none without a terminal', async () => {
    expect(await shown(['acme'], false)).toEqual([
      'forgectl: Found 1,200 targets, but --expect allows 1. Nothing was sent.',
    ]);
  });
});

describe('on the screen', () => {
  const targets = ['acme/a', 'acme/b', 'acme/c'];

  async function shown(tty: boolean, columns: number, env: Readonly<Record<string, string>> = {}) {
    let now = 0;
    const platform = await scriptedPlatform(({ url }) => {
      now += 1_000;
      return url.endsWith('/b') ? { status: 404, body: { message: 'Not Found' } } : { body: { full_name: url } };
    });
    const { stderr } = await run('each --from - --concurrency 1 --quiet -- repos get {}'.split(' '), {
      env: { ...platform.env, ...env, XDG_STATE_HOME: await temporaryDirectory() },
      stdin: targets.join('\n'),
      tty,
      columns,
      clock: { now: () => now, sleep: async () => {} },
    });
    return stderr
      .split('\r')
      .map((line) => line.trimEnd())
      .filter(Boolean);
  }

  it.each<Readonly<Record<string, string>>>([{}, { NO_COLOR: '1' }])(
    'it follows the run, and gives way to results and the summary (%j)',
    async (env) => {
      expect(await shown(true, 80, env)).toEqual([
        '0 of 3 targets',
        '1 of 3 targets, 60/min, 2 s left',
        '2 of 3 targets, 60/min, 1 s left, 1 failed',
        '3 of 3 targets, 60/min, 0 s left, 1 failed',
        '2 done, 1 failed\n1 × 404 Not Found (acme/b)\nforgectl: 1 of 3 targets failed.',
      ]);
    },
  );

  it('it is shortened to the width of the terminal', async () => {
    expect((await shown(true, 25)).slice(0, -1)).toEqual([
      '0 of 3 targets',
      '1 of 3 targets, 60/min,…',
      '2 of 3 targets, 60/min,…',
      '3 of 3 targets, 60/min,…',
    ]);
  });

  it('there is none without a terminal', async () => {
    expect(await shown(false, 80)).toEqual([
      '2 done, 1 failed\n1 × 404 Not Found (acme/b)\nforgectl: 1 of 3 targets failed.',
    ]);
  });
});
