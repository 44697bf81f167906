import { describe, expect, test } from 'vitest';
import { appKey, jwtWith } from '../../support/app.ts';
import { noon, sandboxForTests } from '../support.ts';

const sandbox = sandboxForTests({ orgs: 4, tokenLifetime: 2_000 });
const { ask } = sandbox;

const now = noon.getTime() / 1000;
const valid = { iss: 41, iat: now - 60, exp: now + 540 };
const jwt = (claims: object = {}, key = sandbox.privateKey, header?: object) =>
  jwtWith({ ...valid, ...claims }, key, header);
const mint = (installation: number, body: object = {}) =>
  ask(`POST /app/installations/${installation}/access_tokens`, { as: jwt(), body });

describe('a JWT', () => {
  test.each([
    ['with the app’s ID', {}],
    ['with the app’s client ID', { iss: 'Iv23liSandboxApp0041' }],
  ])('%s is accepted', async (_, claims) => {
    const { status, body } = await ask('GET /app', { as: jwt(claims) });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: 41, slug: 'sandbox-app', installations_count: 3 });
  });

  test.each([
    ['that has expired', { exp: now - 1 }, 401, /'exp'\) must be a numeric value representing the future time/],
    ['for more than ten minutes', { exp: now + 601 }, 401, /'exp'\) is too far in the future/],
    ['issued in the future', { iat: now + 5 }, 401, /'iat'\) must be an Integer/],
    ['of another app', { iss: 42 }, 404, /Integration not found/],
  ])('%s is rejected', async (_, claims, status, message) => {
    expect(await ask('GET /app', { as: jwt(claims) })).toMatchObject({
      status,
      body: { message: expect.stringMatching(message) },
    });
  });

  test('signed with another key or algorithm, or unsigned, is rejected', async () => {
    for (const as of [jwt({}, appKey), jwt({}, appKey, { alg: 'none' }), `${jwt()}x`, 'a.b.c'])
      expect(await ask('GET /app', { as })).toMatchObject({
        status: 401,
        body: { message: 'A JSON web token could not be decoded' },
      });
  });

  test('is the only login for the app’s own endpoints, and for no others', async () => {
    for (const as of ['classic', 'installation'])
      expect((await ask('GET /app/installations', { as })).status).toBe(401);
    expect((await ask('GET /orgs/acme', { as: jwt() })).status).toBe(401);
  });
});

test('the app is installed on three organizations, and suspended on one', async () => {
  const { body } = await ask('GET /app/installations', { as: jwt() });
  expect(body.map((each: { id: number; suspended_at: unknown }) => [each.id, each.suspended_at !== null])).toEqual([
    [5000, false],
    [5001, true],
    [5003, false],
  ]);
  expect((await ask('GET /orgs/umbrella/installation', { as: jwt() })).body.id).toBe(5003);
  expect((await ask('GET /orgs/initech/installation', { as: jwt() })).status).toBe(404);
  expect((await mint(5002)).status).toBe(404);
  expect(await mint(5001)).toMatchObject({ status: 403, body: { message: 'This installation has been suspended' } });
});

test('an installation token has the configured lifetime', async () => {
  const { status, body } = await mint(5000);
  expect(status).toBe(201);
  expect(body).toMatchObject({ expires_at: '2026-11-20T12:30:02Z', repository_selection: 'all' });
  const as = body.token;
  expect((await ask('GET /installation/repositories', { as })).body.total_count).toBe(12);
  sandbox.advance(1_999);
  expect((await ask('GET /repos/acme/site', { as })).status).toBe(200);
  sandbox.advance(1);
  expect(await ask('GET /repos/acme/site', { as })).toMatchObject({
    status: 401,
    body: { message: 'Bad credentials' },
  });
  sandbox.advance(-2_000);
});

describe('a narrowed token', () => {
  test('has the requested permissions, and metadata', async () => {
    const { body } = await mint(5000, { permissions: { contents: 'read' } });
    expect(body.permissions).toEqual({ contents: 'read', metadata: 'read' });
    const as = body.token;
    expect((await ask('GET /repos/acme/site', { as })).status).toBe(200);
    expect((await ask('PATCH /orgs/acme', { as, body: { location: 'Oslo' } })).status).toBe(403);
  });

  test('sees only the requested repositories', async () => {
    const { body: all } = await ask('GET /orgs/acme/repos?type=private');
    const [hidden] = all;
    const { body } = await mint(5000, { repositories: ['site'], repository_ids: [] });
    expect(body).toMatchObject({ repository_selection: 'selected', repositories: [{ full_name: 'acme/site' }] });
    const as = body.token;
    expect((await ask('GET /installation/repositories', { as })).body).toMatchObject({
      total_count: 1,
      repositories: [{ full_name: 'acme/site' }],
    });
    expect((await ask(`GET /repos/${hidden.full_name}`, { as })).status).toBe(404);
    expect((await ask('GET /repos/acme/site', { as })).body.permissions).toMatchObject({ push: true });
  });

  test('is rejected if it exceeds the installation', async () => {
    for (const body of [{ permissions: { secrets: 'write' } }, { permissions: { secret_scanning_alerts: 'write' } }])
      expect(await mint(5000, body)).toMatchObject({
        status: 422,
        body: { message: 'The permissions requested are not granted to this installation.' },
      });
    expect((await mint(5000, { repositories: ['no-such'] })).status).toBe(422);
    expect((await mint(5003, { repository_ids: [100_001] })).status).toBe(422);
  });
});

describe('with faults of fresh tokens', () => {
  const faulty = sandboxForTests({ faults: { 'fresh-token': 1 } });

  test('a token is rejected in its first second', async () => {
    const as = jwtWith(valid, faulty.privateKey);
    const { body } = await faulty.ask('POST /app/installations/5000/access_tokens', { as, body: {} });
    expect((await faulty.ask('GET /repos/acme/site', { as: body.token })).status).toBe(401);
    faulty.advance(1_000);
    expect((await faulty.ask('GET /repos/acme/site', { as: body.token })).status).toBe(200);
    expect((await faulty.ask('GET /repos/acme/site', { as: 'installation' })).status).toBe(200);
  });
});
