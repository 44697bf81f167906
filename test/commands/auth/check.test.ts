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
    expect(lines).toContain('orgs update\tyes\trequired role: organization owner');
    expect(lines).toContain('repos dispatch\tyes\t');
    expect(lines).toContain('dismissals create\tyes\t');
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
      'registries get\tyes\t',
      'dismissals create\tno\tmissing scope security_events',
    ]);
    expect(code).toBe(5);
  });

  it('distinguishes a token without scopes from one with unknown scopes', async () => {
    const { lines } = await check({ 'GET /user': user(''), 'GET /meta': selfManaged }, tokens.classic, 'orgs list');
    expect(lines).toEqual(['orgs list\tpartly\tGET /user/orgs: missing scope user or read:org']);
  });

  it('does not guess if the platform does not report the scopes', async () => {
    const { lines, code } = await check(
      { 'GET /user': user(), 'GET /meta': selfManaged },
      tokens.classic,
      'registries get',
    );
    expect(lines).toEqual(['registries get\tunknown\tdepends on the scope admin:org']);
    expect(code).toBe(0);
  });

  // Specification, Repository pre-receive hooks: only with a classic personal access token.
  it('names the token types that a command works with', async () => {
    const { lines, code } = await check(script, tokens.oauth, 'hooks', 'unset');
    expect(lines).toEqual(['hooks unset\tno\trequires classic personal access tokens']);
    expect(code).toBe(5);
  });
});

describe('auth check of a fine-grained token', () => {
  const script = { 'GET /user': user(), 'GET /meta': hosted };

  it('names the required permission, since the platform does not report those of the token', async () => {
    const { lines, asked } = await check(script, tokens.fineGrained);
    expect(asked).toEqual(['GET /user', 'GET /meta']);
    expect(lines).toContain(
      'registries get\tunknown\tdepends on the permission organization_private_registries (read)',
    );
    expect(lines).toContain(
      'orgs update\tunknown\tdepends on the permission organization_administration (write); required role: organization owner',
    );
    expect(lines).toContain(
      'repos languages\tyes\tpublic resources; private resources depend on the permission metadata (read)',
    );
    expect(lines).toContain('orgs get\tyes\t');
    expect(lines).toContain('migrations list\tno\trequires classic personal access tokens and OAuth app tokens');
    expect(lines).toContain(
      'repos replicas\tunknown\tdepends on the permission administration (read); only on self-managed',
    );
  });

  it('does not fail on unknown results', async () => {
    expect((await check(script, tokens.fineGrained, 'registries create')).code).toBe(0);
  });

  it('treats a token of unknown type without scopes as not classic', async () => {
    const { lines } = await check(script, tokens.unheardOf, 'migrations list', 'registries get', 'installations list');
    expect(lines).toEqual([
      'migrations list\tno\trequires classic personal access tokens and OAuth app tokens',
      'registries get\tunknown\tdepends on the permission organization_private_registries (read)',
      'installations list\tunknown\tGET /orgs/{org}/installations: depends on the permission organization_administration (read); required role: organization owner',
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
      'registries get\tyes\t',
      'repos dispatch\tyes\t',
      'repos security-fixes\tno\tmissing permission administration (read)',
      'repos languages\tyes\t',
    ]);
  });

  it('names the accounts where only some installations have the permission', async () => {
    const script = {
      'GET /user': user(),
      'GET /meta': selfManaged,
      'GET /user/installations': installations(acme, globex, { ...acme, suspended_at: '2026-01-01T00:00:00Z' }),
    };
    const { lines, code } = await check(script, tokens.appUser, 'registries get');
    expect(lines).toEqual([
      'registries get\tpartly\tonly for acme; otherwise missing permission organization_private_registries (read)',
    ]);
    expect(code).toBe(0);
  });

  it('limits an app without installations to public resources', async () => {
    const script = { 'GET /user': user(), 'GET /meta': selfManaged, 'GET /user/installations': installations() };
    const { lines } = await check(script, tokens.appUser, 'repos languages', 'repos dispatch');
    expect(lines).toEqual([
      'repos languages\tyes\tpublic resources; missing permission metadata (read) for private resources',
      'repos dispatch\tno\tmissing permission contents (write)',
    ]);
  });

  it('reports unknown if installations cannot be listed', async () => {
    const script = {
      'GET /user': user(),
      'GET /meta': selfManaged,
      'GET /user/installations': { status: 403, body: { message: 'Resource not accessible by integration' } },
    };
    const { lines } = await check(script, tokens.appUser, 'repos dispatch');
    expect(lines).toEqual(['repos dispatch\tunknown\tdepends on the permission contents (write)']);
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
      'orgs update\tunknown\tdepends on the permission organization_administration (write)',
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

  it('names the accounts whose installations have the permission', async () => {
    const suspended = { ...globex, suspended_at: '2026-01-01T00:00:00Z' };
    const script = { 'GET /app': app, 'GET /app/installations': { body: [acme, globex, suspended] } };
    expect(await checkAsApp(script, 'repos dispatch')).toEqual({
      lines: ['repos dispatch\tpartly\tonly for acme; otherwise missing permission contents (write)'],
      code: 0,
    });
  });
});

describe('auth check of an edition', () => {
  it('reports what a self-managed platform does not support', async () => {
    const { lines, code } = await check(
      { 'GET /user': user('repo'), 'GET /meta': selfManaged },
      tokens.classic,
      'dismissals cancel',
    );
    expect(lines).toEqual(['dismissals cancel\tno\tonly on hosted-enterprise, and this platform is self-managed']);
    expect(code).toBe(5);
  });
});

describe('auth check', () => {
  const script = { 'GET /user': user('repo'), 'GET /meta': selfManaged };

  it('gives JSON with a verdict for each endpoint', async () => {
    const platform = await scriptedPlatform(script);
    const { stdout, stderr, code } = await run(['auth', 'check', 'registries create', '--json'], { env: platform.env });
    expect({ stderr, code }).toEqual({ stderr: '', code: 5 });
    const no = { can: 'no', why: 'missing scope admin:org' };
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
    const { stdout } = await run(['auth', 'check', 'repos', 'dispatch'], { env: platform.env, tty: true });
    expect(stdout.split('\n').map((line) => line.trimEnd())).toEqual([
      'COMMAND         ALLOWED  REASON',
      'repos dispatch  yes      -',
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
