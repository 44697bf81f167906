/** undici's connections, to a real server. */
import type { Dispatcher } from 'undici';
import { expect, test } from 'vitest';
import { openPool } from '../../../src/client/transport/undici-dispatcher.ts';
import { json, startServer } from '../../support/server.ts';

test('a request does not wait until the connection of the one before can be used again', async () => {
  const server = await startServer((response) => json(response, {}));
  const pool = openPool({ concurrency: 1, timeoutMs: 1000, tls: {}, http2: false });
  const send = (onEnd: () => void, fail: (error: Error) => void) =>
    pool.dispatch({ origin: server.origin, path: '/', method: 'GET' }, {
      onRequestStart: () => {},
      onResponseStart: () => {},
      onResponseData: () => {},
      onResponseEnd: onEnd,
      onResponseError: (_controller, error) => fail(error),
    } satisfies Dispatcher.DispatchHandler);
  // The second is sent in the same turn of the event loop in which the first ends.
  await new Promise<void>((resolve, reject) => send(() => send(resolve, reject), reject));
  await new Promise<void>((resolve, reject) => send(resolve, reject));
  await pool.destroy();
  expect([server.requests.length, server.connections()]).toEqual([3, 2]);
});
