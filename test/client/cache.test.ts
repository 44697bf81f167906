import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ResponseCache } from '../../src/client/cache.ts';
import { Client } from '../../src/client/client.ts';
import { openCache } from '../../src/disk/private-cache.ts';
import { getOrganization, listOwnOrganizations, updateOrganization } from '../../src/platform/endpoints/orgs.ts';
import { listContributors } from '../../src/platform/endpoints/repos.ts';
import { platformAt, testTransport, token } from '../support/client.ts';
import { type Answering, json, startServer } from '../support/server.ts';

const acme = { path: { org: 'acme' } };

/** Where the responses of a new cache will be. */
async function newDirectory(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'forgectl-cache-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  return join(parent, 'cache', 'forgectl-cache-v1', 'responses');
}

function cacheIn(directory: string, maxBytes?: number): ResponseCache {
  const parent = join(directory, '../../..');
  const env = { FORGECTL_CACHE_DIR: join(parent, 'cache'), FORGECTL_CONFIG_DIR: join(parent, 'settings') };
  return new ResponseCache(openCache(env, 'responses'), maxBytes);
}

/** A server that tags each answer with its text, and answers 304 to whoever has it. */
const tagged =
  (body: () => unknown, headers: Record<string, string> = {}): Answering =>
  (response, request) => {
    const etag = `W/"${Buffer.from(JSON.stringify(body())).toString('hex').slice(0, 40)}"`;
    if (request.headers['if-none-match'] === etag)
      response.writeHead(304, { etag, 'x-ratelimit-remaining': '7' }).end();
    else json(response, body(), { etag, ...headers });
  };

interface Run {
  readonly origin: string;
  readonly directory: string;
  /** Whose token is sent: the tests' own unless given, none for null. */
  readonly as?: string | null;
  readonly apiVersion?: string;
  readonly maxBytes?: number;
}

/** A client as a new process would have it. */
const clientOf = ({ origin, directory, as = token, apiVersion = '2022-11-28', maxBytes }: Run) =>
  new Client({
    platform: { ...platformAt(`${origin}/api/v3`), apiVersion },
    credential: as === null ? undefined : { token: as, origin },
    transport: testTransport(),
    cache: cacheIn(directory, maxBytes),
  });

const getAcme = async (run: Run) => {
  const client = clientOf(run);
  const data = await client.call(getOrganization, acme);
  await client.close();
  return data;
};

describe('a list of which only some fields are read', () => {
  const records = [
    { id: 1, login: 'acme', url: 'https://ghe.example.com/acme', plan: { name: 'free', seats: 9007199254740993n } },
    { id: 2, login: 'globex', url: 'https://ghe.example.com/globex' },
  ];
  const text = JSON.stringify(records, (_key, value) =>
    typeof value === 'bigint' ? JSON.rawJSON(String(value)) : value,
  );
  const etag = 'W/"1"';
  const answering: Answering = (response, { headers }) =>
    headers['if-none-match'] === etag
      ? response.writeHead(304, { etag }).end()
      : response.writeHead(200, { 'content-type': 'application/json', etag }).end(text);

  const read = async (run: Run, fields: readonly string[] | undefined) => {
    const client = clientOf(run);
    const read: unknown[] = [];
    for await (const { items } of client.pages(listOwnOrganizations, {}, { fields })) read.push(...items);
    await client.close();
    return JSON.stringify(read);
  };

  test('is returned and cached without the others', async () => {
    const server = await startServer(answering);
    const run = { origin: server.origin, directory: await newDirectory() };
    const expected = '[{"login":"acme","plan":{"name":"free","seats":9007199254740993}},{"login":"globex"}]';
    expect(await read(run, ['login', 'plan'])).toBe(expected);
    const [file = ''] = await readdir(run.directory);
    expect(await readFile(join(run.directory, file), 'latin1')).not.toContain('ghe.example.com');
    expect(await read(run, ['login', 'plan'])).toBe(expected);
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, etag]);
  });

  test('is requested again as a whole for other fields', async () => {
    const server = await startServer(answering);
    const run = { origin: server.origin, directory: await newDirectory() };
    await read(run, ['login']);
    expect(await read(run, ['id', 'login'])).toBe('[{"id":1,"login":"acme"},{"id":2,"login":"globex"}]');
    expect(await read(run, undefined)).toBe(text);
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined, undefined]);
  });

  test('is rejected if it is not a list', async () => {
    const server = await startServer((response) => json(response, { login: 'acme' }));
    const run = { origin: server.origin, directory: await newDirectory() };
    await expect(read(run, ['login'])).rejects.toThrow('GET /user/orgs returned something other than a list.');
  });
});

test('A record of which only some fields are read is returned and cached without the others', async () => {
  const server = await startServer(tagged(() => ({ id: 1, login: 'acme', blog: 'https://acme.example.com' })));
  const run = { origin: server.origin, directory: await newDirectory() };
  const read = async (...fields: readonly string[]) => {
    const client = clientOf(run);
    const { data } = await client.send(client.plan(getOrganization, acme), { fields });
    await client.close();
    return JSON.stringify(data);
  };
  expect(await read('login', 'name')).toBe('{"login":"acme"}');
  const [file = ''] = await readdir(run.directory);
  expect(await readFile(join(run.directory, file), 'latin1')).not.toContain('acme.example.com');
  expect(await read('login', 'name')).toBe('{"login":"acme"}');
  expect(await read('blog')).toBe('{"blog":"https://acme.example.com"}');
  expect(server.requests.map(({ headers }) => headers['if-none-match'] !== undefined)).toEqual([false, true, false]);
});

describe('a response with an ETag', () => {
  test('is revalidated with its ETag, and returned after a 304', async () => {
    const server = await startServer(tagged(() => ({ login: 'acme' })));
    const run = { origin: server.origin, directory: await newDirectory() };
    expect(await getAcme(run)).toEqual({ login: 'acme' });
    expect(await getAcme(run)).toEqual({ login: 'acme' });
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([
      undefined,
      'W/"7b226c6f67696e223a2261636d65227d"',
    ]);
  });

  test('has the headers of the 304', async () => {
    const server = await startServer(tagged(() => ({ login: 'acme' }), { 'x-ratelimit-remaining': '9' }));
    const run = { origin: server.origin, directory: await newDirectory() };
    await getAcme(run);
    const client = clientOf(run);
    const received = await client.send(client.plan(getOrganization, acme));
    expect(received).toMatchObject({ status: 200, headers: { 'x-ratelimit-remaining': '7' }, data: { login: 'acme' } });
  });

  test('is replaced if it changed', async () => {
    let login = 'acme';
    const server = await startServer(tagged(() => ({ login })));
    const run = { origin: server.origin, directory: await newDirectory() };
    await getAcme(run);
    login = 'acme-two';
    expect(await getAcme(run)).toEqual({ login: 'acme-two' });
    expect(await getAcme(run)).toEqual({ login: 'acme-two' });
    expect(server.requests[2]?.headers['if-none-match']).toContain('"7b226c6f67696e223a2261636d652d74776f');
  });

  test('is not written again if the platform returns it in full', async () => {
    const server = await startServer((response) => json(response, { login: 'acme' }, { etag: 'W/"same"' }));
    const run = { origin: server.origin, directory: await newDirectory() };
    await getAcme(run);
    const [file = ''] = await readdir(run.directory);
    const { ino } = await stat(join(run.directory, file));
    expect(await getAcme(run)).toEqual({ login: 'acme' });
    expect((await stat(join(run.directory, file))).ino).toBe(ino);
  });

  test('is not cached if it is a 204: an empty list is returned in full once it has items', async () => {
    const server = await startServer((response, _request, count) => {
      if (count === 1) response.writeHead(204, { etag: 'W/"nothing"' }).end();
      else json(response, [{ contributions: 3 }], { etag: 'W/"something"' });
    });
    const run = { origin: server.origin, directory: await newDirectory() };
    for (const expected of [[], [{ contributions: 3 }]]) {
      const client = clientOf(run);
      expect(await client.call(listContributors, { path: { owner: 'acme', repo: 'site' } })).toEqual(expected);
      await client.close();
    }
    expect(server.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  });

  test.each<[what: string, other: Partial<Run>]>([
    ['another token', { as: 'another' }],
    ['no token', { as: null }],
    ['another API version', { apiVersion: '2026-03-10' }],
  ])('is not used with %s', async (_what, other) => {
    const server = await startServer(tagged(() => ({ login: 'acme' })));
    const run = { origin: server.origin, directory: await newDirectory() };
    await getAcme(run);
    await getAcme({ ...run, ...other });
    expect(server.requests[1]?.headers).not.toHaveProperty('if-none-match');
  });

  test('of a list keeps the Link header of its first page', async () => {
    const server = await startServer((response, request, count) => {
      const first = !request.url.includes('page=2');
      const etag = first ? '"one"' : '"two"';
      if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
      else
        json(response, [{ id: count }], {
          etag,
          ...(first ? { link: '</api/v3/user/orgs?page=2>; rel="next"' } : {}),
        });
    });
    const run = { origin: server.origin, directory: await newDirectory() };
    const ids = async () => {
      const seen: number[] = [];
      const client = clientOf(run);
      for await (const page of client.pages(listOwnOrganizations, {})) for (const { id } of page.items) seen.push(id);
      await client.close();
      return seen;
    };
    expect(await ids()).toEqual([1, 2]);
    expect(await ids()).toEqual([1, 4]);
    expect(server.requests.map(({ url, headers }) => [url, headers['if-none-match']])).toEqual([
      ['/api/v3/user/orgs', undefined],
      ['/api/v3/user/orgs?page=2', undefined],
      ['/api/v3/user/orgs', '"one"'],
      ['/api/v3/user/orgs?page=2', undefined],
    ]);
  });
});

describe('the cache on disk', () => {
  test('is readable by its owner only, and contains no token', async () => {
    const server = await startServer(tagged(() => ({ login: 'acme' }), { 'set-cookie': 'session=abc' }));
    const directory = await newDirectory();
    await getAcme({ origin: server.origin, directory });
    const files = await readdir(directory);
    expect(files).toHaveLength(1);
    const file = join(directory, files[0] as string);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const text = `${files[0]}${await readFile(file, 'utf8')}`;
    expect(text).toContain('{"login":"acme"}');
    expect(text).not.toContain(token);
    expect(text).not.toContain('session=abc');
  });

  test.each<[what: string, body: unknown]>([
    ['a secret member', { login: 'acme', template: { temp_clone_token: 'AAAA' } }],
    ['a signed URL', { archive_url: 'https://storage.example.com/a?X-Amz-Signature=5ec' }],
    ['the token itself', { echo: token }],
  ])('is not used with %s', async (_what, body) => {
    const server = await startServer(tagged(() => body));
    const directory = await newDirectory();
    await getAcme({ origin: server.origin, directory });
    expect(await readdir(directory)).toEqual([]);
  });

  test('contains responses with empty secret fields', async () => {
    const server = await startServer(tagged(() => ({ temp_clone_token: '' })));
    const directory = await newDirectory();
    await getAcme({ origin: server.origin, directory });
    expect(await readdir(directory)).toHaveLength(1);
  });

  test('contains no responses without an ETag, no errors and no writes', async () => {
    const directory = await newDirectory();
    const plain = await startServer((response) => json(response, {}));
    await getAcme({ origin: plain.origin, directory });
    const refusing = await startServer((response) => json(response, { message: 'No' }, { etag: '"x"' }, 404));
    await getAcme({ origin: refusing.origin, directory }).catch(() => {});
    const writing = await startServer(tagged(() => ({})));
    const client = clientOf({ origin: writing.origin, directory });
    await client.call(updateOrganization, { ...acme, body: {} });
    await client.close();
    expect(await readdir(directory)).toEqual([]);
  });

  test('has a size limit: the oldest responses are removed first', async () => {
    const server = await startServer(tagged(() => ({ text: 'x'.repeat(300) })));
    const directory = await newDirectory();
    const run = { origin: server.origin, directory, maxBytes: 8192 };
    for (const org of ['one', 'two']) {
      const client = clientOf(run);
      await client.call(getOrganization, { path: { org } });
      await client.close();
    }
    const old = await readdir(directory);
    expect(old).toHaveLength(2);
    await utimes(join(directory, old[0] as string), 1, 1);
    // A file of another run, which fills what is left.
    const large = 'f'.repeat(64);
    await writeFile(join(directory, large), Buffer.alloc(7400), { mode: 0o600 });
    await writeFile(join(directory, 'thesis.txt'), 'a thesis', { mode: 0o600 });
    await utimes(join(directory, 'thesis.txt'), 1, 1);
    await getAcme(run);
    const left = await readdir(directory);
    expect(left).not.toContain(old[0]);
    expect(left).toContain(large);
    expect(left).toContain('thesis.txt');
  });

  test('contains no response that would fill most of it', async () => {
    const server = await startServer(tagged(() => ({ text: 'x'.repeat(1000) })));
    const directory = await newDirectory();
    await getAcme({ origin: server.origin, directory, maxBytes: 8192 });
    expect(await readdir(directory)).toEqual([]);
  });
});

/** What whoever knows how forgectl works can write. */
const planted = Buffer.concat([
  Buffer.alloc(32),
  Buffer.from(
    '{"content-type":"application/json","etag":"W/\\"7b226c6f67696e223a2261636d65227d\\""}\n{"login":"evil"}',
  ),
]);

describe('a broken cache is not an error', () => {
  test.each<[what: string, damage: (content: Buffer) => Buffer]>([
    ['empty', () => Buffer.alloc(0)],
    ['cut short', (content) => content.subarray(0, content.length - 1)],
    ['of changed text', (content) => Buffer.from(content.toString().replace('acme"}', 'evil"}'))],
    ['of something else', () => Buffer.from('null\n{}')],
    ['of somebody without the key', () => planted],
  ])('a file that is %s is ignored', async (_what, damage) => {
    const server = await startServer(tagged(() => ({ login: 'acme' })));
    const directory = await newDirectory();
    const run = { origin: server.origin, directory };
    await getAcme(run);
    const file = join(directory, (await readdir(directory))[0] as string);
    await writeFile(file, damage(await readFile(file)));
    expect(await getAcme(run)).toEqual({ login: 'acme' });
    expect(server.requests[1]?.headers).not.toHaveProperty('if-none-match');
  });
});

test('a conditional request of the caller returns the 304 itself', async () => {
  const server = await startServer((response) => response.writeHead(304, { etag: '"x"' }).end());
  const client = clientOf({ origin: server.origin, directory: await newDirectory() });
  const received = await client.request({ method: 'GET', path: '/user', headers: { 'If-None-Match': '"x"' } });
  expect(received).toMatchObject({ status: 304, headers: { etag: '"x"' }, data: {} });
});
