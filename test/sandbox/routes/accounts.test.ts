import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

test('the platform returns its version to everybody', async () => {
  expect(await ask('GET /meta', { as: null })).toMatchObject({ status: 200, body: { installed_version: '3.19.2' } });
});

test('a self-managed platform has no list of its API versions', async () => {
  for (const as of [null, 'classic']) expect((await ask('GET /versions', { as })).status).toBe(404);
});

test('GET /user returns the owner of a token with the private fields', async () => {
  for (const as of ['classic', 'oauth', 'fine_grained', 'app_user']) {
    const { status, body } = await ask('GET /user', { as });
    expect(status).toBe(200);
    expect(body).toMatchObject({ login: 'admin', id: 1, type: 'User', site_admin: true, total_private_repos: 1 });
    expect(body.plan.name).toBe('enterprise');
  }
});

test('GET /user/{account_id} returns the public profile of a user to everybody', async () => {
  const { status, body } = await ask('GET /user/2', { as: null });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { login: 'riverotter', name: 'River Otter', email: null },
  });
  expect(body).not.toHaveProperty('plan');
  expect((await ask('GET /user/99')).status).toBe(404);
  expect((await ask('GET /user/riverotter')).status).toBe(404);
  expect((await ask('GET /user/orgs')).body).toHaveLength(3);
});

test('GET /rate_limit returns the quotas and does not count', async () => {
  const first = await ask('GET /rate_limit', { as: 'installation' });
  const second = await ask('GET /rate_limit', { as: 'installation' });
  expect(first.body.rate).toEqual(first.body.resources.core);
  expect(first.body.resources.core).toMatchObject({ limit: 1_000_000_000, remaining: 1_000_000_000, used: 0 });
  expect(Object.keys(first.body.resources)).toContain('graphql');
  expect(second.body.rate.used).toBe(0);
});
