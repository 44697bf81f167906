import { expect, test } from 'vitest';
import { sandboxForTests } from '../support.ts';

const { ask } = sandboxForTests();

const teamSite = '/orgs/acme/teams/interns/repos/acme/site';
const roleHeaders = { accept: 'application/vnd.github.v3.repository+json' };

async function people(repo: string, query = '') {
  const { body } = await ask(`GET /repos/${repo}/collaborators?per_page=100${query}`);
  return Object.fromEntries(body.map(({ login, role_name }: Record<string, string>) => [login, role_name]));
}

const teamRole = async (path: string, as = 'classic') => {
  const { status, body } = await ask(`GET ${path}`, { as, headers: roleHeaders });
  return status === 200 ? body.role_name : status;
};

test('a team has the role that it was given, until a lower one of its parent remains', async () => {
  // Engineering, the parent, maintains the repository.
  expect(await teamRole(teamSite)).toBe('maintain');
  expect((await ask(`PUT ${teamSite}`, { body: { permission: 'admin' } })).status).toBe(204);
  expect(await teamRole(teamSite)).toBe('admin');
  expect((await ask(`PUT ${teamSite}`, { body: { permission: 'security engineer' } })).status).toBe(204);
  const { body: teams } = await ask('GET /repos/acme/site/teams');
  expect(teams.find(({ slug }: { slug: string }) => slug === 'interns')).toMatchObject({
    permission: 'Security Engineer',
    permissions: { maintain: true, admin: false },
  });
  expect((await ask(`DELETE ${teamSite}`)).status).toBe(204);
  expect(await teamRole(teamSite)).toBe('maintain');
  expect((await ask(`GET ${teamSite}`)).status).toBe(204);
});

test('unknown roles, teams and repositories of others are refused', async () => {
  expect(await ask(`PUT ${teamSite}`, { body: { permission: 'write' } })).toMatchObject({ status: 422 });
  expect((await ask('PUT /orgs/acme/teams/nobody/repos/acme/site', { body: {} })).status).toBe(404);
  expect((await ask('PUT /orgs/acme/teams/interns/repos/globex/site', { body: {} })).status).toBe(422);
  expect((await ask('PUT /orgs/acme/teams/interns/repos/acme/website', { body: {} })).status).toBe(404);
  expect((await ask('PUT /repos/acme/site/collaborators/nobody', { body: {} })).status).toBe(404);
});

test('only administrators of the repository give access, and maintainers of a team end that of the team', async () => {
  const requests = [
    `PUT ${teamSite}`,
    'PUT /repos/acme/site/collaborators/paperfox',
    'DELETE /repos/acme/site/collaborators/copperbee',
    'GET /repos/acme/site/invitations',
    'PUT /repos/acme/site/vulnerability-alerts',
    'PUT /repos/acme/site/automated-security-fixes',
  ];
  for (const request of requests)
    expect((await ask(request, { as: 'member', body: request.startsWith('GET') ? undefined : {} })).status).toBe(403);
  for (const request of requests)
    expect((await ask(request, { as: 'weak', body: request.startsWith('GET') ? undefined : {} })).status).toBe(403);
  expect((await ask(`DELETE ${teamSite}`, { as: 'member' })).status).toBe(403);
  expect((await ask(`DELETE ${teamSite}`, { as: 'owner' })).status).toBe(204);
});

test('a member gets access at once, at least that of the base permission', async () => {
  await ask('PATCH /orgs/acme', { body: { default_repository_permission: 'write' } });
  const grant = (permission: string) => ask('PUT /repos/acme/site/collaborators/paperfox', { body: { permission } });
  expect(await grant('triage')).toMatchObject({
    status: 422,
    body: { message: 'Cannot assign member permission of triage' },
  });
  expect(await grant('Security Engineer')).toMatchObject({ status: 204, body: '' });
  expect(await people('acme/site', '&affiliation=direct')).toEqual({
    copperbee: 'write',
    paperfox: 'Security Engineer',
  });
  expect((await ask('DELETE /repos/acme/site/collaborators/paperfox', { as: 'member' })).status).toBe(204);
  expect(await people('acme/site', '&affiliation=direct')).toEqual({ copperbee: 'write' });
  await ask('PATCH /orgs/acme', { body: { default_repository_permission: 'read' } });
});

test('an invited person has no access before accepting, and only that person accepts', async () => {
  const { body: created } = await ask('POST /orgs/acme/repos', { body: { name: 'vault', private: true } });
  const { status, body: invitation } = await ask('PUT /repos/acme/vault/collaborators/velvetmole', {
    body: { permission: 'maintain' },
  });
  expect(status).toBe(201);
  expect(invitation).toMatchObject({
    repository: { id: created.id },
    invitee: { login: 'velvetmole' },
    inviter: { login: 'admin' },
    permissions: 'maintain',
    expired: false,
  });
  const again = await ask('PUT /repos/acme/vault/collaborators/velvetmole', { body: { permission: 'pull' } });
  expect(again.body).toMatchObject({ id: invitation.id, permissions: 'read' });
  expect(await people('acme/vault')).not.toHaveProperty('velvetmole');
  expect((await ask('GET /repos/acme/vault', { as: 'billing_manager' })).status).toBe(404);
  const accept = `PATCH /user/repository_invitations/${invitation.id}`;
  expect((await ask(accept, { as: 'member' })).status).toBe(404);
  expect((await ask(accept, { as: 'billing_manager' })).status).toBe(204);
  expect((await ask(accept, { as: 'billing_manager' })).status).toBe(404);
  expect(await people('acme/vault', '&affiliation=outside')).toEqual({ velvetmole: 'read' });
  expect((await ask('GET /repos/acme/vault', { as: 'billing_manager' })).status).toBe(200);
  expect((await ask('DELETE /repos/acme/vault/collaborators/velvetmole')).status).toBe(204);
  const { body: outside } = await ask('GET /orgs/acme/outside_collaborators');
  expect(outside.map(({ login }: { login: string }) => login)).toEqual(['copperbee']);
});

test('a cancelled invitation cannot be accepted', async () => {
  const { body } = await ask('PUT /repos/globex/site/collaborators/velvetmole', { body: {} });
  expect((await ask(`DELETE /repos/acme/site/invitations/${body.id}`)).status).toBe(404);
  expect((await ask(`DELETE /repos/globex/site/invitations/${body.id}`)).status).toBe(204);
  expect((await ask(`PATCH /user/repository_invitations/${body.id}`, { as: 'billing_manager' })).status).toBe(404);
  expect((await ask('GET /repos/globex/site/invitations')).body).toEqual([]);
});

test('fixes need alerts, and end with them', async () => {
  const repo = '/repos/acme/identity-client';
  const states = async () => [
    (await ask(`GET ${repo}/vulnerability-alerts`)).status,
    (await ask(`GET ${repo}/automated-security-fixes`)).status,
  ];
  expect((await ask(`PUT ${repo}/vulnerability-alerts`)).status).toBe(204);
  expect((await ask(`PUT ${repo}/automated-security-fixes`)).status).toBe(204);
  expect(await states()).toEqual([204, 200]);
  expect((await ask(`DELETE ${repo}/vulnerability-alerts`)).status).toBe(204);
  expect(await states()).toEqual([404, 404]);
  expect((await ask(`PUT ${repo}/automated-security-fixes`)).status).toBe(422);
});

test('only templates generate repositories, with their content and the name of the template', async () => {
  const body = { owner: 'acme', name: 'from-template', private: true };
  expect((await ask('POST /repos/acme/site/generate', { body })).status).toBe(404);
  const { body: all } = await ask('GET /orgs/acme/repos');
  const template = all.find((each: Record<string, unknown>) => each.is_template);
  const made = await ask(`POST /repos/${template.full_name}/generate`, { body });
  expect(made).toMatchObject({
    status: 201,
    body: {
      full_name: 'acme/from-template',
      visibility: 'private',
      is_template: false,
      language: template.language,
      template_repository: { full_name: template.full_name },
    },
  });
  expect((await ask(`POST /repos/${template.full_name}/generate`, { body })).status).toBe(422);
  const forOther = { ...body, owner: 'riverotter' };
  expect((await ask(`POST /repos/${template.full_name}/generate`, { body: forOther, as: 'member' })).status).toBe(403);
});
