/** Renamed and transferred repositories and organizations: what a redirect from a former name may lead to. */
import { describe, expect, test } from 'vitest';
import { Client } from '../../src/client/client.ts';
import { OutcomeUnknownError, RedirectError, RenamedError } from '../../src/client/errors.ts';
import { changedAt, refuseRename } from '../../src/client/moves.ts';
import { getOrganization } from '../../src/platform/endpoints/orgs.ts';
import {
  createOrganizationRepository,
  getRepository,
  getTopics,
  updateRepository,
} from '../../src/platform/endpoints/repos.ts';
import { platformAt, rejection, testClient, testTransport, token } from '../support/client.ts';
import { json, startServer } from '../support/server.ts';

const base = '/api/v3';
const site = { path: { owner: 'acme', repo: 'site' } };
const change = { ...site, body: { description: 'D' } };

/** What a path below the base URL is answered with: a record, a redirect to that location, or a status. */
type Answers = Readonly<Record<string, object | string | number>>;

async function answering(answers: Answers, redirectStatus = 307) {
  const server = await startServer((response, { method, url }) => {
    const answer = answers[`${method} ${url.slice(base.length)}`] ?? 404;
    if (typeof answer === 'string') response.writeHead(redirectStatus, { location: answer }).end();
    else if (typeof answer === 'number') json(response, { message: 'No' }, {}, answer);
    else json(response, answer);
  });
  const requests = () => server.requests.map(({ method, url, body }) => `${method} ${url} ${body}`.trim());
  return { server, requests, client: testClient(server.origin) };
}

const fromOldName = (to: string): Answers => ({ 'PATCH /repos/acme/site': to });

describe('a redirected write', () => {
  test.each([301, 302, 307, 308])('is not sent to a repository of another name after a %i', async (status) => {
    const answers = { ...fromOldName('/api/v3/repositories/5'), 'GET /repositories/5': { full_name: 'globex/x' } };
    const { client, requests } = await answering(answers, status);
    const error = await rejection(client.call(updateRepository, change));
    expect(error).toBeInstanceOf(RenamedError);
    expect(error).toMatchObject({ named: 'acme/site', current: 'globex/x' });
    expect(error.message).toBe('acme/site is now globex/x. Nothing was changed there.');
    expect(requests()).toEqual(['PATCH /api/v3/repos/acme/site {"description":"D"}', 'GET /api/v3/repositories/5']);
  });

  test('is sent on, with method, body and token, to a repository of the same name', async () => {
    const { client, requests, server } = await answering({
      ...fromOldName('/api/v3/repositories/5'),
      'GET /repositories/5': { full_name: 'Acme/Site' },
      'PATCH /repositories/5': { full_name: 'Acme/Site' },
    });
    expect(await client.call(updateRepository, change)).toEqual({ full_name: 'Acme/Site' });
    expect(requests()).toEqual([
      'PATCH /api/v3/repos/acme/site {"description":"D"}',
      'GET /api/v3/repositories/5',
      'PATCH /api/v3/repositories/5 {"description":"D"}',
    ]);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(Array(3).fill(`Bearer ${token}`));
  });

  test('creates nothing in a renamed organization', async () => {
    const { client, requests } = await answering({
      'POST /orgs/acme/repos': '/api/v3/organizations/5/repos',
      'GET /organizations/5': { login: 'globex' },
    });
    const input = { path: { org: 'acme' }, body: { name: 'site' } };
    const error = await rejection(client.call(createOrganizationRepository, input));
    expect(error.message).toBe('acme is now globex. Nothing was changed there.');
    expect(requests()).toEqual(['POST /api/v3/orgs/acme/repos {"name":"site"}', 'GET /api/v3/organizations/5']);
  });

  test('follows the names of the record, which may itself redirect', async () => {
    const { client } = await answering({
      ...fromOldName('/api/v3/repos/acme/site'),
      'GET /repos/acme/site': '/api/v3/repositories/5',
      'GET /repositories/5': { full_name: 'globex/x' },
    });
    expect(await rejection(client.call(updateRepository, change))).toBeInstanceOf(RenamedError);
  });

  test('is not sent on more than five times', async () => {
    const { client, requests } = await answering({
      ...fromOldName('/api/v3/repositories/1'),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].flatMap((id) => [
          [`GET /repositories/${id}`, { full_name: 'acme/site' }],
          [`PATCH /repositories/${id}`, `/api/v3/repositories/${id + 1}`],
        ]),
      ),
    });
    const error = await rejection(client.call(updateRepository, change));
    expect(error.message).toBe('PATCH /repos/acme/site was redirected (307) more than 5 times. Nothing was changed.');
    expect(requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(6);
  });

  test.each([
    ['/api/v3/repos/acme/site', 1],
    ['#again', 1],
    ['/api/v3/repositories/5', 2],
  ])('is sent to each URL once, if it is redirected in a circle by way of %s', async (location, count) => {
    const { client, requests } = await answering({
      ...fromOldName(location),
      'GET /repos/acme/site': { full_name: 'acme/site' },
      'GET /repositories/5': { full_name: 'acme/site' },
      'PATCH /repositories/5': '/api/v3/repos/acme/site',
    });
    const error = await rejection(client.call(updateRepository, change));
    expect(error.message).toBe('PATCH /repos/acme/site was redirected in a circle. Nothing was changed.');
    expect(requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(count);
  });

  test.each([
    ['/api/v3/repositories/5', 404, 'and GET /repositories/5 failed: No'],
    [
      '/api/v3/repositories/6',
      {},
      'and GET /repositories/6 failed: GET /repositories/6 returned a record without a name',
    ],
    ['/api/v3/repositories/5/topics', { full_name: 'acme/site' }, 'which may be something else'],
    ['/api/v3/repositories/5?ref=1', { full_name: 'acme/site' }, 'which may be something else'],
    ['/api/v3/elsewhere', {}, 'which may be something else'],
    ['/repositories/5', { full_name: 'acme/site' }, 'which may be something else'],
  ])('is not sent to %s, which cannot be verified', async (location, record, why) => {
    const answers = {
      ...fromOldName(location),
      'GET /repositories/5': record,
      'GET /repositories/6': record,
    };
    const { client, requests } = await answering(answers);
    const error = await rejection(client.call(updateRepository, change));
    expect(error).toBeInstanceOf(RedirectError);
    const to = location.replace('/api/v3', '').replace(/\?.*/, '');
    expect(error.message).toBe(`PATCH /repos/acme/site was redirected to ${to}, ${why}. Nothing was changed.`);
    expect(requests().filter((request) => request.startsWith('PATCH'))).toHaveLength(1);
  });

  test('is not redirected if its path has neither a repository nor an organization', async () => {
    const { client, requests } = await answering({ 'POST /user/migrations': '/api/v3/users/5/migrations' });
    const error = await rejection(client.request({ method: 'POST', path: '/user/migrations', body: {} }));
    expect(error).toBeInstanceOf(RedirectError);
    expect(requests()).toEqual(['POST /api/v3/user/migrations {}']);
  });

  test('of api is treated the same', async () => {
    const { client } = await answering({
      'DELETE /repos/acme/site': '/api/v3/repositories/5',
      'GET /repositories/5': { full_name: 'globex/x' },
    });
    const error = await rejection(client.request({ method: 'DELETE', path: 'repos/acme/site' }));
    expect(error).toBeInstanceOf(RenamedError);
  });

  test.each([
    [
      'https://evil.example.com/api/v3/repositories/5',
      'to another origin, https://evil.example.com; neither the request nor the token was sent there',
    ],
    ['data:,x', 'to a data: URL; neither the request nor the token was sent there'],
  ])('is not sent to %s', async (location, why) => {
    const { client, requests } = await answering(fromOldName(location));
    const error = await rejection(client.call(updateRepository, change));
    expect(error).toBeInstanceOf(RedirectError);
    expect(error.message).toBe(`PATCH /repos/acme/site was redirected (307) ${why}. Nothing was changed.`);
    expect(requests()).toHaveLength(1);
  });

  test('has an unknown outcome after a 303, which is not reported as a response', async () => {
    const { server } = await answering(fromOldName('/api/v3/repos/acme/site'), 303);
    const statuses: number[] = [];
    const client = new Client({
      platform: platformAt(`${server.origin}/api/v3`),
      transport: testTransport(),
      watchWrite: () => ({ received: (status) => void statuses.push(status) }),
    });
    const error = await rejection(client.call(updateRepository, change));
    expect(error).toBeInstanceOf(OutcomeUnknownError);
    expect(error.message).toBe(
      'The outcome of PATCH /repos/acme/site is unknown: it was redirected (303) to another page.',
    );
    expect(statuses).toEqual([]);
  });

  test('reads the name while only one request may be sent at a time', async () => {
    const { server } = await answering({
      ...fromOldName('/api/v3/repositories/5'),
      'GET /repositories/5': { full_name: 'globex/x' },
    });
    const error = await rejection(testClient(server.origin, { concurrency: 1 }).call(updateRepository, change));
    expect(error).toBeInstanceOf(RenamedError);
  });
});

describe('a redirected read', () => {
  const moved = {
    'GET /repos/acme/site/topics': '/api/v3/repositories/5/topics',
    'GET /repos/acme/site': '/api/v3/repositories/5',
    'GET /repositories/5/topics': { names: ['web'] },
  };

  async function renamesOf(answers: Answers) {
    const { client, requests } = await answering(answers, 301);
    const renames: object[] = [];
    const watched = client.onRename((rename) => renames.push(rename));
    return { watched, renames, requests };
  }

  test('reports the name now', async () => {
    const { watched, renames } = await renamesOf({ ...moved, 'GET /repositories/5': { full_name: 'globex/x' } });
    expect(await watched.call(getTopics, site)).toEqual({ names: ['web'] });
    expect(renames).toEqual([{ named: 'acme/site', current: 'globex/x' }]);
  });

  test('reports nothing if the name is the same, ignoring case', async () => {
    const { watched, renames } = await renamesOf({ ...moved, 'GET /repositories/5': { full_name: 'Acme/Site' } });
    await watched.call(getRepository, site);
    expect(renames).toEqual([]);
  });

  test('reports the ID of an object that cannot be read', async () => {
    const { watched, renames } = await renamesOf({ ...moved, 'GET /repositories/5': 403 });
    await watched.call(getTopics, site);
    expect(renames).toEqual([{ named: 'acme/site', current: 'repository 5' }]);
  });

  test('can be refused', async () => {
    const { client } = await answering({ ...moved, 'GET /repositories/5': { full_name: 'globex/x' } }, 301);
    const error = await rejection(client.onRename(refuseRename).forTask().call(getTopics, site));
    expect(error).toBeInstanceOf(RenamedError);
  });

  test('needs no further request without redirects', async () => {
    const { watched, requests } = await renamesOf({ 'GET /orgs/acme': { login: 'acme' } });
    await watched.call(getOrganization, { path: { org: 'acme' } });
    expect(requests()).toEqual(['GET /api/v3/orgs/acme']);
  });
});

test.each([
  ['https://forge.example.com/%C3%BC/api/v3', '/repos/acme/site', 'acme/site'],
  ['https://forge.example.com/my%20forge/api/v3', '/%72epos/acme%2Fsite/transfer', 'acme/site'],
  ['https://forge.example.com/my%20forge/api/v3', '/orgs/acme?x=%2F', 'acme'],
  ['https://forge.example.com/my%20forge/api/v3', '/orgs/acme/teams', undefined],
  ['', '/repos/acme/50%', 'acme/50%'],
  ['', '/repos/acme%252Fsite', 'acme/site'],
  ['', '/repos/acme%2525%32Fsite/%FF', undefined],
])('below %s, a write to %s changes %s itself', (baseUrl, path, name) => {
  expect(changedAt({ baseUrl }, `${baseUrl}${path}`)).toBe(name);
});
