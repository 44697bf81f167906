/** nock sees what the client sends over Node's HTTP, and keeps it from the network: tests of commands rely on it. */
import { Readable } from 'node:stream';
import nock from 'nock';
import { expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import {
  NetworkError,
  NotFoundError,
  OutcomeUnknownError,
  RedirectError,
  RenamedError,
} from '../../src/client/errors.ts';
import { getOrganization, updateOrganization } from '../../src/platform/endpoints/orgs.ts';
import { deleteRepository } from '../../src/platform/endpoints/repos.ts';
import { platformAt, rejection, testClock, testTransport, token } from '../support/client.ts';
import { useNock } from '../support/nocked.ts';

const origin = 'https://ghe.example.com';
const acme = { path: { org: 'acme' } };

useNock();

const clientWith = (options: Parameters<typeof testTransport>[0] = {}) =>
  new Client({
    platform: platformAt(`${origin}/api/v3`),
    credential: { token, origin },
    transport: testTransport(options),
  });

test('a read', async () => {
  nock(origin, { reqheaders: { authorization: `Bearer ${token}`, accept: 'application/vnd.github+json' } })
    .get('/api/v3/orgs/acme')
    .reply(200, { login: 'acme' });
  expect(await clientWith().call(getOrganization, acme)).toEqual({ login: 'acme' });
});

test('a write with its body', async () => {
  nock(origin).patch('/api/v3/orgs/acme', { name: 'Acme' }).reply(404, { message: 'Not Found' });
  const error = await rejection(clientWith().call(updateOrganization, { ...acme, body: { name: 'Acme' } }));
  expect(error).toBeInstanceOf(NotFoundError);
});

test('an unresolved host name is not retried', async () => {
  const clock = testClock();
  nock(origin)
    .get('/api/v3/orgs/acme')
    .replyWithError(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' }));
  const error = await rejection(clientWith(clock.options).call(getOrganization, acme));
  expect(error).toBeInstanceOf(NetworkError);
  expect(error.message).toBe('GET /orgs/acme failed: could not resolve host ghe.example.com.');
  expect(clock.waits).toEqual([]);
});

test('a write with an interrupted response', async () => {
  const broken = new Readable({
    read: () => broken.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
  });
  nock(origin)
    .patch('/api/v3/orgs/acme')
    .reply(200, () => broken);
  const error = await rejection(clientWith().call(updateOrganization, { ...acme, body: {} }));
  expect(error).toBeInstanceOf(OutcomeUnknownError);
});

test('a deletion that is redirected to a repository of another name deletes nothing', async () => {
  nock(origin)
    .delete('/api/v3/repos/acme/site')
    .reply(307, {}, { location: `${origin}/api/v3/repositories/5` })
    .get('/api/v3/repositories/5')
    .reply(200, { id: 5, full_name: 'globex/site' });
  const error = await rejection(clientWith().call(deleteRepository, { path: { owner: 'acme', repo: 'site' } }));
  expect(error).toBeInstanceOf(RenamedError);
  expect(error.message).toBe('acme/site is now globex/site. Nothing was changed there.');
});

test('a write that is redirected to another host reaches nothing there', async () => {
  nock(origin)
    .patch('/api/v3/orgs/acme', { name: 'Acme' })
    .reply(308, {}, { location: 'https://ghe.example.org/api/v3/orgs/acme' });
  const error = await rejection(clientWith().call(updateOrganization, { ...acme, body: { name: 'Acme' } }));
  expect(error).toBeInstanceOf(RedirectError);
  expect(error.message).toBe(
    'PATCH /orgs/acme was redirected (308) to another origin, https://ghe.example.org; neither the request nor the token was sent there. Nothing was changed.',
  );
});

test('a read takes no token to another host', async () => {
  nock(origin).get('/api/v3/orgs/acme').reply(302, {}, { location: 'https://storage.example.com/acme?sig=1' });
  const error = await rejection(clientWith().call(getOrganization, acme));
  expect(error).toBeInstanceOf(RedirectError);
  expect(error.message).toBe(
    'GET /orgs/acme was redirected (302) to another origin, https://storage.example.com; neither the request nor the token was sent there.',
  );
});
