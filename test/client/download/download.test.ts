import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  chmod,
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { download, type Progress } from '../../../src/client/download/download.ts';
import { PartFile } from '../../../src/client/download/part-file.ts';
import { openStorage } from '../../../src/client/download/storage.ts';
import {
  FileError,
  InvalidResponseError,
  NetworkError,
  NotFoundError,
  RedirectError,
  WebPageError,
} from '../../../src/client/errors.ts';
import type { HttpRequest } from '../../../src/client/request.ts';
import type { Transport } from '../../../src/client/transport/transport.ts';
import { downloadMigrationArchive } from '../../../src/platform/endpoints/migrations.ts';
import { rejection, testClient, testClock, token } from '../../support/client.ts';
import { temporaryDirectory } from '../../support/run.ts';
import { type Answering, json, type ReceivedRequest, startServer, type TestServer } from '../../support/server.ts';

const migration = { path: { migration_id: 78 } };

/** A platform that redirects to a storage host, each time with another signature. */
async function startPlatform(storage: { origin: string }): Promise<TestServer> {
  return startServer((response, _request, count) => redirect(response, `${storage.origin}/a.tar.gz?sig=s${count}`));
}

const redirect = (response: ServerResponse, location: string) => response.writeHead(302, { location }).end();

/** Sends bytes with headers of its own, and breaks the connection off where fewer come than were announced. */
function send(response: ServerResponse, status: number, headers: Record<string, string>, bytes: string): void {
  response.writeHead(status, headers);
  response.write(bytes, () => {
    if (Number(headers['content-length'] ?? bytes.length) > bytes.length) response.destroy();
    else response.end();
  });
}

interface Outcome {
  readonly directory: string;
  readonly file: string;
  readonly progress: readonly Progress[];
  readonly error: Error | undefined;
  /** How long was waited, each time, in milliseconds. */
  readonly waits: readonly number[];
}

/** Downloads to archive.tar.gz of the directory, as the command does. */
async function downloaded(
  platform: { origin: string },
  directory?: string,
  signal?: AbortSignal,
  onProgress?: () => void,
): Promise<Outcome> {
  const place = directory ?? (await temporaryDirectory());
  const file = join(place, 'archive.tar.gz');
  const progress: Progress[] = [];
  const clock = testClock();
  const client = testClient(platform.origin, clock.options);
  const part = await PartFile.open(file);
  let error: Error | undefined;
  try {
    await download(client.file(downloadMigrationArchive, migration, { signal }), part, (step) => {
      progress.push(step);
      onProgress?.();
    });
    await part.finish({ force: false });
  } catch (thrown) {
    error = thrown as Error;
  } finally {
    await part.close();
  }
  return { directory: place, file, progress, error, waits: clock.waits };
}

/** What an interrupted run leaves: the first bytes, and the ETag of the version that they are of. */
async function interrupted(bytes: string, etag: string): Promise<string> {
  const directory = await temporaryDirectory();
  await writeFile(join(directory, 'archive.tar.gz.part'), bytes, { mode: 0o600 });
  await writeFile(join(directory, 'archive.tar.gz.part.etag'), etag, { mode: 0o600 });
  return directory;
}

const whole: Answering = (response) => send(response, 200, { etag: '"v1"', 'content-length': '10' }, '0123456789');

/** A storage host that sends what is asked of "0123456789", as long as the version is still v1. */
const ranged: Answering = (response, request, count) => {
  const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(from) || request.headers['if-range'] !== '"v1"') return whole(response, request, count);
  send(response, 206, { etag: '"v1"', 'content-range': `bytes ${from}-9/10` }, '0123456789'.slice(from));
};

describe('a download', () => {
  test('sends the token to the platform and not to the storage host', async () => {
    const storage = await startServer(whole);
    const platform = await startPlatform(storage);
    const { file, error } = await downloaded(platform);
    expect(error).toBeUndefined();
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(platform.requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/api/v3/user/migrations/78/archive', `Bearer ${token}`],
    ]);
    expect(storage.requests.map(({ method, url }) => [method, url])).toEqual([['GET', '/a.tar.gz?sig=s1']]);
    expect(storage.requests[0]?.headers).not.toHaveProperty('authorization');
    expect(storage.requests[0]?.headers['accept-encoding']).toBe('identity');
    expect(storage.requests[0]?.headers).not.toHaveProperty('range');
  });

  test('writes one file, readable by its owner only', async () => {
    const platform = await startPlatform(await startServer(whole));
    const { directory, file } = await downloaded(platform);
    expect(await readdir(directory)).toEqual(['archive.tar.gz']);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('reports received and total bytes', async () => {
    const platform = await startPlatform(await startServer(whole));
    const { progress } = await downloaded(platform);
    expect(progress.at(0)).toEqual({ received: 0, total: 10 });
    expect(progress.at(-1)).toEqual({ received: 10, total: 10 });
  });

  test('accepts a file without an announced length', async () => {
    const chunked: Answering = (response) => {
      response.write('01234');
      response.end('56789');
    };
    const platform = await startPlatform(await startServer(chunked));
    const { file, progress } = await downloaded(platform);
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(progress.at(-1)).toEqual({ received: 10, total: undefined });
  });

  test('rejects a file that ends with the connection, since it may be truncated', async () => {
    for (const end of ['destroy', 'resetAndDestroy'] as const) {
      const storage = await startServer((response) => {
        response.socket?.write('HTTP/1.1 200 OK\r\netag: "v1"\r\nconnection: close\r\n\r\n01234', () =>
          response.socket?.[end](),
        );
      });
      const { directory, error } = await downloaded(await startPlatform(storage));
      expect(error).toBeInstanceOf(InvalidResponseError);
      expect((error as Error).message).toBe(
        'GET /user/migrations/78/archive returned a file without a length, so a truncated download would go unnoticed.',
      );
      expect(await readdir(directory)).toEqual([]);
    }
  });

  test('ignores informational responses', async () => {
    const storage = await startServer((response, request, count) =>
      response.writeEarlyHints({ link: '</a>; rel=preload' }, () => whole(response, request, count)),
    );
    const { file, error } = await downloaded(await startPlatform(storage));
    expect(error).toBeUndefined();
    expect(await readFile(file, 'utf8')).toBe('0123456789');
  });

  test('resumes after an interruption, at a freshly signed URL', async () => {
    const storage = await startServer((response, request, count) =>
      count === 1
        ? send(response, 200, { etag: '"v1"', 'content-length': '10' }, '0123')
        : ranged(response, request, count),
    );
    const { file, error, waits } = await downloaded(await startPlatform(storage));
    expect(error).toBeUndefined();
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(storage.requests.map(({ url, headers }) => [url, headers.range, headers['if-range']])).toEqual([
      ['/a.tar.gz?sig=s1', undefined, undefined],
      ['/a.tar.gz?sig=s2', 'bytes=4-', '"v1"'],
    ]);
    expect(waits).toEqual([500]);
  });

  /** Sends `bytes` of a file of 100 MiB, and breaks the connection off. */
  function sendBytes(response: ServerResponse, { headers }: ReceivedRequest, bytes: number): void {
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const length = 100 * 1024 * 1024;
    response.writeHead(from > 0 ? 206 : 200, {
      etag: '"v1"',
      'content-length': String(length - from),
      'content-range': `bytes ${from}-${length - 1}/${length}`,
    });
    response.write(Buffer.alloc(bytes), () => response.destroy());
  }

  test('waits longer after each interruption, and gives up at the retry limit', async () => {
    const storage = await startServer((response, request) => sendBytes(response, request, 1));
    const { error, waits } = await downloaded(await startPlatform(storage));
    expect(error?.message).toContain('closed the connection in the middle of the response');
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000]);
    expect(storage.requests).toHaveLength(11);
  });

  test('resets its waits after a connection that delivered a mebibyte', async () => {
    const storage = await startServer((response, request, count) =>
      sendBytes(response, request, count < 4 ? 1024 * 1024 : 1024),
    );
    const { waits } = await downloaded(await startPlatform(storage));
    expect(waits.slice(0, 6)).toEqual([500, 500, 500, 1000, 2000, 4000]);
  });

  test('does not count receiving as waiting', async () => {
    const storage = await startServer((response, request, count) =>
      count === 1
        ? send(response, 200, { etag: '"v1"', 'content-length': '10' }, '0123')
        : ranged(response, request, count),
    );
    const platform = await startPlatform(storage);
    let now = 0;
    const options = { ...testClock().options, now: () => now, maxWaitMs: 500 };
    const source = testClient(platform.origin, options).file(downloadMigrationArchive, migration);
    const part = await PartFile.open(join(await temporaryDirectory(), 'archive.tar.gz'));
    await download(source, part, () => {
      now += 3_600_000;
    });
    expect(part.size).toBe(10);
    await part.close();
  });

  test('resumes after the part of an earlier run', async () => {
    const storage = await startServer(ranged);
    const { directory, file } = await downloaded(await startPlatform(storage), await interrupted('012345', '"v1"'));
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(await readdir(directory)).toEqual(['archive.tar.gz']);
    expect(storage.requests.map(({ headers }) => headers.range)).toEqual(['bytes=6-']);
  });

  test('starts over with the current response if the file has changed', async () => {
    const storage = await startServer(ranged);
    const { file } = await downloaded(await startPlatform(storage), await interrupted('abcdef', '"v0"'));
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(storage.requests.map(({ headers }) => headers.range)).toEqual(['bytes=6-']);
  });

  test.each([
    ['of another version', { etag: '"v1"', 'content-range': 'bytes 6-9/10' }],
    ['with another offset', { etag: '"v0"', 'content-range': 'bytes 4-9/10' }],
    ['without Content-Range', { etag: '"v0"' }],
  ])('starts over after a partial response %s', async (_, headers) => {
    const storage = await startServer((response, request, count) =>
      count === 1 ? send(response, 206, headers, '6789') : whole(response, request, count),
    );
    const { file } = await downloaded(await startPlatform(storage), await interrupted('abcdef', '"v0"'));
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(storage.requests.map(({ headers }) => headers.range)).toEqual(['bytes=6-', undefined]);
  });

  test('is complete if an earlier run received every byte', async () => {
    const storage = await startServer((response) =>
      send(response, 416, { etag: '"v1"', 'content-range': 'bytes */10' }, ''),
    );
    const { file } = await downloaded(await startPlatform(storage), await interrupted('0123456789', '"v1"'));
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(storage.requests).toHaveLength(1);
  });

  test('starts over if an earlier run received more bytes than the file has', async () => {
    const storage = await startServer((response, request, count) =>
      count === 1
        ? send(response, 416, { etag: '"v1"', 'content-range': 'bytes */10' }, '')
        : whole(response, request, count),
    );
    const { file } = await downloaded(await startPlatform(storage), await interrupted('0123456789abc', '"v1"'));
    expect(await readFile(file, 'utf8')).toBe('0123456789');
  });

  test('is incomplete with fewer bytes than announced; the received ones are kept', async () => {
    const cut: Answering = (response) => send(response, 200, { etag: '"v1"', 'content-length': '10' }, '0123');
    const storage = await startServer(cut);
    const { directory, error } = await downloaded(await startPlatform(storage));
    expect(error).toBeInstanceOf(NetworkError);
    expect(error?.message).toMatch(
      /^GET \/user\/migrations\/78\/archive failed: 127\.0\.0\.1:\d+ closed the connection in the middle of the response\.$/,
    );
    expect(storage.requests).toHaveLength(2);
    expect(await readdir(directory)).toEqual(['archive.tar.gz.part', 'archive.tar.gz.part.etag']);
    expect(await readFile(join(directory, 'archive.tar.gz.part'), 'utf8')).toBe('0123');
  });

  test('is incomplete with less than the announced total', async () => {
    const storage = await startServer((response) =>
      send(response, 206, { etag: '"v1"', 'content-range': 'bytes 4-9/10' }, '45'),
    );
    const { error } = await downloaded(await startPlatform(storage), await interrupted('0123', '"v1"'));
    expect(error?.message).toContain('GET /user/migrations/78/archive returned');
    expect(storage.requests.map(({ headers }) => headers.range)).toEqual(['bytes=4-', 'bytes=6-', undefined]);
  });

  test('is rejected with more bytes than announced, and nothing of it is kept', async () => {
    const storage = await startServer((response) =>
      send(response, 206, { etag: '"v1"', 'content-range': 'bytes 4-9/10' }, '456789abc'),
    );
    const { directory, error } = await downloaded(await startPlatform(storage), await interrupted('0123', '"v1"'));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error?.message).toContain('more than the announced 10 bytes');
    expect(await readdir(directory)).toEqual([]);
  });

  test('is rejected if the file is empty', async () => {
    const storage = await startServer((response) => send(response, 200, { 'content-length': '0' }, ''));
    const { directory, error } = await downloaded(await startPlatform(storage));
    expect(error?.message).toBe('GET /user/migrations/78/archive returned an empty file.');
    expect(await readdir(directory)).toEqual([]);
  });

  test('removes a part that cannot be resumed', async () => {
    const storage = await startServer((response) =>
      send(response, 200, { etag: 'W/"v1"', 'content-length': '10' }, '0123'),
    );
    const { directory, error } = await downloaded(await startPlatform(storage));
    expect(error).toBeInstanceOf(NetworkError);
    expect(await readdir(directory)).toEqual([]);
  });

  test('resumes by the last modification date without an ETag', async () => {
    const date = 'Sun, 01 Mar 2026 12:00:00 GMT';
    const storage = await startServer((response, _request, count) =>
      count === 1
        ? send(response, 200, { 'last-modified': date, 'content-length': '10' }, '0123')
        : send(response, 206, { 'last-modified': date, 'content-range': 'bytes 4-9/10' }, '456789'),
    );
    const { file } = await downloaded(await startPlatform(storage));
    expect(await readFile(file, 'utf8')).toBe('0123456789');
    expect(storage.requests[1]?.headers['if-range']).toBe(date);
  });

  test('keeps its part when it is cancelled', async () => {
    const storage = await startServer((response) => {
      response.writeHead(200, { etag: '"v1"', 'content-length': '10' });
      response.write('0123');
    });
    const stop = new AbortController();
    const reason = new Error('stopped');
    let steps = 0;
    const outcome = await downloaded(await startPlatform(storage), undefined, stop.signal, () => {
      if (++steps === 2) stop.abort(reason);
    });
    expect(outcome.error).toBe(reason);
    expect(await readFile(join(outcome.directory, 'archive.tar.gz.part'), 'utf8')).toBe('0123');
  });

  test('reports a platform error like any other', async () => {
    const platform = await startServer((response) => json(response, { message: 'Not Found' }, {}, 404));
    const { directory, error } = await downloaded(platform);
    expect(error).toBeInstanceOf(NotFoundError);
    expect(await readdir(directory)).toEqual([]);
  });

  test('reports a storage host that refuses, but not the signed URL', async () => {
    const storage = await startServer((response) => send(response, 403, {}, '<Error>AccessDenied</Error>'));
    const { error } = await downloaded(await startPlatform(storage));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error?.message).toBe(
      `GET /user/migrations/78/archive returned 403 from ${storage.origin.slice(7)} instead of the file.`,
    );
  });

  test.each(['text/html; charset=utf-8', 'TEXT/HTML'])(
    'rejects a response of type %s with the status 200, and keeps what an earlier run received',
    async (type) => {
      const directory = await temporaryDirectory();
      await writeFile(join(directory, 'archive.tar.gz.part'), 'abc', { mode: 0o600 });
      await writeFile(join(directory, 'archive.tar.gz.part.etag'), '"v1"', { mode: 0o600 });
      const storage = await startServer((response) => send(response, 200, { 'content-type': type }, 'Sign in'));
      const { error } = await downloaded(await startPlatform(storage), directory);
      expect(error).toBeInstanceOf(WebPageError);
      expect(error?.message).toBe('GET /user/migrations/78/archive returned a web page instead of the file.');
      expect(await readFile(join(directory, 'archive.tar.gz.part'), 'utf8')).toBe('abc');
      expect(existsSync(join(directory, 'archive.tar.gz'))).toBe(false);
    },
  );
});

describe('the redirect to the storage host', () => {
  test('may lead over further redirects, five in all, and never carries the token', async () => {
    const storage = await startServer((response, request, count) =>
      count < 5 ? redirect(response, `/hop${count}`) : whole(response, request, count),
    );
    const { error } = await downloaded(await startPlatform(storage));
    expect(error).toBeUndefined();
    expect(storage.requests.map(({ url }) => url)).toEqual(['/a.tar.gz?sig=s1', '/hop1', '/hop2', '/hop3', '/hop4']);
    for (const { headers } of storage.requests) expect(headers).not.toHaveProperty('authorization');
  });

  test('ends after five redirects', async () => {
    const storage = await startServer((response, _request, count) => redirect(response, `/hop${count}`));
    const { error } = await downloaded(await startPlatform(storage));
    expect(error).toBeInstanceOf(RedirectError);
    expect(error?.message).toBe('GET /user/migrations/78/archive was redirected more than 5 times.');
    expect(storage.requests).toHaveLength(5);
  });

  test('does not send the token back to the platform', async () => {
    const platform: TestServer = await startServer((response, request, count) =>
      request.url === '/api/v3/user/migrations/78/archive'
        ? redirect(response, '/storage/a.tar.gz')
        : whole(response, request, count),
    );
    const { error } = await downloaded(platform);
    expect(error).toBeUndefined();
    expect(platform.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
      ['/api/v3/user/migrations/78/archive', `Bearer ${token}`],
      ['/storage/a.tar.gz', undefined],
    ]);
  });

  test('does not use plain http, except on this machine', async () => {
    const platform = await startServer((response) => redirect(response, 'http://storage.example.com/a?sig=s1'));
    const { error } = await downloaded(platform);
    expect(error).toBeInstanceOf(RedirectError);
    expect(error?.message).toBe(
      'GET /user/migrations/78/archive was redirected to http://storage.example.com, but plain http is only allowed between a platform and storage on this machine.',
    );
  });

  const asked = { method: 'GET', path: '/user/migrations/78/archive' };
  test.each([
    ['https://ghe.example.com', 'http://127.0.0.1:8080/a'],
    ['https://ghe.example.com', 'https://127.0.0.1/a'],
    ['https://ghe.example.com', 'https://127.1.2.3:8443/a'],
    ['https://ghe.example.com', 'https://localhost/a'],
    ['https://ghe.example.com', 'https://storage.localhost./a'],
    ['https://ghe.example.com', 'https://[::1]/a'],
    ['https://ghe.example.com', 'https://[::]/a'],
    ['https://ghe.example.com', 'https://0.0.0.0/a'],
    ['https://ghe.example.com', 'https://[::ffff:127.0.0.1]/a'],
    ['https://127.0.0.1', 'http://127.0.0.1:8080/a'],
    ['http://127.0.0.1', 'http://10.0.0.1/a'],
    ['http://127.0.0.1', 'file:///etc/passwd'],
    ['http://127.0.0.1', 'blob:http://127.0.0.1/a'],
  ])('from %s does not lead to %s', async (platform, location) => {
    const answer = { status: 302, headers: { location }, body: Buffer.alloc(0), url: `${platform}/api/v3/x` };
    const unreachable = { stream: () => Promise.reject(new Error('it was asked')) } as unknown as Transport;
    expect(await rejection(openStorage(unreachable, answer, { asked, headers: {} }))).toBeInstanceOf(RedirectError);
  });

  test.each([
    ['https://ghe.example.com', 'https://storage.example.com/a'],
    ['https://ghe.example.com', 'https://10.0.0.1/a'],
    ['https://127.0.0.1', 'https://127.0.0.1:8443/a'],
    ['http://127.0.0.1', 'https://localhost:8443/a'],
    ['http://[::1]:3000', 'http://127.0.0.1:8080/a'],
  ])('from %s leads to %s', async (platform, location) => {
    const answer = { status: 302, headers: { location }, body: Buffer.alloc(0), url: `${platform}/api/v3/x` };
    const asking = { stream: ({ url }: HttpRequest) => Promise.reject(new Error(url)) } as unknown as Transport;
    expect((await rejection(openStorage(asking, answer, { asked, headers: {} }))).message).toBe(location);
  });

  test('requires a location', async () => {
    const platform = await startServer((response) => response.writeHead(302).end());
    const { error } = await downloaded(platform);
    expect(error?.message).toBe('GET /user/migrations/78/archive was redirected without a valid location.');
  });

  test('is required in the platform’s response', async () => {
    const platform = await startServer((response) => json(response, {}));
    const { error } = await downloaded(platform);
    expect(error?.message).toBe('GET /user/migrations/78/archive returned 200 instead of a redirect to the file.');
  });

  test('is retried if the storage host is busy', async () => {
    const storage = await startServer((response, request, count) =>
      count === 1 ? send(response, 503, {}, 'SlowDown') : whole(response, request, count),
    );
    const { error } = await downloaded(await startPlatform(storage));
    expect(error).toBeUndefined();
    expect(storage.requests).toHaveLength(2);
  });
});

describe('the part of a file', () => {
  const mode = async (path: string) => (await lstat(path)).mode & 0o7777;

  test('reports in plain words why it cannot be written', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'folder.part'));
    const reasonFor = async (name: string) => rejection(PartFile.open(join(directory, name)));
    expect(await reasonFor('missing/a')).toEqual(
      new FileError(`Cannot write ${directory}/missing/a.part: the directory does not exist.`),
    );
    expect(await reasonFor('folder')).toEqual(
      new FileError(`Cannot write ${directory}/folder.part: it is a directory.`),
    );
    await mkdir(join(directory, 'b.part.etag'));
    expect(await reasonFor('b')).toEqual(new FileError(`Cannot write ${directory}/b.part.etag: it is a directory.`));
    const long = 'n'.repeat(246);
    expect(await reasonFor(long)).toEqual(
      new FileError(`Cannot write ${directory}/${long}.part.etag: the name is too long.`),
    );
    expect(await readdir(directory)).toEqual(['b.part.etag', 'folder.part']);
  });

  test('reports in plain words that it cannot be removed', async () => {
    const directory = await temporaryDirectory();
    const part = await PartFile.open(join(directory, 'a'));
    await rm(join(directory, 'a.part.etag'));
    await mkdir(join(directory, 'a.part.etag'));
    expect(await rejection(part.close())).toEqual(
      new FileError(`Cannot write ${directory}/a.part: it is a directory.`),
    );
  });

  test('is discarded with an empty stored ETag', async () => {
    const directory = await interrupted('0123', '');
    const part = await PartFile.open(join(directory, 'archive.tar.gz'));
    expect(part.validator).toBeUndefined();
    await part.close();
    expect(await readdir(directory)).toEqual([]);
  });

  test('is left alone without a stored ETag, as another program wrote it', async () => {
    const directory = await temporaryDirectory();
    await writeFile(join(directory, 'a.part'), '0123', { mode: 0o600 });
    expect(await rejection(PartFile.open(join(directory, 'a')))).toEqual(
      new FileError(`Cannot write ${directory}/a.part: it was not created by forgectl.`),
    );
    expect(await readdir(directory)).toEqual(['a.part']);
    expect(await readFile(join(directory, 'a.part'), 'utf8')).toBe('0123');
  });

  test('is left alone beside a file that is too large for an ETag', async () => {
    const directory = await interrupted('0123', 'e'.repeat(64 * 1024 + 1));
    const file = join(directory, 'archive.tar.gz');
    expect(await rejection(PartFile.open(file))).toEqual(
      new FileError(`Cannot write ${file}.part.etag: it was not created by forgectl.`),
    );
    expect(await readFile(`${file}.part`, 'utf8')).toBe('0123');
  });

  test('has its stored ETag beside it before it has bytes', async () => {
    const directory = await temporaryDirectory();
    const part = await PartFile.open(join(directory, 'a'));
    expect(await readdir(directory)).toEqual(['a.part', 'a.part.etag']);
    await part.restart(undefined);
    expect(await readdir(directory)).toEqual(['a.part', 'a.part.etag']);
    await part.close();
  });

  test('is accessible to its owner only, whatever the umask', async () => {
    const directory = await temporaryDirectory();
    const before = process.umask(0o777);
    try {
      const part = await PartFile.open(join(directory, 'a'));
      await part.restart('"v1"');
      await part.write(Buffer.from('0123'));
      await part.close();
    } finally {
      process.umask(before);
    }
    expect(await mode(join(directory, 'a.part'))).toBe(0o600);
    expect(await mode(join(directory, 'a.part.etag'))).toBe(0o600);
  });

  /** Puts something else in the place of a file of the part, which `target` is for. */
  const strange: readonly [what: string, make: (path: string, target: string) => unknown][] = [
    ['a symbolic link', (path, target) => symlink(target, path)],
    ['a hard link', (path, target) => link(target, path)],
    ['a pipe', (path) => execFileSync('mkfifo', ['-m', '600', path])],
    ['a file that others may read', (path) => writeFile(path, 'xxxx').then(() => chmod(path, 0o644))],
    ['a file that others may write', (path) => writeFile(path, 'xxxx').then(() => chmod(path, 0o602))],
  ];

  test.each(strange)('is not opened in place of %s, and neither is its stored ETag', async (what, make) => {
    const reason = what === 'a symbolic link' ? 'it is a symbolic link' : 'it was not created by forgectl';
    for (const [name, other] of [
      ['a.part', 'a.part.etag'],
      ['a.part.etag', 'a.part'],
    ] as const) {
      const directory = await temporaryDirectory();
      await writeFile(join(directory, 'target'), 'precious', { mode: 0o600 });
      await make(join(directory, name), join(directory, 'target'));
      await writeFile(join(directory, other), '"v1"', { mode: 0o600 });
      const before = await lstat(join(directory, name));
      expect(await rejection(PartFile.open(join(directory, 'a')))).toEqual(
        new FileError(`Cannot write ${directory}/${name}: ${reason}.`),
      );
      expect((await lstat(join(directory, name))).ino).toBe(before.ino);
      expect(await readFile(join(directory, 'target'), 'utf8')).toBe('precious');
    }
  });

  test.each(['"v1"\r\nx-more: 1', '"vé"', 'notes', 'W/"v1"', '2026-11-28'])(
    'is left alone beside a text that is neither a strong ETag nor a date: %j',
    async (text) => {
      const directory = await interrupted('0123', text);
      const file = join(directory, 'archive.tar.gz');
      const refused = new FileError(`Cannot write ${file}.part.etag: it was not created by forgectl.`);
      expect(await rejection(PartFile.open(file))).toEqual(refused);
      expect(await readFile(`${file}.part`, 'utf8')).toBe('0123');
      await rm(`${file}.part`);
      expect(await rejection(PartFile.open(file))).toEqual(refused);
      expect(await readFile(`${file}.part.etag`, 'utf8')).toBe(text);
    },
  );

  test('is not renamed to a name taken in the meantime', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'a');
    const finishOver = async (make: () => Promise<unknown>, force: boolean) => {
      const part = await PartFile.open(file);
      await part.restart('"v1"');
      await part.write(Buffer.from('0123'));
      await make();
      const error = await rejection(part.finish({ force }));
      await part.close();
      return error;
    };
    const [taken, linked, folder] = [
      await finishOver(() => writeFile(file, 'precious'), false),
      await finishOver(() => rename(file, join(directory, 'b')).then(() => symlink('b', file)), true),
      await finishOver(() => rename(file, join(directory, 'c')).then(() => mkdir(file)), true),
    ];
    expect(taken).toEqual(new FileError(`${file} already exists. It was not replaced.`));
    expect(linked).toEqual(new FileError(`${file} is a symbolic link. It was not replaced.`));
    expect(folder).toEqual(new FileError(`${file} is a directory. It was not replaced.`));
    expect(await readFile(join(directory, 'b'), 'utf8')).toBe('precious');
  });

  test.skipIf(process.platform !== 'linux')(
    'stays in its directory, even if a link takes the name of that',
    async () => {
      const directory = await temporaryDirectory();
      const path = (name: string) => join(directory, name);
      await mkdir(path('downloads'));
      await mkdir(path('elsewhere'));
      await writeFile(path('elsewhere/a'), 'precious');
      const part = await PartFile.open(path('downloads/a'));
      await rename(path('downloads'), path('moved'));
      await symlink('elsewhere', path('downloads'));
      await part.restart('"v1"');
      await part.write(Buffer.from('0123'));
      await part.finish({ force: true });
      await part.close();
      expect([await readdir(path('moved')), await readFile(path('moved/a'), 'utf8')]).toEqual([['a'], '0123']);
      expect([await readdir(path('elsewhere')), await readFile(path('elsewhere/a'), 'utf8')]).toEqual([
        ['a'],
        'precious',
      ]);
    },
  );

  test('is on disk before it gets its name', async () => {
    const file = join(await temporaryDirectory(), 'a');
    const part = await PartFile.open(file);
    await part.restart('"v1"');
    await part.write(Buffer.from('0123'));
    const probe = await open(file.replace(/a$/, 'probe'), 'w');
    const { sync } = Object.getPrototypeOf(probe);
    await probe.close();
    const hadName: boolean[] = [];
    const spy = vi.spyOn(Object.getPrototypeOf(probe), 'sync').mockImplementation(function (this: unknown) {
      hadName.push(existsSync(file));
      return sync.call(this);
    });
    onTestFinished(() => spy.mockRestore());
    await part.finish({ force: false });
    await part.close();
    expect({ hadName, hasName: existsSync(file) }).toEqual({ hadName: [false], hasName: true });
  });

  test('is not renamed if another file replaced it', async () => {
    const directory = await temporaryDirectory();
    const part = await PartFile.open(join(directory, 'a'));
    await part.restart('"v1"');
    await part.write(Buffer.from('0123'));
    await rename(join(directory, 'a.part'), join(directory, 'b'));
    await writeFile(join(directory, 'a.part'), 'evil');
    expect(await rejection(part.finish({ force: false }))).toEqual(
      new FileError(`Another program changed ${directory}/a.part during the download.`),
    );
    await part.close();
  });

  test('is an error if another file replaced it right before the rename', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'a');
    const part = await PartFile.open(file);
    await part.restart('"v1"');
    await part.write(Buffer.from('0123'));
    const probe = await open(join(directory, 'probe'), 'w');
    const prototype = Object.getPrototypeOf(probe);
    await probe.close();
    const { stat } = prototype;
    // The last check of the name precedes that of the size.
    const spy = vi.spyOn(prototype, 'stat').mockImplementationOnce(async function (this: unknown) {
      await rename(`${file}.part`, join(directory, 'b'));
      await symlink('b', `${file}.part`);
      return stat.call(this);
    });
    onTestFinished(() => spy.mockRestore());
    expect(await rejection(part.finish({ force: false }))).toEqual(
      new FileError(`Another program changed ${file} during the download. It is not the downloaded file.`),
    );
    await part.close();
  });

  test('is not mixed with that of another download to the same name, nor removed by it', async () => {
    const directory = await temporaryDirectory();
    const file = join(directory, 'a');
    const first = await PartFile.open(file);
    await first.restart(undefined);
    await first.write(Buffer.from('0123'));
    const second = await PartFile.open(file);
    await second.restart(undefined);
    await second.write(Buffer.from('ab'));
    await first.write(Buffer.from('4567'));
    expect(await rejection(first.finish({ force: false }))).toEqual(
      new FileError(`Another program changed ${file}.part during the download.`),
    );
    await first.close();
    await second.write(Buffer.from('cd'));
    await second.finish({ force: false });
    await second.close();
    expect([await readdir(directory), await readFile(file, 'utf8')]).toEqual([['a'], 'abcd']);
  });
});
