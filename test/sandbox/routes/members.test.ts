import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

const state = async (login: string, org = 'acme') => {
  const { status, body } = await ask(`GET /orgs/${org}/memberships/${login}`);
  return status === 200 ? `${body.role} ${body.state}` : status;
};

test('members of the organization see memberships; strangers and unknown people have none', async () => {
  expect([await state('riverotter'), await state('PaperFox')]).toEqual(['admin active', 'member active']);
  expect([await state('copperbee'), await state('nobody')]).toEqual([404, 404]);
  expect((await ask('GET /orgs/acme/memberships/paperfox', { as: 'outside_collaborator' })).status).toBe(403);
});

test('only owners change memberships', async () => {
  for (const request of ['PUT /orgs/acme/memberships/paperfox', 'DELETE /orgs/acme/memberships/paperfox'])
    expect((await ask(request, { as: 'member', body: { role: 'admin' } })).status).toBe(403);
  expect(await state('paperfox')).toBe('member active');
});

test('an invitation is pending, gives no access, and can be cancelled', async () => {
  expect((await ask('PUT /orgs/acme/memberships/velvetmole', { body: { role: 'admin' } })).body.state).toBe('pending');
  expect(await state('velvetmole')).toBe('admin pending');
  const { body: members } = await ask('GET /orgs/acme/members');
  expect(members.map(({ login }: { login: string }) => login)).not.toContain('velvetmole');
  expect((await ask('DELETE /orgs/acme/memberships/velvetmole')).status).toBe(204);
  expect(await state('velvetmole')).toBe(404);
  // The billing manager has kept that role.
  const budgets = await ask('GET /organizations/acme/settings/billing/budgets', { as: 'billing_manager' });
  expect(budgets.status).toBe(200);
});

test('a removed member loses teams and access, also to the repositories that they created', async () => {
  await ask('POST /orgs/acme/repos', { as: 'member', body: { name: 'diary', private: true } });
  expect((await ask('GET /repos/acme/diary', { as: 'member' })).status).toBe(200);
  expect((await ask('GET /orgs/acme/teams/engineering/memberships/paperfox')).body).toMatchObject({
    role: 'member',
    state: 'active',
  });
  expect((await ask('DELETE /orgs/acme/memberships/paperfox')).status).toBe(204);
  expect(await state('paperfox')).toBe(404);
  expect((await ask('GET /orgs/acme/teams/engineering/memberships/paperfox')).status).toBe(404);
  expect((await ask('GET /repos/acme/diary', { as: 'member' })).status).toBe(404);
});

test('the last owner can be neither demoted nor removed', async () => {
  expect((await ask('PUT /orgs/acme/memberships/riverotter', { body: { role: 'member' } })).body.role).toBe('member');
  expect(await ask('PUT /orgs/acme/memberships/admin', { body: { role: 'member' } })).toMatchObject({
    status: 422,
    body: { message: 'Cannot demote the last owner of the organization.' },
  });
  expect(await ask('DELETE /orgs/acme/memberships/admin')).toMatchObject({
    status: 403,
    body: { message: 'Cannot remove the last owner of the organization.' },
  });
  expect([await state('admin'), await state('riverotter')]).toEqual(['admin active', 'member active']);
});

test('a converted member keeps the access of teams, and loses all of it when removed', async () => {
  const people = async () =>
    (await ask('GET /orgs/globex/outside_collaborators')).body.map(({ login }: { login: string }) => login);
  const access = async () => {
    const { body } = await ask('GET /repos/globex/site/collaborators?affiliation=outside');
    return body.map(({ login, role_name }: Record<string, string>) => `${login} ${role_name}`);
  };
  // The team has admin in every repository that it has access to, such as globex/site.
  const login = 'paperfox';
  expect((await ask(`GET /orgs/globex/teams/platform/memberships/${login}`)).status).toBe(200);
  expect([await people(), await access()]).toEqual([[], []]);
  expect((await ask(`DELETE /orgs/globex/outside_collaborators/${login}`)).status).toBe(422);
  expect((await ask(`PUT /orgs/globex/outside_collaborators/${login}`)).status).toBe(204);
  expect([await people(), await access()]).toEqual([[login], [`${login} admin`]]);
  expect(await state(login, 'globex')).toBe(404);
  expect((await ask(`PUT /orgs/globex/outside_collaborators/${login}`)).status).toBe(403);
  expect((await ask(`DELETE /orgs/globex/outside_collaborators/${login}`)).status).toBe(204);
  expect([await people(), await access()]).toEqual([[], []]);
  expect((await ask(`DELETE /orgs/globex/outside_collaborators/${login}`)).status).toBe(404);
  expect((await ask('PUT /orgs/acme/outside_collaborators/admin')).body.message).toBe(
    'Cannot convert the last owner to an outside collaborator.',
  );
});
