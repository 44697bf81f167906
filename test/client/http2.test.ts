/** Lists over HTTP/2: pages side by side share a connection; everything else is HTTP/1.1. */

import { createServer, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { InvalidResponseError, NetworkError } from '../../src/client/errors.ts';
import { createComment } from '../../src/platform/endpoints/comments.ts';
import { listOwnOrganizations } from '../../src/platform/endpoints/orgs.ts';
import { selfSignedCertificate } from '../support/certificate.ts';
import { rejection, testClient, testClock, token } from '../support/client.ts';

const certificate = selfSignedCertificate();

interface Seen {
  readonly version: string;
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
}

type Answering = (response: Http2ServerResponse, page: number, request: Http2ServerRequest) => void;

/** A platform that offers both versions of HTTP; its lists are eight pages of one record. */
async function startPlatform(answering: Answering = answer) {
  const seen: Seen[] = [];
  const sessions: ServerHttp2Session[] = [];
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    const { httpVersion: version, method, url, headers } = request;
    seen.push({ version, method, url, authorization: headers.authorization });
    answering(response, Number(new URL(url, 'https://x').searchParams.get('page') ?? 1), request);
  });
  server.on('session', (session) => sessions.push(session));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const session of sessions) session.destroy();
    server.close();
  });
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, sessions };
}

function answer(response: Pick<ServerResponse, 'setHeader' | 'end'> | Http2ServerResponse, page: number): void {
  const next = `</api/v3/user/orgs?per_page=1&page=${page + 1}>; rel="next"`;
  const last = '</api/v3/user/orgs?per_page=1&page=8>; rel="last"';
  response.setHeader('content-type', 'application/json');
  if (page < 8) response.setHeader('link', `${next}, ${last}`);
  const body = JSON.stringify([{ id: page }]);
  // Node tells it by itself over HTTP/1.1 alone.
  response.setHeader('content-length', body.length);
  response.end(body);
}

const clientFor = (origin: string) =>
  testClient(origin, { ...testClock().options, ca: certificate.cert, concurrency: 7, maxWaitMs: 60_000 });

async function idsFrom(client: ReturnType<typeof clientFor>): Promise<number[]> {
  const ids: number[] = [];
  for await (const { items } of client.pages(listOwnOrganizations, {}, { perPage: 1 }))
    for (const { id } of items) ids.push(id);
  return ids;
}

test('all pages share one HTTP/2 connection', async () => {
  const { origin, seen, sessions } = await startPlatform();
  expect(await idsFrom(clientFor(origin))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(seen.map(({ version }) => version).sort()).toEqual(Array(8).fill('2.0'));
  expect(seen.map(({ url }) => url).sort()).toEqual([
    '/api/v3/user/orgs?per_page=1',
    ...[2, 3, 4, 5, 6, 7, 8].map((page) => `/api/v3/user/orgs?per_page=1&page=${page}`),
  ]);
  expect(new Set(seen.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${token}`]));
  expect(sessions).toHaveLength(1);
});

test('a list that may be short starts with HTTP/1.1', async () => {
  const { origin, seen } = await startPlatform();
  for await (const { items } of clientFor(origin).pages(listOwnOrganizations, {}, { perPage: 1, limit: 3 }))
    expect(items).toHaveLength(1);
  expect(seen.map(({ version }) => version)).toEqual(['1.1', '2.0', '2.0']);
});

test('a platform without HTTP/2 receives requests over HTTP/1.1', async () => {
  const versions: string[] = [];
  const server = createHttpsServer(certificate, (request, response) => {
    versions.push(request.httpVersion);
    answer(response, Number(new URL(request.url ?? '', 'https://x').searchParams.get('page') ?? 1));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  expect(await idsFrom(clientFor(`https://127.0.0.1:${port}`))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(versions).toEqual(Array(8).fill('1.1'));
});

test('a write uses HTTP/1.1, even after such a list', async () => {
  const { origin, seen } = await startPlatform((response, page, { method }) => {
    if (method === 'GET') answer(response, page);
    else response.writeHead(201, { 'content-type': 'application/json' }).end('{"id":1}');
  });
  const client = clientFor(origin);
  await idsFrom(client);
  await client.call(createComment, {
    path: { owner: 'acme', repo: 'site', commit_sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' },
    body: { body: 'Nice.' },
  });
  expect(seen.at(-1)).toMatchObject({ version: '1.1', method: 'POST' });
});

test('missing pages are requested again after the platform closes the connection', async () => {
  let closed = 0;
  const { origin, sessions } = await startPlatform((response, page) => {
    if (page === 4 && closed++ === 0) sessions[0]?.destroy();
    else answer(response, page);
  });
  expect(await idsFrom(clientFor(origin))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(closed).toBe(2);
});

test('a new connection is opened after GOAWAY', async () => {
  let said = false;
  const { origin, sessions } = await startPlatform((response, page) => {
    if (!said && page === 3) sessions[0]?.goaway();
    said ||= page === 3;
    answer(response, page);
  });
  expect(await idsFrom(clientFor(origin))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a page that is interrupted each time is an error, and no later page is returned', async () => {
  const { origin } = await startPlatform((response, page) => {
    if (page !== 5) return answer(response, page);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('[{"id"', () => response.stream.close(2));
  });
  const ids: number[] = [];
  const error = await rejection(
    (async () => {
      for await (const { items } of clientFor(origin).pages(listOwnOrganizations, {}, { perPage: 1 }))
        for (const { id } of items) ids.push(id);
    })(),
  );
  expect(error).toBeInstanceOf(NetworkError);
  expect(error.message).toBe(
    `GET /user/orgs failed: ${origin.slice(8)} closed the connection in the middle of the response.`,
  );
  expect(ids).toEqual([1, 2, 3, 4]);
});

/** One frame of HTTP/2: RFC 9113, section 4.1. */
function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const header = Buffer.alloc(9);
  header.writeUIntBE(payload.length, 0, 3);
  header.writeUInt8(type, 3);
  header.writeUInt8(flags, 4);
  header.writeUInt32BE(stream, 5);
  return Buffer.concat([header, payload]);
}

/**
 * A platform that over HTTP/2 sends "half" and resets the stream with `code`, which Node's own server cannot do, and over
 * HTTP/1.1 sends "half and half".
 */
async function startResettingPlatform(code: number) {
  const versions: string[] = [];
  const headersOf200 = Buffer.concat([Buffer.from([0x88, 0x0f, 0x10, 10]), Buffer.from('text/plain')]);
  const overHttp1 = createServer((_request, response) => {
    versions.push('1.1');
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('half ');
    response.end('and half');
  });
  const server = createTlsServer({ ...certificate, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    if (socket.alpnProtocol !== 'h2') return void overHttp1.emit('connection', socket);
    socket.on('error', () => {});
    socket.write(frame(4, 0, 0));
    let received = Buffer.alloc(0);
    let greeting = 24;
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      while (received.length >= greeting + 9) {
        const length = greeting + 9 + received.readUIntBE(greeting, 3);
        if (received.length < length) return;
        const [type, flags, stream] = [
          received[greeting + 3],
          received[greeting + 4] ?? 0,
          received.readUInt32BE(greeting + 5),
        ];
        received = received.subarray(length);
        greeting = 0;
        if (type === 4 && (flags & 1) === 0) socket.write(frame(4, 1, 0));
        if (type !== 1) continue;
        versions.push('2.0');
        const reset = Buffer.alloc(4);
        reset.writeUInt32BE(code);
        socket.write(
          Buffer.concat([
            frame(1, 4, stream, headersOf200),
            frame(0, 0, stream, Buffer.from('half')),
            frame(3, 0, stream, reset),
          ]),
        );
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    overHttp1.closeAllConnections();
    server.close();
  });
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, versions };
}

test.each([
  ['NO_ERROR', 0],
  ['CANCEL', 8],
])('a response without a length whose stream is reset with %s is requested over HTTP/1.1', async (_, code) => {
  const { origin, versions } = await startResettingPlatform(code);
  const client = clientFor(origin);
  const raw = { method: 'GET', path: '/zen' } as const;
  expect([await client.requestAll(raw), await client.requestAll(raw)]).toEqual([
    { record: 'half and half' },
    { record: 'half and half' },
  ]);
  expect(versions).toEqual(['2.0', '1.1', '1.1']);
});

test('an endless page is cancelled', async () => {
  const { origin } = await startPlatform((response, page) => {
    if (page !== 2) return answer(response, page);
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => response.stream.destroyed || response.write(Buffer.alloc(1024 * 1024, 0x20), more);
    more();
  });
  const error = await rejection(idsFrom(clientFor(origin)));
  expect(error).toBeInstanceOf(InvalidResponseError);
  expect(error.message).toContain('sent more than 48 MiB');
});
