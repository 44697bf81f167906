import { describe, expect, it } from 'vitest';
import { nockedEnv as env, platform, useNock } from '../support/nocked.ts';
import { run } from '../support/run.ts';

useNock();

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
    platform().get('/api/v3/repos/acme/site/pre-receive-hooks').reply(200, [ofRepository, ofOrganization, ofPlatform]);
    const { stdout, code } = await run(['hooks', 'list', 'acme/site'], { env });
    expect(stdout).toBe(
      '42\tCheck commit messages\tdisabled\t\tacme/site\n' +
        '42\tCheck commit messages\ttesting\ttrue\tacme\n' +
        '42\tCheck commit messages\tenabled\ttrue\tthe platform\n',
    );
    expect(code).toBe(0);
  });

  it('prints a table with a header on a terminal', async () => {
    platform().get('/api/v3/orgs/acme/pre-receive-hooks').reply(200, [ofOrganization]);
    const { stdout } = await run(['hooks', 'list', 'acme'], { env, tty: true, columns: 120 });
    const [header, row] = stdout.split('\n');
    expect(header).toMatch(/^ID +NAME +ENFORCEMENT +CAN BE OVERRIDDEN BELOW +CONFIGURED AT$/);
    expect(row).toMatch(/^42 +Check commit messages +testing +yes +acme$/);
  });

  it('lists the hooks of the whole platform with --installation, with their scripts', async () => {
    platform().get('/api/v3/admin/pre-receive-hooks').twice().reply(200, [ofInstallation]);
    const { stdout } = await run(['hooks', 'list', '--installation'], { env });
    expect(stdout).toBe('42\tCheck commit messages\tenabled\tfalse\tscripts/commit_check.sh\tacme/scripts\tDefault\n');
    const { stdout: json } = await run(['hooks', 'list', '--installation', '--json'], { env });
    expect(JSON.parse(json)).toEqual([ofInstallation]);
  });

  it('sends order and direction at each level', async () => {
    platform()
      .get('/api/v3/repos/acme/site/pre-receive-hooks?sort=name&direction=asc')
      .reply(200, [])
      .get('/api/v3/orgs/acme/pre-receive-hooks?sort=updated&per_page=5')
      .reply(200, [])
      .get('/api/v3/admin/pre-receive-hooks?direction=desc')
      .reply(200, []);
    await run(['hooks', 'list', 'acme/site', '--sort', 'name', '--direction', 'asc'], { env });
    await run(['hooks', 'list', 'acme', '--sort', 'updated', '--per-page', '5'], { env });
    const { code } = await run(['hooks', 'list', '--installation', '--direction', 'desc'], { env });
    expect(code).toBe(0);
  });

  it.each([
    [[], 'TARGET or --installation is required'],
    [['acme', '--installation'], 'TARGET cannot be used with --installation'],
    [['acme', '--sort', 'size'], 'sort must be one of created, updated, name'],
    [['acme', '--direction', 'up'], 'direction must be one of asc, desc'],
  ])('rejects %j', async (argv, message) => {
    const { stderr, code } = await run(['hooks', 'list', ...argv], { env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('rejects a token that is not classic before any request', async () => {
    const token = ['github', 'pat', 'y'.repeat(40)].join('_');
    const { stderr, code } = await run(['hooks', 'list', 'acme/site'], {
      env: { ...env, FORGECTL_TOKEN: token },
    });
    expect(stderr).toContain('works only with classic personal access tokens');
    expect(stderr).toContain('Nothing was sent');
    expect(code).toBe(2);
  });

  it('reports after a refusal that the token must be classic, if its type is unknown', async () => {
    const token = 'z'.repeat(40);
    platform(token).get('/api/v3/orgs/acme/pre-receive-hooks').reply(403, { message: 'Resource not accessible' });
    const { stderr, code } = await run(['hooks', 'list', 'acme'], { env: { ...env, FORGECTL_TOKEN: token } });
    expect(stderr).toContain('This works only with classic personal access tokens');
    expect(code).toBe(5);
  });
});

describe('hooks get', () => {
  it('requests the hook at the level of the target', async () => {
    platform()
      .get('/api/v3/repos/acme/site/pre-receive-hooks/42')
      .reply(200, ofRepository)
      .get('/api/v3/orgs/acme/pre-receive-hooks/42')
      .reply(200, ofOrganization);
    const repository = await run(['hooks', 'get', 'acme/site.git', '42', '--json'], { env });
    expect(JSON.parse(repository.stdout)).toEqual(ofRepository);
    const organization = await run(['hooks', 'get', 'acme', '42'], { env, tty: true });
    expect(organization.stdout).toMatch(/^Enforcement +testing$/m);
  });

  it('reports a 404, exit code 3', async () => {
    platform().get('/api/v3/repos/acme/site/pre-receive-hooks/42').reply(404, { message: 'Not Found' });
    const { stderr, code } = await run(['hooks', 'get', 'acme/site', '42'], { env });
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
    platform()
      .patch('/api/v3/repos/acme/site/pre-receive-hooks/42', { enforcement: 'enabled' })
      .reply(200, { ...ofRepository, enforcement: 'enabled' });
    const { stdout, code } = await run(['hooks', 'set', 'acme/site', '42', '--enforcement', 'enabled'], {
      env,
    });
    expect(stdout).toBe(
      'id\t42\nname\tCheck commit messages\nenforcement\tenabled\nallow_downstream_configuration\t\nconfigured_at\tacme/site\n',
    );
    expect(code).toBe(0);
  });

  it('sends whether repositories of an organization may change it', async () => {
    platform()
      .patch('/api/v3/orgs/acme/pre-receive-hooks/42', {
        enforcement: 'testing',
        allow_downstream_configuration: false,
      })
      .reply(200, ofOrganization)
      .patch('/api/v3/orgs/acme/pre-receive-hooks/42', { allow_downstream_configuration: true })
      .reply(200, ofOrganization);
    const argv = ['hooks', 'set', 'acme', '42'];
    await run([...argv, '--enforcement', 'testing', '--no-allow-downstream-configuration'], { env });
    const { code } = await run([...argv, '--allow-downstream-configuration'], { env });
    expect(code).toBe(0);
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
    const { stderr, code } = await run(['hooks', 'set', ...argv], { env });
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('gives advice if the platform refuses, exit code 5', async () => {
    platform().patch('/api/v3/repos/acme/site/pre-receive-hooks/42').reply(403, { message: 'Forbidden' });
    const { stderr, code } = await run(['hooks', 'set', 'acme/site', '42', '--enforcement', 'disabled'], {
      env,
    });
    expect(stderr).toContain('enforced at a higher level');
    expect(code).toBe(5);
  });
});

describe('hooks unset', () => {
  it('does not prompt, and prints the hook with its inherited values', async () => {
    const isEmpty = (body: unknown) => body === '';
    platform()
      .delete('/api/v3/repos/acme/site/pre-receive-hooks/42', isEmpty)
      .reply(200, ofOrganization)
      .delete('/api/v3/orgs/acme/pre-receive-hooks/42', isEmpty)
      .reply(200, ofPlatform);
    const repository = await run(['hooks', 'unset', 'acme/site', '42'], { env });
    expect(repository).toEqual({
      stdout:
        'id\t42\nname\tCheck commit messages\nenforcement\ttesting\nallow_downstream_configuration\ttrue\nconfigured_at\tacme\n',
      stderr: '',
      code: 0,
    });
    const organization = await run(['hooks', 'unset', 'acme', '42', '--json'], { env });
    expect(JSON.parse(organization.stdout)).toEqual(ofPlatform);
  });

  it('sends nothing with --dry-run', async () => {
    const { stdout } = await run(['hooks', 'unset', 'acme', '42', '--dry-run', '--json'], { env });
    expect(JSON.parse(stdout)).toMatchObject({
      method: 'DELETE',
      url: 'https://ghe.example.com/api/v3/orgs/acme/pre-receive-hooks/42',
    });
  });
});
