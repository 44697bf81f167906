import { describe, expect, it } from 'vitest';
import { classicToken, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const acme = { login: 'acme', id: 101, description: 'Rockets 日本' };
const globex = { login: 'globex', id: 102, description: null };

describe('orgs list', () => {
  it('requests GET /organizations with the headers of every request', async () => {
    const platform = await scriptedPlatform({ 'GET /organizations': { body: [acme, globex] } });
    const { stdout, code } = await run(['orgs', 'list'], { env: platform.env });
    expect(stdout).toBe('acme\t101\tRockets 日本\nglobex\t102\t\n');
    expect(code).toBe(0);
    const [request] = platform.requests;
    expect(request?.url).toBe('/api/v3/organizations');
    expect(request?.headers).toMatchObject({
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${classicToken}`,
    });
    expect(request?.headers['user-agent']).toMatch(/^forgectl\/\d/);
  });

  it('prints a table with a header on a terminal', async () => {
    const platform = await scriptedPlatform({ 'GET /organizations': { body: [acme, globex] } });
    const { stdout } = await run(['orgs', 'list'], { env: platform.env, tty: true });
    const lines = stdout.split('\n');
    expect(lines[0]?.trimEnd()).toMatch(/^LOGIN +ID +DESCRIPTION$/);
    expect(lines[1]).toMatch(/^acme +101 +Rockets 日本/);
  });

  it('prints the platform’s response as JSON', async () => {
    const platform = await scriptedPlatform({ 'GET /organizations': { body: [acme] } });
    const { stdout } = await run(['orgs', 'list', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual([{ login: 'acme', id: 101, description: 'Rockets 日本' }]);
  });

  it('follows the Link header with --all, in pages of 100', async () => {
    const platform = await scriptedPlatform({
      'GET /organizations': ({ url }) =>
        url.includes('since=101')
          ? { body: [globex] }
          : {
              body: [acme],
              headers: { link: `<${platform.baseUrl}/organizations?per_page=100&since=101>; rel="next"` },
            },
    });
    const { stdout } = await run(['orgs', 'list', '--all', '--fields', 'login'], { env: platform.env });
    expect(stdout).toBe('acme\nglobex\n');
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/organizations?per_page=100',
      '/api/v3/organizations?per_page=100&since=101',
    ]);
  });

  it('reports on stderr that more items exist', async () => {
    const platform = await scriptedPlatform({ 'GET /organizations': { body: [acme, globex] } });
    const { stdout, stderr } = await run(['orgs', 'list', '--limit', '1', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toBe('Showing the first 1 organizations; --all shows the rest.\n');
  });

  it('sends --since and requests the endpoints of --mine and --user', async () => {
    const platform = await scriptedPlatform({
      'GET /organizations': { body: [] },
      'GET /user/orgs': { body: [] },
      'GET /users/octo/orgs': { body: [] },
    });
    await run(['orgs', 'list', '--since', '42'], { env: platform.env });
    await run(['orgs', 'list', '--mine'], { env: platform.env });
    await run(['orgs', 'list', '--user', 'octo'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/organizations?since=42',
      '/api/v3/user/orgs',
      '/api/v3/users/octo/orgs',
    ]);
  });

  it('lists every flag that conflicts with another, and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['orgs', 'list', '--mine', '--user', 'octo', '--limit', 'x'], {
      env: platform.env,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('--mine and --user');
    expect(stderr).toContain('--limit');
    expect(platform.requests).toEqual([]);
  });

  it('explains the empty list that a fine-grained token gets for --mine', async () => {
    const platform = await scriptedPlatform({ 'GET /user/orgs': { body: [] } });
    const token = ['github', 'pat', 'y'.repeat(40)].join('_');
    const { stdout, stderr, code } = await run(['orgs', 'list', '--mine', '--json'], {
      env: { ...platform.env, FORGECTL_TOKEN: token },
    });
    expect(JSON.parse(stdout)).toEqual([]);
    expect(stderr).toContain('empty list');
    expect(stderr).toContain('classic');
    expect(code).toBe(0);
  });

  it('sends no Authorization header without a token', async () => {
    const platform = await scriptedPlatform({ 'GET /organizations': { body: [acme] } });
    const { code } = await run(['orgs', 'list'], { env: { FORGECTL_BASE_URL: platform.baseUrl } });
    expect(code).toBe(0);
    expect(platform.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('orgs get', () => {
  it('encodes the login as one path segment and prints the record', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { body: acme } });
    const { stdout, code } = await run(['orgs', 'get', 'acme', '--jq', '.id'], { env: platform.env });
    expect(stdout).toBe('101\n');
    expect(code).toBe(0);
  });

  it('reports the request of a 404, exit code 3', async () => {
    const platform = await scriptedPlatform({});
    const { stdout, stderr, code } = await run(['orgs', 'get', 'nowhere'], { env: platform.env });
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('GET /orgs/nowhere');
    expect(stderr).toContain('404');
    expect(stderr).not.toContain(classicToken);
  });

  it('prints the error as one JSON line with --json', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/nowhere': {
        status: 404,
        body: { message: 'Not Found' },
        headers: { 'x-github-request-id': 'ABCD:1234' },
      },
    });
    const { stderr, code } = await run(['orgs', 'get', 'nowhere', '--json'], { env: platform.env });
    expect(code).toBe(3);
    const lines = stderr.trimEnd().split('\n');
    const { error } = JSON.parse(lines.at(-1) ?? '');
    expect(error).toMatchObject({ code: 'not_found', status: 404, requestId: 'ABCD:1234' });
    expect(error.message).toContain('Not Found');
  });

  it.each([
    [401, 4],
    [403, 5],
    [404, 3],
    [409, 6],
    [422, 6],
  ])('a %i ends with exit code %i, with and without --json', async (status, exit) => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme': { status, body: { message: 'No' } } });
    expect((await run(['orgs', 'get', 'acme'], { env: platform.env })).code).toBe(exit);
    expect((await run(['orgs', 'get', 'acme', '--json'], { env: platform.env })).code).toBe(exit);
  });

  it('rejects a login that would leave its path segment, exit code 2', async () => {
    const platform = await scriptedPlatform({});
    for (const login of ['..', '.', '', 'a/b'])
      expect(await run(['orgs', 'get', login], { env: platform.env })).toMatchObject({ code: 2 });
    expect(platform.requests).toEqual([]);
  });

  it('gives login advice if no platform is configured', async () => {
    const { stderr, code } = await run(['orgs', 'get', 'acme']);
    expect(code).toBe(2);
    expect(stderr).toContain('forgectl auth login --base-url');
    expect(stderr).toContain('FORGECTL_BASE_URL');
  });
});

describe('orgs update', () => {
  it('sends PATCH with exactly the given fields', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: { login: 'acme' } } });
    const { code } = await run(
      [
        'orgs',
        'update',
        'acme',
        '--default-repository-permission',
        'read',
        '--no-members-can-create-pages',
        '--members-can-fork-private-repositories',
        '--company',
        '',
        '--yes',
      ],
      { env: platform.env },
    );
    expect(code).toBe(0);
    expect(platform.requests).toHaveLength(1);
    expect(platform.requests[0]?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      default_repository_permission: 'read',
      members_can_create_pages: false,
      members_can_fork_private_repositories: true,
      company: '',
    });
  });

  it('takes the body from --input as JSON or YAML, flags override it', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: { login: 'acme' } } });
    const yaml = 'company: Acme\nblog: https://acme.example.com\n';
    await run(['orgs', 'update', 'acme', '--input', '-', '--company', 'ACME Inc'], { env: platform.env, stdin: yaml });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      company: 'ACME Inc',
      blog: 'https://acme.example.com',
    });
  });

  it('reports every invalid field at once and sends nothing; description is at most 160 characters', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(
      [
        'orgs',
        'update',
        'acme',
        '--description',
        'x'.repeat(161),
        '--default-repository-permission',
        'owner',
        '--members-allowed-repository-creation-type',
        'some',
        '--json',
      ],
      { env: platform.env },
    );
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '');
    expect(error.code).toBe('validation');
    expect(error.fields.map(({ field }: { field: string }) => field).sort()).toEqual([
      '--default-repository-permission',
      '--description',
      '--members-allowed-repository-creation-type',
    ]);
    expect(error.message).toContain('160');
    expect(platform.requests).toEqual([]);
  });

  it('reports the flag if it was typed, otherwise the field of the body', async () => {
    const platform = await scriptedPlatform({});
    const update = (words: string[], stdin?: string) =>
      run(['orgs', 'update', 'acme', ...words], { env: platform.env, stdin });
    expect((await update(['--default-repository-permission', 'all'])).stderr).toBe(
      'forgectl: --default-repository-permission must be one of read, write, admin, none. Nothing was sent.\nTo send values that only a newer platform knows, use --allow-unknown.\n',
    );
    expect((await update(['--input', '-'], '{"default_repository_permission":"all"}')).stderr).toBe(
      'forgectl: default_repository_permission must be one of read, write, admin, none. Nothing was sent.\nTo send values that only a newer platform knows, use --allow-unknown.\n',
    );
    expect(platform.requests).toEqual([]);
  });

  it('counts user-visible characters of a description', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: {} } });
    const update = (description: string) =>
      run(['orgs', 'update', 'acme', '--description', description], { env: platform.env });
    expect((await update('🚀'.repeat(160))).code).toBe(0);
    expect((await update('🚀'.repeat(161))).code).toBe(2);
  });

  it('sends unknown fields with a warning, and unknown words with --allow-unknown', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: {} } });
    const { stderr } = await run(['orgs', 'update', 'acme', '--input', '-', '--allow-unknown', '--yes'], {
      env: platform.env,
      stdin: '{"brand_new": 1, "default_repository_permission": "triage"}',
    });
    expect(stderr).toContain('brand_new');
    expect(stderr).toContain('default_repository_permission');
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      brand_new: 1,
      default_repository_permission: 'triage',
    });
  });

  it('reports which of two settings overrides the other', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: {} } });
    const words = ['--members-can-create-repositories', '--members-allowed-repository-creation-type', 'none'];
    const { stderr } = await run(['orgs', 'update', 'acme', ...words], { env: platform.env });
    expect(stderr).toContain('members_allowed_repository_creation_type overrides members_can_create_repositories.\n');
  });

  it('prints one notice for a field that is closing down', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme': { body: {} } });
    const { stderr } = await run(['orgs', 'update', 'acme', '--advanced-security-enabled-for-new-repositories'], {
      env: platform.env,
    });
    expect(stderr.match(/deprecated/g)).toHaveLength(1);
    expect(stderr).toContain('code security configurations');
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      advanced_security_enabled_for_new_repositories: true,
    });
  });

  it('prints the request with --dry-run, without the token, and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const { stdout, stderr, code } = await run(
      ['orgs', 'update', 'acme', '--location', 'Berlin', '--dry-run', '--json'],
      { env: platform.env },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'PATCH',
      url: `${platform.baseUrl}/orgs/acme`,
      headers: { 'user-agent': expect.stringMatching(/^forgectl\/\d+\.\d+\.\d+$/) },
      body: { location: 'Berlin' },
    });
    expect(stdout + stderr).not.toContain(classicToken);
    expect(platform.requests).toEqual([]);
  });

  it('rejects an update without a change', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['orgs', 'update', 'acme'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('No changes given');
    expect(platform.requests).toEqual([]);
  });

  it('reports the missing scope after a 403', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': {
        status: 403,
        body: { message: 'Must have admin rights' },
        headers: { 'x-oauth-scopes': 'read:org, gist', 'x-accepted-oauth-scopes': 'admin:org, repo' },
      },
    });
    const { stderr, code } = await run(['orgs', 'update', 'acme', '--location', 'Bonn'], { env: platform.env });
    expect(code).toBe(5);
    expect(stderr).toContain('admin:org or repo');
    expect(stderr).toContain('read:org, gist');
    expect(stderr).toContain('organization owner');
  });

  it('lists the fields that the platform rejected', async () => {
    const platform = await scriptedPlatform({
      'PATCH /orgs/acme': {
        status: 422,
        body: {
          message: 'Validation Failed',
          errors: [{ resource: 'Organization', field: 'billing_email', code: 'invalid', message: 'is not an address' }],
        },
      },
    });
    const { stderr, code } = await run(['orgs', 'update', 'acme', '--billing-email', 'x'], { env: platform.env });
    expect(code).toBe(6);
    expect(stderr).toContain('billing_email: is not an address');
  });
});

describe('orgs security', () => {
  it('rejects a query suite for features without one, and sends nothing', async () => {
    const platform = await scriptedPlatform({});
    const words = ['orgs', 'security', 'enable', 'acme', 'secret_scanning', '--query-suite', 'extended', '--yes'];
    expect(await run(words, { env: platform.env })).toEqual({
      code: 2,
      stdout: '',
      stderr: 'forgectl: --query-suite requires code_scanning_default_setup, not secret_scanning. Nothing was sent.\n',
    });
    expect(platform.requests).toEqual([]);
  });

  it.each([
    ['enable', 'enable_all'],
    ['disable', 'disable_all'],
  ])('%s sends POST …/%s, with one closing-down notice', async (verb, enablement) => {
    const platform = await scriptedPlatform({ [`POST /orgs/acme/secret_scanning/${enablement}`]: { status: 204 } });
    const { stdout, stderr, code } = await run(
      ['orgs', 'security', verb, 'acme', 'secret_scanning', '--yes', '--json'],
      {
        env: platform.env,
      },
    );
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({});
    expect(platform.requests[0]?.body).toBe('{}');
    expect(stderr.match(/deprecated/g)).toHaveLength(1);
  });

  it('prints one closing-down notice, even if the platform sends one too', async () => {
    const platform = await scriptedPlatform({
      'POST /orgs/acme/secret_scanning/enable_all': {
        status: 204,
        headers: { deprecation: '@1735689600', sunset: 'Wed, 30 Dec 2026 00:00:00 GMT' },
      },
    });
    const { stderr } = await run(['orgs', 'security', 'enable', 'acme', 'secret_scanning', '--yes'], {
      env: platform.env,
    });
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toContain('deprecated');
  });

  it('sends --query-suite', async () => {
    const platform = await scriptedPlatform({
      'POST /orgs/acme/code_scanning_default_setup/enable_all': { status: 204 },
    });
    await run(
      ['orgs', 'security', 'enable', 'acme', 'code_scanning_default_setup', '--query-suite', 'extended', '--yes'],
      {
        env: platform.env,
      },
    );
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ query_suite: 'extended' });
  });

  it('explains a 422', async () => {
    const platform = await scriptedPlatform({
      'POST /orgs/acme/secret_scanning/enable_all': { status: 422, body: { message: 'Already in progress' } },
    });
    const { stderr, code } = await run(['orgs', 'security', 'enable', 'acme', 'secret_scanning', '--yes'], {
      env: platform.env,
    });
    expect(code).toBe(6);
    expect(stderr).toContain('may still be in progress');
  });

  it('rejects an unknown product, exit code 2', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['orgs', 'security', 'enable', 'acme', 'everything'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('secret_scanning_push_protection');
    expect(platform.requests).toEqual([]);
  });

  it.each([
    ['enable', 'enables'],
    ['disable', 'disables'],
  ])('%s without --yes in a script sends nothing, exit code 2', async (verb, effect) => {
    const platform = await scriptedPlatform({});
    expect(await run(['orgs', 'security', verb, 'acme', 'secret_scanning'], { env: platform.env })).toEqual({
      stdout: '',
      stderr: `forgectl: Nothing was sent. This ${effect} secret_scanning in all repositories of acme; confirm with --yes.\n`,
      code: 2,
    });
    expect(platform.requests).toEqual([]);
  });

  it.each([
    [{ public_repos: 3, total_private_repos: 1199 }, 'in all 1,202 repositories of acme.'],
    [{ public_repos: 0, total_private_repos: 1 }, 'in the only repository of acme.'],
    [{ public_repos: 3 }, 'in all repositories of acme: 3 public and all private ones.'],
  ])('requires the login to be typed, and shows how many repositories change: %j', async (counts, affected) => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { id: 7, login: 'acme', ...counts } },
      'POST /orgs/acme/secret_scanning/disable_all': { status: 204 },
    });
    const { stderr, code } = await run(['orgs', 'security', 'disable', 'acme', 'secret_scanning'], {
      env: platform.env,
      columns: 200,
      person: [['This disables secret_scanning', 'ACME\r']],
    });
    expect(code).toBe(0);
    expect(stderr.replaceAll('\n', '')).toContain(`This disables secret_scanning ${affected} Type “acme” to confirm:`);
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'POST']);
  });

  it('changes nothing if another login is typed', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme': { body: { id: 7, login: 'acme', public_repos: 2, total_private_repos: 0 } },
    });
    const { code } = await run(['orgs', 'security', 'enable', 'acme', 'secret_scanning'], {
      env: platform.env,
      person: [['This enables secret_scanning', '\r']],
    });
    expect(code).toBe(2);
    expect(platform.requests.map(({ method }) => method)).toEqual(['GET']);
  });
});

describe('orgs immutable-releases remove', () => {
  it('looks up the repository by name and deletes by ID', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site': { body: { id: 77, full_name: 'acme/site' } },
      'DELETE /orgs/acme/settings/immutable-releases/repositories/77': { status: 204 },
    });
    const words = ['orgs', 'immutable-releases', 'remove', 'acme', 'acme/site.git', '--yes'];
    expect((await run(words, { env: platform.env })).code).toBe(0);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v3/repos/acme/site',
      'DELETE /api/v3/orgs/acme/settings/immutable-releases/repositories/77',
    ]);
  });

  it('requires --yes when prompts are disabled, and sends nothing without it', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['orgs', 'immutable-releases', 'remove', 'acme', '77'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('--yes');
    expect(platform.requests).toEqual([]);
  });
});
