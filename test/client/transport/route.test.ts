/** The way to the platform: TLS, certificates, proxies, and how it ends. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type IncomingHttpHeaders } from 'node:http';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { NetworkError, UnsafeRequestError } from '../../../src/client/errors.ts';
import type { HttpRequest } from '../../../src/client/request.ts';
import { selfSignedCertificate } from '../../support/certificate.ts';
import { rejection, testClock, testTransport, token } from '../../support/client.ts';
import { json, startServer } from '../../support/server.ts';

const certificate = selfSignedCertificate();
const get = (url: string): HttpRequest => ({ method: 'GET', url, headers: {} });
const change: HttpRequest = { method: 'POST', url: 'https://ghe.example.com/a', headers: {}, body: '{}' };

async function startHttps(): Promise<{ origin: string; authorizations: (string | undefined)[] }> {
  const authorizations: (string | undefined)[] = [];
  const server = createHttpsServer(certificate, (request, response) => {
    authorizations.push(request.headers.authorization);
    json(response, { secure: true });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`, authorizations };
}

interface Proxy {
  readonly address: string;
  readonly seen: { readonly method: string; readonly target: string; readonly headers: IncomingHttpHeaders }[];
}

/** A proxy that makes tunnels, or answers every CONNECT with a status. */
async function startProxy(refusal?: number): Promise<Proxy> {
  const seen: Proxy['seen'] = [];
  const sockets = new Set<Socket>();
  const server = createHttpServer((request, response) => {
    seen.push({ method: request.method ?? '', target: request.url ?? '', headers: request.headers });
    response.writeHead(500).end();
  });
  server.on('connect', (request, socket: Socket, head) => {
    seen.push({ method: 'CONNECT', target: request.url ?? '', headers: request.headers });
    if (refusal) {
      socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`);
      return;
    }
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) {
      sockets.add(end);
      end.on('error', () => {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

describe('certificates', () => {
  test('trusted by Node stay trusted beside the platform’s own, like those of NODE_EXTRA_CA_CERTS', async () => {
    const { origin } = await startHttps();
    const directory = await mkdtemp(join(tmpdir(), 'forgectl-route-'));
    onTestFinished(() => rm(directory, { recursive: true }));
    const extra = join(directory, 'extra.pem');
    await writeFile(extra, certificate.cert);
    const script = `
      const { createTransport } = await import(process.argv[1]);
      const transport = createTransport({ ca: process.argv[2] });
      const answer = await transport.send({ method: 'GET', url: process.argv[3], headers: {} });
      console.log(answer.status);
      await transport.close();`;
    const module = new URL('../../../src/client/transport/transport.ts', import.meta.url).href;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script, module, selfSignedCertificate().cert, `${origin}/a`],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: extra } },
    );
    expect(stdout).toBe('200\n');
  });

  test('of the platform’s own authority are trusted if they are configured', async () => {
    const { origin, authorizations } = await startHttps();
    const answer = await testTransport({ ca: certificate.cert }).send(get(`${origin}/a`), { token: { token, origin } });
    expect(answer.status).toBe(200);
    expect(authorizations).toEqual([`Bearer ${token}`]);
  });

  test('of an unknown authority are rejected, and the token is not sent', async () => {
    const clock = testClock();
    const { origin, authorizations } = await startHttps();
    const error = await rejection(testTransport(clock.options).send(get(`${origin}/a`), { token: { token, origin } }));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe(
      `GET /a failed: ${origin.slice(8)} presented an untrusted certificate (DEPTH_ZERO_SELF_SIGNED_CERT).`,
    );
    expect(authorizations).toEqual([]);
    expect(clock.waits).toEqual([]);
  });

  test('that are invalid are named as the reason', async () => {
    const { origin } = await startHttps();
    const error = await rejection(
      testTransport({ ca: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n' }).send(get(`${origin}/a`)),
    );
    expect(error).toBeInstanceOf(UnsafeRequestError);
    expect(error.message).toBe('GET /a was not sent: the CA certificates are not in PEM format.');
  });
});

describe('a connection', () => {
  test('uses HTTP/1.1 even if the server supports HTTP/2', async () => {
    const versions: string[] = [];
    const server = createHttp2Server({ ...certificate, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
    const proxy = await startProxy();
    for (const env of [{}, { HTTPS_PROXY: proxy.address }]) {
      const transport = testTransport({ ca: certificate.cert, env });
      await transport.send(get(url));
      await transport.close();
    }
    expect(versions).toEqual(['1.1', '1.1']);
  });

  test('established after the timeout is not used: the write was given up', async () => {
    const { origin, authorizations } = await startHttps();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let ended = () => {};
    const end = new Promise<void>((resolve) => {
      ended = resolve;
    });
    // Takes the connection at once, and passes it on when the test says so.
    const slow = createTcpServer(async (socket) => {
      socket.on('error', () => {});
      await released;
      const upstream = connect(Number(new URL(origin).port), '127.0.0.1');
      upstream.on('error', () => {}).on('close', ended);
      socket.pipe(upstream).pipe(socket);
    });
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void slow.close());
    const url = `https://127.0.0.1:${(slow.address() as AddressInfo).port}/a`;
    const request: HttpRequest = { method: 'POST', url, headers: {}, body: '{}' };
    const error = await rejection(testTransport({ ca: certificate.cert, timeoutMs: 50 }).send(request));
    expect(error).toBeInstanceOf(NetworkError);
    release();
    await end;
    expect(authorizations).toEqual([]);
  });
});

describe('a proxy', () => {
  test.each(['HTTPS_PROXY', 'https_proxy'])('from %s opens a tunnel and never sees the token', async (name) => {
    const { origin, authorizations } = await startHttps();
    const proxy = await startProxy();
    const transport = testTransport({ ca: certificate.cert, env: { [name]: proxy.address } });
    const answer = await transport.send(get(`${origin}/a`), { token: { token, origin } });
    expect(answer.body.toString()).toBe('{"secure":true}');
    expect(authorizations).toEqual([`Bearer ${token}`]);
    expect(proxy.seen).toHaveLength(1);
    expect(proxy.seen[0]).toMatchObject({ method: 'CONNECT', target: origin.slice(8) });
    expect(JSON.stringify(proxy.seen)).not.toContain(token);
  });

  test('from the settings overrides the environment, and receives its own credentials', async () => {
    const { origin } = await startHttps();
    const [proxy, other] = [await startProxy(), await startProxy()];
    const address = proxy.address.replace('http://', 'http://ada:pw%21@');
    const transport = testTransport({ ca: certificate.cert, proxy: address, env: { HTTPS_PROXY: other.address } });
    await transport.send(get(`${origin}/a`), { token: { token, origin } });
    expect(proxy.seen[0]?.headers['proxy-authorization']).toBe(`Basic ${Buffer.from('ada:pw!').toString('base64')}`);
    expect(other.seen).toEqual([]);
  });

  test('may be written without a scheme', async () => {
    const { origin } = await startHttps();
    const proxy = await startProxy();
    const env = { HTTPS_PROXY: proxy.address.slice('http://'.length) };
    await testTransport({ ca: certificate.cert, env }).send(get(`${origin}/a`));
    expect(proxy.seen).toHaveLength(1);
  });

  test.each(['/', '/path', '/?key=1', '?key=1#x'])('may be written with a path and a query: %s', async (rest) => {
    const { origin } = await startHttps();
    const proxy = await startProxy();
    const transport = testTransport({ ca: certificate.cert, env: { HTTPS_PROXY: `${proxy.address}${rest}` } });
    const answer = await transport.send(get(`${origin}/a`));
    expect(answer.status).toBe(200);
    expect(proxy.seen).toHaveLength(1);
  });

  test('keeps its tunnel after a read, and not after a write', async () => {
    const server = await startServer((response) => json(response, {}));
    const proxy = await startProxy();
    const transport = testTransport({ env: { HTTP_PROXY: proxy.address } });
    for (const method of ['GET', 'POST'] as const)
      await transport.send({ method, url: `${server.origin}/a`, headers: {} });
    expect(server.requests.map(({ headers }) => headers.connection)).toEqual(['keep-alive', 'close']);
    expect(proxy.seen.map(({ method }) => method)).toEqual(['CONNECT', 'CONNECT']);
  });

  test('on this machine may use plain http to this machine, through a tunnel too', async () => {
    const server = await startServer((response) => json(response, {}));
    const proxy = await startProxy();
    const transport = testTransport({ env: { HTTP_PROXY: proxy.address } });
    await transport.send(get(`${server.origin}/a`), { token: { token, origin: server.origin } });
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(proxy.seen).toMatchObject([{ method: 'CONNECT', target: server.origin.slice(7) }]);
    expect(JSON.stringify(proxy.seen)).not.toContain(token);
  });

  test('elsewhere may not: the token would cross the network in plain text', async () => {
    const server = await startServer((response) => json(response, {}));
    const transport = testTransport({ env: { http_proxy: 'http://proxy.invalid:3128' }, maxWaitMs: 0 });
    expect((await transport.send(get(`${server.origin}/a`))).status).toBe(200);
  });

  test.each([
    ['NO_PROXY', '127.0.0.1'],
    ['no_proxy', 'example.com, 127.0.0.1'],
    ['NO_PROXY', '*'],
  ])('is not used for hosts in %s=%s', async (name, value) => {
    const { origin } = await startHttps();
    const proxy = await startProxy();
    const env = { HTTPS_PROXY: proxy.address, [name]: value };
    expect((await testTransport({ ca: certificate.cert, env }).send(get(`${origin}/a`))).status).toBe(200);
    expect(proxy.seen).toEqual([]);
  });

  test('of one scheme is not used for the other', async () => {
    const { origin } = await startHttps();
    const proxy = await startProxy();
    await testTransport({ ca: certificate.cert, env: { HTTP_PROXY: proxy.address, HTTPS_PROXY: '' } }).send(
      get(`${origin}/a`),
    );
    expect(proxy.seen).toEqual([]);
  });

  test('that refuses is named as the reason', async () => {
    const proxy = await startProxy(407);
    const error = await rejection(
      testTransport({ env: { HTTPS_PROXY: proxy.address } }).send(get('https://ghe.example.com/a')),
    );
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message.replace(/:\d+ /, ':PORT ')).toBe(
      'GET /a failed: ghe.example.com cannot be reached, because the proxy 127.0.0.1:PORT (from HTTPS_PROXY) requires a valid user name and password (407).',
    );
  });

  describe('that is down is reported with its address and source, without its password', () => {
    const through = async (
      proxy: string,
      options: { readonly setting?: boolean; readonly timeoutMs?: number } = {},
    ) => {
      const address = `http://ada:hunter2@${proxy}`;
      const route = options.setting ? { proxy: address } : { env: { HTTPS_PROXY: address } };
      const transport = testTransport({ ...route, maxWaitMs: 0, timeoutMs: options.timeoutMs });
      const error = await rejection(transport.send(get('https://ghe.example.com/a')));
      expect(error).toBeInstanceOf(NetworkError);
      expect(error.message).not.toContain('hunter2');
      return error.message;
    };

    test.each([
      [false, 'HTTPS_PROXY'],
      [true, 'the proxy setting'],
    ])('refused, setting: %s', async (setting, source) => {
      const closed = createTcpServer();
      await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
      const { port } = closed.address() as AddressInfo;
      await new Promise((resolve) => closed.close(resolve));
      expect(await through(`127.0.0.1:${port}`, { setting })).toBe(
        `GET /a failed: ghe.example.com cannot be reached, because the proxy 127.0.0.1:${port} (from ${source}) refused the connection.`,
      );
    });

    test('its name does not exist', async () => {
      expect(await through('proxy.invalid:3128')).toBe(
        'GET /a failed: ghe.example.com cannot be reached, because the proxy proxy.invalid:3128 (from HTTPS_PROXY) could not be resolved.',
      );
    });

    test('it accepts connections and does not respond', async () => {
      const sockets: Socket[] = [];
      const silent = createTcpServer((socket) => void sockets.push(socket));
      await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
      onTestFinished(() => {
        for (const socket of sockets) socket.destroy();
        silent.close();
      });
      const { port } = silent.address() as AddressInfo;
      expect(await through(`127.0.0.1:${port}`, { timeoutMs: 1000 })).toBe(
        `GET /a failed: ghe.example.com cannot be reached, because the proxy 127.0.0.1:${port} (from HTTPS_PROXY) timed out.`,
      );
    });
  });

  test.each([
    'ftp://ada:hunter2@proxy.example.com',
    'socks5://ada:hunter2@proxy.example.com',
    'socks://proxy.example.com',
    'http://',
    '::::',
  ])('is not one: %s', async (address) => {
    const transport = testTransport({ env: { HTTPS_PROXY: address } });
    const error = await rejection(transport.send(get('https://ghe.example.com/a')));
    expect(error).toBeInstanceOf(UnsafeRequestError);
    expect(error.message).toBe(
      'GET /a was not sent: invalid proxy address in HTTPS_PROXY (example: http://proxy.example.com:3128).',
    );
  });

  test('that is not a proxy leaves the outcome of a write certain, and is named', async () => {
    const server = createTcpServer((socket) => socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.7\r\n')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const error = await rejection(testTransport({ env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } }).send(change));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error.message).toBe(
      `POST /a failed: ghe.example.com cannot be reached, because the proxy 127.0.0.1:${port} (from HTTPS_PROXY) sent an invalid HTTP response.`,
    );
  });

  test('that refuses a write leaves the outcome certain: nothing was changed', async () => {
    const proxy = await startProxy(502);
    const error = await rejection(testTransport({ env: { HTTPS_PROXY: proxy.address } }).send(change));
    expect(error).toBeInstanceOf(NetworkError);
  });

  test('with an invalid address is an error that does not repeat it', async () => {
    const error = await rejection(
      testTransport({ proxy: 'http://ada:pw@:99999' }).send(get('https://ghe.example.com/a')),
    );
    expect(error).toBeInstanceOf(UnsafeRequestError);
    expect(error.message).toBe(
      'GET /a was not sent: invalid proxy address in the proxy setting (example: http://proxy.example.com:3128).',
    );
  });
});

describe('closing', () => {
  test('closes idle and busy connections', async () => {
    const server = await startServer((response, { url }) => {
      if (url === '/idle') json(response, {});
    });
    const clock = testClock();
    const transport = testTransport(clock.options);
    await transport.send(get(`${server.origin}/idle`));
    const busy = rejection(transport.send(get(`${server.origin}/busy`)));
    while (server.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    await transport.close();
    expect(await busy).toBeInstanceOf(NetworkError);
    expect(clock.waits).toEqual([]);
    while (server.openConnections() > 0) await new Promise((resolve) => setImmediate(resolve));
  });
});
