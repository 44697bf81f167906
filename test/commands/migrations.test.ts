import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const migration = {
  id: 79,
  guid: '0b989ba4-242f-11e5-81e1-c7b6966d2516',
  state: 'pending',
  lock_repositories: true,
  exclude_attachments: false,
  exclude_releases: false,
  exclude_owner_projects: false,
  repositories: [
    { id: 5, name: 'site', full_name: 'acme/site' },
    { id: 6, name: 'api', full_name: 'acme/api' },
  ],
  url: 'https://ghe.example.com/api/v3/user/migrations/79',
  created_at: '2026-03-01T10:00:00Z',
  updated_at: '2026-03-01T11:30:00Z',
};

const fineGrained = ['github', 'pat', 'y'.repeat(40)].join('_');

describe('migrations list', () => {
  it('shows the state and content of each migration', async () => {
    const platform = await scriptedPlatform({ 'GET /user/migrations': { body: [migration] } });
    const piped = await run(['migrations', 'list'], { env: platform.env });
    expect(piped.stdout).toBe('79\tpending\ttrue\t2026-03-01T10:00:00Z\t2026-03-01T11:30:00Z\tacme/site, acme/api\n');
    const seen = await run(['migrations', 'list'], { env: platform.env, tty: true, columns: 120 });
    const [header, row] = seen.stdout.split('\n');
    expect(header).toMatch(/^ID +STATE +LOCKS +STARTED +CHANGED +REPOSITORIES$/);
    expect(row).toMatch(/^79 +pending +yes +2 hours ago +30 minutes ago +acme\/site, acme\/api$/);
    expect(platform.requests[0]?.url).toBe('/api/v3/user/migrations');
  });

  it('prints the platform’s response as JSON', async () => {
    const platform = await scriptedPlatform({ 'GET /user/migrations': { body: [migration] } });
    const { stdout } = await run(['migrations', 'list', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual([migration]);
  });

  it.each([
    ['list'],
    ['start', 'acme/site'],
    ['get', '79'],
    ['repos', '79'],
    ['wait', '79'],
    ['delete', '79', '--yes'],
    ['unlock', '79', 'site', '--yes'],
  ])('rejects a fine-grained token before any request: %s', async (...argv) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['migrations', ...argv], {
      env: { ...platform.env, FORGECTL_TOKEN: fineGrained },
    });
    expect(stderr).toContain('works only with classic personal access tokens and OAuth app tokens');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

describe('migrations start', () => {
  it('sends full names, and prints ID, locks and the retention of seven days', async () => {
    const platform = await scriptedPlatform({ 'POST /user/migrations': { status: 201, body: migration } });
    const argv = ['migrations', 'start', 'acme/site', 'acme/api.git', '--lock-repositories', '--exclude-releases'];
    const { stdout, stderr, code } = await run(argv, { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      repositories: ['acme/site', 'acme/api'],
      lock_repositories: true,
      exclude_releases: true,
    });
    expect(stdout).toMatch(/^id\t79\nstate\tpending\nlock_repositories\ttrue\n/);
    expect(stderr).toBe(
      'Locked until you unlock them with “forgectl migrations unlock 79 NAME”: acme/site, acme/api.\n' +
        'Migration 79 has started. Wait for it with “forgectl migrations wait 79”; once it is exported, its archive can be downloaded for seven days.\n',
    );
    expect(code).toBe(0);
  });

  it('sends every setting under its own name', async () => {
    const platform = await scriptedPlatform({ 'POST /user/migrations': { status: 201, body: migration } });
    const flags = [
      '--no-lock-repositories',
      '--exclude-metadata',
      '--exclude-git-data',
      '--exclude-attachments',
      '--exclude-owner-projects',
      '--exclude',
      'repositories',
    ];
    const { stderr } = await run(['migrations', 'start', 'acme/site', ...flags], { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      repositories: ['acme/site'],
      lock_repositories: false,
      exclude_metadata: true,
      exclude_git_data: true,
      exclude_attachments: true,
      exclude_owner_projects: true,
      exclude: ['repositories'],
    });
    expect(stderr).not.toContain('Locked');
  });

  it('sends an empty list with --org-metadata-only, and lists the flags without effect', async () => {
    const platform = await scriptedPlatform({ 'POST /user/migrations': { status: 201, body: migration } });
    const { stderr } = await run(['migrations', 'start', '--org-metadata-only', '--exclude-releases'], {
      env: platform.env,
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      repositories: [],
      org_metadata_only: true,
      exclude_releases: true,
    });
    expect(stderr).toContain('With --org-metadata-only the platform ignores exclude_releases.');
  });

  it('reads the whole body from --input', async () => {
    const platform = await scriptedPlatform({ 'POST /user/migrations': { status: 201, body: migration } });
    await run(['migrations', 'start', '--input', '-', '--exclude-attachments'], {
      env: platform.env,
      stdin: 'repositories: [acme/site]\nexclude_releases: true\n',
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      repositories: ['acme/site'],
      exclude_releases: true,
      exclude_attachments: true,
    });
  });

  it.each([
    [[], 'repositories must contain at least one, unless org_metadata_only is true'],
    [['acme/site', '--org-metadata-only'], 'repositories must be empty when --org-metadata-only is true'],
    [['acme/site', 'api'], 'REPO must have the form OWNER/NAME'],
  ])('rejects %j', async (argv, message) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['migrations', 'start', ...argv], { env: platform.env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it.each([
    [['acme/site', 'acme/y/z'], 'repositories[1] must have the form OWNER/NAME'],
    [[''], 'repositories[0] is empty'],
    [['acme/site', 'Acme/Site'], 'repositories[1] repeats Acme/Site'],
  ])('rejects %j in --input, and sends nothing', async (repositories, problem) => {
    const platform = await scriptedPlatform({});
    const stdin = JSON.stringify({ repositories });
    expect(await run(['migrations', 'start', '--input', '-'], { env: platform.env, stdin })).toEqual({
      code: 2,
      stdout: '',
      stderr: `forgectl: ${problem}. Nothing was sent.\n`,
    });
    expect(platform.requests).toEqual([]);
  });

  it('accepts a name without an owner in --input, and names the owner of the repository', async () => {
    const platform = await scriptedPlatform({ 'POST /user/migrations': { status: 201, body: { id: 79 } } });
    const stdin = '{"repositories":["site","acme/api"]}';
    const { code, stderr } = await run(['migrations', 'start', '--input', '-'], { env: platform.env, stdin });
    expect(code).toBe(0);
    expect(platform.requests[0]?.body).toBe(stdin);
    expect(stderr).toContain('No owner given for site: the platform uses your own repositories.\n');
  });

  it('lists each field that the platform rejects, exit code 6', async () => {
    const platform = await scriptedPlatform({
      'POST /user/migrations': {
        status: 422,
        body: { message: 'Validation Failed', errors: [{ field: 'repositories', message: 'acme/site is locked' }] },
      },
    });
    const { stderr, code } = await run(['migrations', 'start', 'acme/site'], { env: platform.env });
    expect(stderr).toContain('repositories: acme/site is locked');
    expect(code).toBe(6);
  });
});

describe('migrations get', () => {
  it('requests one, without the fields in --exclude', async () => {
    const { repositories: _left, ...short } = migration;
    const platform = await scriptedPlatform({ 'GET /user/migrations/79': { body: short } });
    const { stdout } = await run(['migrations', 'get', '79', '--exclude', 'repositories', '--json'], {
      env: platform.env,
    });
    expect(JSON.parse(stdout)).toEqual(short);
    expect(platform.requests[0]?.url).toBe('/api/v3/user/migrations/79?exclude%5B%5D=repositories');
    const details = await run(['migrations', 'get', '79'], { env: platform.env, tty: true });
    expect(details.stdout).toMatch(/^State +pending$/m);
    expect(platform.requests[1]?.url).toBe('/api/v3/user/migrations/79');
  });

  it('reports a 404, exit code 3', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['migrations', 'get', '79'], { env: platform.env });
    expect(stderr).toContain('GET /user/migrations/79 returned 404');
    expect(code).toBe(3);
  });
});

describe('migrations repos', () => {
  it('lists the repositories of a migration', async () => {
    const platform = await scriptedPlatform({
      'GET /user/migrations/79/repositories': { body: migration.repositories },
    });
    const { stdout } = await run(['migrations', 'repos', '79', '--fields', 'full_name'], { env: platform.env });
    expect(stdout).toBe('acme/site\nacme/api\n');
    expect(platform.requests[0]?.url).toBe('/api/v3/user/migrations/79/repositories');
  });
});

describe('migrations wait', () => {
  /** Answers with one state after another; the last stays. */
  const passing = (...states: string[]) => {
    let place = 0;
    return () => ({ body: { ...migration, state: states[Math.min(place++, states.length - 1)] } });
  };

  it('polls until the migration is exported, and prints it', async () => {
    const platform = await scriptedPlatform({
      'GET /user/migrations/79': passing('pending', 'exporting', 'exported'),
    });
    const { stdout, stderr, code } = await run(['migrations', 'wait', '79', '--jq', '.state'], { env: platform.env });
    expect(stdout).toBe('exported\n');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(platform.requests).toHaveLength(3);
  });

  it('shows progress on a terminal', async () => {
    const platform = await scriptedPlatform({ 'GET /user/migrations/79': passing('exporting', 'exported') });
    const { stderr } = await run(['migrations', 'wait', '79'], { env: platform.env, tty: true });
    expect(stderr).toContain('0s: migration 79 is still exporting');
  });

  it('fails with exit code 6 if the migration has failed', async () => {
    const platform = await scriptedPlatform({ 'GET /user/migrations/79': passing('pending', 'failed') });
    const { stdout, stderr, code } = await run(['migrations', 'wait', '79', '--json'], { env: platform.env });
    expect(stdout).toBe('');
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'refused' });
    expect(stderr).toContain('Migration 79 failed');
    expect(code).toBe(6);
  });

  it('ends with exit code 10 at its limit, and explains how to continue', async () => {
    const platform = await scriptedPlatform({ 'GET /user/migrations/79': passing('pending') });
    const { stderr, code } = await run(['migrations', 'wait', '79', '--wait-timeout', '3s'], { env: platform.env });
    expect(stderr).toContain('Timed out after 3s: migration 79 is still pending.');
    expect(stderr).toContain('forgectl migrations wait 79');
    expect(code).toBe(10);
  });

  it('rejects a limit that is not a duration', async () => {
    const { stderr, code } = await run(['migrations', 'wait', '79', '--wait-timeout', 'soon']);
    expect(stderr).toContain('--wait-timeout must be a duration');
    expect(code).toBe(2);
  });
});

describe('migrations delete', () => {
  it('deletes the archive with --yes', async () => {
    const platform = await scriptedPlatform({ 'DELETE /user/migrations/79/archive': { status: 204 } });
    const { stdout, code } = await run(['migrations', 'delete', '79', '--yes', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual({});
    expect(code).toBe(0);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v3/user/migrations/79/archive',
    ]);
  });

  it('sends nothing without --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['migrations', 'delete', '79'], { env: platform.env });
    expect(stderr).toContain('Nothing was sent. This deletes the archive of migration 79; confirm with --yes.');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

describe('migrations unlock', () => {
  it.each(['site', 'site.git', 'acme/site'])('unlocks the repository written %s by its name', async (name) => {
    const platform = await scriptedPlatform({ 'DELETE /user/migrations/79/repos/site/lock': { status: 204 } });
    const { code } = await run(['migrations', 'unlock', '79', name, '--yes'], { env: platform.env });
    expect(code).toBe(0);
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/user/migrations/79/repos/site/lock']);
  });

  it('explains a 404', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['migrations', 'unlock', '79', 'site', '--yes'], { env: platform.env });
    expect(stderr).toContain('repositories that the migration has not locked');
    expect(code).toBe(3);
  });

  const all = {
    'GET /user/migrations/79': { body: migration },
    'GET /user/migrations/79/repositories': {
      body: ['site', 'api', 'web'].map((name) => ({ name, full_name: `acme/${name}` })),
    },
    'DELETE /user/migrations/79/repos/site/lock': { status: 204 },
    'DELETE /user/migrations/79/repos/web/lock': { status: 204 },
  };

  it('--all unlocks every repository, and skips those that are not locked', async () => {
    const platform = await scriptedPlatform(all);
    const { stdout, stderr, code } = await run(['migrations', 'unlock', '79', '--all', '--yes'], { env: platform.env });
    expect({ stdout, stderr, code }).toEqual({
      stdout: 'acme/site\tunlocked\nacme/api\tnot_locked\nacme/web\tunlocked\n',
      stderr: '',
      code: 0,
    });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v3/user/migrations/79/repositories?per_page=100',
      'DELETE /api/v3/user/migrations/79/repos/site/lock',
      'DELETE /api/v3/user/migrations/79/repos/api/lock',
      'DELETE /api/v3/user/migrations/79/repos/web/lock',
    ]);
  });

  it('--all continues if the platform refuses one, exit code 9', async () => {
    const platform = await scriptedPlatform({
      ...all,
      'DELETE /user/migrations/79/repos/api/lock': { status: 422, body: { message: 'Not now' } },
    });
    const { stdout, stderr, code } = await run(['migrations', 'unlock', '79', '--all', '--yes', '--json'], {
      env: platform.env,
    });
    expect(code).toBe(9);
    expect(JSON.parse(stdout)).toEqual([
      { repository: 'acme/site', result: 'unlocked' },
      { repository: 'acme/api', result: 'failed' },
      { repository: 'acme/web', result: 'unlocked' },
    ]);
    expect(stderr).toContain('Not now');
    expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toBe(
      '1 of 3 repositories could not be unlocked.',
    );
  });

  it('--all prints completed unlocks before a fatal error, which decides the exit code', async () => {
    const platform = await scriptedPlatform({
      ...all,
      'DELETE /user/migrations/79/repos/api/lock': { status: 401, body: { message: 'Bad credentials' } },
    });
    const { stdout, stderr, code } = await run(['migrations', 'unlock', '79', '--all', '--yes', '--json'], {
      env: platform.env,
    });
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toEqual([{ repository: 'acme/site', result: 'unlocked' }]);
    expect(JSON.parse(stderr).error).toMatchObject({ code: 'not_authenticated', status: 401 });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).not.toContain(
      'DELETE /api/v3/user/migrations/79/repos/web/lock',
    );
  });

  it('--all requires the migration ID to be typed, and a dry run prints every request', async () => {
    const platform = await scriptedPlatform(all);
    const typed = await run(['migrations', 'unlock', '79', '--all'], {
      env: platform.env,
      person: [['to confirm:', 'site\r']],
    });
    expect(typed.code).toBe(2);
    const dry = await run(['migrations', 'unlock', '79', '--all', '--dry-run'], { env: platform.env });
    expect(dry.stdout.split('\n').filter((line) => line.startsWith('DELETE'))).toEqual([
      `DELETE ${platform.baseUrl}/user/migrations/79/repos/site/lock`,
      `DELETE ${platform.baseUrl}/user/migrations/79/repos/api/lock`,
      `DELETE ${platform.baseUrl}/user/migrations/79/repos/web/lock`,
    ]);
    expect(dry.stderr).toBe('Dry run: nothing was sent.\n');
    const records = await run(['migrations', 'unlock', '79', '--all', '--dry-run', '--jq', '.[].url'], {
      env: platform.env,
    });
    expect(records.stdout).toBe(
      ['site', 'api', 'web'].map((name) => `${platform.baseUrl}/user/migrations/79/repos/${name}/lock\n`).join(''),
    );
    expect(platform.requests.map(({ method }) => method)).not.toContain('DELETE');
  });

  it('accepts either a name or --all', async () => {
    const { stderr, code } = await run(['migrations', 'unlock', '79', 'site', '--all', '--yes']);
    expect({ stderr, code }).toEqual({
      stderr: 'forgectl: REPO_NAME and --all cannot be used together. Nothing was sent.\n',
      code: 2,
    });
    expect((await run(['migrations', 'unlock', '79', '--yes'])).stderr).toContain(
      'REPO_NAME is required: repository name',
    );
  });

  it('sends nothing without --yes when prompts are disabled', async () => {
    const { stderr, code } = await run(['migrations', 'unlock', '79', 'site']);
    expect(stderr).toContain('This unlocks site and allows pushes to it again; confirm with --yes.');
    expect(code).toBe(2);
  });
});
