import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UnverifiedWriteError } from '../../src/fleet/errors.ts';
import { Journal } from '../../src/fleet/journal/journal.ts';
import type { EntryLine, Finding } from '../../src/fleet/journal/lines.ts';
import { FleetRun, type RunOptions, type TargetError } from '../../src/fleet/runner.ts';
import { temporaryDirectory } from '../support/run.ts';

const header = { platform: 'https://ghe.example.com/api/v3', command: ['orgs', 'get', '{}'] };
const noon = Date.UTC(2026, 2, 1, 12);
const at = new Date(noon).toISOString();

class Refusal extends Error {
  readonly stops: boolean;

  constructor(message: string, stops = false) {
    super(message);
    this.stops = stops;
  }
}

const describeError = (error: unknown): TargetError => ({
  exit: 6,
  code: 'refused',
  message: (error as Error).message,
  ...(error instanceof Refusal && error.stops ? { stops: true } : {}),
});

type Options = RunOptions<string, string, TargetError>;

/** Runs over names, and returns `name: status` of each in the order of their outcomes. */
async function outcomes(options: Partial<Options> & Pick<Options, 'targets'>) {
  const work: Options['work'] = async (target) => target.toUpperCase();
  const run = new FleetRun<string, string, TargetError>({
    name: (target) => target,
    work,
    describe: describeError,
    ...options,
  });
  const told: string[] = [];
  for await (const outcome of run) told.push(`${outcome.target}: ${outcome.status}`);
  return { told, stop: run.stop };
}

const freshPath = async () => join(await temporaryDirectory(), 'run.ndjson');

/** A journal that an earlier run has left. */
async function left(...lines: EntryLine[]): Promise<Journal> {
  const path = await freshPath();
  const journal = new Journal(path, header);
  for (const line of lines) journal.record(line);
  journal.close();
  return new Journal(path, header, { resume: true });
}

const tick = () => new Promise(setImmediate);

describe('a run', () => {
  it('gives the result of each target', async () => {
    const run = new FleetRun<string, string, TargetError>({
      targets: ['acme', 'globex'],
      name: (target) => target,
      work: async (target) => target.toUpperCase(),
      describe: describeError,
    });
    const given: unknown[] = [];
    for await (const outcome of run) given.push(outcome);
    expect(given).toEqual([
      { target: 'acme', status: 'ok', result: 'ACME' },
      { target: 'globex', status: 'ok', result: 'GLOBEX' },
    ]);
  });

  it.each([
    [undefined, 8],
    [3, 3],
  ])('with a concurrency of %s works on %i targets at once', async (concurrency, expected) => {
    let running = 0;
    let most = 0;
    const work = async (target: string) => {
      most = Math.max(most, ++running);
      await tick();
      running--;
      return target;
    };
    const targets = Array.from({ length: 30 }, (_, index) => `t${index}`);
    const { told } = await outcomes({ targets, work, concurrency });
    expect({ most, outcomes: told.length }).toEqual({ most: expected, outcomes: 30 });
  });

  it('gives outcomes as they come, while targets still arrive', async () => {
    const order: string[] = [];
    async function* targets() {
      for (const target of ['a', 'b', 'c']) {
        order.push(`found ${target}`);
        yield target;
        await tick();
        await tick();
      }
    }
    const run = new FleetRun<string, string, TargetError>({
      targets: targets(),
      name: (target) => target,
      work: async (target) => target,
      describe: describeError,
    });
    for await (const { target } of run) order.push(`done ${target}`);
    expect(order).toEqual(['found a', 'done a', 'found b', 'done b', 'found c', 'done c']);
  });

  it('continues after a target that fails', async () => {
    const work = async (target: string) => {
      if (target === 'b') throw new Refusal('archived');
      return target;
    };
    const { told, stop } = await outcomes({ targets: ['a', 'b', 'c'], work, concurrency: 1 });
    expect({ told, stop }).toEqual({ told: ['a: ok', 'b: failed', 'c: ok'], stop: undefined });
  });

  it('skips the rest after too many failures', async () => {
    const work = () => Promise.reject(new Refusal('archived'));
    const { told, stop } = await outcomes({ targets: ['a', 'b', 'c', 'd'], work, concurrency: 1, maxFailures: 1 });
    expect({ told, stop }).toEqual({
      told: ['a: failed', 'b: failed', 'c: skipped', 'd: skipped'],
      stop: 'max failures',
    });
  });

  it('after too many failures, sends no write that waited for its turn', async () => {
    const journal = await left();
    const failed = Promise.withResolvers<void>();
    const work: Options['work'] = async (target, writes) => {
      const watch = writes.watch('PATCH');
      if (target !== 'a') await failed.promise;
      await watch.sending?.();
      await watch.received?.(422);
      void tick().then(() => failed.resolve());
      throw new Refusal('invalid');
    };
    const { told, stop } = await outcomes({ targets: ['a', 'b', 'c'], work, concurrency: 2, maxFailures: 0, journal });
    expect({ told, stop }).toEqual({ told: ['a: failed', 'c: skipped', 'b: skipped'], stop: 'max failures' });
    expect(['a', 'b', 'c'].map((target) => journal.find(target)?.outcome)).toEqual(['failed', undefined, undefined]);
    journal.close();
  });

  it('after too many failures, finishes targets with a write', async () => {
    const journal = await left();
    const failed = Promise.withResolvers<void>();
    const work: Options['work'] = async (target, writes) => {
      if (target === 'a') throw new Refusal('invalid');
      await writes.watch('POST').sending?.();
      await failed.promise;
      await writes.watch('PUT').sending?.();
      return target;
    };
    void tick().then(() => failed.resolve());
    const { told } = await outcomes({ targets: ['b', 'a'], work, concurrency: 2, maxFailures: 0, journal });
    expect(told).toEqual(['a: failed', 'b: ok']);
    journal.close();
  });

  it('lets the targets of a batch wait for each other, within the concurrency limit', async () => {
    const batch = ['a', 'c', 'e', 'f'];
    const order: string[] = [];
    let running = 0;
    let most = 0;
    const work: Options['work'] = async (target, _writes, together) => {
      most = Math.max(most, ++running);
      await tick();
      running--;
      order.push(target);
      if (target === 'c') throw new Refusal('archived');
      return together(async () => `${target} after ${order.join('')}`);
    };
    const results: string[] = [];
    const run = new FleetRun<string, string, TargetError>({
      targets: ['a', 'b', 'c', 'd', 'e', 'f'],
      name: (target) => target,
      work,
      batchOf: (target) => (batch.includes(target) ? batch : undefined),
      describe: describeError,
      concurrency: 2,
    });
    for await (const outcome of run) results.push('result' in outcome ? outcome.result : `${outcome.target} failed`);
    expect(most).toBe(2);
    expect(results.toSorted()).toEqual([
      expect.stringMatching(/^a after (?=.*a)(?=.*c)(?=.*e)(?=.*f)/),
      expect.stringMatching(/^b after /),
      'c failed',
      expect.stringMatching(/^d after /),
      expect.stringMatching(/^e after (?=.*a)(?=.*c)(?=.*e)(?=.*f)/),
      expect.stringMatching(/^f after (?=.*a)(?=.*c)(?=.*e)(?=.*f)/),
    ]);
  });

  it.each([
    ['done', { target: 'b', outcome: 'ok', at } as const, undefined],
    ['in doubt', { target: 'b', sending: 'write', at } as const, undefined],
    ['not processed again', undefined, 'failed' as const],
  ])('does not let a batch wait for a target that is %s', async (_what, line, only) => {
    const failed: EntryLine = { target: 'a', outcome: 'failed', at };
    const journal = await left(failed, ...(line ? [line] : []));
    const batch = ['a', 'b'];
    const work: Options['work'] = (target, _writes, together) => together(async () => target);
    const { told } = await outcomes({ targets: batch, batchOf: () => batch, work, journal, only });
    expect(told).toContain('a: ok');
    journal.close();
  });

  it('leaves the rest open after an error that would affect all', async () => {
    const work = async (target: string) => {
      if (target === 'b') throw new Refusal('rate limit', true);
      return target;
    };
    const { told, stop } = await outcomes({ targets: ['a', 'b', 'c', 'd'], work, concurrency: 1 });
    expect({ told, stop }).toEqual({
      told: ['a: ok', 'b: failed'],
      stop: { exit: 6, code: 'refused', message: 'rate limit', stops: true },
    });
  });

  it('with rate limit groups, leaves only the rest of that group open after such an error', async () => {
    const work = async (target: string) => {
      if (target === 'a/2') throw new Refusal('rate limit', true);
      return target;
    };
    const { told, stop } = await outcomes({
      targets: ['a/1', 'a/2', 'a/3', 'b/1', 'b/2'],
      work,
      rateLimitGroup: (target) => target.charAt(0),
      concurrency: 1,
    });
    expect({ told, stop }).toEqual({
      told: ['a/1: ok', 'a/2: failed', 'b/1: ok', 'b/2: ok'],
      stop: { exit: 6, code: 'refused', message: 'rate limit', stops: true },
    });
  });

  it('with rate limit groups, runs those of one while another waits', async () => {
    const others = Promise.withResolvers<void>();
    const done: string[] = [];
    const work = async (target: string) => {
      if (target.startsWith('a')) await others.promise;
      done.push(target);
      if (done.length === 3) others.resolve();
      return target;
    };
    const targets = ['a/1', 'a/2', 'a/3', 'b/1', 'b/2', 'b/3'];
    await outcomes({ targets, work, rateLimitGroup: (target) => target.charAt(0), concurrency: 2 });
    expect(done).toEqual(['b/1', 'b/2', 'b/3', 'a/1', 'a/2', 'a/3']);
  });

  it('with rate limit groups, skips the rest of all after too many failures', async () => {
    const work = () => Promise.reject(new Refusal('archived'));
    const { told, stop } = await outcomes({
      targets: ['a/1', 'a/2', 'b/1', 'b/2'],
      work,
      rateLimitGroup: (target) => target.charAt(0),
      concurrency: 1,
      maxFailures: 0,
    });
    expect({ told, stop }).toEqual({
      told: ['a/1: failed', 'a/2: skipped', 'b/1: skipped', 'b/2: skipped'],
      stop: 'max failures',
    });
  });

  it('leaves the rest open, and targets in progress, after its signal', async () => {
    const stopping = new AbortController();
    const journal = await left();
    const work = async (target: string) => {
      if (target === 'a') return target;
      stopping.abort();
      throw new Error('aborted');
    };
    const { told, stop } = await outcomes({
      targets: ['a', 'b', 'c'],
      work,
      concurrency: 1,
      journal,
      signal: stopping.signal,
    });
    expect({ told, stop, open: journal.find('b') }).toEqual({ told: ['a: ok'], stop: 'signal', open: undefined });
    journal.close();
  });

  it('ends with the error of a list of targets that fails', async () => {
    async function* targets() {
      yield 'a';
      throw new Error('page 2 did not come');
    }
    await expect(outcomes({ targets: targets() })).rejects.toThrow('page 2 did not come');
  });

  it('starts no more targets once its outcomes are no longer read', async () => {
    const begun: string[] = [];
    const work = async (target: string) => {
      begun.push(target);
      return target;
    };
    const run = new FleetRun<string, string, TargetError>({
      targets: ['a', 'b', 'c', 'd'],
      name: (target) => target,
      work,
      describe: describeError,
      concurrency: 1,
    });
    for await (const _outcome of run) break;
    expect(begun.length).toBeLessThan(3);
  });
});

describe('a run with a journal', () => {
  const okay: EntryLine = { target: 'a', outcome: 'ok', at };
  const failed: EntryLine = { target: 'b', outcome: 'failed', at };

  it('records writes, responses and outcomes', async () => {
    const journal = await left();
    const work: Options['work'] = async (target, writes) => {
      const watch = writes.watch('PATCH /a', { before: { name: 'old' } });
      await watch.sending?.();
      await watch.received?.(200);
      return target;
    };
    await outcomes({ targets: ['a'], work, journal, clock: { now: () => noon, sleep: tick } });
    journal.close();
    expect(readFileSync(journal.path, 'utf8').split('\n').slice(1, -1)).toEqual([
      `{"target":"a","sending":"PATCH /a","at":"${at}","before":{"name":"old"}}`,
      `{"target":"a","received":"PATCH /a","status":200,"at":"${at}"}`,
      `{"target":"a","outcome":"ok","at":"${at}"}`,
    ]);
  });

  it('skips what is done, and repeats what failed', async () => {
    const journal = await left(okay, failed);
    const { told } = await outcomes({ targets: ['a', 'b', 'c'], journal, concurrency: 1 });
    expect(told).toEqual(['a: skipped', 'b: ok', 'c: ok']);
    journal.close();
  });

  it('processes only failed targets on request', async () => {
    const journal = await left(okay, failed);
    const { told } = await outcomes({ targets: ['a', 'b', 'c'], journal, concurrency: 1, only: 'failed' });
    expect(told).toEqual(['b: ok']);
    journal.close();
  });

  it('treats a failure with a write in doubt as unknown', async () => {
    const journal = await left();
    const work: Options['work'] = async (_target, writes) => {
      await writes.watch('PATCH /a').sending?.();
      throw new Refusal('connection lost');
    };
    expect((await outcomes({ targets: ['a'], work, journal })).told).toEqual(['a: unknown']);
    journal.close();
  });

  it('sends no step that an earlier run did', async () => {
    const journal = await left(
      { target: 'a', sending: 'PATCH /a', at },
      { target: 'a', received: 'PATCH /a', status: 200, at },
    );
    const done: boolean[] = [];
    const work: Options['work'] = async (target, writes) => {
      done.push(writes.isDone('PATCH /a'), writes.isDone('PATCH /b'));
      await writes.watch('PATCH /a').sending?.();
      return target;
    };
    const { told } = await outcomes({ targets: ['a'], work, journal });
    expect({ done, told }).toEqual({ done: [true, false], told: ['a: failed'] });
    journal.close();
  });
});

describe('a write without a response', () => {
  /** Resumes after one that was sent `agoMs` ago, and returns what was done about it. */
  async function resumedAfter(agoMs: number, creates: boolean, ...findings: Finding[]) {
    const sending = {
      target: 'a',
      sending: 'POST /a',
      at: new Date(noon - agoMs).toISOString(),
      creates,
      before: 'old',
    };
    const journal = await left(sending);
    const slept: number[] = [];
    const looked: unknown[] = [];
    const sent: boolean[] = [];
    const verify =
      findings.length > 0 &&
      (async (_target: string, write: unknown) => {
        looked.push(write);
        return findings.shift() as Finding;
      });
    const { told } = await outcomes({
      targets: ['a'],
      journal,
      work: async (target, writes) => {
        if (!writes.isDone('POST /a')) sent.push(true);
        return target;
      },
      verify: verify || undefined,
      clock: { now: () => noon, sleep: async (ms) => slept.push(ms) },
    });
    journal.close();
    return { told, slept, looks: looked.length, sent: sent.length };
  }

  it.each<[found: Finding, creates: boolean, sent: number, status: string]>([
    ['wanted', true, 0, 'ok'],
    ['wanted', false, 0, 'ok'],
    ['absent', true, 1, 'ok'],
    ['absent', false, 0, 'unknown'],
    ['before', false, 1, 'ok'],
    ['other', true, 0, 'unknown'],
  ])('that is found %s, a create: %s, is sent %i times', async (found, creates, sent, status) => {
    expect(await resumedAfter(60_000, creates, found)).toEqual({ told: [`a: ${status}`], slept: [], looks: 1, sent });
  });

  it('that cannot be verified is never sent again', async () => {
    expect(await resumedAfter(60_000, true)).toEqual({ told: ['a: unknown'], slept: [], looks: 0, sent: 0 });
  });

  it.each<[second: Finding, sent: number]>([
    ['absent', 1],
    ['wanted', 0],
  ])('of a create that was sent four seconds ago is verified again after fifteen: %s', async (second, sent) => {
    const found = await resumedAfter(4_000, true, 'absent', second);
    expect(found).toEqual({ told: ['a: ok'], slept: [11_000], looks: 2, sent });
  });

  it('that seems to come from the future is verified again after fifteen seconds', async () => {
    const found = await resumedAfter(-3_600_000, true, 'absent', 'absent');
    expect(found).toEqual({ told: ['a: ok'], slept: [15_000], looks: 2, sent: 1 });
  });

  describe('of the run itself', () => {
    /** Loses the response to the first write of each target, and returns what is told and sent. */
    async function lost(targets: readonly string[], findings: Finding[], options: Partial<Options> = {}) {
      const journal = await left();
      const sent: string[] = [];
      const { told, stop } = await outcomes({
        targets,
        journal,
        concurrency: 1,
        work: async (target, writes) => {
          if (writes.isDone('PATCH')) return target;
          const watch = writes.watch('PATCH');
          await watch.sending?.();
          sent.push(target);
          if (sent.filter((each) => each === target).length === 1) throw new Refusal('connection lost');
          await watch.received?.(200);
          return target;
        },
        verify: async () => findings.shift() ?? 'other',
        clock: { now: () => noon, sleep: async () => {} },
        ...options,
      });
      journal.close();
      const found = [...readFileSync(journal.path, 'utf8').matchAll(/"found":"(\w+)"/g)].map(([, each]) => each);
      return { told, stop, sent, found };
    }

    it('is verified once the other targets are done, and sent again only if it did not happen', async () => {
      expect(await lost(['a', 'b', 'c'], ['wanted', 'before', 'other'])).toEqual({
        told: ['a: ok', 'b: ok', 'c: unknown'],
        stop: undefined,
        sent: ['a', 'b', 'c', 'b'],
        found: ['wanted', 'before', 'other'],
      });
    });

    it('is reported with the error that left it in doubt', async () => {
      const journal = await left();
      const run = new FleetRun<string, string, TargetError>({
        targets: ['a'],
        name: (target) => target,
        work: async (_target, writes) => {
          await writes.watch('PATCH').sending?.();
          throw new Refusal('connection lost');
        },
        describe: describeError,
        verify: async () => 'other',
        journal,
      });
      const told: unknown[] = [];
      for await (const outcome of run) told.push(outcome);
      journal.close();
      const error = { exit: 6, code: 'refused', message: 'connection lost' };
      expect(told).toEqual([{ target: 'a', status: 'unknown', error }]);
    });

    it('is not verified after too many failures, which it counts among', async () => {
      expect(await lost(['a', 'b', 'c'], ['wanted'], { maxFailures: 1 })).toEqual({
        told: ['c: skipped', 'a: unknown', 'b: unknown'],
        stop: 'max failures',
        sent: ['a', 'b'],
        found: [],
      });
    });

    it('is not verified in an aborted run', async () => {
      const aborting = new AbortController();
      const targets = (function* () {
        yield 'a';
        aborting.abort();
      })();
      const given = { targets, signal: aborting.signal };
      expect(await lost([], ['wanted'], given)).toMatchObject({ told: ['a: unknown'], sent: ['a'], found: [] });
    });
  });

  it('is reported as unknown by its name', async () => {
    const journal = await left({ target: 'a', sending: 'POST /a', at });
    const errors: unknown[] = [];
    await outcomes({
      targets: ['a'],
      journal,
      describe: (error) => {
        errors.push(error);
        return describeError(error);
      },
    });
    expect(errors).toEqual([new UnverifiedWriteError('POST /a')]);
    journal.close();
  });
});
