import { describe, expect, test } from 'vitest';
import { NotFoundError, UnsafeRequestError } from '../../src/client/errors.ts';
import { rawRequest } from '../../src/client/raw-request.ts';
import { platformAt, rejection, testClient } from '../support/client.ts';
import { json, startServer } from '../support/server.ts';

const platform = platformAt('https://ghe.example.com/api/v3');

describe('a typed path', () => {
  test.each([
    ['/orgs/acme', 'https://ghe.example.com/api/v3/orgs/acme'],
    ['orgs/acme', 'https://ghe.example.com/api/v3/orgs/acme'],
    ['/orgs/acme?per_page=5', 'https://ghe.example.com/api/v3/orgs/acme?per_page=5'],
    [
      '/repos/acme/site/rules/branches/release%2F1.2',
      'https://ghe.example.com/api/v3/repos/acme/site/rules/branches/release%2F1.2',
    ],
    ['https://ghe.example.com/api/v3/user', 'https://ghe.example.com/api/v3/user'],
    ['https://ghe.example.com/api/graphql', 'https://ghe.example.com/api/graphql'],
    ['/orgs/acme#top', 'https://ghe.example.com/api/v3/orgs/acme'],
    ['/orgs/ä b', 'https://ghe.example.com/api/v3/orgs/%C3%A4%20b'],
    ['//evil.example.com/x', 'https://ghe.example.com/api/v3//evil.example.com/x'],
  ])('%s is sent to the platform', (path, url) => {
    expect(rawRequest(platform, { method: 'GET', path }).url).toBe(url);
  });

  test.each([
    [
      'https://evil.example.com/api/v3/user',
      'https://evil.example.com is not the platform’s origin, https://ghe.example.com',
    ],
    [
      'http://ghe.example.com/api/v3/user',
      'http://ghe.example.com is not the platform’s origin, https://ghe.example.com',
    ],
    [
      'https://ghe.example.com:8443/x',
      'https://ghe.example.com:8443 is not the platform’s origin, https://ghe.example.com',
    ],
    [
      'https://ada:pw@ghe.example.com/x',
      'https://ghe.example.com is not the platform’s origin, https://ghe.example.com',
    ],
    ['/../../login', 'the path is outside https://ghe.example.com/api/v3'],
    ['/orgs/%2e%2e/../../x', 'the path is outside https://ghe.example.com/api/v3'],
    ['/orgs/a\tb', 'the path contains control characters'],
  ])('%j is not sent', (path, reason) => {
    expect(() => rawRequest(platform, { method: 'GET', path })).toThrow(UnsafeRequestError);
    expect(() => rawRequest(platform, { method: 'GET', path })).toThrow(`Nothing was sent: ${reason}.`);
  });

  test.each([
    'https://ghe.example.com//api/v3/repos/acme/site',
    'https://ghe.example.com/API/v3/repos/acme/site',
    'https://ghe.example.com/api/%763/repos/acme/site',
    'https://ghe.example.com/api/v3',
    'https://ghe.example.com/api/uploads/..%2Fv3/repos/acme/site',
    'https://ghe.example.com/api/uploads/repos/acme/..%2F..%2F..%2Fv3/releases/1/assets',
    'https://ghe.example.com/api/graphql/x',
  ])('%s is only read', (path) => {
    expect(rawRequest(platform, { method: 'GET', path }).url).toBe(path);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      expect(() => rawRequest(platform, { method, path })).toThrow(
        'Nothing was sent: the URL of a write must start with https://ghe.example.com/api/v3/.',
      );
  });

  test.each([
    '/repos/acme/site%2F%2E',
    '/repos/acme/site/%252e',
    '/repos/acme/site%5C.?x=1',
    '/repos/acme/site/.%253Fx',
    '/repos/x%2f..%2facme/site',
    '/repos/x%FF%2f..%2fsite',
    '/orgs/acme/..%2f..%2frepos/acme/site',
    '/repos/acme/site/transfer%2F.',
  ])('%s is only read, as a dot in it may be resolved', (path) => {
    expect(rawRequest(platform, { method: 'GET', path }).url).toBe(`https://ghe.example.com/api/v3${path}`);
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
      expect(() => rawRequest(platform, { method, path })).toThrow(
        'Nothing was sent: the path of a write must not contain . or .. as an encoded segment.',
      );
  });

  test.each([
    'https://ghe.example.com/api/v3/repos/acme/site/git/refs/heads/a%2F.b%2Fc..d',
    'https://ghe.example.com/api/v3/repos/acme/site/labels/100%25%2F%252F',
    'https://ghe.example.com/api/v3/repos/acme/.github?path=%2F..%2F',
    'https://ghe.example.com/api/v3/repos/acme/site',
    'https://ghe.example.com/api/graphql',
    'https://ghe.example.com/api/uploads/repos/acme/site/releases/1/assets?name=a.txt',
  ])('%s is written to', (path) => {
    expect(rawRequest(platform, { method: 'POST', path }).url).toBe(path);
  });
});

test.each([
  ['https://ghe.example.com/api/v3', 'https://ghe.example.com/api/graphql'],
  ['https://ghe.example.com/forge/api/v3', 'https://ghe.example.com/forge/api/graphql'],
  ['https://api.github.com', 'https://api.github.com/graphql'],
  ['https://api.acme.ghe.com', 'https://api.acme.ghe.com/graphql'],
])('graphql of %s is %s', (baseUrl, url) => {
  expect(rawRequest(platformAt(baseUrl), { method: 'POST', path: 'graphql' }).url).toBe(url);
  expect(rawRequest(platformAt(baseUrl), { method: 'POST', path: '/graphql' }).url).toBe(`${baseUrl}/graphql`);
});

test('a query is added to that of the path', () => {
  const request = rawRequest(platform, { method: 'GET', path: '/user/orgs?page=2', query: { per_page: 5, q: 'a b' } });
  expect(request.url).toBe('https://ghe.example.com/api/v3/user/orgs?page=2&per_page=5&q=a+b');
});

test('headers replace the default ones, in any case', () => {
  const { headers } = rawRequest(platform, {
    method: 'GET',
    path: '/user',
    headers: { Accept: 'text/plain', 'x-GitHub-api-version': '2026-03-10', 'X-Own': '1' },
  });
  expect(headers).toEqual({
    'user-agent': 'forgectl/0.1.0',
    Accept: 'text/plain',
    'x-GitHub-api-version': '2026-03-10',
    'X-Own': '1',
  });
});

test.each([
  'Authorization',
  'proxy-authorization',
  'Cookie',
  'host',
  'connection',
  'Content-Length',
  'transfer-encoding',
  'accept-encoding',
  'Expect',
  'upgrade',
])('the header %s is rejected', (name) => {
  expect(() => rawRequest(platform, { method: 'GET', path: '/user', headers: { [name]: 'x' } })).toThrow(
    `Nothing was sent: the ${name} header cannot be set.`,
  );
});

test('a body is sent as JSON, with any method', () => {
  expect(rawRequest(platform, { method: 'DELETE', path: '/x', body: [1] })).toEqual({
    method: 'DELETE',
    url: 'https://ghe.example.com/api/v3/x',
    headers: {
      accept: 'application/vnd.github+json',
      'X-github-Api-Version': '2022-11-28',
      'user-agent': 'forgectl/0.1.0',
      'content-type': 'application/json',
    },
    body: '[1]',
  });
});

describe('the response of an undeclared endpoint', () => {
  test('is JSON if the platform says so, otherwise text, and {} if empty', async () => {
    const server = await startServer((response, { url }) => {
      if (url === '/api/v3/json') json(response, [1]);
      else if (url === '/api/v3/zen') response.writeHead(200, { 'content-type': 'text/plain' }).end('Keep it simple.');
      else response.writeHead(204).end();
    });
    const client = testClient(server.origin);
    const dataOf = async (path: string) => (await client.request({ method: 'GET', path })).data;
    expect([await dataOf('/json'), await dataOf('/zen'), await dataOf('/none')]).toEqual([[1], 'Keep it simple.', {}]);
  });

  test('may be the response to a HEAD request', async () => {
    const server = await startServer((response) => json(response, { a: 1 }, { 'x-own': 'yes' }));
    const received = await testClient(server.origin).request({ method: 'HEAD', path: '/user' });
    expect(received).toMatchObject({ status: 200, headers: { 'x-own': 'yes' }, data: {} });
  });

  test('may be an error', async () => {
    const server = await startServer((response) => json(response, { message: 'Not Found' }, {}, 404));
    const error = await rejection(testClient(server.origin).request({ method: 'GET', path: '/nothing?x=1' }));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ asked: { method: 'GET', path: '/nothing' } });
  });

  test('is paged: lists by their items, other responses whole', async () => {
    const server = await startServer((response, { url }, count) => {
      const next = { link: `<${url.split('?')[0]}?page=${count + 1}>; rel="next"` };
      json(response, url.includes('list') ? [count] : { count }, count < 3 ? next : {});
    });
    const pagesOf = async (path: string) => {
      const all = await testClient(server.origin).requestAll({ method: 'GET', path });
      if ('record' in all) return all;
      const items: unknown[] = [];
      for await (const page of all.pages) items.push(...page.items);
      return items;
    };
    expect(await pagesOf('/list')).toEqual([1, 2, 3]);
    expect(await pagesOf('/record')).toEqual({ record: { count: 4 } });
  });
});
