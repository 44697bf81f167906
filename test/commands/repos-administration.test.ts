/** Changing, archiving, and deleting repositories. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const site = {
  id: 1,
  name: 'site',
  full_name: 'acme/site',
  visibility: 'public',
  archived: false,
  size: 2048,
  forks_count: 3,
  stargazers_count: 12,
  open_issues_count: 7,
  pushed_at: '2026-02-26T12:00:00Z',
  html_url: 'https://ghe.example.com/acme/site',
};

const bodyOf = (request: { body: string } | undefined) => JSON.parse(request?.body ?? '');

describe('repos update', () => {
  it('sends PATCH /repos/{owner}/{repo} with every given field', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'PATCH /repos/acme/site': { body: site },
    });
    const words = `repos update acme/site --name handbook --description D --homepage https://a.example --private
      --visibility internal --security-and-analysis {"secret_scanning":{"status":"enabled"}} --no-has-issues --has-projects
      --no-has-wiki --has-pull-requests --pull-request-creation-policy collaborators_only --is-template --default-branch trunk
      --no-allow-squash-merge --allow-merge-commit --allow-rebase-merge --allow-auto-merge --delete-branch-on-merge
      --allow-update-branch --use-squash-pr-title-as-default --squash-merge-commit-title PR_TITLE
      --squash-merge-commit-message BLANK --merge-commit-title MERGE_MESSAGE --merge-commit-message PR_BODY --archived
      --no-allow-forking --web-commit-signoff-required --yes`.split(/\s+/);
    const { code } = await run(words, { env: platform.env });
    expect(code).toBe(0);
    expect(bodyOf(platform.requests[1])).toEqual({
      name: 'handbook',
      description: 'D',
      homepage: 'https://a.example',
      private: true,
      visibility: 'internal',
      security_and_analysis: { secret_scanning: { status: 'enabled' } },
      has_issues: false,
      has_projects: true,
      has_wiki: false,
      has_pull_requests: true,
      pull_request_creation_policy: 'collaborators_only',
      is_template: true,
      default_branch: 'trunk',
      allow_squash_merge: false,
      allow_merge_commit: true,
      allow_rebase_merge: true,
      allow_auto_merge: true,
      delete_branch_on_merge: true,
      allow_update_branch: true,
      use_squash_pr_title_as_default: true,
      squash_merge_commit_title: 'PR_TITLE',
      squash_merge_commit_message: 'BLANK',
      merge_commit_title: 'MERGE_MESSAGE',
      merge_commit_message: 'PR_BODY',
      archived: true,
      allow_forking: false,
      web_commit_signoff_required: true,
    });
  });

  it('reports the new name after a rename', async () => {
    const renamed = { ...site, name: 'handbook', full_name: 'acme/handbook' };
    const platform = await scriptedPlatform({ 'PATCH /repos/acme/site': { body: renamed } });
    const { stdout, stderr } = await run(['repos', 'update', 'acme/site', '--name', 'handbook', '--quiet'], {
      env: platform.env,
    });
    expect(stdout).toBe('acme/handbook\n');
    expect(stderr).toBe('Renamed acme/site to acme/handbook. The old name redirects to the new one.\n');
  });

  it('shows old and new values on a terminal', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'PATCH /repos/acme/site': { body: { ...site, visibility: 'private' } },
    });
    const { stdout } = await run(['repos', 'update', 'acme/site', '--visibility', 'private', '--yes'], {
      env: platform.env,
      tty: true,
    });
    expect(stdout).toMatch(/visibility +public → private/i);
  });

  it('rejects a change without settings, and a message without its title', async () => {
    const platform = await scriptedPlatform({});
    expect((await run(['repos', 'update', 'acme/site'], { env: platform.env })).code).toBe(2);
    const words = ['repos', 'update', 'acme/site', '--squash-merge-commit-message', 'BLANK'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('squash_merge_commit_title is required with --squash-merge-commit-message');
    expect(platform.requests).toEqual([]);
  });

  it('explains how to change an archived repository', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'PATCH /repos/acme/site': { status: 403, body: { message: 'Repository was archived so is read-only.' } },
    });
    const { stderr, code } = await run(['repos', 'update', 'acme/site', '--description', 'D'], { env: platform.env });
    expect(code).toBe(5);
    expect(stderr).toContain('Unarchive the repository first: “forgectl repos unarchive”.');
    const archive = await run(['repos', 'archive', 'acme/site', '--yes'], { env: platform.env });
    expect({ code: archive.code, stderr: archive.stderr }).toEqual({
      code: 5,
      stderr:
        'forgectl: PATCH /repos/acme/site returned 403 Repository was archived so is read-only.\nThe repository is archived already.\n',
    });
  });
});

describe.each([
  ['repos archive', true, 'Archived acme/site.\n'],
  ['repos unarchive', false, 'Unarchived acme/site.\n'],
] as const)('%s', (command, archived, done) => {
  const [, verb = ''] = command.split(' ');

  it('sends the single field with --yes', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'PATCH /repos/acme/site': { body: { ...site, archived } },
    });
    const { stdout, code } = await run(['repos', verb, 'acme/site', '--yes'], { env: platform.env, tty: true });
    expect(platform.requests.map(({ method, body }) => [method, body])).toEqual([
      ['GET', ''],
      ['PATCH', `{"archived":${archived}}`],
    ]);
    expect(stdout).toBe(done);
    expect(code).toBe(0);
  });

  it('sends nothing when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['repos', verb, 'acme/site'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(`This ${verb}s acme/site`);
    expect(platform.requests).toEqual([]);
  });

  it('prompts for the name of the repository', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'PATCH /repos/acme/site': { body: { ...site, archived } },
    });
    const { code } = await run(['repos', verb, 'acme/site'], {
      env: platform.env,
      person: [[`This ${verb}s acme`, 'acme/site\r']],
    });
    expect(code).toBe(0);
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET', 'PATCH']);
  });
});

describe('repos delete', () => {
  it('shows size, forks and open issues before the prompt for the name', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'DELETE /repos/acme/site': { status: 204 },
    });
    const { stderr, code } = await run(['repos', 'delete', 'acme/site'], {
      env: platform.env,
      person: [['This deletes acme', 'acme/site\r']],
    });
    expect(stderr).toMatch(/Size +2 MB/i);
    expect(stderr).toMatch(/Forks +3/i);
    expect(stderr).toMatch(/Open issues and pull requests +7/i);
    expect(stderr).toContain('Deleted acme/site.');
    expect(code).toBe(0);
  });

  it('deletes nothing if another name is typed or prompts are disabled', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site': { body: site } });
    await run(['repos', 'delete', 'acme/site'], { env: platform.env, person: [['This deletes acme', 'acme\r']] });
    expect((await run(['repos', 'delete', 'acme/site'], { env: platform.env })).code).toBe(2);
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
  });

  it('prints the request with --dry-run', async () => {
    const platform = await scriptedPlatform({});
    const { stdout } = await run(['repos', 'delete', 'acme/site', '--dry-run'], { env: platform.env });
    expect(stdout).toMatch(/^DELETE \S+\/repos\/acme\/site\n/);
    expect(platform.requests).toEqual([]);
  });
});

describe('repos transfer', () => {
  const moved = { ...site, full_name: 'globex/storefront', name: 'storefront' };

  it('sends new owner, name and teams, and returns at once', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'POST /repos/acme/site/transfer': { status: 202, body: site },
    });
    const words = ['repos', 'transfer', 'acme/site', 'globex', '--new-name', 'storefront', '--team-ids', '4,5'];
    const { stdout, stderr } = await run([...words, '--yes', '--quiet'], { env: platform.env });
    expect(bodyOf(platform.requests[1])).toEqual({ new_owner: 'globex', new_name: 'storefront', team_ids: [4, 5] });
    expect(stdout).toBe('acme/site\n');
    expect(stderr).toBe('The transfer to globex/storefront continues in the background; --wait waits for it.\n');
  });

  it('waits with --wait until the repository is at its new place', async () => {
    let asked = 0;
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'POST /repos/acme/site/transfer': { status: 202, body: site },
      'GET /repos/globex/storefront': () =>
        ++asked < 3 ? { status: 404, body: { message: 'Not Found' } } : { body: moved },
    });
    const words = ['repos', 'transfer', 'acme/site', 'globex', '--new-name', 'storefront', '--yes', '--wait'];
    const { stdout, stderr, code } = await run([...words, '--quiet'], { env: platform.env });
    expect(code).toBe(0);
    expect(stdout).toBe('globex/storefront\n');
    expect(stderr).toBe('Transferred acme/site to globex/storefront.\n');
    expect(asked).toBe(3);
  });

  it('ends with exit code 10 if it does not arrive', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: site },
      'POST /repos/acme/site/transfer': { status: 202, body: site },
      'GET /repos/globex/site': { status: 404, body: { message: 'Not Found' } },
    });
    const words = ['repos', 'transfer', 'acme/site', 'globex', '--yes', '--wait', '--wait-timeout', '10s'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(10);
    expect(stderr).toContain('globex may have to accept it');
  });

  it('sends nothing when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['repos', 'transfer', 'acme/site', 'globex'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('This transfers acme/site to globex/site');
    expect(platform.requests).toEqual([]);
  });
});

describe('repos topics', () => {
  it('prints one topic per line', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/topics': { body: { names: ['web', 'pci'] } } });
    expect((await run(['repos', 'topics', 'acme/site'], { env: platform.env })).stdout).toBe('web\npci\n');
  });

  it.each([
    [['--set', 'web,pci'], '{"names":["web","pci"]}'],
    [['--clear'], '{"names":[]}'],
  ])('%j replaces all topics', async (flags, body) => {
    const platform = await scriptedPlatform({ 'PUT /repos/acme/site/topics': { body: { names: [] } } });
    expect((await run(['repos', 'topics', 'acme/site', ...flags], { env: platform.env })).code).toBe(0);
    expect(platform.requests.map(({ method, body: sent }) => [method, sent])).toEqual([['PUT', body]]);
  });

  it.each([[['--set', '']], [['--set', 'two words']], [['--set', 'web', '--clear']]])(
    '%j is rejected before any request',
    async (flags) => {
      const platform = await scriptedPlatform({});
      expect((await run(['repos', 'topics', 'acme/site', ...flags], { env: platform.env })).code).toBe(2);
      expect(platform.requests).toEqual([]);
    },
  );
});

describe('repos access', () => {
  const answers = {
    'GET /repos/acme/site/teams': {
      body: [
        { slug: 'platform', permission: 'push' },
        { slug: 'owners', permission: 'admin' },
      ],
    },
    'GET /repos/acme/site/collaborators': ({ url }: { url: string }) => {
      const hubot = { login: 'hubot', role_name: 'admin' };
      const octocat = { login: 'octocat', permissions: { pull: true, push: true, admin: false } };
      const owner = { login: 'monalisa', role_name: 'admin' };
      return { body: url.includes('affiliation=direct') ? [hubot] : [hubot, octocat, owner] };
    },
    'GET /orgs/acme/teams/platform/members': { body: [{ login: 'octocat' }, { login: 'monalisa' }] },
    'GET /orgs/acme/teams/owners/members': { body: [] },
  };

  it('shows teams and people in one table, with the source of their access', async () => {
    const platform = await scriptedPlatform(answers);
    const { stdout } = await run(['repos', 'access', 'acme/site'], { env: platform.env });
    expect(stdout).toBe(
      'platform\tteam\twrite\tteam\nowners\tteam\tadmin\tteam\nhubot\tuser\tadmin\tdirect\noctocat\tuser\twrite\tteam\nmonalisa\tuser\tadmin\torganization\n',
    );
  });

  it.each([403, 404])(
    'shows “team or organization” for a person whose role a team with unlisted members may grant (%i)',
    async (status) => {
      const platform = await scriptedPlatform({
        ...answers,
        'GET /orgs/acme/teams/owners/members': { status, body: { message: 'no' } },
      });
      const { stdout, code } = await run(['repos', 'access', 'acme/site', '-o', 'csv', '--fields', 'who,how'], {
        env: platform.env,
      });
      expect(code).toBe(0);
      expect(stdout).toBe(
        'who,how\nplatform,team\nowners,team\nhubot,direct\noctocat,team\nmonalisa,team or organization\n',
      );
    },
  );

  it('compares no ranks of custom roles', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/teams': { body: [{ slug: 'platform', permission: 'releaser' }] },
      'GET /repos/acme/site/collaborators': ({ url }: { url: string }) => ({
        body: url.includes('affiliation=direct')
          ? []
          : [
              { login: 'octocat', role_name: 'releaser' },
              { login: 'hubot', role_name: 'auditor' },
              { login: 'monalisa', role_name: 'auditor' },
            ],
      }),
      'GET /orgs/acme/teams/platform/members': { body: [{ login: 'octocat' }, { login: 'hubot' }] },
    });
    const { stdout } = await run(['repos', 'access', 'acme/site', '--where', '.type == "user"'], { env: platform.env });
    expect(stdout).toBe(
      'octocat\tuser\treleaser\tteam\nhubot\tuser\tauditor\tteam or organization\nmonalisa\tuser\tauditor\torganization\n',
    );
  });

  it('requests no members of teams if all access is direct', async () => {
    const hubot = { login: 'hubot', role_name: 'admin' };
    const platform = await scriptedPlatform({
      ...answers,
      'GET /repos/acme/site/collaborators': { body: [hubot] },
    });
    await run(['repos', 'access', 'acme/site'], { env: platform.env });
    expect(platform.requests.filter(({ url }) => url.includes('/members'))).toEqual([]);
  });

  it('says that an unknown role is a custom one, where no one has it', async () => {
    const { env } = await scriptedPlatform(answers);
    const access = async (role: string, tty: boolean) =>
      (await run(['repos', 'access', 'acme/site', '--role', role], { env, tty })).stderr;
    const hint = 'No access as admim, a custom role. List custom roles with “forgectl roles list acme”.\n';
    expect(await access('admim', false)).toBe(hint);
    expect(await access('admim', true)).toBe(`${hint}Found no people and teams in acme/site with --role admim.\n`);
    expect(await access('maintain', false)).toBe('');
  });

  it('requests one role with --role, and shows no other', async () => {
    const platform = await scriptedPlatform(answers);
    const { stdout } = await run(['repos', 'access', 'acme/site', '--role', 'admin', '--quiet'], { env: platform.env });
    expect(stdout).toBe('owners\nhubot\nmonalisa\n');
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/repos/acme/site/teams?per_page=100',
      '/api/v3/repos/acme/site/collaborators?permission=admin&per_page=100',
      '/api/v3/repos/acme/site/collaborators?permission=admin&affiliation=direct&per_page=100',
      '/api/v3/orgs/acme/teams/platform/members?per_page=100',
      '/api/v3/orgs/acme/teams/owners/members?per_page=100',
    ]);
  });
});
