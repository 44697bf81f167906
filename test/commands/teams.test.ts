import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

/** Put together here so that no complete token is in the repository. */
const installationToken = ['ghs', 'i'.repeat(36)].join('_');

const engineering = {
  id: 1,
  slug: 'engineering',
  name: 'Engineering',
  description: 'Everyone who builds',
  privacy: 'closed',
  parent: null,
  html_url: 'https://ghe.example.com/orgs/acme/teams/engineering',
};
const infra = { ...engineering, id: 2, slug: 'infra', name: 'Infra', description: null, parent: engineering };
describe('teams list', () => {
  it('shows slugs, names and parents', async () => {
    platform().get('/api/v3/orgs/acme/teams').twice().reply(200, [engineering, infra]);
    const { stdout, code } = await run(['teams', 'list', 'acme'], { env });
    expect(stdout).toBe(
      'engineering\tEngineering\t\tclosed\t1\tEveryone who builds\ninfra\tInfra\tengineering\tclosed\t2\t\n',
    );
    expect(code).toBe(0);
    const seen = await run(['teams', 'list', 'acme'], { env, tty: true });
    expect(seen.stdout.split('\n')[0]).toBe('SLUG         NAME         PARENT       PRIVACY  ID  DESCRIPTION');
  });

  it('prints slugs with --quiet, and the records as JSON', async () => {
    platform().get('/api/v3/orgs/acme/teams').twice().reply(200, [engineering, infra]);
    expect((await run(['teams', 'list', 'acme', '--quiet'], { env })).stdout).toBe('engineering\ninfra\n');
    const { stdout } = await run(['teams', 'list', 'acme', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual([engineering, infra]);
  });

  it('reports the permission after a 403', async () => {
    platform(installationToken)
      .get('/api/v3/orgs/acme/teams')
      .reply(403, { message: 'Resource not accessible by integration' });
    const ofInstallation = { ...env, FORGECTL_TOKEN: installationToken };
    const { stderr, code } = await run(['teams', 'list', 'acme'], { env: ofInstallation });
    expect(stderr).toContain('members (read)');
    expect(code).toBe(5);
  });
});

describe('teams members', () => {
  const member = { login: 'paperfox', id: 3, type: 'User', role: 'member', inherited: true };

  it('shows role and inheritance, and sends the filter', async () => {
    platform().get('/api/v3/orgs/acme/teams/engineering/members?role=member').reply(200, [member]);
    const { stdout } = await run(['teams', 'members', 'acme', 'engineering', '--role', 'member'], { env });
    expect(stdout).toBe('paperfox\tmember\ttrue\t3\tUser\n');
  });

  it('tells bots and suspended people from others', async () => {
    const suspended = { ...member, suspended_at: '2026-02-28T12:00:00Z' };
    const bot = { ...member, login: 'deployer', type: 'Bot', suspended_at: null };
    platform().get('/api/v3/orgs/acme/teams/engineering/members').reply(200, [suspended, bot]);
    const { stdout } = await run(['teams', 'members', 'acme', 'engineering', '-o', 'csv', '--fields', 'login,type'], {
      env,
    });
    expect(stdout).toBe('login,type\npaperfox,User\ndeployer,Bot\n');
    platform().get('/api/v3/orgs/acme/teams/engineering/members').reply(200, [suspended, bot]);
    const table = await run(['teams', 'members', 'acme', 'engineering'], { env, tty: true });
    expect(table.stdout).toMatch(/User \(suspended\)\ndeployer .*Bot\n/);
  });

  it('prompts for the team if none is given', async () => {
    platform()
      .get('/api/v3/orgs/acme/teams?per_page=100')
      .reply(200, [engineering, infra])
      .get('/api/v3/orgs/acme/teams/infra/members')
      .reply(200, [member]);
    const person = [['Which team?', 'Infra\r']] as const;
    const { stdout } = await run(['teams', 'members', 'acme', '--quiet'], { env, person });
    expect(stdout).toBe('paperfox\n');
  });

  it('rejects an unknown role before any request', async () => {
    const { stderr, code } = await run(['teams', 'members', 'acme', 'engineering', '--role', 'owner'], { env });
    expect(stderr).toContain('role must be one of member, maintainer, all');
    expect(code).toBe(2);
  });
});

describe('teams repos', () => {
  const site = {
    full_name: 'acme/site',
    visibility: 'private',
    archived: false,
    pushed_at: '2026-02-28T12:00:00Z',
    description: null,
  };
  const admin = { admin: true, maintain: true, push: true, triage: true, pull: true };

  it('shows the role that the platform returns, or the one that the permissions amount to', async () => {
    platform()
      .get('/api/v3/orgs/acme/teams/infra/repos')
      .reply(200, [
        { ...site, role_name: 'Release manager', permissions: admin },
        { ...site, permissions: admin },
        { ...site, permissions: { ...admin, admin: false } },
        { ...site, permissions: { push: true, pull: true } },
        { ...site, permissions: { triage: true, pull: true } },
        { ...site, permissions: { pull: true } },
        site,
      ]);
    const { stdout } = await run(['teams', 'repos', 'acme', 'infra'], { env });
    expect(stdout.split('\n').map((line) => line.split('\t')[1])).toEqual([
      'Release manager',
      'admin',
      'maintain',
      'write',
      'triage',
      'read',
      'none',
      undefined,
    ]);
    expect(stdout.split('\n')[1]).toBe('acme/site\tadmin\tprivate\tfalse\t2026-02-28T12:00:00Z\t');
  });

  it('exits with 3 if the team does not exist', async () => {
    platform().get('/api/v3/orgs/acme/teams/nobody/repos').reply(404, { message: 'Not Found' });
    expect((await run(['teams', 'repos', 'acme', 'nobody'], { env })).code).toBe(3);
  });
});

const full = {
  ...engineering,
  notification_setting: 'notifications_enabled',
  members_count: 3,
  repos_count: 7,
  organization: { login: 'acme' },
  created_at: '2026-02-28T12:00:00Z',
  updated_at: '2026-02-28T12:00:00Z',
};
const path = '/api/v3/orgs/acme/teams/engineering';
const membership = (login: string) => `${path}/memberships/${login}`;
const forbidden = { message: 'Resource not accessible by personal access token' };

describe('teams get', () => {
  const words = ['teams', 'get', 'acme', 'engineering'];

  it('shows a team as details, as lines, as JSON and by its slug', async () => {
    platform().get(path).times(4).reply(200, full);
    const table = await run(words, { env, tty: true });
    expect(table.stdout).toMatch(/^Slug +engineering\nName +Engineering\nID +1\nOrganization +acme\n/);
    expect(table.stdout).toMatch(/\nMembers +3\nRepositories +7\n/);
    expect((await run(words, { env })).stdout).toContain('\nslug\tengineering\n');
    expect(JSON.parse((await run([...words, '--json'], { env })).stdout)).toEqual(full);
    expect((await run([...words, '--quiet'], { env })).stdout).toBe('engineering\n');
  });

  it('exits with 3 for a team that does not exist or is hidden', async () => {
    platform().get(path).reply(404, { message: 'Not Found' });
    expect((await run(words, { env })).code).toBe(3);
  });
});

describe('teams create', () => {
  it('sends the fields, and the ID of the parent', async () => {
    const body = {
      name: 'Infra',
      privacy: 'closed',
      notification_setting: 'notifications_disabled',
      parent_team_id: 1,
    };
    platform()
      .get(path)
      .reply(200, full)
      .post('/api/v3/orgs/acme/teams', body)
      .reply(201, { ...full, ...infra, organization: { login: 'acme' } });
    const words = ['teams', 'create', 'acme', 'Infra', '--privacy', 'closed', '--parent', 'engineering'];
    const flags = ['--notification-setting', 'notifications_disabled'];
    expect(await run([...words, ...flags, '--quiet'], { env })).toMatchObject({ stdout: 'infra\n', code: 0 });
  });

  it('rejects invalid fields before any request', async () => {
    const words = ['teams', 'create', 'acme', 'Infra', '--parent', 'engineering', '--privacy'];
    const unknown = await run([...words, 'open'], { env });
    expect(unknown).toMatchObject({
      stderr: expect.stringContaining('privacy must be one of closed, secret'),
      code: 2,
    });
    // “For a parent or child team: closed.”
    const secret = await run([...words, 'secret'], { env });
    expect(secret).toMatchObject({
      stderr: expect.stringContaining('privacy must be closed for a team with a parent'),
      code: 2,
    });
  });

  it('exits with 3 for an unknown parent, and with 5 without the permission', async () => {
    platform().get('/api/v3/orgs/acme/teams/nobody').reply(404, { message: 'Not Found' });
    expect((await run(['teams', 'create', 'acme', 'Infra', '--parent', 'nobody'], { env })).code).toBe(3);
    platform().post('/api/v3/orgs/acme/teams', { name: 'Infra' }).reply(403, forbidden);
    const refused = await run(['teams', 'create', 'acme', 'Infra'], { env });
    expect(refused.stderr).toContain('write:org');
    expect(refused.code).toBe(5);
  });
});

describe('teams update', () => {
  const words = ['teams', 'update', 'acme', 'engineering'];

  it('sends only the given fields, and reports a new slug', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .patch(path, { name: 'Builders', parent_team_id: null })
      .reply(201, { ...full, slug: 'builders' });
    const { stderr, code } = await run([...words, '--name', 'Builders', '--no-parent'], { env });
    expect({ stderr, code }).toEqual({ stderr: 'acme/engineering is now acme/builders.\n', code: 0 });
  });

  it('sends the ID of the parent', async () => {
    platform()
      .get('/api/v3/orgs/acme/teams/infra')
      .reply(200, { ...full, ...infra, organization: { login: 'acme' } })
      .get(path)
      .reply(200, full)
      .patch(path, { parent_team_id: 2 })
      .reply(201, full);
    expect((await run([...words, '--parent', 'infra'], { env })).code).toBe(0);
  });

  it('sends nothing if the team became another one while its change was shown', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .get(path)
      .reply(200, { ...full, id: 9 });
    const { stderr, code } = await run([...words, '--description', 'Builds'], { env, tty: true });
    expect(stderr).toContain('acme/engineering is now a different team: its ID is 9, not 1. Nothing was sent.');
    expect(code).toBe(12);
  });

  it('requires a change, and one parent', async () => {
    expect(await run(words, { env })).toMatchObject({ stderr: expect.stringContaining('No changes given.'), code: 2 });
    const both = await run([...words, '--parent', 'infra', '--no-parent'], { env });
    expect(both).toMatchObject({
      stderr: expect.stringContaining('--parent and --no-parent cannot be used together'),
      code: 2,
    });
  });
});

describe('teams delete', () => {
  const words = ['teams', 'delete', 'acme', 'engineering'];
  const person = [['Type “engineering”', 'engineering\r']] as const;

  it('shows what the team and its child teams take with them, and asks for the slug', async () => {
    platform()
      .get(path)
      .twice()
      .reply(200, full)
      .get(`${path}/teams?per_page=100`)
      .reply(200, [infra])
      .get('/api/v3/orgs/acme/teams/infra/teams?per_page=100')
      .reply(200, [])
      .delete(path)
      .reply(204);
    const { stderr, code } = await run(words, { env, person });
    expect(stderr).toMatch(
      /Members +3\nRepositories +7\nChild teams +infra\nNot counted +entries in CODEOWNERS, bypasses of rulesets\n/,
    );
    expect(stderr).toContain('This deletes team acme/engineering and 1 child team.');
    expect(stderr).toContain('Deleted team acme/engineering.');
    expect(code).toBe(0);
  });

  it('asks at most 16 teams for their child teams', async () => {
    const child = (number: number) => ({ ...infra, slug: `t${number}` });
    const all = platform().get(path).reply(200, full);
    all.get(`${path}/teams?per_page=100`).reply(
      200,
      Array.from({ length: 20 }, (_, number) => child(number)),
    );
    for (let number = 0; number < 15; number++)
      all.get(`/api/v3/orgs/acme/teams/t${number}/teams?per_page=100`).reply(200, []);
    const { stderr } = await run(words, { env, person: [['Type “engineering”', 'no\r']] });
    expect(stderr).toMatch(/Not counted +child teams of 5 teams, /);
    expect(stderr).toContain('This deletes team acme/engineering and 20 child teams.');
  });

  it('sends nothing for a team that was renamed and replaced meanwhile, or without --yes', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .get(`${path}/teams?per_page=100`)
      .reply(200, [])
      .get(path)
      .reply(200, { ...full, id: 9 });
    expect((await run(words, { env, person })).code).toBe(12);
    const { stderr, code } = await run(words, { env });
    expect(stderr).toContain(
      'Nothing was sent. This deletes team acme/engineering with its child teams; confirm with --yes.',
    );
    expect(code).toBe(2);
  });
});

describe.each([
  ['delete', '--yes'],
  ['update', '--description=Builds'],
])('teams %s in a script', (verb, flag) => {
  it('reads the team first, and sends nothing for one with another name', async () => {
    platform()
      .get(path)
      .reply(200, { ...full, slug: 'builders' });
    const { stderr, code } = await run(['teams', verb, 'acme', 'engineering', flag], { env });
    expect(stderr).toContain('acme/engineering is now acme/builders.');
    expect(code).toBe(12);
  });
});

describe('teams add', () => {
  const words = ['teams', 'add', 'acme', 'engineering'];
  const member = { url: '', role: 'member', state: 'active' };

  it('adds people, and keeps the role of those who have one', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .get(membership('paperfox'))
      .reply(404, { message: 'Not Found' })
      .put(membership('paperfox'), { role: 'member' })
      .reply(200, { ...member, state: 'pending' })
      .get(membership('stonewren'))
      .reply(200, { ...member, role: 'maintainer' })
      .put(membership('stonewren'), { role: 'maintainer' })
      .reply(200, { ...member, role: 'maintainer' });
    const { stdout, code } = await run([...words, 'paperfox', 'stonewren'], { env });
    expect({ stdout, code }).toEqual({ stdout: 'paperfox\tmember\tpending\nstonewren\tmaintainer\tactive\n', code: 0 });
  });

  it('sends a given role without reading the present one, as JSON and once for each person', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .put(membership('PaperFox'), { role: 'maintainer' })
      .reply(200, { ...member, role: 'maintainer' });
    const { stdout } = await run([...words, 'paperfox', 'PaperFox', '--role', 'maintainer', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual([{ login: 'PaperFox', role: 'maintainer', state: 'active' }]);
  });

  it('continues after a refusal, and exits with 9; one person alone has the exit code of the error', async () => {
    platform()
      .get(path)
      .times(2)
      .reply(200, full)
      .put(membership('nobody'))
      .times(2)
      .reply(404, { message: 'Not Found' })
      .put(membership('paperfox'))
      .reply(200, member);
    const some = await run([...words, 'nobody', 'paperfox', '--role', 'member'], { env });
    expect(some).toMatchObject({ stdout: 'nobody\t\tfailed\npaperfox\tmember\tactive\n', code: 9 });
    expect(some.stderr).toContain('Resources that the token cannot access also return 404.');
    expect(some.stderr).toContain('1 of 2 memberships were not changed.');
    expect((await run([...words, 'nobody', '--role', 'member'], { env })).code).toBe(3);
  });

  it.each(['add', 'remove'])('%s refuses a team whose members an LDAP group determines', async (verb) => {
    platform()
      .get(path)
      .reply(200, { ...full, ldap_dn: 'cn=ops,dc=example' });
    const { stderr, code } = await run(['teams', verb, 'acme', 'engineering', 'paperfox', '--yes'], { env });
    expect(stderr).toBe(
      'forgectl: The members of acme/engineering are those of the LDAP group cn=ops,dc=example. Change them there. Nothing was sent.\n',
    );
    expect(code).toBe(12);
  });

  it('refuses a team that has another name than the given one', async () => {
    platform()
      .get(path)
      .reply(200, { ...full, slug: 'builders' });
    const { stderr, code } = await run([...words, 'paperfox'], { env });
    expect(stderr).toContain('acme/engineering is now acme/builders.');
    expect(code).toBe(12);
  });
});

describe('teams remove', () => {
  const words = ['teams', 'remove', 'acme', 'engineering', 'paperfox'];

  it('shows the people, and asks for the login', async () => {
    platform()
      .get(path)
      .twice()
      .reply(200, full)
      .get(`${path}/members?per_page=100`)
      .reply(200, [])
      .get('/api/v3/users/paperfox')
      .twice()
      .reply(200, { id: 7, login: 'paperfox' })
      .get(membership('paperfox'))
      .twice()
      .reply(200, { role: 'member', state: 'pending' })
      .delete(membership('paperfox'))
      .reply(204);
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'paperfox\r']] });
    expect(stderr).toMatch(
      /People +paperfox \(member, pending\)\nRepositories +7\nNot counted +access through other teams, forks\n/,
    );
    expect(stderr).toContain('This removes paperfox from team acme/engineering.');
    expect(code).toBe(0);
  });

  it('says who is only in a child team', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .get(`${path}/members?per_page=100`)
      .reply(200, [{ id: 7, login: 'Paperfox', role: 'member', inherited: true }]);
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'no\r']] });
    expect(stderr).toMatch(/People +paperfox \(in a child team only\)\n/);
    expect(code).toBe(2);
  });

  it('says that somebody may be only in a child team if the list is longer than what was read', async () => {
    const link = `<https://ghe.example.com${path}/members?per_page=100&page=2>; rel="next"`;
    const others = Array.from({ length: 100 }, (_, at) => ({ id: 100 + at, login: `other-${at}`, inherited: false }));
    platform()
      .get(path)
      .reply(200, full)
      .get(`${path}/members?per_page=100`)
      .reply(200, others, { link })
      .get('/api/v3/users/paperfox')
      .reply(200, { id: 7, login: 'paperfox' })
      .get(membership('paperfox'))
      .reply(200, { role: 'member', state: 'active' });
    const { stderr, code } = await run(words, { env, person: [['Type “paperfox” to confirm:', 'no\r']] });
    expect(stderr.replaceAll(/\s+/g, ' ')).toContain('People paperfox (member, perhaps in a child team only) ');
    expect(code).toBe(2);
  });

  it('removes several people without confirmation, and prints what is left of a failure', async () => {
    platform()
      .get(path)
      .reply(200, full)
      .delete(membership('paperfox'))
      .reply(204)
      .delete(membership('nobody'))
      .reply(404, { message: 'Not Found' });
    const { stdout, code } = await run([...words, 'nobody', '--yes', '--json'], { env });
    expect(JSON.parse(stdout)).toEqual([
      { login: 'paperfox', result: 'removed' },
      { login: 'nobody', result: 'failed' },
    ]);
    expect(code).toBe(9);
  });

  it('requires --yes in scripts, and plans without it', async () => {
    const { stderr, code } = await run([...words, 'tealheron'], { env });
    expect({ stderr, code }).toEqual({
      stderr: 'forgectl: Nothing was sent. This removes 2 people from team acme/engineering; confirm with --yes.\n',
      code: 2,
    });
    platform().get(path).reply(200, full);
    const planned = await run([...words, 'tealheron', '--dry-run', '--json'], { env });
    expect(
      JSON.parse(planned.stdout).map(({ method, url }: { method: string; url: string }) => `${method} ${url}`),
    ).toEqual([
      `DELETE https://ghe.example.com${membership('paperfox')}`,
      `DELETE https://ghe.example.com${membership('tealheron')}`,
    ]);
  });
});
