/** What no neighbour, web page or odd input can do to the sandbox. */
import { type IncomingHttpHeaders, request } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/serve.ts';
import { commits, sandboxForTests } from './support.ts';

const sandbox = sandboxForTests();
const { ask } = sandbox;

/** A request to a URL of the sandbox that names another host. */
function askAs(host: string, url: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') {
  return new Promise<{ status: number | undefined; headers: IncomingHttpHeaders; body: string }>((resolve, reject) => {
    const sent = request(url, { method, headers: { host, 'user-agent': 'test', ...headers } }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    });
    sent.on('error', reject).end();
  });
}

describe('a web page with DNS rebinding', () => {
  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.7',
    '[::2]',
  ])('is rejected as %s, and no page may read the response', async (host) => {
    for (const method of ['GET', 'OPTIONS', 'PATCH']) {
      const { status, headers } = await askAs(host, `${sandbox.baseUrl}/orgs/acme`, {}, method);
      expect(status).toBe(403);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('is rejected by the storage host', async () => {
    const { headers } = await ask('GET /user/migrations/78/archive');
    const url = headers.get('location') ?? '';
    expect((await askAs('evil.example', url)).status).toBe(403);
    expect((await askAs('localhost', url)).status).toBe(200);
  });

  it('does not stop the storage host with a path that is not a URL', async () => {
    const { headers } = await ask('GET /user/migrations/78/archive');
    const { origin } = new URL(headers.get('location') ?? '');
    expect((await askAs('evil.example', `${origin}//`)).status).toBe(403);
    expect((await askAs('localhost', `${origin}//`)).status).toBe(403);
  });
});

it.each([
  'localhost',
  'localhost:1',
  'LOCALHOST',
  'ghe.localhost:80',
  '127.0.0.1:80',
  '127.1.2.3',
  '[::1]',
  '[::1]:80',
])('a request to this machine is accepted as %s', async (host) => {
  expect((await askAs(host, `${sandbox.baseUrl}/meta`)).status).toBe(200);
});

describe('with other allowed hosts', () => {
  it('the sandbox and its storage host accept their names only, and links keep the name in use', async () => {
    const { baseUrl, tokens, close } = await startSandbox({ host: '0.0.0.0', allowedHosts: ['Forge.test'], repos: 40 });
    onTestFinished(close);
    const { port } = new URL(baseUrl);
    const headers = { authorization: `Bearer ${tokens.classic}` };
    const asked = (host: string, path: string) => askAs(host, `${baseUrl}${path}`, headers);
    expect((await asked('evil.test', '/meta')).status).toBe(403);
    const list = await asked(`forge.test:${port}`, '/orgs/acme/repos?per_page=2');
    expect(list.headers).toMatchObject({
      link: expect.stringContaining(`<http://forge.test:${port}/api/v3/orgs/acme/repos?per_page=2&page=2>; rel="next"`),
    });
    const archive = new URL(
      String((await asked(`forge.test:${port}`, '/user/migrations/78/archive')).headers.location),
    );
    expect(archive.hostname).toBe('forge.test');
    const local = `http://127.0.0.1:${archive.port}${archive.pathname}${archive.search}`;
    expect((await askAs(archive.host, local)).status).toBe(200);
    expect((await askAs('evil.test', local)).status).toBe(403);
  });
});

it('links and redirects keep the loopback name that the client uses', async () => {
  const { port } = new URL(sandbox.baseUrl);
  const headers = { authorization: `Bearer ${sandbox.tokens.classic}` };
  const list = await askAs(`localhost:${port}`, `${sandbox.baseUrl}/orgs/acme/repos?per_page=2`, headers);
  expect(list.headers).toMatchObject({ link: expect.stringContaining(`<http://localhost:${port}/api/v3/orgs/`) });
  const moved = await askAs(`localhost:${port}`, `${sandbox.baseUrl}/repos/acme/website`, headers);
  expect(moved).toMatchObject({
    status: 301,
    headers: { location: expect.stringContaining(`http://localhost:${port}/api/v3/repositories/`) },
  });
});

describe('a body', () => {
  const limit = 20 * 1024 * 1024;
  const bodyOf = (bytes: number) => `{"later":"${'x'.repeat(bytes - 12)}"}`;

  it('of 20 MiB is accepted', async () => {
    expect((await ask('PATCH /orgs/acme', { body: bodyOf(limit) })).status).toBe(200);
  });

  it('over the limit is rejected with 413', async () => {
    const { status, body } = await ask('PATCH /orgs/acme', { body: bodyOf(limit + 1) });
    expect(status).toBe(413);
    expect(body).toMatchObject({ message: 'Request body is larger than 20 MiB.', status: '413' });
  });

  it('of unknown length is rejected once it exceeds the limit', async () => {
    const body = new Blob([bodyOf(limit + 1)]).stream();
    const headers = { authorization: `Bearer ${sandbox.tokens.classic}` };
    const init = { method: 'PATCH', headers, body, duplex: 'half' } as RequestInit;
    expect((await fetch(`${sandbox.baseUrl}/orgs/acme`, init)).status).toBe(413);
  });
});

describe('a ruleset pattern', () => {
  it('with many wildcards is matched quickly', async () => {
    const conditions = { ref_name: { include: [`${'**/'.repeat(25)}z`], exclude: [] } };
    const body = { name: 'Deep', enforcement: 'active', conditions, rules: [{ type: 'deletion' }] };
    expect((await ask('POST /repos/acme/site/rulesets', { body })).status).toBe(201);
    const branch = encodeURIComponent(`${'a/'.repeat(30)}b`);
    const rules = await ask(`GET /repos/acme/site/rules/branches/${branch}`);
    expect(rules.status).toBe(200);
    expect(rules.body).toEqual([]);
  });
});

describe('a comment', () => {
  const html = { accept: 'application/vnd.github-commitcomment.html+json' };
  const rendered = async (body: string) =>
    (await ask(`POST /repos/acme/site/commits/${commits[0]}/comments`, { headers: html, body: { body } })).body
      .body_html;

  it('of 20,000 nested quotes is rendered, the innermost as text', async () => {
    const shown: string = await rendered('>'.repeat(20_000));
    expect(shown.match(/<blockquote>/g)).toHaveLength(100);
    expect(shown.match(/&gt;/g)).toHaveLength(19_900);
  });

  it('of 7,000 lists nested in quotes is rendered, the innermost as text', async () => {
    const shown: string = await rendered('> - '.repeat(7000));
    expect(shown.match(/<(?:blockquote|ul)>/g)).toHaveLength(100);
  });

  it('with thousands of unclosed emphasis marks is rendered, those after the first 500 as text', async () => {
    expect(await rendered(`${'*a **b'.repeat(1000)} *c*`)).toMatch(/ \*c\*<\/p>$/);
  });
});
