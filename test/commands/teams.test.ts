import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

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
const platform = { ...engineering, id: 2, slug: 'platform', name: 'Platform', description: null, parent: engineering };
const teams = { 'GET /orgs/acme/teams': { body: [engineering, platform] } };

const asked = ({ requests }: { readonly requests: readonly { method: string; url: string }[] }) =>
  requests.map(({ method, url }) => `${method} ${url}`);

describe('teams list', () => {
  it('shows slugs, names and parents', async () => {
    const scripted = await scriptedPlatform(teams);
    const { stdout, code } = await run(['teams', 'list', 'acme'], scripted);
    expect(stdout).toBe(
      'engineering\tEngineering\t\tclosed\t1\tEveryone who builds\nplatform\tPlatform\tengineering\tclosed\t2\t\n',
    );
    expect(code).toBe(0);
    expect(asked(scripted)).toEqual(['GET /api/v3/orgs/acme/teams']);
    const seen = await run(['teams', 'list', 'acme'], { ...scripted, tty: true });
    expect(seen.stdout.split('\n')[0]).toBe('SLUG         NAME         PARENT       PRIVACY  ID  DESCRIPTION');
  });

  it('prints slugs with --quiet, and the records as JSON', async () => {
    const scripted = await scriptedPlatform(teams);
    expect((await run(['teams', 'list', 'acme', '--quiet'], scripted)).stdout).toBe('engineering\nplatform\n');
    const { stdout } = await run(['teams', 'list', 'acme', '--json'], scripted);
    expect(JSON.parse(stdout)).toEqual([engineering, platform]);
  });

  it('names the permission after a 403', async () => {
    const scripted = await scriptedPlatform({
      'GET /orgs/acme/teams': {
        status: 403,
        body: { message: 'Resource not accessible by integration' },
      },
    });
    const env = { ...scripted.env, FORGECTL_TOKEN: installationToken };
    const { stderr, code } = await run(['teams', 'list', 'acme'], { env });
    expect(stderr).toContain('members (read)');
    expect(code).toBe(5);
  });
});

describe('teams members', () => {
  const member = { login: 'paperfox', id: 3, role: 'member', inherited: true };

  it('shows role and inheritance, and sends the filter', async () => {
    const scripted = await scriptedPlatform({ 'GET /orgs/acme/teams/engineering/members': { body: [member] } });
    const { stdout } = await run(['teams', 'members', 'acme', 'engineering', '--role', 'member'], scripted);
    expect(stdout).toBe('paperfox\tmember\ttrue\t3\n');
    expect(asked(scripted)).toEqual(['GET /api/v3/orgs/acme/teams/engineering/members?role=member']);
  });

  it('prompts for the team if none is given', async () => {
    const scripted = await scriptedPlatform({
      ...teams,
      'GET /orgs/acme/teams/platform/members': { body: [member] },
    });
    const person = [['Which team?', 'Platform\r']] as const;
    const { stdout } = await run(['teams', 'members', 'acme', '--quiet'], { ...scripted, person });
    expect(stdout).toBe('paperfox\n');
  });

  it('rejects an unknown role before any request', async () => {
    const scripted = await scriptedPlatform({});
    const { stderr, code } = await run(['teams', 'members', 'acme', 'engineering', '--role', 'owner'], scripted);
    expect(stderr).toContain('role must be one of member, maintainer, all');
    expect(code).toBe(2);
    expect(scripted.requests).toEqual([]);
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

  it('shows the role that the platform names, or the one that the permissions add up to', async () => {
    const scripted = await scriptedPlatform({
      'GET /orgs/acme/teams/platform/repos': {
        body: [
          { ...site, role_name: 'Release manager', permissions: admin },
          { ...site, permissions: admin },
          { ...site, permissions: { ...admin, admin: false } },
          { ...site, permissions: { push: true, pull: true } },
          { ...site, permissions: { triage: true, pull: true } },
          { ...site, permissions: { pull: true } },
          site,
        ],
      },
    });
    const { stdout } = await run(['teams', 'repos', 'acme', 'platform'], scripted);
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
    const scripted = await scriptedPlatform({});
    expect((await run(['teams', 'repos', 'acme', 'nobody'], scripted)).code).toBe(3);
    expect(asked(scripted)).toEqual(['GET /api/v3/orgs/acme/teams/nobody/repos']);
  });
});
