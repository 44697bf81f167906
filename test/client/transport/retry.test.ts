import { describe, expect, test } from 'vitest';
import type { HttpRequest } from '../../../src/client/request.ts';
import { Limiter } from '../../../src/client/transport/limiter.ts';
import { RetryBudget } from '../../../src/client/transport/retry.ts';
import { testClock, testTransport } from '../../support/client.ts';
import { json, startServer } from '../../support/server.ts';

describe('the retry limit', () => {
  test('is used up by retries, counted once for concurrent ones', async () => {
    let now = 0;
    const budget = new RetryBudget(100, () => now);
    const retrying = () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const charged = budget.charge(() => promise);
      return async () => {
        resolve();
        await charged;
      };
    };
    now += 50;
    expect(budget.leftMs).toBe(100);
    const endFirst = retrying();
    now += 10;
    const endSecond = retrying();
    now += 5;
    expect(budget.leftMs).toBe(85);
    await endFirst();
    now += 3;
    await endSecond();
    now += 50;
    expect(budget.leftMs).toBe(82);
    retrying();
    now += 2;
    expect(budget.leftMs).toBe(80);
  });

  test('is shared by all requests of a transport', async () => {
    const clock = testClock();
    const failing = new Set(['/one', '/two']);
    const server = await startServer((response, { url }) =>
      failing.delete(url) ? json(response, {}, { 'retry-after': '6' }, 503) : json(response, {}),
    );
    const transport = testTransport({ ...clock.options, maxWaitMs: 10_000 });
    const get = (path: string): HttpRequest => ({ method: 'GET', url: `${server.origin}${path}`, headers: {} });
    expect((await transport.send(get('/one'))).status).toBe(200);
    expect((await transport.send(get('/two'))).status).toBe(503);
    expect(clock.waits).toEqual([6000]);
  });
});

test('a limiter never exceeds its places, even after some were handed on', async () => {
  const limiter = new Limiter(1);
  const order: string[] = [];
  const gates = new Map<string, () => void>();
  const task = (name: string) =>
    limiter.run(async () => {
      order.push(`${name} begins`);
      await new Promise<void>((resolve) => gates.set(name, resolve));
      order.push(`${name} ends`);
    });
  const first = task('first');
  const second = task('second');
  gates.get('first')?.();
  await first;
  const third = task('third');
  gates.get('second')?.();
  await second;
  const fourth = task('fourth');
  gates.get('third')?.();
  await third;
  gates.get('fourth')?.();
  await fourth;
  expect(order).toEqual(['first', 'second', 'third', 'fourth'].flatMap((name) => [`${name} begins`, `${name} ends`]));
});

test('a task outside its limiter leaves its place, and waits for one afterwards', async () => {
  const limiter = new Limiter(1);
  const order: string[] = [];
  const { promise: met, resolve: meet } = Promise.withResolvers<void>();
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const first = limiter.run(async () => {
    order.push('first outside');
    order.push(await limiter.outside(() => met.then(() => 'first again')));
  });
  const second = limiter.run(async () => {
    order.push('second begins');
    meet();
    await end;
    order.push('second ends');
  });
  await new Promise(setImmediate);
  resolve();
  await Promise.all([first, second]);
  expect(order).toEqual(['first outside', 'second begins', 'second ends', 'first again']);
});

test('a limiter with more places starts the tasks that wait', async () => {
  const limiter = new Limiter(1);
  const started: number[] = [];
  const { promise: end, resolve } = Promise.withResolvers<void>();
  const tasks = [1, 2, 3, 4].map((number) =>
    limiter.run(() => {
      started.push(number);
      return end;
    }),
  );
  limiter.resize(3);
  await new Promise(setImmediate);
  expect(started).toEqual([1, 2, 3]);
  resolve();
  await Promise.all(tasks);
  expect(started).toEqual([1, 2, 3, 4]);
});
