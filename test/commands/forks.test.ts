import { describe, expect, test } from 'vitest';
import { type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const fork = {
  id: 9001,
  name: 'site',
  full_name: 'globex/site',
  owner: { login: 'globex' },
  private: false,
  fork: true,
  visibility: 'public',
  archived: false,
  pushed_at: '2026-02-28T12:00:00Z',
  description: null,
};

const empty = { status: 409, body: { message: 'Git Repository is empty.' } };
const notFound = { status: 404, body: { message: 'Not Found' } };
const commits = { body: [{ sha: '6dcb09b5b57875f334f61aebed695e2e4193db5e' }] };

/** A platform where acme/site can be forked, and the fork answers the given things to each look at its commits. */
function forkable(...answers: readonly ScriptedAnswer[]) {
  const left = [...answers];
  return scriptedPlatform({
    'POST /repos/acme/site/forks': { status: 202, body: fork },
    'GET /repos/globex/site/commits': () => (left.length > 1 ? left.shift() : left[0]) as ScriptedAnswer,
  });
}

describe('forks list', () => {
  test('sends the order and shows names, visibility and age of the last push', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/forks': { body: [fork] } });
    const words = ['forks', 'list', 'acme/site.git', '--sort', 'stargazers'];
    const { stdout, code } = await run(words, { env: platform.env, tty: true });
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/repos/acme/site/forks?sort=stargazers']);
    expect(stdout.split('\n')[0]).toMatch(/^NAME +VISIBILITY +ARCHIVED +PUSHED/);
    expect(stdout).toMatch(/globex\/site +public +no +1 day ago/);
    expect(code).toBe(0);
  });

  test('prints exact times in a pipe', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/forks': { body: [fork] } });
    const { stdout } = await run(['forks', 'list', 'acme/site'], { env: platform.env });
    expect(stdout).toBe('globex/site\tpublic\tfalse\t2026-02-28T12:00:00Z\t9001\t\n');
  });

  test('rejects an unknown order before any request', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['forks', 'list', 'acme/site', '--sort', 'name'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('sort must be one of newest, oldest, stargazers, watchers');
    expect(platform.requests).toEqual([]);
  });
});

describe('forks create', () => {
  test('sends an empty body by default, and reports that git objects arrive later', async () => {
    const platform = await forkable();
    const { stdout, stderr, code } = await run(['forks', 'create', 'acme/site', '--json'], { env: platform.env });
    expect(platform.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/api/v3/repos/acme/site/forks', '{}'],
    ]);
    expect(JSON.parse(stdout)).toEqual(fork);
    expect(stderr).toBe('The Git objects of globex/site may not be available yet; use --wait to wait for them.\n');
    expect(code).toBe(0);
  });

  test('prints the name of the fork first in a pipe', async () => {
    const platform = await forkable();
    const { stdout } = await run(['forks', 'create', 'acme/site'], { env: platform.env });
    expect(stdout).toBe(
      'full_name\tglobex/site\nvisibility\tpublic\narchived\tfalse\npushed_at\t2026-02-28T12:00:00Z\nid\t9001\ndescription\t\n',
    );
  });

  test('sends organization, name and default_branch_only', async () => {
    const platform = await forkable();
    const words = ['forks', 'create', 'acme/site', '--organization', 'globex', '--name', 's2', '--default-branch-only'];
    await run(words, { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      organization: 'globex',
      name: 's2',
      default_branch_only: true,
    });
  });

  test('--wait polls for a commit of the fork through 404 and 409', async () => {
    const platform = await forkable(notFound, empty, empty, commits);
    const { stdout, stderr, code } = await run(['forks', 'create', 'acme/site', '--wait', '--json'], {
      env: platform.env,
    });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/v3/repos/acme/site/forks',
      'GET /api/v3/repos/globex/site/commits?per_page=1',
      'GET /api/v3/repos/globex/site/commits?per_page=1',
      'GET /api/v3/repos/globex/site/commits?per_page=1',
      'GET /api/v3/repos/globex/site/commits?per_page=1',
    ]);
    expect(JSON.parse(stdout)).toEqual(fork);
    expect(stderr).toBe('');
    expect(code).toBe(0);
  });

  test('--wait shows progress on a terminal', async () => {
    const platform = await forkable(empty, commits);
    const { stderr } = await run(['forks', 'create', 'acme/site', '--wait'], { env: platform.env, tty: true });
    expect(stderr).toMatch(/^\r0s: the Git objects of globex\/site are not available yet\r +\r$/);
  });

  test('--wait ends after five minutes with exit code 10 and refers to support: “contact support if longer than 5 minutes”', async () => {
    const platform = await forkable(empty);
    const { stdout, stderr, code } = await run(['forks', 'create', 'acme/site', '--wait', '--json'], {
      env: platform.env,
    });
    expect(code).toBe(10);
    expect(stdout).toBe('');
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'wait_limit',
        message: 'Timed out after 5m: the Git objects of globex/site are not available yet.',
        advice:
          'The copy may still finish: check with “forgectl repos activity globex/site”. Contact the platform’s support after five minutes.',
      },
    });
  });

  test('--wait-timeout changes the limit', async () => {
    const platform = await forkable(empty);
    const words = ['forks', 'create', 'acme/site', '--wait', '--wait-timeout', '2m'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(10);
    expect(stderr).toContain('Timed out after 2m: the Git objects of globex/site are not available yet.');
  });

  test('a refusal ends the wait', async () => {
    const platform = await forkable(empty, { status: 403, body: { message: 'Resource not accessible' } });
    const { stderr, code } = await run(['forks', 'create', 'acme/site', '--wait'], { env: platform.env });
    expect(code).toBe(5);
    expect(stderr).toContain('GET /repos/globex/site/commits returned 403 Resource not accessible');
  });

  test('--wait-timeout alone is an error, reported with all others', async () => {
    const platform = await forkable();
    const words = ['forks', 'create', 'acme', '--wait-timeout', '2m'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('REPO must have the form OWNER/NAME; --wait-timeout requires --wait');
    expect(platform.requests).toEqual([]);
  });

  test('--dry-run prints the request and does not wait', async () => {
    const platform = await forkable();
    const words = ['forks', 'create', 'acme/site', '--name', 's2', '--wait', '--dry-run', '--json'];
    const { stdout, code } = await run(words, { env: platform.env });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'POST',
      url: `${platform.baseUrl}/repos/acme/site/forks`,
      body: { name: 's2' },
    });
    expect(platform.requests).toEqual([]);
    expect(code).toBe(0);
  });

  test('reports the permissions that apps need after a refusal', async () => {
    const platform = await scriptedPlatform({
      'POST /repos/acme/site/forks': { status: 403, body: { message: 'Resource not accessible by integration' } },
    });
    const { stderr, code } = await run(['forks', 'create', 'acme/site'], { env: platform.env });
    expect(code).toBe(5);
    expect(stderr).toContain('The app must be installed on the destination account with access to all repositories');
  });
});
