/** Changing, archiving, and deleting repositories. */
import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

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
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'PATCH']);
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
  const people = {
    hubot: { login: 'hubot', role_name: 'write' },
    octocat: { login: 'octocat', permissions: { pull: true, push: true, admin: false } },
    monalisa: { login: 'monalisa', role_name: 'admin' },
    ada: { login: 'ada', role_name: 'read' },
  };
  const answers = {
    'GET /repos/acme/site': { body: { owner: { login: 'acme', type: 'Organization' } } },
    'GET /repos/acme/site/teams': {
      body: [
        { slug: 'platform', permission: 'push', parent: null },
        { slug: 'interns', permission: 'push', parent: { slug: 'platform' } },
      ],
    },
    'GET /repos/acme/site/collaborators': ({ url }: { url: string }) => {
      if (url.includes('affiliation=direct')) return { body: [people.hubot, people.monalisa] };
      if (url.includes('affiliation=outside')) return { body: [people.hubot] };
      return { body: Object.values(people) };
    },
    'GET /orgs/acme/teams/platform/members': { body: [{ login: 'octocat' }, { login: 'monalisa' }] },
    'GET /orgs/acme/teams/interns/members': { body: [{ login: 'octocat' }] },
    'GET /orgs/acme/members': { body: [{ login: 'monalisa' }] },
    'GET /orgs/acme': { body: { default_repository_permission: 'read' } },
    'GET /orgs/acme/custom-repository-roles': { body: { total_count: 1, custom_roles: [{ name: 'Releaser' }] } },
  };
  type Answers = Parameters<typeof scriptedPlatform>[0];

  async function access(changes: Answers, ...flags: readonly string[]) {
    const platform = await scriptedPlatform({ ...answers, ...changes });
    const { stdout, stderr, code } = await run(['repos', 'access', 'acme/site', ...flags], { env: platform.env });
    return { stdout, stderr, code, asked: platform.requests.map(({ url }) => url.replace('/api/v3', '')) };
  }

  const sourcesOf = async (login: string, changes: Answers = {}) =>
    JSON.parse((await access(changes, '--user', login, '-o', 'json')).stdout)[0];

  it('shows every source of the role, and what remains without each', async () => {
    const { stdout, asked } = await access({});
    expect(stdout.split('\n')).toEqual([
      'hubot\twrite\tdirect: write (without it: none)',
      'octocat\twrite\tteam platform: write (without it: unknown); team interns: write (without it: write); base permission: read (without it: write)',
      'monalisa\tadmin\towner: admin (without it: unknown); team platform: write (without it: admin); base permission: read (without it: admin); direct: unknown (without it: admin)',
      'ada\tread\tbase permission: read (without it: none)',
      '',
    ]);
    expect(asked).toEqual([
      '/repos/acme/site',
      '/repos/acme/site/teams?per_page=100',
      '/orgs/acme/teams/platform/members?per_page=100',
      '/orgs/acme/teams/interns/members?per_page=100',
      '/orgs/acme/members?role=admin&per_page=100',
      '/orgs/acme',
      '/repos/acme/site/collaborators?per_page=100',
      '/repos/acme/site/collaborators?affiliation=direct&per_page=100',
      '/repos/acme/site/collaborators?affiliation=outside&per_page=100',
    ]);
  });

  it.each<[path: string, record: unknown, field: string, words: readonly string[]]>([
    ['/repos/acme/site/collaborators', 'x', 'login', []],
    ['/repos/acme/site/teams', 'x', 'slug', []],
    ['/repos/acme/site/teams', { slug: '', permission: 'push', parent: null }, 'slug', []],
    ['/orgs/acme/teams/platform/members', { login: 7 }, 'login', []],
    ['/orgs/acme/members', {}, 'login', []],
    ['/repos/acme/site/invitations', 'x', 'id', ['--pending']],
    ['/repos/acme/site/invitations', { id: 3, invitee: { id: 3 } }, 'invitee.login', ['--pending']],
  ])('rejects %s with %j', async (path, record, field, words) => {
    const { stdout, stderr, code } = await access({ [`GET ${path}`]: { body: [record] } }, ...words);
    expect([stdout, stderr, code]).toEqual([
      '',
      `forgectl: GET ${path} returned a record without a valid ${field}.\n`,
      8,
    ]);
  });

  it('knows that a team with more access than the team above it keeps that', async () => {
    const teams = answers['GET /repos/acme/site/teams'].body;
    const changes = {
      'GET /repos/acme/site/teams': {
        body: teams.map((team) => (team.slug === 'platform' ? { ...team, permission: 'triage' } : team)),
      },
    };
    const { sources } = await sourcesOf('octocat', changes);
    expect(sources.map(({ team, role, remains }: Record<string, string>) => [team, role, remains])).toEqual([
      ['platform', 'triage', 'write'],
      ['interns', 'write', 'triage'],
      [null, 'read', 'write'],
    ]);
  });

  it('lists pending invitations with --pending, without access', async () => {
    const invitation = (login: string, permissions: string) => ({ id: 7, invitee: { login }, permissions });
    const changes = {
      'GET /repos/acme/site/invitations': {
        body: [invitation('velvetmole', 'admin'), invitation('lunarcrab', 'read')],
      },
    };
    const { stdout, asked } = await access(changes, '--pending');
    expect(stdout).toBe('velvetmole\tadmin\tpending invitation\nlunarcrab\tread\tpending invitation\n');
    expect(asked).toEqual(['/repos/acme/site', '/repos/acme/site/invitations?per_page=100']);
    expect(JSON.parse((await access(changes, '--pending', '--role', 'admin', '--json')).stdout)).toEqual([
      { login: 'velvetmole', role: 'admin', sources: [], pending: true },
    ]);
  });

  it('gives the sources of one person with --user', async () => {
    expect(await sourcesOf('MonaLisa')).toEqual({
      login: 'monalisa',
      role: 'admin',
      sources: [
        { type: 'owner', team: null, through: [], role: 'admin', remains: null },
        { type: 'team', team: 'platform', through: [], role: 'write', remains: 'admin' },
        { type: 'base', team: null, through: [], role: 'read', remains: 'admin' },
        { type: 'direct', team: null, through: [], role: null, remains: 'admin' },
      ],
    });
    expect((await access({}, '--user', 'nobody')).stdout).toBe('');
  });

  it('shows the child teams that make a person a member of a team with access', async () => {
    const inherited = { login: 'octocat', inherited: true };
    const changes = { 'GET /orgs/acme/teams/platform/members': { body: [inherited] } };
    const { stdout } = await access(changes, '--user', 'octocat');
    expect(stdout).toContain('\tteam platform through interns: write (without it: ');
    expect((await sourcesOf('octocat', changes)).sources[0]).toMatchObject({ team: 'platform', through: ['interns'] });
    const hidden = { ...changes, 'GET /orgs/acme/teams/interns/members': { body: [] } };
    expect((await sourcesOf('octocat', hidden)).sources[0]).toMatchObject({ team: 'platform', through: null });
    expect((await access(hidden, '--user', 'octocat')).stdout).toContain('team platform through a child team: write');
  });

  it('infers a direct grant that nothing else explains', async () => {
    const changes = { 'GET /orgs/acme/members': { body: [] } };
    expect((await sourcesOf('monalisa', changes)).sources).toEqual([
      { type: 'team', team: 'platform', through: [], role: 'write', remains: 'admin' },
      { type: 'base', team: null, through: [], role: 'read', remains: 'admin' },
      { type: 'direct', team: null, through: [], role: 'admin', remains: 'write' },
    ]);
  });

  it.each(['GET /orgs/acme/teams/platform/members', 'GET /orgs/acme/members', 'GET /orgs/acme'])(
    'reports that other sources are unknown if the token cannot read %s',
    async (route) => {
      for (const status of [403, 404]) {
        const changes = { [route]: { status, body: { message: 'no' } } };
        const { stdout, code } = await access(changes, '--user', 'octocat');
        expect(code).toBe(0);
        expect(stdout).toMatch(/; others unknown\n$/);
        expect(stdout).not.toContain('without it: read');
        expect(stdout).not.toContain('without it: none');
        expect(await sourcesOf('octocat', changes)).toMatchObject({ incomplete: true });
      }
    },
  );

  it('reports that a role without a visible source has others', async () => {
    const changes = { 'GET /orgs/acme': { body: { default_repository_permission: 'none' } } };
    expect(await sourcesOf('ada', changes)).toEqual({ login: 'ada', role: 'read', sources: [], incomplete: true });
  });

  it('does not compare the ranks of custom roles', async () => {
    const octocat = { login: 'octocat', role_name: 'releaser' };
    const changes = {
      'GET /repos/acme/site/teams': { body: [{ slug: 'platform', permission: 'releaser', parent: null }] },
      'GET /repos/acme/site/collaborators': ({ url }: { url: string }) => ({
        body: url.includes('affiliation') ? [] : [octocat],
      }),
    };
    expect((await sourcesOf('octocat', changes)).sources).toEqual([
      { type: 'team', team: 'platform', through: [], role: 'releaser', remains: 'read' },
      { type: 'base', team: null, through: [], role: 'read', remains: 'releaser' },
    ]);
  });

  it('shows the owner of a user’s repository, which has no teams or base permission', async () => {
    const ada = { login: 'ada', role_name: 'admin' };
    const { asked, stdout } = await access({
      'GET /repos/acme/site': { body: { owner: { login: 'ada', type: 'User' } } },
      'GET /repos/acme/site/collaborators': ({ url }: { url: string }) => ({
        body: url.includes('affiliation=direct') ? [people.hubot] : [ada, people.hubot],
      }),
    });
    expect(stdout).toBe(
      'ada\tadmin\towner: admin (without it: none)\nhubot\twrite\tdirect: write (without it: none)\n',
    );
    expect(asked).toEqual([
      '/repos/acme/site',
      '/repos/acme/site/collaborators?per_page=100',
      '/repos/acme/site/collaborators?affiliation=direct&per_page=100',
    ]);
  });

  it.each([
    ['admin', 'admin', 'monalisa\n'],
    ['push', 'push', 'hubot\noctocat\n'],
    ['Write', 'push', 'hubot\noctocat\n'],
  ])('requests one role with --role %s, and shows no other', async (role, permission, expected) => {
    const { stdout, asked } = await access({}, '--role', role, '--quiet');
    expect(stdout).toBe(expected);
    expect(asked).toContain(`/repos/acme/site/collaborators?permission=${permission}&per_page=100`);
  });

  it('accepts the custom roles of the organization', async () => {
    const octocat = { login: 'octocat', role_name: 'Releaser' };
    const changes = {
      'GET /repos/acme/site/collaborators': ({ url }: { url: string }) => ({
        body: url.includes('affiliation') ? [] : [octocat, people.ada],
      }),
    };
    expect((await access(changes, '--role', 'releaser', '--quiet')).stdout).toBe('octocat\n');
  });

  it('rejects other roles with a suggestion, exit code 2', async () => {
    const roles = '--role must be one of read, triage, write, maintain, admin or a custom role of the organization';
    for (const [role, suggestion] of [
      ['admn', ' (did you mean admin?)'],
      ['releasr', ' (did you mean Releaser?)'],
      ['auditor', ''],
    ] as const) {
      const { stdout, stderr, code, asked } = await access({}, '--role', role);
      expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
      expect(stderr).toContain(`${roles}${suggestion}.\n`);
      expect(asked).toEqual(['/repos/acme/site', '/orgs/acme/custom-repository-roles']);
    }
  });

  it('rejects only near misses if the custom roles cannot be listed', async () => {
    const changes = { 'GET /orgs/acme/custom-repository-roles': { status: 404, body: { message: 'Not Found' } } };
    expect((await access(changes, '--role', 'admn')).code).toBe(2);
    const { code, stderr } = await access(changes, '--role', 'auditor');
    expect(code).toBe(0);
    expect(stderr).toContain('The custom roles of acme cannot be listed: auditor may not be one.\n');
  });
});
