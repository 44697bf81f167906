import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

const owner = { login: 'riverotter', id: 2, type: 'User', site_admin: false };

describe('members list', () => {
  it('shows logins, and sends the filters', async () => {
    platform().get('/api/v3/orgs/acme/members?role=admin&filter=2fa_insecure').reply(200, [owner]);
    const words = ['members', 'list', 'acme', '--role', 'admin', '--filter', '2fa_insecure'];
    const { stdout, code } = await run(words, { env });
    expect({ stdout, code }).toEqual({ stdout: 'riverotter\t2\tfalse\tUser\n', code: 0 });
    platform().get('/api/v3/orgs/acme/members').reply(200, [owner]);
    const json = await run(['members', 'list', 'acme', '--json'], { env });
    expect(JSON.parse(json.stdout)).toEqual([owner]);
  });

  it('reports who may use the filter if the platform refuses it', async () => {
    platform()
      .get('/api/v3/orgs/acme/members?filter=2fa_disabled')
      .reply(422, { message: 'Only owners can use this filter.' });
    const { stderr, code } = await run(['members', 'list', 'acme', '--filter', '2fa_disabled'], { env });
    expect(stderr).toContain('Only organization owners can use --filter.');
    expect(code).toBe(6);
  });

  it('lists outside collaborators', async () => {
    platform().get('/api/v3/orgs/acme/outside_collaborators?filter=2fa_disabled').reply(200, [owner]);
    const words = ['members', 'list', 'acme', '--outside', '--filter', '2fa_disabled', '--quiet'];
    expect(await run(words, { env })).toMatchObject({ stdout: 'riverotter\n', code: 0 });
    const both = await run(['members', 'list', 'acme', '--outside', '--role', 'admin'], { env });
    expect(both.stderr).toContain('--outside and --role cannot be used together');
    expect(both.code).toBe(2);
  });

  it('rejects an unknown role and an unknown filter at once', async () => {
    const { stderr, code } = await run(['members', 'list', 'acme', '--role', 'owner', '--filter', '2fa'], { env });
    expect(stderr).toContain('role must be one of all, admin, member');
    expect(stderr).toContain('filter must be one of 2fa_disabled, 2fa_insecure, all');
    expect(code).toBe(2);
  });
});

const url = 'https://ghe.example.com/api/v3/orgs/acme/memberships/paperfox';
const paperfox = {
  url,
  state: 'active',
  role: 'member',
  organization_url: 'https://ghe.example.com/api/v3/orgs/acme',
  organization: { login: 'acme', id: 1 },
  user: { login: 'paperfox', id: 3 },
};
const path = '/api/v3/orgs/acme/memberships/paperfox';

describe('members get', () => {
  it('shows the role and the state, as lines, as a table and as JSON', async () => {
    platform().get(path).times(4).reply(200, paperfox);
    const words = ['members', 'get', 'acme', 'paperfox'];
    const { stdout, code } = await run(words, { env });
    expect({ stdout, code }).toEqual({ stdout: 'user.login\tpaperfox\nrole\tmember\nstate\tactive\n', code: 0 });
    expect((await run(words, { env, tty: true })).stdout).toMatch(/^Login +paperfox\nRole +member\nState +active\n$/);
    expect((await run([...words, '--quiet'], { env })).stdout).toBe('paperfox\n');
    expect(JSON.parse((await run([...words, '--json'], { env })).stdout)).toEqual(paperfox);
  });

  it('exits with 3 for someone who is not a member', async () => {
    platform().get(path).reply(404, { message: 'Not Found' });
    expect((await run(['members', 'get', 'acme', 'paperfox'], { env })).code).toBe(3);
  });
});

describe('members set', () => {
  const words = ['members', 'set', 'acme', 'paperfox', '--role'];

  it('invites a person', async () => {
    platform()
      .put(path, { role: 'admin' })
      .reply(200, { ...paperfox, role: 'admin', state: 'pending' });
    const { stdout, code } = await run([...words, 'admin'], { env });
    expect({ stdout, code }).toEqual({ stdout: 'user.login\tpaperfox\nrole\tadmin\nstate\tpending\n', code: 0 });
  });

  it('prompts for the role of a person who is not a member yet', async () => {
    platform()
      .get(path)
      .reply(404, { message: 'Not Found' })
      .put(path, { role: 'admin' })
      .reply(200, { ...paperfox, role: 'admin', state: 'pending' });
    const person = [['Role in the organization', '\x1b[B\r']] as const;
    expect(await run(words.slice(0, 4), { env, person })).toMatchObject({ code: 0 });
  });

  it('demotes an owner if another one remains', async () => {
    platform()
      .get(path)
      .reply(200, { ...paperfox, role: 'admin' })
      .get('/api/v3/user')
      .reply(200, { login: 'riverotter' })
      .get('/api/v3/orgs/acme/members?role=admin&per_page=2')
      .reply(200, [owner, { login: 'paperfox' }])
      .put(path, { role: 'member' })
      .reply(200, paperfox);
    expect(await run([...words, 'member'], { env })).toMatchObject({ code: 0 });
  });

  it('refuses to demote the last owner, and oneself', async () => {
    platform()
      .get(path)
      .twice()
      .reply(200, { ...paperfox, role: 'admin' })
      .get('/api/v3/user')
      .reply(200, { login: 'PaperFox' })
      .get('/api/v3/orgs/acme/members?role=admin&per_page=2')
      .reply(200, [{ login: 'paperfox' }]);
    const self = await run([...words, 'member'], { env });
    expect(self).toMatchObject({
      stderr:
        'forgectl: Demoting paperfox changes your own membership; allow it with --allow-self. Nothing was sent.\n',
      code: 12,
    });
    const last = await run([...words, 'member', '--allow-self', '--json'], { env });
    expect(JSON.parse(last.stderr)).toMatchObject({
      error: { message: 'Demoting paperfox would leave acme without an owner. Nothing was sent.' },
    });
    expect(last.code).toBe(12);
  });

  it('guards the last owner against a role that only a newer platform knows', async () => {
    platform()
      .get(path)
      .reply(200, { ...paperfox, role: 'admin' })
      .get('/api/v3/orgs/acme/members?role=admin&per_page=2')
      .reply(200, [{ login: 'paperfox' }]);
    const { stderr, code } = await run([...words, 'auditor', '--allow-unknown', '--allow-self'], { env });
    expect(stderr).toContain('Demoting paperfox would leave acme without an owner. Nothing was sent.');
    expect(code).toBe(12);
  });

  it('demotes nobody whose role it cannot read', async () => {
    platform().get(path).reply(403, { message: 'You must be a member of acme to see membership information.' });
    expect((await run([...words, 'member'], { env })).code).toBe(5);
  });

  it('requires a role', async () => {
    const { stderr, code } = await run(['members', 'set', 'acme', 'paperfox'], { env });
    expect(stderr).toContain('role is required');
    expect(code).toBe(2);
  });
});

describe('members remove', () => {
  const words = ['members', 'remove', 'acme', 'paperfox'];

  it('shows the teams that the person leaves, and asks for the login', async () => {
    platform()
      .get(path)
      .reply(200, paperfox)
      .get('/api/v3/user')
      .reply(200, { login: 'riverotter' })
      .get('/api/v3/orgs/acme/teams?per_page=100')
      .reply(200, [{ slug: 'engineering' }, { slug: 'interns' }])
      .get('/api/v3/orgs/acme/teams/engineering/memberships/paperfox')
      .reply(200, { role: 'member', state: 'active' })
      .get('/api/v3/orgs/acme/teams/interns/memberships/paperfox')
      .reply(404, { message: 'Not Found' })
      .get(path)
      .reply(200, paperfox)
      .delete(path)
      .reply(204);
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'paperfox\r']] });
    expect(stderr).toMatch(/Teams +engineering\n/);
    expect(stderr).toMatch(/Not counted +access given directly, forks\n/);
    expect(stderr).toContain('This removes paperfox from acme.');
    expect(stderr).toContain('Removed paperfox from acme.');
    expect(code).toBe(0);
  });

  it.each([
    ['the teams', [403, { message: 'Forbidden' }], [], 'teams'],
    ['a team', [200, [{ slug: 'engineering' }]], [403, { message: 'Forbidden' }], '1 team'],
  ] as const)('does not take %s that the token may not see for none', async (_, list, team, uncounted) => {
    const asked = platform().get(path).reply(200, paperfox).get('/api/v3/user').reply(200, { login: 'riverotter' });
    asked.get('/api/v3/orgs/acme/teams?per_page=100').reply(...(list as [number, object]));
    const [status, body] = team;
    if (status) asked.get('/api/v3/orgs/acme/teams/engineering/memberships/paperfox').reply(status, body);
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'n\r']] });
    expect(stderr).toMatch(/Teams +unknown\n/);
    expect(stderr).toContain(`access given directly, forks, ${uncounted}\n`);
    expect(stderr).toContain('Nothing was sent.');
    expect(code).toBe(2);
  });

  it('checks 16 teams, and reports the number of the others', async () => {
    const teams = Array.from({ length: 18 }, (_, index) => ({ slug: `t${index}` }));
    const asked = platform().get(path).reply(200, paperfox).get('/api/v3/user').reply(200, { login: 'riverotter' });
    asked.get('/api/v3/orgs/acme/teams?per_page=100').reply(200, teams);
    for (const { slug } of teams.slice(0, 16))
      asked.get(`/api/v3/orgs/acme/teams/${slug}/memberships/paperfox`).reply(404, { message: 'Not Found' });
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'n\r']] });
    expect(stderr).toMatch(/Teams +unknown\n/);
    expect(stderr).toMatch(/Not counted +access given directly, forks, 2 teams\n/);
    expect(code).toBe(2);
  });

  it('cancels an invitation', async () => {
    platform()
      .get(path)
      .twice()
      .reply(200, { ...paperfox, state: 'pending' })
      .delete(path)
      .reply(204);
    const { stderr } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'paperfox\r']] });
    expect(stderr).toContain('This cancels the invitation of paperfox to acme.');
  });

  it('removes nobody from an organization that is found by a former name', async () => {
    platform()
      .get(path)
      .reply(200, { ...paperfox, organization: { login: 'globex', id: 1 } });
    expect(await run([...words, '--yes'], { env })).toMatchObject({
      stderr: expect.stringContaining('acme is now globex.'),
      code: 12,
    });
  });

  it('removes nobody who took the login, also while it was typed', async () => {
    const pending = { ...paperfox, state: 'pending', user: { login: 'paperfox', id: 3 } };
    platform()
      .get(path)
      .reply(200, { ...pending, user: { login: 'quietowl', id: 3 } });
    expect(await run([...words, '--yes'], { env })).toMatchObject({
      stderr: 'forgectl: paperfox is now quietowl. Nothing was sent.\n',
      code: 12,
    });
    platform()
      .get(path)
      .reply(200, pending)
      .get(path)
      .reply(200, { ...pending, user: { login: 'paperfox', id: 9 } });
    const typed = await run(words, { env, person: [['Type “paperfox” to confirm:', 'paperfox\r']] });
    expect(typed.stderr).toContain('paperfox is now a different person. Nothing was sent.');
    expect(typed.code).toBe(12);
  });

  it.each([
    ['remove', { user: null }, 'user.login'],
    ['remove', { role: '' }, 'role'],
    ['set', { role: undefined }, 'role'],
  ])('does not %s anyone with a membership of %j', async (verb, fields, missing) => {
    platform()
      .get(path)
      .reply(200, { ...paperfox, ...fields });
    const flags = verb === 'set' ? ['--role', 'member'] : ['--yes'];
    expect(await run(['members', verb, 'acme', 'paperfox', ...flags], { env })).toMatchObject({
      stderr: `forgectl: GET /orgs/acme/memberships/paperfox returned a record without a valid ${missing}.\n`,
      code: 8,
    });
  });

  it('refuses to remove the last owner, and oneself', async () => {
    platform()
      .get(path)
      .reply(200, { ...paperfox, role: 'admin' })
      .get('/api/v3/user')
      .twice()
      .reply(200, { login: 'riverotter' })
      .get('/api/v3/orgs/acme/members?role=admin&per_page=2')
      .reply(200, [{ login: 'paperfox' }]);
    const last = await run([...words, '--yes'], { env });
    expect(last.stderr).toBe('forgectl: Removing paperfox would leave acme without an owner. Nothing was sent.\n');
    expect(last.code).toBe(12);
    platform()
      .get('/api/v3/orgs/acme/memberships/riverotter')
      .reply(200, { ...paperfox, user: { login: 'riverotter' } });
    const self = await run(['members', 'remove', 'acme', 'riverotter', '--dry-run'], { env });
    expect(self.stderr).toContain('Removing riverotter changes your own membership; allow it with --allow-self.');
    expect(self.code).toBe(12);
  });

  it('removes nobody who may be the owner of the token', async () => {
    platform().get(path).reply(200, paperfox).get('/api/v3/user').reply(403, { message: 'Forbidden' });
    expect(await run([...words, '--yes'], { env })).toMatchObject({
      stderr:
        'forgectl: Removing paperfox may change your own membership, because GET /user does not show whose token this is; allow it with --allow-self. Nothing was sent.\n',
      code: 12,
    });
    platform().get(path).reply(200, paperfox).delete(path).reply(204);
    expect(await run([...words, '--yes', '--allow-self'], { env })).toMatchObject({ code: 0 });
  });

  it('reports a refusal of the platform', async () => {
    platform().get(path).reply(200, paperfox).get('/api/v3/user').reply(200, { login: 'riverotter' });
    platform().delete(path).reply(403, { message: 'Cannot remove the last owner of the organization.' });
    const { stderr, code } = await run([...words, '--yes'], { env });
    expect(stderr).toContain('The platform keeps the last owner of an organization.');
    expect(code).toBe(5);
  });
});

describe('members convert', () => {
  const outside = '/api/v3/orgs/acme/outside_collaborators/paperfox';
  const words = ['members', 'convert', 'acme', 'paperfox'];

  it('shows the teams, and asks for the login', async () => {
    platform()
      .get(path)
      .twice()
      .reply(200, paperfox)
      .get('/api/v3/user')
      .reply(200, { login: 'riverotter' })
      .get('/api/v3/orgs/acme/teams?per_page=100')
      .reply(200, [])
      .put(outside)
      .reply(204);
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox”', 'paperfox\r']] });
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('This makes paperfox an outside collaborator of acme.');
    expect(stderr).toContain('Made paperfox an outside collaborator of acme.');
    expect(code).toBe(0);
  });

  it('refuses to convert oneself', async () => {
    platform().get(path).reply(200, paperfox).get('/api/v3/user').reply(200, { login: 'paperfox' });
    expect(await run([...words, '--yes'], { env })).toMatchObject({
      stderr:
        'forgectl: Converting paperfox changes your own membership; allow it with --allow-self. Nothing was sent.\n',
      code: 12,
    });
  });
});

describe('members remove --outside', () => {
  it('removes an outside collaborator', async () => {
    const words = ['members', 'remove', 'acme', 'copperbee', '--outside'];
    platform().delete('/api/v3/orgs/acme/outside_collaborators/copperbee').reply(204);
    expect(await run([...words, '--yes'], { env })).toMatchObject({ stdout: '', code: 0 });
    expect((await run(words, { env })).stderr).toBe(
      'forgectl: Nothing was sent. This removes copperbee from all repositories of acme; confirm with --yes.\n',
    );
    platform()
      .delete('/api/v3/orgs/acme/outside_collaborators/copperbee')
      .reply(422, { message: 'You cannot specify an organization member to remove as an outside collaborator.' });
    expect(await run([...words, '--yes', '--allow-self'], { env })).toMatchObject({
      stderr: expect.stringContaining('--outside and --allow-self cannot be used together'),
      code: 2,
    });
    const refused = await run([...words, '--yes'], { env });
    expect(refused.stderr).toContain('Remove a member without --outside.');
    expect(refused.code).toBe(6);
  });
});
