import { describe, expect, it } from 'vitest';
import { appEnv } from '../../support/app.ts';
import { type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';

/** Tokens of each form, put together here so that no complete token stands in the repository. */
const tokens = {
  classic: ['ghp', 'a'.repeat(36)].join('_'),
  oauth: ['gho', 'b'.repeat(36)].join('_'),
  fineGrained: ['github', 'pat', 'c'.repeat(22), 'd'.repeat(59)].join('_'),
  appUser: ['ghu', 'e'.repeat(36)].join('_'),
  installation: ['ghs', 'f'.repeat(36)].join('_'),
  unheardOf: 'z'.repeat(30),
};

const user = (scopes?: string): ScriptedAnswer => ({
  body: { login: 'ada', id: 1 },
  headers: scopes === undefined ? {} : { 'x-oauth-scopes': scopes },
});
const selfManaged: ScriptedAnswer = { body: { installed_version: '3.19.2' } };
const hosted: ScriptedAnswer = { body: {} };

async function check(script: Parameters<typeof scriptedPlatform>[0], token: string, ...words: readonly string[]) {
  const platform = await scriptedPlatform(script);
  const { stdout, stderr, code } = await run(['auth', 'check', ...words], {
    env: { ...platform.env, FORGECTL_TOKEN: token },
  });
  expect(stdout + stderr).not.toContain(token);
  const asked = platform.requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`);
  return { lines: stdout.split('\n').slice(0, -1), stderr, code, asked };
}

describe('auth check of a token with scopes', () => {
  const script = { 'GET /user': user('repo, read:org'), 'GET /meta': selfManaged };

  it('compares its scopes with those of each command', async () => {
    const { lines, code, asked } = await check(script, tokens.oauth);
    expect(asked).toEqual(['GET /user', 'GET /meta']);
    expect(code).toBe(0);
    expect(lines).toContain('registries list\tno\tmissing scope admin:org');
    expect(lines).toContain('registries create\tno\tmissing scope admin:org');
    expect(lines).toContain('orgs update\tunknown\trole unknown: organization owner');
    expect(lines).toContain('repos dispatch\tunknown\trole unknown: repository writer');
    expect(lines).toContain('dismissals create\tunknown\trequired role not documented');
    expect(lines).toContain('repos languages\tyes\t');
    expect(lines).toContain('repos update\tunknown\tno scope documented; role unknown: repository administrator');
    expect(lines).toContain('installations revoke-token\tno\trequires app installation access tokens');
    expect(lines.filter((line) => line.startsWith('auth '))).toEqual([]);
    expect(lines.filter((line) => line.startsWith('version'))).toEqual([]);
  });

  it('accepts a wider scope in place of those it includes', async () => {
    const { lines, code } = await check(
      { 'GET /user': user('admin:org'), 'GET /meta': selfManaged },
      tokens.classic,
      'orgs list',
      'registries get',
      'dismissals create',
    );
    expect(lines).toEqual([
      'orgs list\tyes\t',
      'registries get\tunknown\trequired role not documented',
      'dismissals create\tno\tmissing scope security_events',
    ]);
    expect(code).toBe(5);
  });

  it('distinguishes a token without scopes from one with unknown scopes', async () => {
    const { lines } = await check({ 'GET /user': user(''), 'GET /meta': selfManaged }, tokens.classic, 'orgs list');
    expect(lines).toEqual(['orgs list\tunknown\tGET /user/orgs: missing scope user or read:org']);
  });

  it('does not guess if the platform does not report the scopes', async () => {
    const { lines, code } = await check(
      { 'GET /user': user(), 'GET /meta': selfManaged },
      tokens.classic,
      'registries get',
    );
    expect(lines).toEqual(['registries get\tunknown\tdepends on scope admin:org; required role not documented']);
    expect(code).toBe(0);
  });

  // Specification, Repository pre-receive hooks: only with a classic personal access token.
  it('lists the token types that a command works with', async () => {
    const { lines, code } = await check(script, tokens.oauth, 'hooks', 'unset');
    expect(lines).toEqual(['hooks unset\tno\trequires classic personal access tokens']);
    expect(code).toBe(5);
  });
});

describe('auth check of a fine-grained token', () => {
  const script = { 'GET /user': user(), 'GET /meta': hosted };

  it('shows the required permission, since the platform does not report those of the token', async () => {
    const { lines, asked } = await check(script, tokens.fineGrained);
    expect(asked).toEqual(['GET /user', 'GET /meta']);
    expect(lines).toContain(
      'registries get\tunknown\tdepends on permission organization_private_registries (read); required role not documented',
    );
    expect(lines).toContain(
      'orgs update\tunknown\tdepends on permission organization_administration (write); role unknown: organization owner',
    );
    expect(lines).toContain('repos languages\tunknown\tdepends on permission metadata (read) for private resources');
    expect(lines).toContain('orgs get\tyes\t');
    expect(lines).toContain('migrations list\tno\trequires classic personal access tokens and OAuth app tokens');
    expect(lines).toContain(
      'repos replicas\tunknown\tdepends on permission administration (read); required role not documented; documented only for self-managed',
    );
  });

  it('does not fail on unknown results', async () => {
    expect((await check(script, tokens.fineGrained, 'registries create')).code).toBe(0);
  });

  it('treats a token of unknown type without scopes as not classic', async () => {
    const { lines } = await check(script, tokens.unheardOf, 'migrations list', 'registries get', 'installations list');
    expect(lines).toEqual([
      'migrations list\tno\trequires classic personal access tokens and OAuth app tokens',
      'registries get\tunknown\tdepends on permission organization_private_registries (read); required role not documented',
      'installations list\tunknown\tGET /orgs/{org}/installations: depends on permission organization_administration (read); role unknown: organization owner',
    ]);
  });
});

describe('auth check of an app’s tokens', () => {
  const installations = (...each: readonly object[]): ScriptedAnswer => ({
    body: { total_count: each.length, installations: each },
  });
  const acme = {
    account: { login: 'acme' },
    permissions: { metadata: 'read', contents: 'write', organization_private_registries: 'write' },
    suspended_at: null,
  };
  const globex = { account: { login: 'globex' }, permissions: { metadata: 'read' }, suspended_at: null };

  it('reads an app user token’s permissions from the installations it can access', async () => {
    const script = { 'GET /user': user(), 'GET /meta': selfManaged, 'GET /user/installations': installations(acme) };
    const { lines, asked } = await check(
      script,
      tokens.appUser,
      'registries get',
      'repos dispatch',
      'repos security-fixes',
      'repos languages',
    );
    expect(asked).toEqual(['GET /user', 'GET /meta', 'GET /user/installations?per_page=100']);
    expect(lines).toEqual([
      'registries get\tunknown\trequired role not documented',
      'repos dispatch\tunknown\trole unknown: repository writer',
      'repos security-fixes\tno\tPUT /repos/{owner}/{repo}/automated-security-fixes: missing permission administration (write); and 1 more',
      'repos languages\tyes\t',
    ]);
  });

  it('lists the accounts where only some installations have the permission', async () => {
    const script = {
      'GET /user': user(),
      'GET /meta': selfManaged,
      'GET /user/installations': installations(acme, globex, { ...acme, suspended_at: '2026-01-01T00:00:00Z' }),
    };
    const { lines, code } = await check(script, tokens.appUser, 'registries get');
    expect(lines).toEqual([
      'registries get\tunknown\tonly for acme; otherwise missing permission organization_private_registries (read); required role not documented',
    ]);
    expect(code).toBe(0);
  });

  it('limits an app without installations to public resources', async () => {
    const script = { 'GET /user': user(), 'GET /meta': selfManaged, 'GET /user/installations': installations() };
    const { lines } = await check(script, tokens.appUser, 'repos languages', 'repos dispatch');
    expect(lines).toEqual([
      'repos languages\tunknown\tthe app is not installed',
      'repos dispatch\tno\tthe app is not installed',
    ]);
  });

  it('reports unknown if installations cannot be listed', async () => {
    const script = {
      'GET /user': user(),
      'GET /meta': selfManaged,
      'GET /user/installations': { status: 403, body: { message: 'Resource not accessible by integration' } },
    };
    const { lines } = await check(script, tokens.appUser, 'repos dispatch');
    expect(lines).toEqual([
      'repos dispatch\tunknown\tdepends on permission contents (write); role unknown: repository writer',
    ]);
  });

  it('verifies that an installation token works, without checking roles', async () => {
    const script = {
      'GET /user': { status: 403, body: { message: 'Resource not accessible by integration' } },
      'GET /installation/repositories': { body: { total_count: 0, repositories: [] } },
      'GET /meta': selfManaged,
    };
    const { lines } = await check(script, tokens.installation, 'installations repos', 'orgs update');
    expect(lines).toEqual([
      'installations repos\tyes\t',
      'orgs update\tunknown\tdepends on permission organization_administration (write)',
    ]);
  });
});

describe('auth check as an app', () => {
  const app: ScriptedAnswer = { body: { id: 41, slug: 'deploy-bot' } };
  const acme = { id: 7, account: { login: 'acme' }, permissions: { contents: 'write' }, suspended_at: null };
  const globex = { id: 8, account: { login: 'globex' }, permissions: { metadata: 'read' }, suspended_at: null };
  const token: ScriptedAnswer = {
    status: 201,
    body: { token: tokens.installation, expires_at: '2026-03-01T13:00:00Z', permissions: { contents: 'write' } },
  };

  async function checkAsApp(script: Parameters<typeof scriptedPlatform>[0], ...words: readonly string[]) {
    const platform = await scriptedPlatform(script);
    const { FORGECTL_TOKEN: _token, ...env } = platform.env;
    const { stdout, code } = await run(['auth', 'check', ...words], { env: { ...env, ...appEnv } });
    return { lines: stdout.split('\n').slice(0, -1), code };
  }

  it('reads the permissions of its installation’s token', async () => {
    const script = {
      'GET /app': app,
      'GET /app/installations': { body: [acme] },
      'POST /app/installations/7/access_tokens': token,
    };
    expect(await checkAsApp(script, 'apps get', 'repos dispatch', 'orgs update')).toEqual({
      lines: [
        'apps get\tyes\t',
        'repos dispatch\tyes\t',
        'orgs update\tno\tmissing permission organization_administration (write)',
      ],
      code: 5,
    });
  });

  it('lists the accounts whose installations have the permission', async () => {
    const suspended = { ...globex, suspended_at: '2026-01-01T00:00:00Z' };
    const script = { 'GET /app': app, 'GET /app/installations': { body: [acme, globex, suspended] } };
    expect(await checkAsApp(script, 'repos dispatch')).toEqual({
      lines: ['repos dispatch\tunknown\tonly for acme; otherwise missing permission contents (write)'],
      code: 0,
    });
  });
});

describe('auth check at a target', () => {
  const membership = (role: string, state = 'active'): ScriptedAnswer => ({ body: { role, state } });
  const site = (isPrivate: boolean, permissions: object): ScriptedAnswer => ({
    body: { full_name: 'acme/site', private: isPrivate, owner: { login: 'acme', type: 'Organization' }, permissions },
  });
  const writer = { pull: true, push: true, admin: false };
  const notFound: ScriptedAnswer = { status: 404, body: { message: 'Not Found' } };
  const classic = { 'GET /user': user('repo, admin:org'), 'GET /meta': selfManaged };
  const commands = ['registries get', 'orgs update', 'members list', 'teams list', 'repos update', 'rulesets list'];

  it('is yes where the role in the organization is known and sufficient', async () => {
    const script = { ...classic, 'GET /user/memberships/orgs/acme': membership('admin') };
    const { lines, code, asked } = await check(script, tokens.classic, ...commands, '--org', 'acme');
    expect(asked).toEqual(['GET /user', 'GET /meta', 'GET /user/memberships/orgs/acme']);
    expect(lines).toEqual([
      'registries get\tyes\t',
      'orgs update\tyes\t',
      'members list\tyes\t',
      'teams list\tyes\t',
      'repos update\tunknown\tno scope documented',
      'rulesets list\tunknown\tno scope documented',
    ]);
    expect(code).toBe(0);
  });

  it('is no for members where owners are required, exit code 5', async () => {
    const script = { ...classic, 'GET /user/memberships/orgs/acme': membership('member') };
    const { lines, code } = await check(script, tokens.classic, ...commands, '--org', 'acme');
    expect(lines).toEqual([
      'registries get\tunknown\trequired role not documented',
      'orgs update\tno\trequires role organization owner',
      'members list\tyes\t',
      'teams list\tyes\t',
      'repos update\tunknown\tno scope documented; role unknown: repository administrator',
      'rulesets list\tunknown\tno scope documented; required role not documented',
    ]);
    expect(code).toBe(5);
  });

  it('treats pending members and, for a token that sees memberships, people without one as non-members', async () => {
    const pending = { ...classic, 'GET /user/memberships/orgs/acme': membership('admin', 'pending') };
    const none = { ...classic, 'GET /user/memberships/orgs/acme': notFound, 'GET /orgs/acme': { body: {} } };
    for (const script of [pending, none])
      expect((await check(script, tokens.classic, 'teams list', '--org', 'acme')).lines).toEqual([
        'teams list\tno\trequires role organization member',
      ]);
  });

  it('does not guess a membership that the token may not see', async () => {
    const scopes = { 'GET /user': user('repo'), 'GET /meta': selfManaged, 'GET /orgs/acme': { body: {} } };
    for (const refusal of [notFound, { status: 403, body: { message: 'Forbidden' } }]) {
      const script = { ...scopes, 'GET /user/memberships/orgs/acme': refusal };
      const { lines, code } = await check(script, tokens.classic, 'orgs update', '--org', 'acme');
      expect({ lines, code }).toEqual({ lines: ['orgs update\tunknown\trole unknown: organization owner'], code: 0 });
    }
  });

  it('exits with 3 for an organization or a repository that the token cannot see', async () => {
    const script = {
      ...classic,
      'GET /user/memberships/orgs/acme': notFound,
      'GET /orgs/acme': notFound,
      'GET /repos/acme/site': notFound,
    };
    expect((await check(script, tokens.classic, 'orgs update', '--org', 'acme')).code).toBe(3);
    expect((await check(script, tokens.classic, 'orgs update', '--on', 'acme/site')).code).toBe(3);
  });

  it('reads the permissions in a repository, and checks only the requests for it', async () => {
    const script = {
      ...classic,
      'GET /repos/acme/site': site(true, writer),
      'GET /user/memberships/orgs/acme': membership('member'),
    };
    const words = ['repos dispatch', 'repos security-fixes', 'repos languages', 'orgs update', 'rulesets list'];
    const { lines, asked } = await check(script, tokens.classic, ...words, '--on', 'acme/site');
    expect(asked).toEqual(['GET /user', 'GET /meta', 'GET /repos/acme/site', 'GET /user/memberships/orgs/acme']);
    expect(lines).toEqual([
      'repos dispatch\tyes\t',
      'repos security-fixes\tno\tPUT /repos/{owner}/{repo}/automated-security-fixes: requires role repository administrator; and 1 more',
      'repos languages\tyes\t',
      'orgs update\tno\trequires role organization owner',
      'rulesets list\tyes\t',
    ]);
  });

  it('requires the scope repo for a private repository where public_repo suffices for others', async () => {
    const script = (isPrivate: boolean) => ({
      'GET /user': user('public_repo'),
      'GET /meta': selfManaged,
      'GET /repos/acme/site': site(isPrivate, { ...writer, admin: true }),
      'GET /user/memberships/orgs/acme': { status: 403, body: { message: 'Forbidden' } },
    });
    const teams = async (isPrivate: boolean) => {
      const platform = await scriptedPlatform(script(isPrivate));
      const words = [
        'repos access',
        '--on',
        'acme/site',
        '--jq',
        '.[0].requests[] | select(.endpoint | endswith("}/teams")) | .answer',
      ];
      return (await run(['auth', 'check', ...words], { env: { ...platform.env, FORGECTL_TOKEN: tokens.classic } }))
        .stdout;
    };
    expect([await teams(true), await teams(false)]).toEqual(['no\n', 'yes\n']);
    expect((await check(script(true), tokens.classic, 'members list', '--org', 'acme')).lines).toEqual([
      'members list\tunknown\tGET /orgs/{org}/members: only public resources without scope read:org; and 1 more',
    ]);
    expect((await check(script(true), tokens.classic, 'repos create', '--org', 'acme')).lines).toEqual([
      'repos create\tunknown\tPOST /orgs/{org}/repos: only public repositories without scope repo; role unknown: organization member; and 2 more',
    ]);
  });

  it('fails on unknown results with --strict', async () => {
    expect((await check(classic, tokens.classic, 'orgs update')).code).toBe(0);
    expect((await check(classic, tokens.classic, 'orgs update', '--strict')).code).toBe(5);
    expect((await check(classic, tokens.classic, 'orgs list', '--strict')).code).toBe(0);
  });

  it('filters with --where and counts all results', async () => {
    const { lines, stderr } = await check(classic, tokens.classic, 'orgs', '--where', '.answer == "yes"');
    expect(lines).toEqual(['orgs get\tyes\t', 'orgs list\tyes\t']);
    expect(stderr).toContain('6 commands: 2 yes, 0 no, 4 unknown.\n');
  });

  it('rejects --org together with --on before any request, exit code 2', async () => {
    const { code, asked, stderr } = await check(classic, tokens.classic, '--org', 'acme', '--on', 'acme/site');
    expect({ code, asked }).toEqual({ code: 2, asked: [] });
    expect(stderr).toContain('--on and --org cannot be used together');
  });
});

describe('auth check of an edition', () => {
  it('reports endpoints that are documented only for others as unknown, since the platform may have them', async () => {
    const { lines, code } = await check(
      { 'GET /user': user('repo'), 'GET /meta': selfManaged },
      tokens.classic,
      'dismissals cancel',
      'roles list',
    );
    expect(lines).toEqual([
      'dismissals cancel\tunknown\trole unknown: requester or reviewer of dismissal requests; documented only for hosted-enterprise',
      'roles list\tunknown\trole unknown: administrator of the organization or of one of its repositories',
    ]);
    expect(code).toBe(0);
  });
});

describe('auth check', () => {
  const script = { 'GET /user': user('repo'), 'GET /meta': selfManaged };

  it('gives JSON with a verdict for each endpoint', async () => {
    const platform = await scriptedPlatform(script);
    const { stdout, stderr, code } = await run(['auth', 'check', 'registries create', '--json'], { env: platform.env });
    expect({ stderr, code }).toEqual({ stderr: '', code: 5 });
    const no = { answer: 'no', reason: 'missing scope admin:org' };
    expect(JSON.parse(stdout)).toEqual([
      {
        command: 'registries create',
        ...no,
        requests: [
          { endpoint: 'POST /orgs/{org}/private-registries', ...no },
          { endpoint: 'GET /orgs/{org}/private-registries/public-key', ...no },
        ],
      },
    ]);
  });

  it('prints a table with a header on a terminal', async () => {
    const platform = await scriptedPlatform(script);
    const { stdout, stderr } = await run(['auth', 'check', 'repos', 'dispatch'], { env: platform.env, tty: true });
    expect(stderr).toContain('1 command: 0 yes, 0 no, 1 unknown.\n');
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'COMMAND         ANSWER   REASON',
      'repos dispatch  unknown  role unknown: repository writer',
      '',
    ]);
  });

  it('accepts several commands without quotes, and a topic for all its commands', async () => {
    const names = async (...words: readonly string[]) =>
      (await check(script, tokens.classic, ...words)).lines.map((line) => line.split('\t')[0]);
    expect(await names('repos', 'dispatch', 'version')).toEqual(['repos dispatch', 'version']);
    expect(await names('orgs', 'security')).toEqual(['orgs security disable', 'orgs security enable']);
  });

  it('uses the platform’s own path segments', async () => {
    const platform = await scriptedPlatform({ 'GET /user': user(''), 'GET /meta': selfManaged });
    const { stdout } = await run(['auth', 'check', 'dismissals get', '--jq', '.[0].requests[0].endpoint'], {
      env: { ...platform.env, FORGECTL_ALERTS_SEGMENT: 'depalerts' },
    });
    expect(stdout).toBe('GET /repos/{owner}/{repo}/dismissal-requests/depalerts/{alert_number}\n');
  });

  it('rejects an unknown command before any request, exit code 2', async () => {
    const { stderr, code, asked } = await check(script, tokens.classic, 'orgs updat');
    expect({ code, asked }).toEqual({ code: 2, asked: [] });
    expect(stderr).toContain('Unknown command “orgs updat”.\nDid you mean “forgectl orgs update”?');
  });

  it('exits with 4 if the token is rejected', async () => {
    const { stderr, code } = await check(
      { 'GET /user': { status: 401, body: { message: 'Bad credentials' } } },
      tokens.classic,
    );
    expect(code).toBe(4);
    expect(stderr).toContain('Bad credentials');
  });

  it('exits with 4 without a token', async () => {
    const platform = await scriptedPlatform(script);
    const { code } = await run(['auth', 'check'], { env: { FORGECTL_BASE_URL: platform.baseUrl } });
    expect({ code, asked: platform.requests }).toEqual({ code: 4, asked: [] });
  });
});
