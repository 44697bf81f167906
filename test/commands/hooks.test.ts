import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const ofRepository = {
  id: 42,
  name: 'Check commit messages',
  enforcement: 'disabled',
  configuration_url: 'https://ghe.example.com/api/v3/repos/acme/site/pre-receive-hooks/42',
};
const ofOrganization = {
  ...ofRepository,
  enforcement: 'testing',
  configuration_url: 'https://ghe.example.com/api/v3/orgs/acme/pre-receive-hooks/42',
  allow_downstream_configuration: true,
};
const ofPlatform = {
  ...ofOrganization,
  enforcement: 'enabled',
  configuration_url: 'https://ghe.example.com/api/v3/admin/pre-receive-hooks/42',
};
const ofInstallation = {
  id: 42,
  name: 'Check commit messages',
  enforcement: 'enabled',
  script: 'scripts/commit_check.sh',
  script_repository: { id: 595, full_name: 'acme/scripts', url: 'https://x/595', html_url: 'https://x/acme/scripts' },
  environment: { id: 2, name: 'Default' },
  allow_downstream_configuration: false,
};

describe('hooks list', () => {
  it('lists the hooks of a repository with the source of each', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/pre-receive-hooks': { body: [ofRepository, ofOrganization, ofPlatform] },
    });
    const { stdout, code } = await run(['hooks', 'list', 'acme/site'], { env: platform.env });
    expect(stdout).toBe(
      '42\tCheck commit messages\tdisabled\t\tacme/site\n' +
        '42\tCheck commit messages\ttesting\ttrue\tacme\n' +
        '42\tCheck commit messages\tenabled\ttrue\tthe platform\n',
    );
    expect(code).toBe(0);
  });

  it('prints a table with a header on a terminal', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/pre-receive-hooks': { body: [ofOrganization] } });
    const { stdout } = await run(['hooks', 'list', 'acme'], { env: platform.env, tty: true, columns: 120 });
    const [header, row] = stdout.split('\n');
    expect(header).toMatch(/^ID +NAME +ENFORCEMENT +DOWNSTREAM MAY CHANGE +CONFIGURED AT$/);
    expect(row).toMatch(/^42 +Check commit messages +testing +yes +acme$/);
  });

  it('lists the hooks of the whole platform with --installation, with their scripts', async () => {
    const platform = await scriptedPlatform({ 'GET /admin/pre-receive-hooks': { body: [ofInstallation] } });
    const { stdout } = await run(['hooks', 'list', '--installation'], { env: platform.env });
    expect(stdout).toBe('42\tCheck commit messages\tenabled\tfalse\tscripts/commit_check.sh\tacme/scripts\tDefault\n');
    const { stdout: json } = await run(['hooks', 'list', '--installation', '--json'], { env: platform.env });
    expect(JSON.parse(json)).toEqual([ofInstallation]);
  });

  it('sends order and direction at each level', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/pre-receive-hooks': { body: [] },
      'GET /orgs/acme/pre-receive-hooks': { body: [] },
      'GET /admin/pre-receive-hooks': { body: [] },
    });
    const order = ['--sort', 'name', '--direction', 'asc'];
    await run(['hooks', 'list', 'acme/site', ...order], { env: platform.env });
    await run(['hooks', 'list', 'acme', '--sort', 'updated', '--per-page', '5'], { env: platform.env });
    await run(['hooks', 'list', '--installation', '--direction', 'desc'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/repos/acme/site/pre-receive-hooks?sort=name&direction=asc',
      '/api/v3/orgs/acme/pre-receive-hooks?sort=updated&per_page=5',
      '/api/v3/admin/pre-receive-hooks?direction=desc',
    ]);
  });

  it.each([
    [[], 'TARGET or --installation is required'],
    [['acme', '--installation'], 'TARGET cannot be used with --installation'],
    [['acme', '--sort', 'size'], 'sort must be one of created, updated, name'],
    [['acme', '--direction', 'up'], 'direction must be one of asc, desc'],
  ])('rejects %j', async (argv, message) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['hooks', 'list', ...argv], { env: platform.env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('rejects a token that is not classic before any request', async () => {
    const platform = await scriptedPlatform({});
    const token = ['github', 'pat', 'y'.repeat(40)].join('_');
    const { stderr, code } = await run(['hooks', 'list', 'acme/site'], {
      env: { ...platform.env, FORGECTL_TOKEN: token },
    });
    expect(stderr).toContain('works only with classic personal access tokens');
    expect(stderr).toContain('Nothing was sent');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('reports after a refusal that the token must be classic, if its type is unknown', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/pre-receive-hooks': { status: 403, body: { message: 'Resource not accessible' } },
    });
    const { stderr, code } = await run(['hooks', 'list', 'acme'], {
      env: { ...platform.env, FORGECTL_TOKEN: 'z'.repeat(40) },
    });
    expect(stderr).toContain('This works only with classic personal access tokens');
    expect(code).toBe(5);
  });
});

describe('hooks get', () => {
  it('requests the hook at the level of the target', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/pre-receive-hooks/42': { body: ofRepository },
      'GET /orgs/acme/pre-receive-hooks/42': { body: ofOrganization },
    });
    const repository = await run(['hooks', 'get', 'acme/site.git', '42', '--json'], { env: platform.env });
    expect(JSON.parse(repository.stdout)).toEqual(ofRepository);
    const organization = await run(['hooks', 'get', 'acme', '42'], { env: platform.env, tty: true });
    expect(organization.stdout).toMatch(/^Enforcement +testing$/m);
  });

  it('reports a 404, exit code 3', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['hooks', 'get', 'acme/site', '42'], { env: platform.env });
    expect(stderr).toContain('GET /repos/acme/site/pre-receive-hooks/42 returned 404');
    expect(stderr).toContain('self-managed');
    expect(code).toBe(3);
  });

  it('requires a whole number as the ID', async () => {
    const { stderr, code } = await run(['hooks', 'get', 'acme/site', 'first']);
    expect(stderr).toContain('ID must be a whole number, at least 1');
    expect(code).toBe(2);
  });
});

describe('hooks set', () => {
  it('sends the enforcement for a repository', async () => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/pre-receive-hooks/42': { body: { ...ofRepository, enforcement: 'enabled' } },
    });
    const { stdout, code } = await run(['hooks', 'set', 'acme/site', '42', '--enforcement', 'enabled'], {
      env: platform.env,
    });
    expect(platform.requests[0]?.body).toBe('{"enforcement":"enabled"}');
    expect(stdout).toBe(
      'id\t42\nname\tCheck commit messages\nenforcement\tenabled\nallow_downstream_configuration\t\nconfigured_at\tacme/site\n',
    );
    expect(code).toBe(0);
  });

  it('sends whether repositories of an organization may change it', async () => {
    const platform = await scriptedPlatform({ 'PATCH /orgs/acme/pre-receive-hooks/42': { body: ofOrganization } });
    const argv = ['hooks', 'set', 'acme', '42'];
    await run([...argv, '--enforcement', 'testing', '--no-allow-downstream-configuration'], { env: platform.env });
    await run([...argv, '--allow-downstream-configuration'], { env: platform.env });
    expect(platform.requests.map(({ body }) => JSON.parse(body))).toEqual([
      { enforcement: 'testing', allow_downstream_configuration: false },
      { allow_downstream_configuration: true },
    ]);
  });

  it.each([
    [['acme/site', '42'], 'enforcement is required'],
    [['acme', '42'], 'No changes given'],
    [['acme/site', '42', '--enforcement', 'on'], 'enforcement must be one of enabled, disabled, testing'],
    [
      ['acme/site', '42', '--enforcement', 'enabled', '--allow-downstream-configuration'],
      '--allow-downstream-configuration requires an organization',
    ],
  ])('rejects %j', async (argv, message) => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['hooks', 'set', ...argv], { env: platform.env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('gives advice if the platform refuses, exit code 5', async () => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/pre-receive-hooks/42': { status: 403, body: { message: 'Forbidden' } },
    });
    const { stderr, code } = await run(['hooks', 'set', 'acme/site', '42', '--enforcement', 'disabled'], {
      env: platform.env,
    });
    expect(stderr).toContain('enforced at a higher level');
    expect(code).toBe(5);
  });
});

describe('hooks unset', () => {
  it('does not prompt, and prints the hook with its inherited values', async () => {
    const platform = await scriptedPlatform({
      'DELETE /repos/acme/site/pre-receive-hooks/42': { body: ofOrganization },
      'DELETE /orgs/acme/pre-receive-hooks/42': { body: ofPlatform },
    });
    const repository = await run(['hooks', 'unset', 'acme/site', '42'], { env: platform.env });
    expect(repository).toEqual({
      stdout:
        'id\t42\nname\tCheck commit messages\nenforcement\ttesting\nallow_downstream_configuration\ttrue\nconfigured_at\tacme\n',
      stderr: '',
      code: 0,
    });
    const organization = await run(['hooks', 'unset', 'acme', '42', '--json'], { env: platform.env });
    expect(JSON.parse(organization.stdout)).toEqual(ofPlatform);
    expect(platform.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['DELETE', '/api/v3/repos/acme/site/pre-receive-hooks/42', ''],
      ['DELETE', '/api/v3/orgs/acme/pre-receive-hooks/42', ''],
    ]);
  });

  it('sends nothing with --dry-run', async () => {
    const platform = await scriptedPlatform({});
    const { stdout } = await run(['hooks', 'unset', 'acme', '42', '--dry-run', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'DELETE',
      url: `${platform.baseUrl}/orgs/acme/pre-receive-hooks/42`,
    });
    expect(platform.requests).toEqual([]);
  });
});
