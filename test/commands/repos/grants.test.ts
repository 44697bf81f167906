/** The commands that give and take away access to a repository, and those that switch its alerts. */
import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../../support/nocked.ts';
import { run } from '../../support/run.ts';

useNock();

const site = { id: 9, full_name: 'acme/site', owner: { login: 'acme', type: 'Organization' } };
const repo = '/api/v3/repos/acme/site';
const team = '/api/v3/orgs/acme/teams/release/repos/acme/site';
const roles = '/api/v3/orgs/acme/custom-repository-roles';
const engineer = { custom_roles: [{ id: 1, name: 'Security Engineer' }] };

describe('repos grant', () => {
  const words = ['repos', 'grant', 'acme/site'];

  it.each([
    ['write', 'push', 'write'],
    ['pull', 'pull', 'read'],
    ['ADMIN', 'admin', 'admin'],
  ])('gives a team role %s', async (typed, permission, role) => {
    platform().get(repo).reply(200, site).put(team, { permission }).reply(204);
    const { stdout, code } = await run([...words, '--team', 'release', '--role', typed, '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      repository: 'acme/site',
      type: 'team',
      name: 'release',
      role,
      state: 'active',
      invitation_id: null,
    });
  });

  it('gives a person a custom role at once, and invites others', async () => {
    const put = `${repo}/collaborators/paperfox`;
    platform().get(roles).reply(200, engineer).put(put, { permission: 'Security Engineer' }).reply(204);
    const person = [...words, '--user', 'paperfox', '--role'];
    const { stdout, code } = await run([...person, 'security engineer', '--fields', 'name,role,state'], { env });
    expect({ stdout, code }).toEqual({
      stdout: 'paperfox\tSecurity Engineer\tactive\n',
      code: 0,
    });
    platform().put(put, { permission: 'triage' }).twice().reply(201, { id: 7, permissions: 'triage' });
    const table = await run([...person, 'triage'], { env, tty: true });
    expect(table.stdout + table.stderr).toContain(
      'Invited paperfox to acme/site with role triage; the invitation is pending.',
    );
    const invited = await run([...person, 'triage', '--json'], { env });
    expect(JSON.parse(invited.stdout)).toMatchObject({ state: 'pending', invitation_id: 7 });
  });

  it('rejects roles that the organization does not have, and sends those that it cannot check', async () => {
    const person = [...words, '--user', 'paperfox', '--role'];
    platform().get(roles).reply(200, engineer);
    const misspelled = await run([...person, 'security enginer'], { env });
    expect(misspelled.stderr).toContain('(did you mean Security Engineer?)');
    expect(misspelled.code).toBe(2);
    platform()
      .get(roles)
      .reply(403, { message: 'Forbidden' })
      .put(`${repo}/collaborators/paperfox`, { permission: 'auditor' })
      .reply(204);
    const unchecked = await run([...person, 'auditor'], { env });
    expect(unchecked.stderr).toBe('The custom roles of acme cannot be listed: auditor may not be one.\n');
    expect(unchecked.code).toBe(0);
  });

  it('requires a role, and either a team or a person', async () => {
    const none = await run(words, { env });
    expect(none).toMatchObject({
      stderr: 'forgectl: --team or --user is required; --role is required. Nothing was sent.\n',
      code: 2,
    });
    const both = await run([...words, '--team', 'release', '--user', 'paperfox', '--role', 'read'], { env });
    expect(both.stderr).toContain('--team and --user cannot be used together');
  });

  it('gives no access to a repository that was renamed', async () => {
    platform().get('/api/v3/repos/acme/website').reply(200, site);
    const { stderr, code } = await run(['repos', 'grant', 'acme/website', '--team', 'release', '--role', 'read'], {
      env,
    });
    expect(stderr).toContain('acme/website is now acme/site.');
    expect(code).toBe(12);
  });

  it('reports the required access after a 403', async () => {
    platform().put(`${repo}/collaborators/paperfox`).reply(403, { message: 'Must have admin rights to Repository.' });
    const { stderr, code } = await run([...words, '--user', 'paperfox', '--role', 'read', '--json'], { env });
    expect(JSON.parse(stderr).error).toMatchObject({ message: expect.stringContaining('Must have admin rights') });
    expect(stderr).toContain('Required role: repository administrator.');
    expect(code).toBe(5);
  });
});

describe('repos revoke', () => {
  const words = ['repos', 'revoke', 'acme/site'];
  const self = { login: 'riverotter' };
  const invitation = {
    id: 7,
    invitee: { login: 'VelvetMole' },
    permissions: 'write',
    created_at: '2026-01-01T00:00:00Z',
  };

  it('takes away the access of a team', async () => {
    platform().get(repo).reply(200, site).delete(team).reply(204);
    expect(await run([...words, '--team', 'release', '--yes'], { env })).toMatchObject({ stdout: '', code: 0 });
  });

  it('shows what remains of a team, and asks for its slug', async () => {
    platform()
      .get(repo)
      .times(2)
      .reply(200, site)
      .get(`${repo}/teams?per_page=100`)
      .reply(200, [
        { slug: 'release', permission: 'admin', parent: { slug: 'engineering' } },
        { slug: 'engineering', permission: 'push', parent: null },
        { slug: 'interns', permission: 'admin', parent: { slug: 'release' } },
      ])
      .get('/api/v3/orgs/acme/teams/release/members?per_page=100')
      .reply(200, [{ login: 'paperfox' }])
      .get('/api/v3/orgs/acme')
      .twice()
      .reply(200, { login: 'acme', default_repository_permission: 'read' })
      .get('/api/v3/orgs/acme/teams/release')
      .twice()
      .reply(200, { id: 3, slug: 'release' })
      .delete(team)
      .reply(204);
    const { stderr, code } = await run([...words, '--team', 'release'], {
      env,
      person: [['This revokes the access', 'release\r']],
    });
    expect(stderr).toMatch(/Role +admin\n/);
    expect(stderr).toMatch(/Remains by parent team +write \(team engineering\)\n/);
    expect(stderr).toMatch(/Members +1\n/);
    expect(stderr).toMatch(/Child teams +interns\n/);
    expect(stderr).toMatch(/Base permission +read\n/);
    expect(stderr).toContain('Revoked the access of team release to acme/site.');
    expect(code).toBe(0);
  });

  it('shows what remains of a person, and what was not counted', async () => {
    platform()
      .get('/api/v3/user')
      .reply(200, self)
      .get(`${repo}/invitations?per_page=100`)
      .reply(200, [])
      .get(repo)
      .reply(200, site)
      .get('/api/v3/users/paperfox')
      .reply(200, { id: 7, login: 'paperfox' })
      .get(`${repo}/collaborators?affiliation=direct&per_page=100`)
      .reply(200, [{ login: 'paperfox', role_name: 'admin' }])
      .get('/api/v3/orgs/acme/memberships/paperfox')
      .reply(200, { role: 'member', state: 'active' })
      .get('/api/v3/orgs/acme')
      .reply(200, { login: 'acme', default_repository_permission: 'read' })
      .get(`${repo}/teams?per_page=100`)
      .reply(200, [
        { slug: 'release', permission: 'push', parent: null },
        { slug: 'security', permission: 'admin', parent: null },
      ])
      .get('/api/v3/orgs/acme/teams/release/memberships/paperfox')
      .reply(200, { role: 'member', state: 'active' })
      .get('/api/v3/orgs/acme/teams/security/memberships/paperfox')
      .reply(404, { message: 'Not Found' });
    const { stderr, code } = await run([...words, '--user', 'paperfox'], {
      env,
      person: [['This revokes the access', 'no\r']],
    });
    expect(stderr).toMatch(/Role +admin\n/);
    expect(stderr).toMatch(/Other sources +team release: write, base permission: read\n/);
    expect(stderr).toMatch(/Remains +write\n/);
    expect(stderr).toMatch(/Not counted +forks, assigned issues\n/);
    expect(stderr).toContain('Nothing was sent.');
    expect(code).toBe(2);
  });

  it('cancels a pending invitation instead', async () => {
    platform()
      .get('/api/v3/user')
      .twice()
      .reply(200, self)
      .get(`${repo}/invitations?per_page=100`)
      .twice()
      .reply(200, [{ ...invitation, id: 6, invitee: { login: 'coralswan' } }], {
        link: `<https://ghe.example.com${repo}/invitations?per_page=100&page=2>; rel="next"`,
      })
      .get(`${repo}/invitations?per_page=100&page=2`)
      .twice()
      .reply(200, [invitation])
      .delete(`${repo}/invitations/7`)
      .reply(204);
    const person = [...words, '--user', 'velvetmole'];
    const dry = await run([...person, '--dry-run', '--json'], { env });
    expect(JSON.parse(dry.stdout)).toMatchObject({
      method: 'DELETE',
      url: `https://ghe.example.com${repo}/invitations/7`,
    });
    expect(await run([...person, '--yes'], { env })).toMatchObject({ stdout: '', code: 0 });
  });

  it('refuses to take away one’s own access', async () => {
    platform().get('/api/v3/user').reply(200, { login: 'PaperFox' });
    const own = [...words, '--user', 'paperfox', '--yes'];
    expect(await run(own, { env })).toMatchObject({
      stderr: 'forgectl: This revokes your own access to acme/site; allow it with --allow-self. Nothing was sent.\n',
      code: 12,
    });
    platform()
      .get(`${repo}/invitations?per_page=100`)
      .reply(403, { message: 'Must have admin rights to Repository.' })
      .delete(`${repo}/collaborators/paperfox`)
      .reply(204);
    expect(await run([...own, '--allow-self'], { env })).toMatchObject({ stdout: '', stderr: '', code: 0 });
  });
});

describe('repos alerts and repos security-fixes', () => {
  const alerts = `${repo}/vulnerability-alerts`;
  const fixes = `${repo}/automated-security-fixes`;
  const missing = { message: 'Not Found' };

  it('tell disabled alerts from those that the token may not see', async () => {
    platform().get(alerts).reply(204);
    expect(await run(['repos', 'alerts', 'acme/site'], { env })).toMatchObject({ stdout: 'true\n', code: 0 });
    platform()
      .get(alerts)
      .twice()
      .reply(404, missing)
      .get(repo)
      .reply(200, { ...site, permissions: { admin: true } })
      .get(repo)
      .reply(200, { ...site, permissions: { admin: false } });
    const off = await run(['repos', 'alerts', 'acme/site', '--json'], { env });
    expect(JSON.parse(off.stdout)).toEqual({ enabled: false });
    expect(await run(['repos', 'alerts', 'acme/site'], { env })).toMatchObject({ stdout: '', code: 3 });
  });

  it.each([
    ['alerts', alerts],
    ['security-fixes', fixes],
  ])('repos %s enables without confirmation, and disables with it', async (name, path) => {
    platform().put(path).reply(204).get(repo).reply(200, site).delete(path).reply(204);
    const words = ['repos', name, 'acme/site'];
    expect(await run([...words, '--enable'], { env })).toMatchObject({
      stdout: expect.stringContaining('true'),
      code: 0,
    });
    const unconfirmed = await run([...words, '--disable'], { env });
    expect(unconfirmed.stderr).toMatch(
      /^forgectl: Nothing was sent\. This disables .+ in acme\/site; confirm with --yes\.$/m,
    );
    expect(unconfirmed.code).toBe(2);
    const disabled = await run([...words, '--disable', '--yes', '--json'], { env });
    expect(JSON.parse(disabled.stdout)).toEqual({ enabled: false });
    const both = await run([...words, '--enable', '--disable'], { env });
    expect(both).toMatchObject({
      stderr: expect.stringContaining('--enable and --disable cannot be used together'),
      code: 2,
    });
  });

  it('a platform that cannot switch fixes says so', async () => {
    platform().put(fixes).reply(404, missing);
    const { stderr, code } = await run(['repos', 'security-fixes', 'acme/site', '--enable'], { env });
    expect(stderr).toContain('If the repository exists, this platform cannot switch automated security fixes.');
    expect(code).toBe(3);
  });
});
