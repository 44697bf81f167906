/** forgectl slows down before the platform must. */
import { describe, expect, it } from 'vitest';
import type { HttpRequest } from '../../src/client/request.ts';
import { Pace } from '../../src/client/transport/pace.ts';
import { testClock, testTransport } from '../support/client.ts';
import { classicToken } from '../support/platform.ts';
import { run } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

/** 2026-03-01T12:00:00Z, when the test clock starts. */
const noon = 1_772_366_400_000;
const read: HttpRequest = { method: 'GET', url: 'http://127.0.0.1/', headers: {} };
const write: HttpRequest = { ...read, method: 'PATCH' };

const quota = (limit: number, remaining: number, secondsToReset: number): Record<string, string> => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(noon / 1000 + secondsToReset),
});

function paceAfter(headers: Readonly<Record<string, string>>): Pace {
  const pace = new Pace();
  pace.sent(read, noon);
  pace.learn({ status: 200, headers, body: Buffer.alloc(0), url: read.url }, noon);
  return pace;
}

describe('the pace of reads', () => {
  it.each<[what: string, headers: Record<string, string>, wait: number]>([
    ['is free while a tenth of the quota is left', quota(5000, 500, 1000), 0],
    ['spreads what is left below a tenth over the time until the reset', quota(5000, 499, 998), 2000],
    ['spreads a last request over all that time', quota(60, 1, 30), 30_000],
    ['is free when nothing is left, which is a limit and no matter of pace', quota(60, 0, 30), 0],
    ['is free when the reset is past', quota(60, 1, -30), 0],
    ['is free without a limit', {}, 0],
    ['is free where numbers are none', { ...quota(60, 1, 30), 'x-ratelimit-limit': 'many' }, 0],
    ['is measured on the platform’s clock', { ...quota(60, 1, 30), date: 'Sun, 01 Mar 2026 12:00:20 GMT' }, 10_000],
  ])('%s', (_what, headers, wait) => {
    expect(paceAfter(headers).waitFor(read, noon).ms).toBe(wait);
  });

  it('counts from the previous request', () => {
    const pace = paceAfter(quota(60, 3, 30));
    expect(pace.waitFor(read, noon + 4000).ms).toBe(6000);
    pace.sent(read, noon + 10_000);
    expect(pace.waitFor(read, noon + 10_000).ms).toBe(10_000);
  });
});

describe('the points of an endpoint', () => {
  const route = 'GET /repos/{owner}/{repo}/rulesets';

  it('are 900 per minute, of which a read counts one and a write five', () => {
    const pace = paceAfter(quota(5000, 4999, 30));
    for (let count = 0; count < 450; count++) pace.sent(read, noon + 10_000, route);
    for (let count = 0; count < 89; count++) pace.sent(write, noon + 20_000, route);
    for (let count = 0; count < 4; count++) pace.sent(read, noon + 25_000, route);
    expect(pace.waitFor(read, noon + 30_000, route).ms).toBe(0);
    expect(pace.waitFor(write, noon + 30_000, route).ms).toBe(40_000);
    pace.sent(read, noon + 30_000, route);
    expect(pace.waitFor(read, noon + 30_000, route)).toEqual({
      ms: 40_000,
      reason: 'The platform allows 900 points per minute for one endpoint, so requests are spread out',
    });
    expect(pace.waitFor(read, noon + 30_000, 'GET /orgs/{org}').ms).toBe(0);
    pace.sent(read, noon + 70_000, route);
    expect(pace.waitFor(read, noon + 70_000, route).ms).toBe(0);
  });

  it('are not counted without rate limits', () => {
    const pace = paceAfter({});
    for (let count = 0; count < 1000; count++) pace.sent(read, noon, route);
    expect(pace.waitFor(read, noon, route).ms).toBe(0);
  });
});

describe('writes', () => {
  it('are a second apart if the platform has rate limits, unlike reads', () => {
    const pace = paceAfter(quota(5000, 4999, 30));
    pace.sent(write, noon);
    expect(pace.waitFor(write, noon + 300).ms).toBe(700);
    expect(pace.waitFor(read, noon + 300).ms).toBe(0);
  });

  it('are not delayed without rate limits', () => {
    const pace = paceAfter({});
    pace.sent(write, noon);
    expect(pace.waitFor(write, noon).ms).toBe(0);
  });
});

describe('parallel requests', () => {
  it('keep the pace in order, and none is lost', async () => {
    const clock = testClock();
    const server = await startServer((response, _request, count) =>
      json(response, {}, count === 1 ? quota(100, 5, 10) : {}),
    );
    const transport = testTransport({ ...clock.options, maxWaitMs: 600_000 });
    const get = () => transport.send({ ...read, url: `${server.origin}/a` });
    await get();
    await Promise.all([get(), get(), get()]);
    expect(clock.waits).toEqual([2000, 2000, 2000]);
    expect(server.requests).toHaveLength(4);
  });

  it('continue without a pause that exceeds --max-wait', async () => {
    const clock = testClock();
    const server = await startServer((response, _request, count) =>
      json(response, {}, quota(100, 5, count < 3 ? 10 : 20)),
    );
    const transport = testTransport({ ...clock.options, maxWaitMs: 3000 });
    for (let count = 0; count < 5; count++) await transport.send({ ...read, url: `${server.origin}/a` });
    // The test's clock stands still but for waits: resets are in 10 s, in 8 s, and later than 3 s for each request.
    expect(clock.waits).toEqual([2000, 1600]);
  });
});

describe('--max-wait', () => {
  const limits = quota(5000, 4999, 3600);

  it('does not count the second between writes: 90 writes keep their distance, and the last ones are retried', async () => {
    const clock = testClock();
    const server = await startServer((response, _request, count) =>
      count === 80
        ? json(response, { message: 'secondary rate limit' }, { ...limits, 'retry-after': '1' }, 403)
        : json(response, {}, limits),
    );
    const transport = testTransport({ ...clock.options, maxWaitMs: 60_000 });
    const statuses: number[] = [];
    for (let count = 0; count < 90; count++)
      statuses.push((await transport.send({ ...write, url: `${server.origin}/a` })).status);
    expect(statuses).toEqual(Array(90).fill(200));
    expect(server.requests).toHaveLength(91);
    expect(clock.waits).toEqual(Array(90).fill(1000));
  });

  it('of zero still keeps writes apart', async () => {
    const clock = testClock();
    const server = await startServer((response) => json(response, {}, limits));
    const transport = testTransport({ ...clock.options, maxWaitMs: 0 });
    for (let count = 0; count < 3; count++) await transport.send({ ...write, url: `${server.origin}/a` });
    expect(clock.waits).toEqual([1000, 1000]);
  });
});

it('a command whose writes wait for a second reports that once, and not the quota', async () => {
  const server = await startServer((response, { method }) =>
    method === 'DELETE'
      ? response.writeHead(204, quota(5000, 4999, 3600)).end()
      : json(
          response,
          ['a', 'b', 'c'].map((name) => ({ name, full_name: `acme/${name}` })),
        ),
  );
  const { stdout, stderr } = await run(['migrations', 'unlock', '79', '--all', '--yes'], {
    env: { FORGECTL_BASE_URL: `${server.origin}/api/v3`, FORGECTL_TOKEN: classicToken },
    clock: { now: () => noon, sleep: async () => {} },
  });
  expect(stdout).toBe('acme/a\tunlocked\nacme/b\tunlocked\nacme/c\tunlocked\n');
  expect(stderr).toBe('Writes are sent one second apart.\n');
});

it('a delayed command reports the delay once', async () => {
  const server = await startServer((response, _request, count) =>
    json(response, [{ id: count }], {
      ...quota(1000, 41 - count, 120),
      ...(count < 5 ? { link: `</api/v3/orgs/acme/repos?after=${count}>; rel="next"` } : {}),
    }),
  );
  const { stdout, stderr } = await run(['repos', 'list', 'acme', '--all', '-o', 'ndjson'], {
    env: { FORGECTL_BASE_URL: `${server.origin}/api/v3`, FORGECTL_TOKEN: classicToken },
  });
  expect(stdout.trimEnd().split('\n')).toHaveLength(5);
  expect(stderr).toBe('The rate limit is nearly used up, so requests are spread out.\n');
});
