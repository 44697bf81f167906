/** Answers that lie: a clear error in the end, never a part for the whole, never a hang, never memory without bounds. */
import { readFile } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { classicToken, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { start } from '../support/process.ts';
import { run, temporaryDirectory } from '../support/run.ts';
import { json, startServer } from '../support/server.ts';

const quick = ['--max-wait', '0', '--no-cache'];

/** A server that answers every connection with bytes of the test's choosing. */
async function rawServer(answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => answer(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { FORGECTL_BASE_URL: `http://127.0.0.1:${port}`, FORGECTL_TOKEN: classicToken };
}

const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';

describe('responses on the wire', () => {
  it.each<[what: string, answer: (socket: Socket) => void]>([
    ['a body cut short', (socket) => socket.end(`${head}content-length: 50\r\n\r\n{"login":"ac`)],
    ['chunks cut short', (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\n9\r\n{"login":`)],
    ['a chunk with no size', (socket) => socket.end(`${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`)],
    ['two lengths', (socket) => socket.end(`${head}content-length: 2\r\ncontent-length: 7\r\n\r\n{}`)],
    ['a flood of headers', (socket) => socket.end(`${head}${`x-a: ${'b'.repeat(1000)}\r\n`.repeat(1000)}\r\n{}`)],
    ['a header that never ends', (socket) => socket.end(`${head}x-a: ${'b'.repeat(1_000_000)}`)],
    ['another protocol', (socket) => socket.end('220 ftp.example.com FTP server ready\r\n')],
    ['nothing', (socket) => socket.end()],
    ['a reset', (socket) => socket.resetAndDestroy()],
    ['only promises of an answer', (socket) => socket.end('HTTP/1.1 100 Continue\r\n\r\n'.repeat(100))],
    [
      'an unexpected protocol upgrade',
      (socket) => socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\n\r\n'),
    ],
  ])('%s is one line and exit code 8', async (_what, answer) => {
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', '--json', ...quick], {
      env: await rawServer(answer),
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 8 });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: expect.stringMatching(/^(network|invalid_response)$/) },
    });
  });

  it.each([
    ['silence', () => {}],
    ['a body that drips', (socket: Socket) => socket.write(`${head}content-length: 50\r\n\r\n{`)],
    ['headers that drip', (socket: Socket) => socket.write(head)],
  ])('%s ends with a timeout', async (_what, answer) => {
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', '--timeout', '50ms', ...quick], {
      env: await rawServer(answer),
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 8 });
    expect(stderr).toContain('timed out after 0.05 s');
  });
});

describe('invalid responses', () => {
  it.each<[what: string, answer: ScriptedAnswer, said: string]>([
    [
      'the page of a captive portal',
      { headers: { 'content-type': 'text/html' }, body: '<html><script>alert(1)</script>' },
      'returned 200 with text/html instead of JSON.\nThe response came from a proxy or a sign-in portal.\n',
    ],
    [
      'the page of a portal that says it is JSON',
      { body: '<!DOCTYPE html><script>alert(1)</script>' },
      'returned 200 with a web page instead of JSON.\nThe response came from',
    ],
    ['an empty 200', { status: 200, headers: { 'content-type': 'application/json' } }, 'with an empty body'],
    ['JSON cut short', { body: '{"login":"ac' }, 'with truncated or invalid JSON'],
    ['two documents', { body: '{"login":"acme"}{"login":"evil"}' }, 'with truncated or invalid JSON'],
    ['a list', { body: '[{"login":"acme"}]' }, 'a list instead of a record'],
    ['a text', { body: '"acme"' }, 'no record'],
    ['another media type', { headers: { 'content-type': 'image/png' }, body: '{}' }, 'with image/png instead of JSON'],
    ['a redirect in a circle', { status: 302, headers: { location: '/api/v3/orgs/acme' } }, 'more than 5 times'],
  ])('%s is reported, and nothing of it is printed', async (_what, answer, said) => {
    const platform = await scriptedPlatform(() => answer);
    const { stdout, stderr, code } = await run(['orgs', 'get', 'acme', ...quick], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 8 });
    expect(stderr).toContain(said);
    expect(stderr).not.toContain('script');
  });

  it('a web page at a wrong base URL is reported as such', async () => {
    const platform = await scriptedPlatform(() => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }));
    const base = platform.baseUrl.replace('/api/v3', '/site');
    const { stderr, code } = await run(['orgs', 'get', 'acme', ...quick], {
      env: { FORGECTL_BASE_URL: base, FORGECTL_TOKEN: classicToken },
    });
    expect(code).toBe(8);
    expect(stderr.split('\n')[1]).toBe(
      `The base URL ${base} may need /api/v3, or the response came from a proxy or a sign-in portal.`,
    );
  });

  it('a web page in response to a write leaves the outcome unknown, and the message shows the command to check it', async () => {
    const platform = await scriptedPlatform(() => ({ headers: { 'content-type': 'text/html' }, body: '<html>' }));
    const { stderr, code } = await run(['orgs', 'update', 'acme', '--name', 'New', ...quick], { env: platform.env });
    expect(code).toBe(8);
    expect(stderr).toContain('The change may or may not have been made.\nThe response came from a proxy');
    expect(stderr).toContain('Check the result before you retry: forgectl orgs get acme.');
    expect(platform.requests).toHaveLength(1);
  });

  it('JSON in a charset other than UTF-8 is rejected, not corrupted', async () => {
    const server = await startServer((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json; charset=iso-8859-1' })
        .end(Buffer.from('{"login":"\xe4"}', 'latin1')),
    );
    const { stdout, code } = await run(['orgs', 'get', 'acme', ...quick], {
      env: { FORGECTL_BASE_URL: server.origin },
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 8 });
  });

  it('a truncated compressed response is retried for a read, but not for a write', async () => {
    const packed = gzipSync('{"login":"acme"}');
    const server = await startServer((response, _request, count) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(count === 2 ? packed : packed.subarray(0, -9));
    });
    const env = { FORGECTL_BASE_URL: server.origin, FORGECTL_TOKEN: classicToken };
    const read = await run(['orgs', 'get', 'acme', '--no-cache', '--json'], { env });
    expect({ ...read, stdout: JSON.parse(read.stdout) }).toEqual({ stdout: { login: 'acme' }, stderr: '', code: 0 });
    expect(server.requests).toHaveLength(2);
    const write = await run(['orgs', 'update', 'acme', '--name', 'New'], { env });
    expect(write.code).toBe(8);
    expect(write.stderr).toMatch(
      /^forgectl: The outcome of PATCH \/orgs\/acme is unknown: .+ closed the connection in the middle/,
    );
    expect(server.requests).toHaveLength(3);
  });

  it('a compression bomb is not unpacked beyond 48 MiB', async () => {
    const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
    );
    const { stderr, code } = await run(['api', 'GET', '/x', ...quick], { env: { FORGECTL_BASE_URL: server.origin } });
    expect(code).toBe(8);
    expect(stderr).toContain('sent more than 48 MiB');
  });
});

describe('a malformed list', () => {
  const list = ['repos', 'list', 'acme', '--all', ...quick];

  it.each<[what: string, next: (count: number) => string, body: (count: number) => unknown, said: string]>([
    ['goes in a circle', (count) => `/b?after=${count % 2}`, (count) => [{ id: count }], 'a page already visited'],
    ['repeats itself', (count) => `/b?page=${count}`, () => [{ id: 1 }], 'the same page twice'],
    ['is empty without an end', (count) => `/b?page=${count}`, () => [], 'more than 100 empty pages in a row'],
    [
      'goes elsewhere',
      () => 'https://evil.example.com/',
      (count) => [{ id: count }],
      'a next-page link to another origin',
    ],
    ['ends in a record', (count) => `/b?page=${count}`, (count) => (count > 2 ? {} : [{ id: count }]), 'than a list'],
  ])('%s: no document looks complete, exit code 8', async (_what, next, body, said) => {
    const server = await startServer((response, _request, count) =>
      json(response, body(count), { link: `<${next(count)}>; rel="next"` }),
    );
    const env = { FORGECTL_BASE_URL: server.origin };
    const { stdout, stderr, code } = await run([...list, '--json'], { env });
    expect(code).toBe(8);
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toContain(said);
    expect(() => JSON.parse(stdout)).toThrow();
    expect(server.requests.length).toBeLessThan(120);
  });

  it.each(['-o ndjson', '-o json', '-o tsv', '--jq .'])(
    'that is not a list is an error, not an empty result, with %s',
    async (output) => {
      for (const body of [']', '[', '[{"id":1}', '[{"id":1}]]', '[{"id":1},]', '{"id":1}]', '[{"id":1}] [{"id":2}]']) {
        const platform = await scriptedPlatform(() => ({ body }));
        const { stdout, code } = await run([...list, ...output.split(' ')], { env: platform.env });
        expect({ body, stdout, code }).toEqual({ body, stdout: '', code: 8 });
      }
    },
  );

  it('that never ends stops at the limit', async () => {
    const server = await startServer((response, _request, count) =>
      json(response, [{ id: count }], { link: `</b?page=${count}>; rel="next"` }),
    );
    const { stdout, code } = await run(['repos', 'list', 'acme', '--limit', '5', '--json', ...quick], {
      env: { FORGECTL_BASE_URL: server.origin },
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toHaveLength(5);
    expect(server.requests.length).toBeLessThan(8);
  });

  it('of millions of records is not collected for a table', async () => {
    const page = JSON.stringify(Array(400_000).fill(0));
    const server = await startServer((response, _request, count) =>
      response
        .writeHead(200, { 'content-type': 'application/json', link: `</b?page=${count}>; rel="next"` })
        .end(`${page.slice(0, -1)},${count}]`),
    );
    const { stdout, stderr, code } = await run(['api', 'GET', '/x', '--paginate', '-o', 'table', ...quick], {
      env: { FORGECTL_BASE_URL: server.origin },
    });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toContain('The list has more than 1000000 records');
    expect(server.requests.length).toBeLessThan(6);
  });
});

it('searches texts of several megabytes for secrets', async () => {
  const platform = await scriptedPlatform({
    'GET /orgs/acme': { body: { id: 1, login: 'acme', blog: `%2f%2f:${'a'.repeat(10_000_000)}` } },
  });
  const policy = 'organizations: [acme]\nsettings: { blog: x }\n';
  const { stderr, code } = await run(['policy', 'plan', '-'], { env: platform.env, stdin: policy });
  expect({ stderr, code }).toEqual({ stderr: '1 change (1 to update). 3 requests.\n', code: 0 });
});

describe('parallel pages of dozens of megabytes', () => {
  /** The most memory that a run takes, in MiB: a process of its own tells it when it ends. */
  async function mostMemory(words: readonly string[], env: Readonly<Record<string, string>>) {
    const file = join(await temporaryDirectory(), 'most');
    const teller = `process.on('exit', () => process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(file)},
      String(process.resourceUsage().maxRSS)));`;
    const { code, stderr } = await start(words, {
      env: { ...env, NODE_OPTIONS: `--import="data:text/javascript,${encodeURIComponent(teller)}"` },
      through: ['sh', '-c', 'exec "$@" > /dev/null', 'sh'],
    }).ended;
    return { code, stderr, mebibytes: Number(await readFile(file, 'utf8')) / 1024 };
  }

  // Of another letter than the token: what looks like it all along takes the search for it twenty seconds.
  const text = Buffer.from(`[{"id":1,"description":"${'a'.repeat(45_000_000)}"}]`);
  const records = Buffer.from(`[${'{},'.repeat(15_000_000)}{}]`);
  const fewerRecords = Buffer.from(`[${'{},'.repeat(7_000_000)}{}]`);

  it.each<[what: string, page: Buffer, headers: Record<string, string>, said: RegExp]>([
    ['of text', text, {}, /more than (24 MiB of JSON|128 MiB)/],
    ['of packed text', gzipSync(text), { 'content-encoding': 'gzip' }, /more than (24 MiB of JSON|128 MiB)/],
    ['of empty records', records, {}, /more than (24 MiB of JSON|128 MiB)/],
    [
      'of packed empty records',
      gzipSync(fewerRecords),
      { 'content-encoding': 'gzip' },
      /more than (720,000 values|128 MiB)/,
    ],
  ])(
    '%s: one line, exit code 8, and bounded memory',
    async (_what, page, headers, said) => {
      const server = await startServer((response, { url }) => {
        const next = Number(/[?&]page=(\d+)/.exec(url)?.[1] ?? 1) + 1;
        const link = `</api/v3/orgs/acme/repos?page=${next}>; rel="next", </api/v3/orgs/acme/repos?page=500>; rel="last"`;
        if (next === 2) json(response, [{ id: 1 }], { link });
        else response.writeHead(200, { 'content-type': 'application/json', link, ...headers }).end(page);
      });
      const env = { FORGECTL_BASE_URL: `${server.origin}/api/v3`, FORGECTL_TOKEN: classicToken };
      const { code, stderr, mebibytes } = await mostMemory(
        ['repos', 'list', 'acme', '--all', '-o', 'ndjson', ...quick],
        env,
      );
      expect(code).toBe(8);
      expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toMatch(said);
      expect(mebibytes).toBeLessThan(800);
    },
    60_000,
  );
});

describe('an oversized error response', () => {
  const refusedWith = async (body: string, headers: Record<string, string> = {}, ...words: string[]) => {
    const server = await startServer((response) =>
      response
        .writeHead(422, { 'content-type': 'application/json', 'content-encoding': 'gzip', ...headers })
        .end(gzipSync(body)),
    );
    const env = { FORGECTL_BASE_URL: server.origin, FORGECTL_TOKEN: classicToken };
    return run(['api', 'GET', '/x', ...words], { env });
  };
  const errors = (count: number) =>
    JSON.stringify({
      message: 'Validation Failed',
      errors: Array.from({ length: count }, (_, n) => ({ field: `f${n}`, message: 'is bad' })),
    });

  it('lists twenty errors and the number of the others', async () => {
    const { stderr, code } = await refusedWith(errors(1_234), {}, '-o', 'table');
    const lines = stderr.trimEnd().split('\n');
    expect(code).toBe(6);
    expect(lines[0]).toBe('forgectl: GET /x returned 422 Validation Failed');
    expect(lines.slice(1, 3)).toEqual(['  f0: is bad', '  f1: is bad']);
    expect(lines.slice(-2)).toEqual(['  f19: is bad', '  and 1,214 more']);
    expect(lines).toHaveLength(22);
  });

  it('lists all of twenty errors', async () => {
    const { stderr } = await refusedWith(errors(20), {}, '-o', 'table');
    expect(stderr.trimEnd().split('\n').at(-1)).toBe('  f19: is bad');
  });

  it('counts them in JSON', async () => {
    const { stderr } = await refusedWith(errors(1_234), {}, '--json');
    const { error } = JSON.parse(stderr);
    expect(error.fields).toHaveLength(20);
    expect(error.moreFields).toBe(1_214);
  });

  it('is not read when it is larger than a mebibyte', async () => {
    const { stderr, code } = await refusedWith(`{"message":"x","errors":[${'{},'.repeat(15_000_000)}{}]}`);
    expect(code).toBe(6);
    expect(stderr).toBe('forgectl: GET /x returned 422 Unprocessable Entity with more than 1 MiB\n');
  });

  it('is read as JSON whatever its media type', async () => {
    const { stderr } = await refusedWith('{"message":"Missing User-Agent"}', {
      'content-type': 'application/octet-stream',
    });
    expect(stderr).toBe('forgectl: GET /x returned 422 Missing User-Agent\n');
  });
});

describe('an oversized list', () => {
  it('is reported in one line, and not parsed', async () => {
    const platform = await scriptedPlatform(() => ({ body: `[${'[],'.repeat(360_000)}0]` }));
    const { stderr, stdout, code } = await run(['api', 'GET', '/x', '--json', ...quick], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 8 });
    expect(JSON.parse(stderr).error.message).toBe('GET /x returned 200 with more than 720,000 values.');
  });

  it('is measured without the contents of strings', async () => {
    const text = '[{,"\\'.repeat(400_000);
    const platform = await scriptedPlatform(() => ({ body: { text } }));
    const { stdout } = await run(['api', 'GET', '/x', '--json', ...quick], { env: platform.env });
    expect(JSON.parse(stdout).text).toHaveLength(text.length);
  });

  it('is rejected above 24 MiB, unlike other text', async () => {
    const text = 'x'.repeat(24 * 1024 * 1024);
    const platform = await scriptedPlatform({
      'GET /json': { body: [text] },
      'GET /text': { body: text, headers: { 'content-type': 'text/plain' } },
    });
    const refused = await run(['api', 'GET', '/json', ...quick], { env: platform.env });
    expect(refused).toMatchObject({ stdout: '', code: 8 });
    expect(refused.stderr).toContain('GET /json returned 200 with more than 24 MiB of JSON.');
    expect((await run(['api', 'GET', '/text', ...quick], { env: platform.env })).code).toBe(0);
  });

  it.each(['csv', 'tsv', 'table'])('is rejected as %s if a record has too many fields', async (format) => {
    const record = Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [`k${n}`, n]));
    const platform = await scriptedPlatform(() => ({ body: record }));
    const { stdout, stderr, code } = await run(['api', 'GET', '/x', '-o', format, ...quick], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(
      /^forgectl: (The response has too many different fields|The record is too large to show as details)/,
    );
  });

  it('is rejected as details if a record has too much text', async () => {
    const platform = await scriptedPlatform(() => ({ body: { text: '\u009b'.repeat(2 * 1024 * 1024) } }));
    const { stdout, stderr, code } = await run(['api', 'GET', '/x', '-o', 'table', ...quick], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(/^forgectl: The record is too large to show as details\. Select less of it/);
  });

  it.each(['csv', 'tsv', 'table', 'yaml'])('is rejected as %s if its layout would take minutes', async (format) => {
    const records = Array.from({ length: 100_001 }, (_, n) => ({ [`k${n}`]: n }));
    const platform = await scriptedPlatform(() => ({ body: records }));
    const { stdout, stderr, code } = await run(['api', 'GET', '/x', '-o', format, ...quick], { env: platform.env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toMatch(
      /^forgectl: (The response has too many different fields|The response is too large for YAML)\. Select less of it/,
    );
  });
});

describe('an oversized record', () => {
  const spaces = `${' '.repeat(300_000)}x`;

  it.each<[what: string, body: string, format: string, code: number]>([
    ['nested a hundred thousand deep', `${'['.repeat(1e5)}${']'.repeat(1e5)}`, 'json', 8],
    ['nested deep in members', `${'{"a":'.repeat(5e4)}1${'}'.repeat(5e4)}`, 'table', 8],
    ['of many members', JSON.stringify(Object.fromEntries(Array.from({ length: 3e4 }, (_, n) => [n, n]))), 'table', 2],
    ['of many records in a record', JSON.stringify({ a: Array(3000).fill({ b: { c: [{ d: 1 }] } }) }), 'table', 2],
    ['of spaces', JSON.stringify({ a: spaces }), 'table', 0],
    ['of one long line of wide characters', JSON.stringify({ a: '漢 '.repeat(30_000) }), 'table', 0],
    ['with a long name of wide characters', JSON.stringify({ ['漢'.repeat(30_000)]: 1 }), 'table', 0],
    [
      'with thousands of long names of wide characters',
      JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`${'漢'.repeat(200)}${n}`, n]))),
      'table',
      0,
    ],
    ['with one cell of megabytes', JSON.stringify([{ a: 'x'.repeat(3e6) }, ...Array(2000).fill({ a: 1 })]), 'table', 0],
  ])('%s ends in a moment', async (_what, body, format, code) => {
    const platform = await scriptedPlatform(() => ({ body }));
    const result = await run(['api', 'GET', '/x', '-o', format, ...quick], { env: platform.env });
    expect(result.code).toBe(code);
    expect(result.stderr).toMatch(code === 0 ? /^$/ : /more than 1000 levels deep|too (deep|large|many)/);
    expect(result.stdout.length).toBeLessThan(5e6);
  });

  it('of millions of empty lines is printed quickly in a workflow log', async () => {
    const text = '\n'.repeat(2e6);
    const platform = await scriptedPlatform(() => ({ body: { text } }));
    const env = { ...platform.env, GITHUB_ACTIONS: 'true' };
    const { stdout, code } = await run(['api', 'GET', '/x', '-o', 'yaml', ...quick], { env });
    expect({ code, length: stdout.length > text.length }).toEqual({ code: 0, length: true });
  });

  it.each([
    ['a secret', 'x'.repeat(2e7)],
    ['a secret that is escaped', '\n'.repeat(1e7)],
  ])('of %s of megabytes is masked by --debug', async (_what, token) => {
    const platform = await scriptedPlatform(() => ({ body: { token, id: 7 } }));
    const { stderr, code } = await run(['api', 'GET', '/x', '--debug', ...quick], { env: platform.env });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^\[1\] < \{"token":"\*{8}","id":7\}$/m);
  });
});
