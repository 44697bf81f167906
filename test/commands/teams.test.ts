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
  const member = { login: 'paperfox', id: 3, role: 'member', inherited: true };

  it('shows role and inheritance, and sends the filter', async () => {
    platform().get('/api/v3/orgs/acme/teams/engineering/members?role=member').reply(200, [member]);
    const { stdout } = await run(['teams', 'members', 'acme', 'engineering', '--role', 'member'], { env });
    expect(stdout).toBe('paperfox\tmember\ttrue\t3\n');
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
