import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ring } from '../../support/memory-keyring.ts';
import { classicToken, type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { writeProfiles } from '../../support/profiles.ts';
import { run, temporaryDirectory } from '../../support/run.ts';

vi.mock('../../../src/cli/account/keyring.ts', () => import('../../support/memory-keyring.ts'));

let configDir: string;

beforeEach(async () => {
  ring.entries.clear();
  ring.answers = true;
  configDir = await temporaryDirectory();
});

const healthy: Record<string, ScriptedAnswer> = {
  'GET /user': {
    body: { login: 'ada' },
    headers: {
      'x-oauth-scopes': 'admin:org, repo',
      'github-authentication-token-expiration': '2026-03-11 12:00:00 UTC',
    },
  },
  'GET /meta': { body: { installed_version: '3.19.2' } },
  'GET /rate_limit': {
    body: {
      resources: { core: { limit: 5000, remaining: 4999, reset: 1772370000, used: 1 } },
      rate: { limit: 5000, remaining: 4990, reset: 1772370000, used: 10 },
    },
  },
};

describe('auth status', () => {
  test('shows an account from the environment alone', async () => {
    const { baseUrl, env, requests } = await scriptedPlatform(healthy);
    const { stdout, stderr, code } = await run(['auth', 'status', '--json'], { configDir, env });
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
    expect(JSON.parse(stdout)).toEqual({
      profile: null,
      base_url: baseUrl,
      login: 'ada',
      token_kind: 'classic',
      source: 'environment',
      variable: 'FORGECTL_TOKEN',
      scopes: ['admin:org', 'repo'],
      expires_at: '2026-03-11T12:00:00.000Z',
      quota: { limit: 5000, remaining: 4990, reset: 1772370000, used: 10 },
      api_version: '2022-11-28',
      platform_version: '3.19.2',
      base_url_from: 'FORGECTL_BASE_URL',
      ignored_tokens: [],
    });
    expect(requests.map(({ method, url, headers }) => [method, url, headers.authorization])).toEqual([
      ['GET', '/api/v3/user', `Bearer ${classicToken}`],
      ['GET', '/api/v3/meta', `Bearer ${classicToken}`],
      ['GET', '/api/v3/rate_limit', `Bearer ${classicToken}`],
    ]);
  });

  test('shows details on a terminal and a line for each field in a pipe', async () => {
    const { baseUrl, env } = await scriptedPlatform(healthy);
    const { stdout } = await run(['auth', 'status'], { configDir, env, tty: true });
    expect(stdout).toBe(
      [
        'Profile           -',
        `Base URL          ${baseUrl}`,
        'Login             ada',
        'Token kind        classic',
        'Token from        environment, FORGECTL_TOKEN',
        'Scopes            admin:org, repo',
        'Expires           in 10 days',
        'Rate limit left   4990 of 5000',
        'API version       2022-11-28',
        'Platform version  3.19.2',
        'Base URL from     FORGECTL_BASE_URL',
        'Ignored tokens    -',
        '',
      ].join('\n'),
    );
    expect((await run(['auth', 'status'], { configDir, env })).stdout.split('\n')).toEqual([
      'profile\t',
      `base_url\t${baseUrl}`,
      'login\tada',
      'token_kind\tclassic',
      'token_from\tenvironment, FORGECTL_TOKEN',
      'scopes\tadmin:org,repo',
      'expires_at\t2026-03-11T12:00:00.000Z',
      'rate_limit_left\t4990 of 5000',
      'api_version\t2022-11-28',
      'platform_version\t3.19.2',
      'base_url_from\tFORGECTL_BASE_URL',
      'ignored_tokens\t',
      '',
    ]);
    expect((await run(['auth', 'status', '-o', 'tsv'], { configDir, env })).stdout).toBe(
      `\t${baseUrl}\tada\tclassic\tenvironment, FORGECTL_TOKEN\tadmin:org,repo\t2026-03-11T12:00:00.000Z\t4990 of 5000\t2022-11-28\t3.19.2\tFORGECTL_BASE_URL\t\n`,
    );
  });

  test('reports no rate limit if the platform has none', async () => {
    const off = { status: 404, body: { message: 'Rate limiting is not enabled.' } };
    const { env } = await scriptedPlatform({ ...healthy, 'GET /rate_limit': off });
    const { stdout, code } = await run(['auth', 'status', '--json'], { configDir, env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).quota).toBeNull();
    expect((await run(['auth', 'status', '-o', 'table'], { configDir, env })).stdout).toContain(
      'Rate limit left   no limit\n',
    );
  });

  test.each(['keyring', 'file'])('shows a profile whose token is stored in the %s', async (storage) => {
    const { baseUrl } = await scriptedPlatform(healthy);
    const { origin } = new URL(baseUrl);
    ring.entries.set(`work ${origin}`, classicToken);
    writeProfiles(configDir, {
      active: 'work',
      profiles: { work: { 'base-url': baseUrl, 'api-version': '2026-03-10', token: { storage, origin } } },
      tokens: storage === 'file' ? { work: { origin, token: classicToken } } : {},
    });
    const { stdout, code } = await run(['auth', 'status', '--json'], { configDir });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ profile: 'work', source: storage, api_version: '2026-03-10' });
  });

  test('recognizes an installation token, which has no user', async () => {
    const { baseUrl } = await scriptedPlatform({
      ...healthy,
      'GET /user': { status: 403, body: { message: 'Resource not accessible by integration' } },
      'GET /installation/repositories': { body: { total_count: 0, repositories: [] } },
    });
    const env = { FORGECTL_BASE_URL: baseUrl, FORGECTL_TOKEN: ['ghs', 'y'.repeat(36)].join('_') };
    const { stdout, code } = await run(['auth', 'status', '--json'], { configDir, env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ login: null, token_kind: 'installation', source: 'environment' });
  });

  test('exits with 4 if the platform rejects the token', async () => {
    const { env } = await scriptedPlatform({ 'GET /user': { status: 401, body: { message: 'Bad credentials' } } });
    const { stdout, stderr, code } = await run(['auth', 'status'], { configDir, env });
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(stderr).toContain('GET /user returned 401 Bad credentials');
    expect(stderr).toContain('FORGECTL_TOKEN');
    expect(stderr).not.toContain(classicToken);
  });

  test('exits with 4 and sends nothing without a token', async () => {
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const { stdout, stderr, code } = await run(['auth', 'status', '--base-url', baseUrl], { configDir });
    expect({ stdout, code }).toEqual({ stdout: '', code: 4 });
    expect(stderr).toBe(
      [
        `forgectl: No token for ${baseUrl}.`,
        `Log in with “forgectl auth login --base-url ${baseUrl}”, or set FORGECTL_BASE_URL and FORGECTL_TOKEN.`,
        '',
      ].join('\n'),
    );
    expect(requests).toEqual([]);
  });

  test('explains why the profile’s token is not sent to another platform', async () => {
    writeProfiles(configDir, {
      active: 'work',
      profiles: {
        work: { 'base-url': 'https://a.example/api/v3', token: { storage: 'file', origin: 'https://a.example' } },
      },
      tokens: { work: { origin: 'https://a.example', token: classicToken } },
    });
    const { baseUrl, requests } = await scriptedPlatform(healthy);
    const { stderr, code } = await run(['auth', 'status', '--base-url', baseUrl], { configDir });
    expect(code).toBe(4);
    expect(stderr).toContain(
      `The token of profile work belongs to https://a.example; not sent to ${new URL(baseUrl).origin}.`,
    );
    expect(requests).toEqual([]);
  });

  test('exits with 2 if no platform is configured', async () => {
    const { stderr, code } = await run(['auth', 'status'], { configDir });
    expect(code).toBe(2);
    expect(stderr).toContain('“forgectl auth login --base-url URL”');
    expect(stderr).toContain('FORGECTL_BASE_URL');
  });
});
