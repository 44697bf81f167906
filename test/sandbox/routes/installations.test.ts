import { expect, test } from 'vitest';
import { startSandbox } from '../../../src/sandbox/serve.ts';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

test('installations are returned in an envelope with every field', async () => {
  const { status, body } = await ask('GET /user/installations');
  expect(status).toBe(200);
  expect(body.total_count).toBe(2);
  expect(body.installations[0]).toMatchObject({
    account: { login: 'acme', type: 'Organization' },
    app_slug: 'sandbox-app',
    target_type: 'Organization',
    repository_selection: 'all',
    suspended_at: null,
    suspended_by: null,
  });
  expect(body.installations[1]).toMatchObject({
    suspended_at: '2024-06-02T08:15:00Z',
    suspended_by: { login: 'admin' },
  });
});

test('the permissions of an installation match those of the app’s tokens', async () => {
  const { permissions } = (await ask('GET /user/installations')).body.installations[0];
  expect(permissions).toMatchObject({
    administration: 'write',
    contents: 'write',
    metadata: 'read',
    organization_administration: 'write',
    organization_private_registries: 'write',
    secret_scanning_alerts: 'read',
  });
  expect(permissions).not.toHaveProperty('*');
  for (const as of ['app_user', 'installation']) {
    expect((await ask('PATCH /orgs/acme', { as, body: { location: 'Oslo' } })).status).toBe(200);
    expect((await ask('GET /orgs/acme/private-registries', { as })).status).toBe(200);
    expect((await ask('DELETE /orgs/acme/private-registries/NO_SUCH_SECRET', { as })).status).toBe(404);
  }
});

test('the app’s tokens work only where the app is installed and not suspended', async () => {
  const [secluded] = (await ask('GET /orgs/globex/repos?type=private')).body;
  for (const as of ['app_user', 'installation']) {
    for (const org of ['globex', 'initech']) {
      expect(await ask(`PATCH /orgs/${org}`, { as, body: { location: 'Oslo' } })).toMatchObject({
        status: 403,
        body: { message: 'Resource not accessible by integration' },
      });
      const body = { event_type: 'go' };
      expect((await ask(`POST /repos/${org}/site/dispatches`, { as, body })).status).toBe(403);
      expect((await ask(`GET /orgs/${org}`, { as })).body).not.toHaveProperty('billing_email');
      const { permissions } = (await ask(`GET /repos/${org}/site`, { as })).body;
      expect(permissions).toMatchObject({ admin: false, push: false, pull: true });
    }
    expect((await ask(`GET /repos/${secluded.full_name}`, { as })).status).toBe(404);
    expect((await ask('GET /repos/admin/notes', { as })).status).toBe(404);
    expect((await ask('GET /enterprises/sandbox/settings/billing/budgets', { as })).status).toBe(403);
    expect((await ask('POST /repos/acme/site/forks', { as, body: {} })).status).toBe(403);
  }
});

test('installations require a user: installation tokens and anonymous callers are rejected', async () => {
  expect((await ask('GET /user/installations', { as: 'installation' })).status).toBe(403);
  expect((await ask('GET /user/installations', { as: null })).status).toBe(401);
});

test('an installation has access to the repositories of the first organization', async () => {
  const { status, body } = await ask('GET /installation/repositories?per_page=100', { as: 'installation' });
  expect(status).toBe(200);
  expect(body.total_count).toBe(12);
  expect(body.repositories).toHaveLength(12);
  expect(body.repositories.at(-1).full_name).toBe('acme/site');
});

test('only installation tokens can list installation repositories', async () => {
  for (const as of ['classic', 'oauth', 'fine_grained', 'app_user'])
    expect((await ask('GET /installation/repositories', { as })).status).toBe(403);
});

test('an installation token can revoke itself once, and is invalid afterwards', async () => {
  const sandbox = await startSandbox({});
  const headers = { authorization: `Bearer ${sandbox.tokens.installation}` };
  const revoke = () => fetch(`${sandbox.baseUrl}/installation/token`, { method: 'DELETE', headers });
  expect((await revoke()).status).toBe(204);
  expect((await revoke()).status).toBe(401);
  await sandbox.close();
});

test('other tokens cannot be revoked this way', async () => {
  expect((await ask('DELETE /installation/token')).status).toBe(403);
  expect((await ask('GET /user')).status).toBe(200);
});
