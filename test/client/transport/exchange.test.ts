/** One exchange over a connection of the test's own, which does what real ones do only by chance. */
import type { Dispatcher } from 'undici';
import { describe, expect, test } from 'vitest';
import { exchange } from '../../../src/client/transport/exchange.ts';
import type { RequestDispatcher } from '../../../src/client/transport/route.ts';
import { rejection } from '../../support/client.ts';

const request = { method: 'GET', url: 'https://ghe.example.com/api/v3/x', headers: {} } as const;
const mebibyte = 1024 * 1024;

/** A connection that does with each request what the test says. */
const connection = (happens: (handler: Required<Dispatcher.DispatchHandler>) => void): RequestDispatcher => ({
  dispatch: (_options, handler) => {
    happens(handler as Required<Dispatcher.DispatchHandler>);
    return true;
  },
  destroy: async () => {},
});

/** Takes note of why it is given up. */
function controller() {
  const aborted: string[] = [];
  return { aborted, abort: (reason: Error) => aborted.push(reason.message) };
}
const plain = () => controller() as unknown as Dispatcher.DispatchController;

test('a request that undici is about to repeat is not sent', async () => {
  const second = controller();
  const dispatcher = connection((handler) => {
    handler.onRequestStart(plain(), undefined);
    handler.onRequestStart(second as unknown as Dispatcher.DispatchController, undefined);
    handler.onResponseError(plain(), new Error(second.aborted[0]));
  });
  const failure = await rejection(exchange(dispatcher, request, { timeoutMs: 1000 }));
  expect(failure).toMatchObject({ kind: 'connection', sent: true });
  expect(second.aborted[0]).toBe('closed the connection before responding');
});

test('the memory of received data is released before garbage collection', async () => {
  const received = Buffer.from(new ArrayBuffer(4)).fill('x');
  const part = Buffer.from(new ArrayBuffer(4)).fill('y').subarray(1);
  const dispatcher = connection((handler) => {
    handler.onRequestStart(plain(), undefined);
    handler.onResponseStart(plain(), 200, {}, '');
    for (const chunk of [received, part]) handler.onResponseData(plain(), chunk);
    handler.onResponseEnd(plain(), {});
  });
  expect((await exchange(dispatcher, request, { timeoutMs: 1000 })).body.toString()).toBe('xxxxyyy');
  // A part of other memory stays.
  expect([received.length, part.length]).toEqual([0, 3]);
});

describe('concurrent responses', () => {
  /** An answer of 45 MiB, which ends when the test says. */
  const large = (ends: (() => void)[]) =>
    connection((handler) => {
      handler.onRequestStart(plain(), undefined);
      handler.onResponseStart(plain(), 200, {}, '');
      handler.onResponseData(plain(), Buffer.alloc(45 * mebibyte));
      ends.push(() => handler.onResponseEnd(plain(), {}));
    });

  test('share 128 MiB', async () => {
    const [intake, ends] = [{ bytes: 0 }, [] as (() => void)[]];
    const ask = () => exchange(large(ends), request, { timeoutMs: 60_000, intake });
    const [first, second, third] = [ask(), ask(), ask()];
    expect((await rejection(third)).message).toBe('sent more than 128 MiB in concurrent responses');
    for (const end of ends) end();
    expect((await Promise.all([first, second])).map(({ body }) => body.length)).toEqual([45 * mebibyte, 45 * mebibyte]);
  });

  test('free their share when they end', async () => {
    const [intake, ends] = [{ bytes: 0 }, [] as (() => void)[]];
    for (let asked = 0; asked < 3; asked++) {
      const answer = exchange(large(ends), request, { timeoutMs: 60_000, intake });
      ends[asked]?.();
      expect((await answer).body).toHaveLength(45 * mebibyte);
    }
  });
});
