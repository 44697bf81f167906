import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  NetworkError,
  OutcomeUnknownError,
  RateLimitError,
  RedirectError,
  ServerError,
  UnsafeRequestError,
} from '../../../src/client/errors.ts';
import type { HttpRequest } from '../../../src/client/request.ts';
import type { Waiting } from '../../../src/client/transport/transport.ts';
import { getOrganization, updateOrganization } from '../../../src/platform/endpoints/orgs.ts';
import { rejection, testClient, testClock, testTransport, token } from '../../support/client.ts';
import { json, startServer } from '../../support/server.ts';

const acme = { path: { org: 'acme' } };
const change = { ...acme, body: { name: 'Acme' } };

const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {} });
const post = (url: string): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/json' },
  body: '{"a":1}',
});

/** How reads are sent: over Node's HTTP, or over undici. */
const ways = [
  ['Node', {}],
  ['undici', { manyReads: true }],
] as const;

/** A server that talks TCP: it hands each connection on once its first request has arrived. */
async function startSocketServer(
  onRequest: (socket: Socket, request: string, count: number) => void,
): Promise<{ origin: string; requests: string[] }> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('data', (data) => {
      requests.push(data.toString());
      onRequest(socket, data.toString(), requests.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** The address of a port of this machine where nothing listens. */
async function deadOrigin(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

const host = (origin: string) => origin.slice('http://'.length);

describe('redirects', () => {
  const credentialFor = (origin: string) => ({ token: { token, origin } });

  test.each([301, 302, 303, 307, 308])('a read follows a %i on its own origin, with the token', async (status) => {
    const server = await startServer((response, { url }) =>
      url === '/old' ? response.writeHead(status, { location: '/new?a=1#top' }).end() : json(response, { at: url }),
    );
    const answer = await testTransport().send(get(`${server.origin}/old`), credentialFor(server.origin));
    expect(answer).toMatchObject({ status: 200, url: `${server.origin}/new?a=1` });
    expect(server.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/old', `Bearer ${token}`],
      ['GET', '/new?a=1', `Bearer ${token}`],
    ]);
  });

  test.each([301, 302, 303, 307, 308])('a write is not sent again after a %i, which is returned', async (status) => {
    const server = await startServer((response) => response.writeHead(status, { location: '/new' }).end());
    const answer = await testTransport().send(post(`${server.origin}/old`), credentialFor(server.origin));
    expect(answer).toMatchObject({ status, headers: { location: '/new' }, url: `${server.origin}/old` });
    expect(server.requests.map(({ method, url }) => [method, url])).toEqual([['POST', '/old']]);
  });

  test('a read is not followed to another origin, which receives no request', async () => {
    const other = await startServer((response) => json(response, {}));
    const server = await startServer((response) =>
      response.writeHead(302, { location: `${other.origin}/archive?X-Amz-Signature=5ecre7` }).end(),
    );
    const error = await rejection(testTransport().send(get(`${server.origin}/a`), credentialFor(server.origin)));
    expect(error).toBeInstanceOf(RedirectError);
    expect(error.message).toBe(
      `GET /a was redirected (302) to another origin, ${other.origin}; neither the request nor the token was sent there.`,
    );
    expect(other.requests).toEqual([]);
  });

  test.each(['https://ghe.example.com', 'https://127.0.0.1:PORT', 'http://127.0.0.1:1', 'http://localhost:PORT'])(
    'the token of %s is not sent to another scheme, host or port',
    async (home) => {
      const server = await startServer((response) => json(response, {}));
      const origin = home.replace('PORT', new URL(server.origin).port);
      await testTransport().send(get(`${server.origin}/a`), credentialFor(origin));
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    },
  );

  test('a target that only looks like the same origin is another', async () => {
    const server = await startServer((response) =>
      response.writeHead(302, { location: `http://${response.req.headers.host}@evil.example.com/` }).end(),
    );
    const error = await rejection(testTransport().send(get(`${server.origin}/a`), credentialFor(server.origin)));
    expect(error.message).toBe(
      'GET /a was redirected (302) to another origin, http://evil.example.com; neither the request nor the token was sent there.',
    );
  });

  test('are followed five times in a row, not six', async () => {
    const server = await startServer((response, { url }) => {
      const step = Number(url.slice(1));
      if (step === 5) json(response, {});
      else response.writeHead(302, { location: `/${step + 1}` }).end();
    });
    expect((await testTransport().send(get(`${server.origin}/0`))).status).toBe(200);
    const endless = await startServer((response) => response.writeHead(302, { location: '/a' }).end());
    const error = await rejection(testTransport().send(get(`${endless.origin}/a`)));
    expect(error).toBeInstanceOf(RedirectError);
    expect(error.message).toBe('GET /a was redirected (302) more than 5 times.');
    expect(endless.requests).toHaveLength(6);
  });

  test('without a location are errors', async () => {
    const server = await startServer((response) => response.writeHead(301).end());
    const error = await rejection(testTransport().send(get(`${server.origin}/a`)));
    expect(error.message).toBe('GET /a was redirected (301) without a valid location.');
  });

  test('can be returned instead of followed', async () => {
    const server = await startServer((response) =>
      response.writeHead(302, { location: 'https://storage.example.com/x' }).end(),
    );
    expect(await testTransport().send(get(`${server.origin}/a`), { redirect: 'manual' })).toMatchObject({
      status: 302,
      headers: { location: 'https://storage.example.com/x' },
    });
  });
});

describe('request destinations', () => {
  test.each(['http://ghe.example.com/api/v3', 'http://127.0.0.1.example.com/', 'ftp://127.0.0.1/'])(
    'nothing is sent to %s',
    async (url) => {
      const error = await rejection(testTransport().send(get(url), { token: { token, origin: new URL(url).origin } }));
      expect(error).toBeInstanceOf(UnsafeRequestError);
      expect(error.message).toMatch(/^Nothing was sent: .* is not https \(plain http is only allowed for this machine/);
    },
  );

  test.each(ways)('a token that is invalid in a header of %s is not repeated in the error', async (_name, way) => {
    const server = await startServer((response) => json(response, {}));
    const error = await rejection(
      testTransport(way).send(get(`${server.origin}/a`), { token: { token: 'bad\ntoken', origin: server.origin } }),
    );
    expect(error).toBeInstanceOf(UnsafeRequestError);
    expect(error.message).toBe('Nothing was sent: GET /a has an invalid authorization header.');
    expect(server.requests).toEqual([]);
  });
});

describe.each(ways)('reads over %s are retried', (_name, way) => {
  const startClock = () => {
    const { waits, options } = testClock();
    return { waits, options: { ...options, ...way } };
  };

  test.each([500, 502, 503, 504])('after a %i, with growing waits', async (status) => {
    const clock = startClock();
    const server = await startServer((response, _request, count) =>
      count < 4 ? json(response, {}, {}, status) : json(response, { login: 'acme' }),
    );
    const client = testClient(server.origin, clock.options);
    expect(await client.call(getOrganization, acme)).toEqual({ login: 'acme' });
    expect(clock.waits).toEqual([500, 1000, 2000]);
  });

  test('not after a 501', async () => {
    const clock = startClock();
    const server = await startServer((response) => json(response, {}, {}, 501));
    await rejection(testClient(server.origin, clock.options).call(getOrganization, acme));
    expect(server.requests).toHaveLength(1);
  });

  test('after random waits up to their longest', async () => {
    const clock = startClock();
    const draws = [0, 0.5, 0.25];
    const server = await startServer((response, _request, count) =>
      count < 4 ? json(response, {}, {}, 500) : json(response, {}),
    );
    await testClient(server.origin, { ...clock.options, random: () => draws.shift() as number }).call(
      getOrganization,
      acme,
    );
    expect(clock.waits).toEqual([0, 500, 500]);
  });

  test('until the time limit, and the last response becomes the error', async () => {
    const clock = startClock();
    const server = await startServer((response) => json(response, { message: 'Down' }, {}, 503));
    const error = await rejection(
      testClient(server.origin, { ...clock.options, maxWaitMs: 31_000 }).call(getOrganization, acme),
    );
    expect(error).toBeInstanceOf(ServerError);
    // No wait is longer than 8 s; the next one would end after 31.5 s.
    expect(clock.waits).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    expect(server.requests).toHaveLength(7);
  });

  test('after the time in retry-after, if it is within the limit', async () => {
    const clock = startClock();
    const server = await startServer((response, _request, count) =>
      count === 1 ? json(response, {}, { 'retry-after': '7' }, 503) : json(response, {}),
    );
    await testClient(server.origin, clock.options).call(getOrganization, acme);
    expect(clock.waits).toEqual([7000]);
  });

  test('not if retry-after exceeds the limit', async () => {
    const clock = startClock();
    const server = await startServer((response) => json(response, {}, { 'retry-after': '61' }, 503));
    expect(await rejection(testClient(server.origin, clock.options).call(getOrganization, acme))).toBeInstanceOf(
      ServerError,
    );
    expect(clock.waits).toEqual([]);
  });

  test('after a connection closed before or during a response', async () => {
    const clock = startClock();
    const server = await startSocketServer((socket, _request, count) => {
      if (count === 1) socket.resetAndDestroy();
      else if (count === 2)
        socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{"log');
      else socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}');
    });
    expect(await testClient(server.origin, clock.options).call(getOrganization, acme)).toEqual({});
    expect(clock.waits).toEqual([500, 1000]);
  });

  test('after a timeout, which includes slow responses', async () => {
    const clock = startClock();
    const server = await startServer((response, _request, count) => {
      if (count === 1) return;
      if (count === 2) response.writeHead(200, { 'content-type': 'application/json' }).write('{"a"');
      else json(response, {});
    });
    const client = testClient(server.origin, { ...clock.options, timeoutMs: 40 });
    expect(await client.call(getOrganization, acme)).toEqual({});
    expect(server.requests).toHaveLength(3);
  });

  test('a few times if the connection is refused', async () => {
    const clock = startClock();
    const origin = await deadOrigin();
    const error = await rejection(testClient(origin, clock.options).call(getOrganization, acme));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe(`GET /orgs/acme failed: ${host(origin)} refused the connection.`);
    expect(clock.waits).toEqual([500, 1000, 2000, 4000]);
  });

  test('never with a limit of zero', async () => {
    const clock = startClock();
    const server = await startServer((response) => json(response, {}, {}, 500));
    await rejection(testClient(server.origin, { ...clock.options, maxWaitMs: 0 }).call(getOrganization, acme));
    expect(server.requests).toHaveLength(1);
  });

  test('and each wait is reported', async () => {
    const clock = startClock();
    const told: unknown[] = [];
    const server = await startServer((response, _request, count) =>
      count === 1 ? json(response, {}, {}, 502) : count === 2 ? response.destroy() : json(response, {}),
    );
    const wait = async (waiting: Waiting) => void told.push(waiting);
    await testClient(server.origin, { ...clock.options, wait }).call(getOrganization, acme);
    expect(told).toEqual([
      { ms: 500, reason: 'The platform returned 502' },
      { ms: 1000, reason: `${host(server.origin)} closed the connection before responding` },
    ]);
  });
});

describe('rate limits', () => {
  const limited = (...answers: (readonly [status: number, headers: Record<string, string>, body?: unknown])[]) =>
    startServer((response, _request, count) => {
      const [status, headers, body] = answers[count - 1] ?? [200, {}];
      json(response, body ?? (status === 200 ? { login: 'acme' } : { message: 'Slow down' }), headers, status);
    });
  /** 2026-03-01T12:00:30Z, half a minute after the test clock starts. */
  const inHalfAMinute = '1772366430';

  test.each<[what: string, status: number, headers: Record<string, string>, body: unknown, wait: number]>([
    ['429 with retry-after', 429, { 'retry-after': '5' }, {}, 5000],
    ['403 with retry-after', 403, { 'retry-after': '5' }, {}, 5000],
    ['retry-after as a date', 429, { 'retry-after': 'Sun, 01 Mar 2026 12:00:20 GMT' }, {}, 20_000],
    [
      'an exhausted quota with its reset',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inHalfAMinute },
      {},
      30_000,
    ],
    [
      'retry-after before the reset',
      403,
      { 'retry-after': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inHalfAMinute },
      {},
      5000,
    ],
    ['429 without headers', 429, {}, {}, 60_000],
    [
      '429 with quota left, whose reset does not count',
      429,
      { 'x-ratelimit-remaining': '7', 'x-ratelimit-reset': inHalfAMinute },
      {},
      60_000,
    ],
    ['403 with a rate limit message', 403, {}, { message: 'You have exceeded a secondary rate limit.' }, 60_000],
    ['403 for abuse', 403, {}, { message: 'You have triggered an abuse detection mechanism.' }, 60_000],
    ['retry-after of 0, which counts as a second', 429, { 'retry-after': '0' }, {}, 1000],
  ])('%s is waited out', async (_what, status, headers, body, wait) => {
    const clock = testClock();
    const server = await limited([status, headers, body]);
    expect(await testClient(server.origin, clock.options).call(getOrganization, acme)).toEqual({ login: 'acme' });
    expect(clock.waits).toEqual([wait]);
  });

  test('a limit as long as the retry limit is waited out on a clock with fractions of a millisecond', async () => {
    const clock = testClock();
    let readings = 0;
    const now = () => clock.options.now() + ++readings / 1000;
    const server = await limited([429, {}]);
    await testClient(server.origin, { ...clock.options, now }).call(getOrganization, acme);
    expect(clock.waits).toEqual([60_000]);
  });

  test('the reset is measured on the platform’s clock', async () => {
    const clock = testClock();
    const headers = {
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': inHalfAMinute,
      date: 'Sun, 01 Mar 2026 12:00:20 GMT',
    };
    const server = await limited([403, headers]);
    await testClient(server.origin, clock.options).call(getOrganization, acme);
    expect(clock.waits).toEqual([10_000]);
  });

  test('limits without a time are waited out for a minute, then two', async () => {
    const clock = testClock();
    const server = await limited([429, {}], [429, {}]);
    await testClient(server.origin, { ...clock.options, maxWaitMs: 600_000 }).call(getOrganization, acme);
    expect(clock.waits).toEqual([60_000, 120_000]);
  });

  test('a write is repeated after a rate limit, since it was rejected', async () => {
    const clock = testClock();
    const server = await limited([429, { 'retry-after': '5' }]);
    expect(await testClient(server.origin, clock.options).call(updateOrganization, change)).toEqual({ login: 'acme' });
    expect(server.requests.map(({ method, body }) => [method, body])).toEqual([
      ['PATCH', '{"name":"Acme"}'],
      ['PATCH', '{"name":"Acme"}'],
    ]);
  });

  test('a limit that a request meets delays later ones', async () => {
    const clock = testClock();
    let second: Promise<unknown> | undefined;
    const server = await limited([429, { 'retry-after': '5' }]);
    const wait = async (waiting: Waiting) => {
      second ??= Promise.resolve().then(() => client.call(getOrganization, { path: { org: 'globex' } }));
      await new Promise(setImmediate);
      expect(server.requests).toHaveLength(1);
      await clock.options.wait(waiting);
    };
    const client = testClient(server.origin, { ...clock.options, wait });
    await client.call(getOrganization, acme);
    await second;
    expect(clock.waits).toEqual([5000, 5000]);
    expect(server.requests).toHaveLength(3);
  });

  test('are charged to each task separately', async () => {
    const clock = testClock();
    const limit = [429, { 'retry-after': '7' }] as const;
    const server = await limited(limit, [200, {}], limit, [200, {}], limit);
    const client = testClient(server.origin, { ...clock.options, maxWaitMs: 10_000 });
    await client.forTask().call(getOrganization, acme);
    const task = client.forTask();
    await task.call(getOrganization, acme);
    expect(await rejection(task.call(getOrganization, acme))).toBeInstanceOf(RateLimitError);
    expect(clock.waits).toEqual([7000, 7000]);
  });

  test('a limit that ends too late is an error at once, with the time to retry', async () => {
    const clock = testClock();
    const server = await limited([403, { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '1772370000' }]);
    const error = await rejection(testClient(server.origin, clock.options).call(getOrganization, acme));
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAt?.toISOString()).toBe('2026-03-01T13:00:00.000Z');
    expect(clock.waits).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test('a limit without an end has no time to retry', async () => {
    const server = await limited([429, { 'x-ratelimit-reset': '99999999999999999999' }]);
    const error = await rejection(testClient(server.origin, { maxWaitMs: 0 }).call(getOrganization, acme));
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAt).toBeUndefined();
  });

  test('a 403 with quota left is not a rate limit', async () => {
    const server = await limited([
      403,
      { 'x-ratelimit-remaining': '10', 'x-ratelimit-reset': inHalfAMinute },
      { message: 'Must be an owner.' },
    ]);
    const error = await rejection(testClient(server.origin).call(getOrganization, acme));
    expect(error.name).toBe('PermissionError');
  });
});

describe('the body of a request', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    'of %s has its length in bytes, so that no server reads it as the next request',
    async (method) => {
      const server = await startServer((response) => json(response, {}));
      const transport = testTransport();
      for (const url of [`${server.origin}/a`, `${server.origin}/b`])
        await transport.send({ method, url, headers: {}, body: '{"name":"é"}' });
      expect(server.requests.map(({ url, body, headers }) => [url, body, headers['content-length']])).toEqual([
        ['/a', '{"name":"é"}', '13'],
        ['/b', '{"name":"é"}', '13'],
      ]);
    },
  );
});

describe('a write', () => {
  test('uses a new connection, as an idle one may be closed', async () => {
    // Whatever comes second on a connection is lost, as on one that a firewall has forgotten.
    const { origin, requests } = await startSocketServer((socket, request) => {
      const first = !socket.bytesWritten;
      if (first) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}');
      else if (!request.startsWith('GET')) socket.destroy();
    });
    const transport = testTransport();
    expect(await transport.send({ method: 'GET', url: `${origin}/key`, headers: {} })).toMatchObject({ status: 200 });
    for (const method of ['POST', 'DELETE'] as const)
      expect(await transport.send({ method, url: `${origin}/a`, headers: {} })).toMatchObject({ status: 200 });
    expect(requests.map((request) => request.split(' ')[0])).toEqual(['GET', 'POST', 'DELETE']);
    expect(requests[1]?.toLowerCase()).toContain('\r\nconnection: close\r\n');
  });
});

describe('the observer of a write', () => {
  test('is called for each attempt and each response', async () => {
    const clock = testClock();
    const told: unknown[] = [];
    const server = await startServer((response, _request, count) =>
      count === 1 ? json(response, {}, { 'retry-after': '5' }, 429) : json(response, {}),
    );
    const client = testClient(server.origin, clock.options).forTask(({ asked }) => ({
      sending: () => void told.push([asked.method, server.requests.length]),
      received: (status) => void told.push(status),
    }));
    await client.call(updateOrganization, change);
    await client.call(getOrganization, acme);
    expect(told).toEqual([['PATCH', 0], 429, ['PATCH', 1], 200]);
  });

  test('is not called for the page of a proxy, which does not show whether the write happened', async () => {
    const told: unknown[] = [];
    const server = await startServer((response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<html>Sign in</html>');
    });
    const client = testClient(server.origin).forTask(() => ({
      sending: () => void told.push('sending'),
      received: (status) => void told.push(status),
    }));
    await rejection(client.call(updateOrganization, change));
    expect(told).toEqual(['sending']);
  });

  test('can prevent the write', async () => {
    const server = await startServer((response) => json(response, {}));
    const sending = () => Promise.reject(new Error('no room for the journal'));
    const client = testClient(server.origin).forTask(() => ({ sending }));
    const error = await rejection(client.call(updateOrganization, change));
    expect({ message: error.message, requests: server.requests }).toEqual({
      message: 'no room for the journal',
      requests: [],
    });
  });
});

describe('the observer of a write that failed', () => {
  const observed = async (origin: string) => {
    const told: unknown[] = [];
    const client = testClient(origin, { timeoutMs: 5000 }).forTask(() => ({
      sending: () => void told.push('sending'),
      received: (status) => void told.push(status),
      unsent: () => void told.push('unsent'),
    }));
    await rejection(client.call(updateOrganization, change));
    return told;
  };

  test('is told of a connection that was not opened', async () => {
    expect(await observed(await deadOrigin())).toEqual(['sending', 'unsent']);
  });

  test('is told of a failed TLS handshake', async () => {
    const server = await startSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await observed(server.origin.replace('http:', 'https:'))).toEqual(['sending', 'unsent']);
  });

  test('is told nothing of a request that was sent', async () => {
    const server = await startSocketServer((socket) => socket.resetAndDestroy());
    expect(await observed(server.origin)).toEqual(['sending']);
  });
});

describe('a write interrupted', () => {
  test.each<[what: string, answer: (socket: Socket) => void, reason: string]>([
    ['by a reset', (socket) => socket.resetAndDestroy(), 'closed the connection before responding'],
    ['before a response', (socket) => socket.end(), 'closed the connection before responding'],
    [
      'in the middle',
      (socket) =>
        socket.end('HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"id":'),
      'closed the connection in the middle of the response',
    ],
    [
      'in the middle of chunks',
      (socket) => socket.end('HTTP/1.1 201 Created\r\ntransfer-encoding: chunked\r\n\r\n6\r\n{"id":\r\n'),
      'closed the connection in the middle of the response',
    ],
    ['by a timeout', () => {}, 'timed out after 0.05 s'],
    [
      'by a response that is not HTTP',
      (socket) => socket.end('SSH-2.0-OpenSSH_9.7\r\n'),
      'sent an invalid HTTP response',
    ],
    [
      'by an unrequested protocol switch',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
      'sent an invalid HTTP response',
    ],
  ])('%s is not repeated, and the error reports an unknown outcome', async (_what, answer, reason) => {
    const clock = testClock();
    const server = await startSocketServer(answer);
    const client = testClient(server.origin, { ...clock.options, timeoutMs: reason.includes('0.05') ? 50 : 5000 });
    const error = await rejection(client.call(updateOrganization, change));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toBe(
      `The outcome of PATCH /orgs/acme is unknown: the request was sent, but ${host(server.origin)} ${reason}.`,
    );
    expect(server.requests).toHaveLength(1);
    expect(clock.waits).toEqual([]);
  });

  test('differs from one whose connection failed, which changed nothing', async () => {
    const clock = testClock();
    const origin = await deadOrigin();
    const error = await rejection(testClient(origin, clock.options).call(updateOrganization, change));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe(`PATCH /orgs/acme failed: ${host(origin)} refused the connection.`);
    expect(clock.waits).toEqual([]);
  });

  test('is not sent after a timeout while connecting', async () => {
    // The server takes the TCP connection and never answers the TLS greeting.
    const server = await startSocketServer(() => {});
    const url = `${server.origin.replace('http:', 'https:')}/a`;
    const error = await rejection(testTransport({ timeoutMs: 60 }).send(post(url)));
    expect(error).toBeInstanceOf(NetworkError);
    expect(server.requests.join('')).not.toContain('POST');
  });
});

describe('a server without TLS', () => {
  test('is not retried', async () => {
    const clock = testClock();
    const server = await startSocketServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const error = await rejection(
      testTransport(clock.options).send(get(`${server.origin.replace('http:', 'https:')}/a`)),
    );
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toMatch(/ failed the TLS handshake \([A-Z_]+\)\.$/);
    expect(clock.waits).toEqual([]);
  });
});

test('the data received on a connection is released once it is parsed, even if the connection is kept', async () => {
  const body = 'x'.repeat(200_000);
  const { origin, requests } = await startSocketServer((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
  });
  const push = vi.spyOn(Readable.prototype, 'push');
  onTestFinished(() => push.mockRestore());
  const transport = testTransport();
  for (const path of ['/a', '/b'])
    expect((await transport.send(get(`${origin}${path}`))).body.toString() === body).toBe(true);
  const received = push.mock.calls.map(([chunk]) => chunk).filter((chunk) => Buffer.isBuffer(chunk));
  // The server reads the requests through streams too.
  expect(received.filter(({ length }) => length > 0).map(String)).toEqual(requests);
});

describe('concurrent requests', () => {
  /** A server that answers nothing until the test says so. */
  async function holdingServer() {
    const held: (() => void)[] = [];
    let most = 0;
    const server = await startServer((response) => {
      held.push(() => json(response, {}));
      most = Math.max(most, held.length);
    });
    /** Answers `total` requests, `atOnce` by `atOnce`: it waits until so many are there. */
    const answerAll = async (total: number, atOnce: number) => {
      for (let left = total; left > 0; left -= atOnce) {
        while (held.length < Math.min(atOnce, left)) await new Promise((resolve) => setImmediate(resolve));
        for (const answer of held.splice(0)) answer();
      }
    };
    return { server, answerAll, most: () => most };
  }

  test.each(ways)('over %s stay within the limit, over no more connections', async (_name, way) => {
    const { server, answerAll, most } = await holdingServer();
    const transport = testTransport({ concurrency: 3, ...way });
    const all = Array.from({ length: 10 }, (_, index) => transport.send(get(`${server.origin}/${index}`)));
    await answerAll(10, 3);
    await Promise.all(all);
    expect(most()).toBe(3);
    expect(server.connections()).toBe(3);
  });

  test('are sent before all responses that arrived together are processed', async () => {
    const count = 100;
    const held: (() => void)[] = [];
    let processed = 0;
    let processedBefore = 0;
    const server = await startServer((response, _request, number) => {
      if (number > count) json(response, {});
      else held.push(() => json(response, {}));
      if (number === count) for (const answer of held) answer();
      if (number === count + 1) processedBefore = processed;
    });
    const transport = testTransport({ concurrency: count, manyReads: true });
    const sendTwo = async (index: number) => {
      await transport.send(get(`${server.origin}/first/${index}`));
      processed++;
      await transport.send(get(`${server.origin}/second/${index}`));
    };
    await Promise.all(Array.from({ length: count }, (_, index) => sendTwo(index)));
    expect(server.requests).toHaveLength(2 * count);
    expect(processedBefore).toBeGreaterThan(0);
    expect(processedBefore).toBeLessThan(count / 2);
  });

  test('are 20 by default, and 100 at most', () => {
    expect(testTransport().concurrency).toBe(20);
    expect(testTransport({ concurrency: 500 }).concurrency).toBe(100);
    expect(testTransport({ concurrency: 0 }).concurrency).toBe(1);
  });

  test('include one write, while reads continue', async () => {
    const held: (() => void)[] = [];
    const server = await startServer((response, { method }) => {
      if (method === 'POST') held.push(() => json(response, {}));
      else json(response, {});
    });
    const transport = testTransport();
    const writes = [1, 2, 3].map((index) => transport.send(post(`${server.origin}/${index}`)));
    const posted = () => server.requests.filter(({ method }) => method === 'POST').map(({ url }) => url);
    for (const sent of [['/1'], ['/1', '/2'], ['/1', '/2', '/3']]) {
      // A write that was sent beside the first would be there before the last of these reads.
      for (let read = 0; read < 5; read++) await transport.send(get(`${server.origin}/read`));
      expect(posted()).toEqual(sent);
      held.pop()?.();
      await writes[sent.length - 1];
    }
  });

  test('continue after a failed write', async () => {
    const server = await startServer((response, _request, count) =>
      count === 1 ? response.destroy() : json(response, {}),
    );
    const transport = testTransport();
    const [first, second] = await Promise.allSettled([
      transport.send(post(`${server.origin}/1`)),
      transport.send(post(`${server.origin}/2`)),
    ]);
    expect([first?.status, second?.status]).toEqual(['rejected', 'fulfilled']);
  });
});

describe('a signal', () => {
  test.each(ways)('aborts a pending request over %s with its reason', async (_name, way) => {
    const stop = new AbortController();
    const server = await startServer(() => stop.abort(new Error('Ctrl-C')));
    const error = await rejection(testClient(server.origin, way).call(getOrganization, acme, { signal: stop.signal }));
    expect(error.message).toBe('Ctrl-C');
    expect(server.requests).toHaveLength(1);
  });

  test('ends a wait, with its reason', async () => {
    const stop = new AbortController();
    const server = await startServer((response) => json(response, {}, { 'retry-after': '50' }, 429));
    const client = testClient(server.origin, {
      onDebug: (line) => line.includes('< 429') && setImmediate(() => stop.abort(new Error('Ctrl-C'))),
    });
    expect((await rejection(client.call(getOrganization, acme, { signal: stop.signal }))).message).toBe('Ctrl-C');
    expect(server.requests).toHaveLength(1);
  });

  test('that is already aborted prevents the request', async () => {
    const server = await startServer((response) => json(response, {}));
    const signal = AbortSignal.abort(new Error('Ctrl-C'));
    expect((await rejection(testClient(server.origin).call(getOrganization, acme, { signal }))).message).toBe('Ctrl-C');
    expect(server.requests).toEqual([]);
  });
});

describe('deprecation notices', () => {
  test('are reported once', async () => {
    const told: string[] = [];
    const headers = {
      deprecation: '@1767225600',
      sunset: 'Wed, 10 Mar 2027 00:00:00 GMT',
      link: '<https://docs.example.com/ends>; rel="deprecation"',
    };
    const server = await startServer((response) => json(response, {}, headers));
    const client = testClient(server.origin, { onNotice: (text) => told.push(text) });
    await client.call(getOrganization, acme);
    await client.call(getOrganization, { path: { org: 'other' } });
    expect(told).toEqual([
      'GET /orgs/acme has been deprecated since 2026-01-01 and will be removed on 2027-03-10. See https://docs.example.com/ends.',
    ]);
  });

  test('may omit all details', async () => {
    const told: string[] = [];
    const server = await startServer((response) => json(response, {}, { deprecation: 'true' }));
    await testClient(server.origin, { onNotice: (text) => told.push(text) }).call(getOrganization, acme);
    expect(told).toEqual(['GET /orgs/acme is deprecated.']);
  });
});

describe('debug lines', () => {
  test('contain requests and responses, but no token', async () => {
    const lines: string[] = [];
    const server = await startServer((response, _request, count) =>
      count === 1
        ? json(response, {}, { 'x-github-request-id': 'C0FF:EE' }, 500)
        : json(
            response,
            { temp_clone_token: 'clone-me-1', echo: token, again: Buffer.from(`x:${token}`).toString('base64') },
            { 'set-cookie': 'session=abc', 'x-auth-token': 'session-abc', 'x-echo': encodeURIComponent(token) },
          ),
    );
    const clock = testClock();
    await testClient(server.origin, { ...clock.options, onDebug: (line) => lines.push(line) }).call(
      getOrganization,
      acme,
    );
    const text = lines.join('\n');
    expect(lines[0]).toBe(`[1] > GET ${server.origin}/api/v3/orgs/acme`);
    expect(lines).toContain('[1] > authorization: Bearer ********');
    expect(text).toMatch(/^\[1\] < 500 in \d+ ms, request id C0FF:EE$/m);
    expect(text).toMatch(/^\[2\] < 200 in \d+ ms$/m);
    expect(lines).toContain('[2] < set-cookie: ********');
    expect(lines).toContain('[2] < x-auth-token: ********');
    expect(lines).toContain('[2] < x-echo: ********');
    expect(text).toContain('"temp_clone_token":"********","echo":"********"');
    expect(text).not.toContain(token);
    expect(text).not.toContain('clone-me-1');
    expect(text).not.toContain(Buffer.from(token).toString('base64').slice(4, -4));
  });

  test('show only the headers of a request that describe it', async () => {
    const lines: string[] = [];
    const server = await startServer((response) => json(response, {}));
    const headers = { 'X-Api-Key': 'opensesame', 'X-Auth': 'Bearer opensesame', accept: 'text/plain' };
    await testClient(server.origin, { onDebug: (line) => lines.push(line) }).request({
      method: 'GET',
      path: '/x',
      headers,
    });
    expect(lines).toContain('[1] > X-Api-Key: ********');
    expect(lines).toContain('[1] > accept: text/plain');
    expect(lines).toContain('[1] > accept-encoding: gzip, br');
    expect(lines.join('\n')).not.toContain('opensesame');
  });

  test('report a body and an error', async () => {
    const lines: string[] = [];
    const server = await startSocketServer((socket) => socket.destroy());
    await rejection(
      testClient(server.origin, { onDebug: (line) => lines.push(line) }).call(updateOrganization, change),
    );
    expect(lines).toContain('[1] > {"name":"Acme"}');
    expect(lines.at(-1)).toMatch(/^\[1\] ! closed the connection before responding, after \d+ ms$/);
  });
});
