import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

test('a branch that only rulesets protect has no classic protection', async () => {
  const { status, body } = await ask('GET /repos/acme/site/branches/release%2F1.2', { as: null });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    name: 'release/1.2',
    protected: true,
    protection: { enabled: false, required_status_checks: { enforcement_level: 'off', contexts: [], checks: [] } },
    protection_url: expect.stringMatching(/\/repos\/acme\/site\/branches\/release%2F1\.2\/protection$/),
  });
});

test('an unknown branch differs from one without classic protection', async () => {
  const statusOf = async (path: string) => {
    const { status, body } = await ask(`GET /repos/acme/site/branches/${path}`);
    return [status, body.message];
  };
  expect(await statusOf('nosuch')).toEqual([404, 'Branch not found']);
  expect(await statusOf('nosuch%2Fa/protection')).toEqual([404, 'Branch not found']);
  expect(await statusOf('main/protection')).toEqual([404, 'Branch not protected']);
});

test('classic protection is shown to administrators of the repository', async () => {
  const { body: branch } = await ask('GET /repos/acme/site/branches/develop', { as: null });
  expect(branch).toMatchObject({
    protected: true,
    protection: { enabled: true, required_status_checks: { enforcement_level: 'non_admins', contexts: ['build'] } },
  });
  const { body: protection } = await ask('GET /repos/acme/site/branches/develop/protection');
  expect(protection).toMatchObject({
    required_status_checks: { strict: true, checks: [{ context: 'build', app_id: null }] },
    required_pull_request_reviews: { required_approving_review_count: 1 },
    restrictions: { users: [], teams: [{ slug: 'platform' }], apps: [] },
    enforce_admins: { enabled: false },
    required_linear_history: { enabled: true },
    allow_force_pushes: { enabled: false },
  });
  const { status } = await ask('GET /repos/acme/site/branches/develop/protection', { as: 'member' });
  expect(status).toBe(403);
});
