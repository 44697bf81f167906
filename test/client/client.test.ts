import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import {
  ApiError,
  ApiVersionError,
  AuthenticationError,
  InvalidResponseError,
  NotFoundError,
  PermissionError,
  ServerError,
} from '../../src/client/errors.ts';
import { getMeta, getVersions } from '../../src/platform/endpoints/accounts.ts';
import { listInstallations, revokeInstallationToken } from '../../src/platform/endpoints/installations.ts';
import { getOrganization, listOwnOrganizations, updateOrganization } from '../../src/platform/endpoints/orgs.ts';
import { platformAt, rejection, testClient, testClock, testTransport, token } from '../support/client.ts';
import { json, startServer } from '../support/server.ts';

const acme = { path: { org: 'acme' } };

describe('a call', () => {
  test('sends the headers that every request carries, and the token', async () => {
    const server = await startServer((response) => json(response, { login: 'acme' }));
    await testClient(server.origin).call(getOrganization, acme);
    expect(server.requests).toHaveLength(1);
    const [{ method, url, headers, body }] = server.requests as [(typeof server.requests)[number]];
    expect({ method, url, body }).toEqual({ method: 'GET', url: '/api/v3/orgs/acme', body: '' });
    expect(headers).toEqual({
      host: server.origin.slice('http://'.length),
      connection: 'keep-alive',
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      'user-agent': 'forgectl/0.1.0',
      'accept-encoding': 'gzip, br',
      authorization: `Bearer ${token}`,
    });
  });

  test('sends a body as JSON', async () => {
    const server = await startServer((response) => json(response, { login: 'acme' }));
    await testClient(server.origin).call(updateOrganization, { ...acme, body: { name: 'Ácme' } });
    expect(server.requests[0]?.body).toBe('{"name":"Ácme"}');
    expect(server.requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'content-length': '16' });
  });

  test('sends no Authorization header without a token', async () => {
    const server = await startServer((response) => json(response, {}));
    const client = new Client({ platform: platformAt(`${server.origin}/api/v3`), transport: testTransport() });
    await client.call(getMeta, {});
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('that writes is held after a long wait for its token, however many reads have waited for theirs', async () => {
    const { origin } = await startServer((response) => json(response, { login: 'acme' }));
    const { options } = testClock();
    const mint = async () => {
      await options.wait({ ms: 1000 } as Parameters<typeof options.wait>[0]);
      return token;
    };
    const client = new Client({
      platform: platformAt(`${origin}/api/v3`),
      credential: { origin, authorize: () => ({ token: mint, retryAfter: () => undefined }) },
      transport: testTransport(options),
    });
    for (let read = 0; read < 200; read++) await client.call(getOrganization, acme);
    let held = 0;
    await client.send(client.plan(updateOrganization, { ...acme, body: {} }), { watch: { held: () => held++ } });
    expect(held).toBe(1);
  });

  test.each([
    ['a read after the one that it relies on waited for a rate limit', 0, 1],
    ['the one that it relies on was read after such a wait', 1000, 0],
  ])('that writes is held only if %s', async (_, later, times) => {
    const { origin } = await startServer((response, _request, count) =>
      count === 1
        ? json(response, { message: 'Wait' }, { 'retry-after': '1' }, 429)
        : json(response, { login: 'acme' }),
    );
    const { options } = testClock();
    const client = new Client({ platform: platformAt(`${origin}/api/v3`), transport: testTransport(options) });
    const since = client.now() + later;
    await client.call(getOrganization, acme);
    let held = 0;
    const watch = { since, held: () => held++ };
    await client.send(client.plan(updateOrganization, { ...acme, body: {} }), { watch });
    expect(held).toBe(times);
  });

  test('does not send a token to another origin', async () => {
    const server = await startServer((response) => json(response, {}));
    const client = new Client({
      platform: platformAt(`${server.origin}/api/v3`),
      credential: { token, origin: 'https://ghe.example.com' },
      transport: testTransport(),
    });
    await client.call(getMeta, {});
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('returns the record unchanged', async () => {
    const server = await startServer((response) => json(response, { login: 'acme', unheard_of: [1, null] }));
    expect(await testClient(server.origin).call(getOrganization, acme)).toEqual({
      login: 'acme',
      unheard_of: [1, null],
    });
  });

  test('returns the list of an envelope', async () => {
    const server = await startServer((response) => json(response, { total_count: 1, installations: [{ id: 7 }] }));
    expect(await testClient(server.origin).call(listInstallations, {})).toEqual([{ id: 7 }]);
  });

  test('returns {} for a 204, and [] for a list', async () => {
    const server = await startServer((response) => response.writeHead(204).end());
    const client = testClient(server.origin);
    expect(await client.call(revokeInstallationToken, {})).toEqual({});
    expect(await client.call(getOrganization, acme)).toEqual({});
    expect(await client.call(listOwnOrganizations, {})).toEqual([]);
  });

  test('returns {} for an endpoint without data, even if a newer platform returns some', async () => {
    const server = await startServer((response) => json(response, { message: 'Revoked' }));
    expect(await testClient(server.origin).call(revokeInstallationToken, {})).toEqual({});
  });

  test('returns status and headers on request', async () => {
    const server = await startServer((response) => json(response, { login: 'ada' }, { 'X-OAuth-Scopes': 'repo' }));
    const client = testClient(server.origin);
    const received = await client.send(client.plan(getMeta, {}));
    expect(received).toMatchObject({ status: 200, headers: { 'x-oauth-scopes': 'repo' }, data: { login: 'ada' } });
  });

  test.each([
    ['gzip', gzipSync('{"login":"acme"}')],
    ['identity', '{"login":"acme"}'],
    ['br', brotliCompressSync('{"login":"acme"}')],
  ])('understands %s', async (encoding, body) => {
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body),
    );
    expect(await testClient(server.origin).call(getOrganization, acme)).toEqual({ login: 'acme' });
  });
});

describe('a plan', () => {
  test('contains the request as it would be sent, without the token, and sends nothing', async () => {
    const server = await startServer((response) => json(response, { login: 'acme' }));
    const client = testClient(server.origin);
    const plan = client.plan(updateOrganization, { ...acme, body: { name: 'Acme' } });
    expect(plan.request).toEqual({
      method: 'PATCH',
      url: `${server.origin}/api/v3/orgs/acme`,
      headers: {
        accept: 'application/vnd.github+json',
        'X-github-Api-Version': '2022-11-28',
        'user-agent': 'forgectl/0.1.0',
        'content-type': 'application/json',
      },
      body: '{"name":"Acme"}',
    });
    expect(JSON.stringify(plan)).not.toContain(token);
    expect(server.requests).toEqual([]);
    expect((await client.send(plan)).data).toEqual({ login: 'acme' });
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PATCH', '/api/v3/orgs/acme', '{"name":"Acme"}'],
    ]);
  });

  test('is included in the error of a failed request: endpoint, method, path and body fields', async () => {
    const server = await startServer((response) => json(response, { message: 'No' }, {}, 403));
    const client = testClient(server.origin);
    const error = await rejection(client.send(client.plan(updateOrganization, { ...acme, body: { name: 'Acme' } })));
    expect((error as PermissionError).asked).toEqual({
      method: 'PATCH',
      path: '/orgs/acme',
      endpoint: updateOrganization,
      sentFields: ['name'],
    });
  });
});

describe('a refusal', () => {
  const refusedWith = async (
    status: number,
    body: unknown = { message: 'No.' },
    headers: Record<string, string> = {},
  ) => {
    const server = await startServer((response) => json(response, body, headers, status));
    return rejection(testClient(server.origin, { maxWaitMs: 0 }).call(getOrganization, acme));
  };

  test.each([
    [400, ApiError],
    [401, AuthenticationError],
    [403, PermissionError],
    [404, NotFoundError],
    [409, ApiError],
    [422, ApiError],
    [500, ServerError],
    [503, ServerError],
  ])('with %i has its own error class', async (status, type) => {
    const error = await refusedWith(status);
    expect(error.constructor).toBe(type);
    expect(error).toMatchObject({
      asked: { method: 'GET', path: '/orgs/acme' },
      refusal: { status, message: 'No.', fields: [] },
    });
  });

  test('contains the platform’s reason', async () => {
    const error = await refusedWith(
      403,
      { message: 'Must have admin rights.', documentation_url: 'https://docs.example.com/rest' },
      {
        'x-github-request-id': 'C0FF:EE',
        'x-oauth-scopes': 'repo, read:org',
        'x-accepted-oauth-scopes': 'admin:org',
        'x-accepted-github-permissions': 'organization_administration=write',
        'x-github-sso': 'required; url=https://ghe.example.com/orgs/acme/sso?authorization_request=A1',
      },
    );
    expect(error).toMatchObject({
      refusal: {
        status: 403,
        message: 'Must have admin rights.',
        requestId: 'C0FF:EE',
        documentationUrl: 'https://docs.example.com/rest',
        heldScopes: ['repo', 'read:org'],
        acceptedScopes: ['admin:org'],
        acceptedPermissions: 'organization_administration=write',
        ssoUrl: 'https://ghe.example.com/orgs/acme/sso?authorization_request=A1',
      },
    });
  });

  test('distinguishes a token without scopes from one with unknown scopes', async () => {
    expect(await refusedWith(403, {}, { 'x-oauth-scopes': '' })).toMatchObject({ refusal: { heldScopes: [] } });
    expect((await refusedWith(403, {})) as ApiError).not.toHaveProperty('refusal.heldScopes');
  });

  test('lists the fields of a 422, given as objects or as texts', async () => {
    const error = await refusedWith(422, {
      message: 'Validation Failed',
      errors: [
        {
          resource: 'Repository',
          field: 'name',
          code: 'already_exists',
          message: 'name is taken',
          index: 3,
          value: null,
        },
        'No more seats.',
      ],
    });
    expect(error).toMatchObject({
      refusal: {
        fields: [
          { resource: 'Repository', field: 'name', code: 'already_exists', message: 'name is taken' },
          { message: 'No more seats.' },
        ],
      },
    });
  });

  test('of thousands of characters is truncated to one thousand', async () => {
    const error = await refusedWith(422, { message: 'm'.repeat(5000), errors: ['e'.repeat(5000)] });
    const cut = { message: `${'m'.repeat(1000)}…`, fields: [{ message: `${'e'.repeat(1000)}…` }] };
    expect(error).toMatchObject({ refusal: cut });
  });

  test('has the request ID of a proxy if the platform returns none', async () => {
    expect(await refusedWith(404, {}, { 'x-request-id': 'lb-1' })).toMatchObject({ refusal: { requestId: 'lb-1' } });
  });

  test('in HTML is summarized', async () => {
    const server = await startServer((response) =>
      response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>Bad Gateway</h1></html>'),
    );
    expect(await rejection(testClient(server.origin, { maxWaitMs: 0 }).call(getOrganization, acme))).toMatchObject({
      refusal: {
        status: 502,
        message: 'Bad Gateway with text/html instead of JSON',
        mediaType: 'text/html',
      },
    });
  });

  test.each([
    ['an empty body', undefined, ''],
    ['no message', 'application/json', '{"errors":[]}'],
    ['a message that is not a string', 'application/json', '{"message":{"a":1}}'],
    ['broken JSON', 'application/json', '{"message":"No'],
    ['a list', 'application/json', '["No"]'],
  ])('with %s has the name of the status as its message', async (_what, type, body) => {
    const server = await startServer((response) =>
      response.writeHead(404, type ? { 'content-type': type } : {}).end(body),
    );
    const error = (await rejection(testClient(server.origin).call(getOrganization, acme))) as NotFoundError;
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error.refusal.message).toBe('Not Found');
    expect(error.refusal).not.toHaveProperty('mediaType');
  });

  test('of the API version contains that version', async () => {
    const error = await refusedWith(400, { message: 'API version is not supported.' });
    expect(error).toBeInstanceOf(ApiVersionError);
    expect(error.message).toBe('The platform does not support API version 2022-11-28: API version is not supported.');
  });

  test('of another kind is not mistaken for one of the API version', async () => {
    expect((await refusedWith(422, { message: 'api version is taken' })).constructor).toBe(ApiError);
    expect((await refusedWith(400, { message: 'Bad request' })).constructor).toBe(ApiError);
  });

  test.each([503, 408])(
    'of a write with %s reports an unknown outcome, and the write is not repeated',
    async (status) => {
      const server = await startServer((response) =>
        json(response, { message: 'Server Error' }, { 'retry-after': '1' }, status),
      );
      const error = await rejection(testClient(server.origin).call(updateOrganization, { ...acme, body: {} }));
      expect(error).toBeInstanceOf(ServerError);
      expect(error.message).toBe('Server Error. The change may or may not have been made.');
      expect(server.requests).toHaveLength(1);
    },
  );
});

describe('an invalid response is a one-line error', () => {
  const endpoints = { record: getOrganization, list: listOwnOrganizations, envelope: listInstallations };

  test.each<
    [
      what: string,
      endpoint: keyof typeof endpoints,
      status: number,
      type: string | undefined,
      body: string,
      how: string,
    ]
  >([
    ['HTML', 'record', 200, 'text/html; charset=utf-8', '<html>', '200 with text/html instead of JSON'],
    ['text that looks like JSON', 'record', 200, 'text/plain', '{}', '200 with text/plain instead of JSON'],
    ['JSON cut short', 'record', 200, 'application/json', '{"login":"ac', '200 with truncated or invalid JSON'],
    [
      'JSON that is not UTF-8',
      'record',
      200,
      'application/json',
      '{"login":"\xff"}',
      '200 with truncated or invalid JSON',
    ],
    [
      'JSON nested too deep',
      'record',
      200,
      'application/json',
      `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`,
      '200 with JSON nested more than 1000 levels deep',
    ],
    ['an empty body', 'record', 200, 'application/json', '', '200 with an empty body'],
    ['an empty body for a list', 'list', 200, undefined, '', '200 with an empty body'],
    ['a list for a record', 'record', 200, 'application/json', '[]', 'a list instead of a record'],
    ['null for a record', 'record', 200, 'application/json', 'null', 'no record'],
    ['a record for a list', 'list', 200, 'application/json', '{"id":1}', 'something other than a list'],
    [
      'a list with null instead of a record',
      'list',
      200,
      'application/json',
      '[{"id":1},null]',
      'a list that contains null instead of a record',
    ],
    ['no envelope', 'envelope', 200, 'application/json', '[]', 'no list “installations”'],
    [
      'an envelope without its list',
      'envelope',
      200,
      'application/json',
      '{"total_count":0}',
      'no list “installations”',
    ],
    [
      'an envelope with an object instead of its list',
      'envelope',
      200,
      'application/json',
      '{"installations":{}}',
      'no list “installations”',
    ],
    ['an unrequested 304', 'record', 304, undefined, '', 'unexpected status 304'],
  ])('%s', async (_what, endpoint, status, type, body, how) => {
    const server = await startServer((response) =>
      response.writeHead(status, type ? { 'content-type': type } : {}).end(Buffer.from(body, 'latin1')),
    );
    const client = testClient(server.origin);
    const calls = {
      record: () => client.call(endpoints.record, acme),
      list: () => client.call(endpoints.list, {}),
      envelope: () => client.call(endpoints.envelope, {}),
    };
    const paths = { record: '/orgs/acme', list: '/user/orgs', envelope: '/user/installations' };
    const error = await rejection(calls[endpoint]());
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(`GET ${paths[endpoint]} returned ${how}.`);
    expect(server.requests).toHaveLength(1);
  });

  test('HTML after a write is not taken for success', async () => {
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
    );
    const error = await rejection(testClient(server.origin).call(revokeInstallationToken, {}));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(
      'DELETE /installation/token returned 200 with text/html instead of JSON. The change may or may not have been made.',
    );
  });

  test('a body over 48 MiB, even if the compressed response is small', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * 1024 * 1024, 0x20));
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb),
    );
    const error = await rejection(testClient(server.origin).call(getOrganization, acme));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(`GET /orgs/acme failed: ${server.origin.slice(7)} sent more than 48 MiB.`);
    expect(server.requests).toHaveLength(1);
  });

  test('a body over 48 MiB that never ends', async () => {
    const server = await startServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const mebibyte = Buffer.alloc(1024 * 1024, 0x20);
      const write = () => {
        while (!response.destroyed && response.write(mebibyte));
      };
      response.on('drain', write);
      write();
    });
    const error = await rejection(testClient(server.origin).call(getOrganization, acme));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toContain('sent more than 48 MiB');
  });

  test.each([
    ['gzip', 'nonsense'],
    ['zstd', '{}'],
  ])('%s, which cannot be undone', async (encoding, body) => {
    const server = await startServer((response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body),
    );
    const error = await rejection(testClient(server.origin).call(getOrganization, acme));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe(`GET /orgs/acme failed: ${server.origin.slice(7)} sent invalid ${encoding} data.`);
  });
});

test('the API versions are a list of texts', async () => {
  const server = await startServer((response) => json(response, ['2022-11-28', '2026-03-10']));
  expect(await testClient(server.origin).call(getVersions, {})).toEqual(['2022-11-28', '2026-03-10']);
});
