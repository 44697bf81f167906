import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/serve.ts';
import { noon } from './support.ts';

// Waits are recorded, not waited for.
vi.mock('node:timers/promises', () => ({ setTimeout: vi.fn(() => Promise.resolve()) }));
const waits = vi.mocked(pause);
beforeEach(() => waits.mockClear());

async function during<T>(options: SandboxOptions, use: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startSandbox(options);
  try {
    return await use(sandbox);
  } finally {
    await sandbox.close();
  }
}

const get = (sandbox: Sandbox, path: string) =>
  fetch(sandbox.baseUrl + path, { headers: { authorization: `Bearer ${sandbox.tokens.classic}` } });

const createRepository = (sandbox: Sandbox) =>
  fetch(`${sandbox.baseUrl}/orgs/acme/repos`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.tokens.classic}` },
    body: '{"name":"new"}',
  });

/** What became of one request: the status, or how it failed. */
const outcome = (answer: Promise<Response>) =>
  answer.then(
    async (response) => {
      const type = response.headers.get('content-type') ?? '';
      const whole = await response.text().then(
        () => '',
        () => ' cut off',
      );
      return `${response.status} ${type.split(';')[0]}${whole}`;
    },
    (error: Error) => (error.cause as NodeJS.ErrnoException).code,
  );

describe('a fault', () => {
  test.each([
    ['reset', 'ECONNRESET'],
    ['500', '500 application/json'],
    ['502', '502 text/html'],
    ['503', '503 application/json'],
    ['slow', '200 application/json'],
    ['truncated', '200 application/json cut off'],
    ['html', '200 text/html'],
  ] as const)('%s affects every request at rate 1', async (kind, expected) => {
    await during({ faults: { [kind]: 1 } }, async (sandbox) => {
      expect(await outcome(get(sandbox, '/orgs/acme'))).toBe(expected);
    });
  });

  test('503 has a retry-after header', async () => {
    await during({ faults: { 503: 1 } }, async (sandbox) => {
      expect((await get(sandbox, '/meta')).headers.get('retry-after')).toBe('1');
    });
  });

  test('slow waits two seconds, then returns the platform’s response', async () => {
    await during({ faults: { slow: 1 } }, async (sandbox) => {
      const meta = { verifiable_password_authentication: true, installed_version: '3.19.2' };
      expect(await (await get(sandbox, '/meta')).json()).toEqual(meta);
    });
    expect(waits.mock.calls).toEqual([[2000]]);
  });

  test('truncated announces the full length and sends half', async () => {
    await during({ faults: { truncated: 1 } }, async (sandbox) => {
      const { headers, body } = await get(sandbox, '/meta');
      // {"verifiable_password_authentication":true,"installed_version":"3.19.2"}
      expect(headers.get('content-length')).toBe('72');
      const { value } = (await body?.getReader().read()) ?? {};
      expect(new TextDecoder().decode(value)).toBe('{"verifiable_password_authentication');
    });
  });

  test('truncated cuts a response without a body before it begins', async () => {
    await during({ faults: { truncated: 1 } }, async (sandbox) => {
      const comment = `${sandbox.baseUrl}/repos/acme/site/comments/10000101`;
      const headers = { authorization: `Bearer ${sandbox.tokens.classic}` };
      expect(await outcome(fetch(comment, { method: 'DELETE', headers }))).toBe('UND_ERR_SOCKET');
    });
  });

  test.each([
    ['reset', false],
    ['500', false],
    ['502', false],
    ['503', false],
    ['html', false],
    ['slow', true],
    ['truncated', true],
  ] as const)('%s: the request is executed: %s', async (kind, acted) => {
    const directory = mkdtempSync(join(tmpdir(), 'sandbox-faults-'));
    const state = join(directory, 'state.db');
    await during({ state, faults: { [kind]: 1 } }, (sandbox) => outcome(createRepository(sandbox)));
    const { status } = await during({ state }, (sandbox) => get(sandbox, '/repos/acme/new'));
    expect(status).toBe(acted ? 200 : 404);
    rmSync(directory, { recursive: true });
  });

  test('affects the same requests in every run with one seed, and others with another', async () => {
    const faults = { 500: 0.2, 503: 0.1, html: 0.1 };
    const outcomes = (seed: number) =>
      during({ seed, faults }, async (sandbox) => {
        const all: unknown[] = [];
        for (let n = 0; n < 60; n++) all.push(await outcome(get(sandbox, '/meta')));
        return all;
      });
    const first = await outcomes(5);
    expect(new Set(first)).toEqual(
      new Set(['200 application/json', '500 application/json', '503 application/json', '200 text/html']),
    );
    expect(await outcomes(5)).toEqual(first);
    expect(await outcomes(6)).not.toEqual(first);
  });

  test('is reported to the sandbox’s user, without the query', async () => {
    const lines: string[] = [];
    await during({ faults: { 500: 1 }, log: (line) => lines.push(line) }, async (sandbox) => {
      await get(sandbox, '/orgs/acme?page=2');
    });
    expect(lines).toEqual(['request 1, GET /api/v3/orgs/acme: fault 500']);
  });

  test('is disabled by default', async () => {
    const lines: string[] = [];
    await during({ log: (line) => lines.push(line) }, async (sandbox) => {
      for (let n = 0; n < 50; n++) expect((await get(sandbox, '/meta')).status).toBe(200);
    });
    expect(lines).toEqual([]);
  });
});

test('with a latency delays every request', async () => {
  await during({ latency: 250 }, async (sandbox) => {
    await get(sandbox, '/meta');
    await get(sandbox, '/orgs/acme');
  });
  expect(waits.mock.calls).toEqual([[250], [250]]);
});

describe('rate limits', () => {
  const clock = () => noon;

  test('requests beyond the hourly limit are rejected with 403 until the hour is over', async () => {
    let now = noon;
    await during({ rateLimit: 2, clock: () => now }, async (sandbox) => {
      expect((await get(sandbox, '/meta')).headers.get('x-ratelimit-remaining')).toBe('1');
      expect((await get(sandbox, '/meta')).headers.get('x-ratelimit-remaining')).toBe('0');
      const refused = await get(sandbox, '/meta');
      expect(refused.status).toBe(403);
      expect(refused.headers.get('x-ratelimit-limit')).toBe('2');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
      // 13:30:00 of that day, an hour after the first request.
      expect(refused.headers.get('x-ratelimit-reset')).toBe('1795181400');
      expect(refused.headers.get('retry-after')).toBeNull();
      expect(await refused.json()).toMatchObject({ message: 'API rate limit exceeded for admin.' });
      now = new Date('2026-11-20T13:30:00Z');
      expect((await get(sandbox, '/meta')).status).toBe(200);
    });
  });

  test('each token has its own limit', async () => {
    await during({ rateLimit: 1, clock }, async (sandbox) => {
      await get(sandbox, '/meta');
      expect((await get(sandbox, '/meta')).status).toBe(403);
      expect((await fetch(`${sandbox.baseUrl}/meta`)).status).toBe(200);
    });
  });

  test('more than 900 points per minute on one path are rejected with 429 and a time to wait', async () => {
    let now = noon;
    await during({ rateLimit: 5000, clock: () => now }, async (sandbox) => {
      // 180 writes of five points each.
      const statuses = new Set<number>();
      for (let n = 0; n < 180; n++) statuses.add((await createRepository(sandbox)).status);
      expect(statuses).toEqual(new Set([201, 422]));
      now = new Date('2026-11-20T12:30:18Z');
      const refused = await createRepository(sandbox);
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).toBe('42');
      expect(refused.headers.get('x-ratelimit-remaining')).toBe('4819');
      expect(await refused.json()).toMatchObject({
        message: 'You have exceeded a secondary rate limit. Please wait before you try again.',
      });
      expect((await get(sandbox, '/orgs/acme')).status).toBe(200);
      now = new Date('2026-11-20T12:31:00Z');
      expect((await createRepository(sandbox)).status).toBe(422);
    });
  });

  test('more than a hundred concurrent requests are rejected with 429', async () => {
    let letGo = () => {};
    const gate = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    let waiting = 0;
    waits.mockImplementation(() => {
      waiting += 1;
      return gate;
    });
    await during({ rateLimit: 5000, latency: 1 }, async (sandbox) => {
      const first = Array.from({ length: 100 }, (_, n) => get(sandbox, `/orgs/acme?${n}`));
      await vi.waitUntil(() => waiting === 100);
      const refused = await get(sandbox, '/orgs/acme');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      letGo();
      expect(new Set((await Promise.all(first)).map(({ status }) => status))).toEqual(new Set([200]));
      expect((await get(sandbox, '/orgs/acme')).status).toBe(200);
    });
    waits.mockImplementation(() => Promise.resolve());
  });

  test('limits are off by default', async () => {
    await during({}, async (sandbox) => {
      const statuses = new Set<number>();
      for (let n = 0; n < 190; n++) statuses.add((await createRepository(sandbox)).status);
      expect(statuses).toEqual(new Set([201, 422]));
    });
  });
});
