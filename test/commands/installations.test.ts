import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

/** Put together here so that no complete token stands in the repository. */
const installationToken = ['ghs', 'i'.repeat(36)].join('_');

const installation = {
  id: 1,
  account: { login: 'acme', id: 101 },
  app_id: 7,
  app_slug: 'release-bot',
  repository_selection: 'selected',
  permissions: { contents: 'write', metadata: 'read' },
  suspended_at: null,
  updated_at: '2026-02-27T12:00:00Z',
};
const suspended = { ...installation, id: 2, account: null, suspended_at: '2026-02-01T00:00:00Z', permissions: {} };

describe('installations list', () => {
  it('shows the permissions and the account of each app', async () => {
    const platform = await scriptedPlatform({
      'GET /user/installations': { body: { total_count: 2, installations: [installation, suspended] } },
    });
    const { stdout, code } = await run(['installations', 'list'], { env: platform.env });
    expect(stdout).toBe(
      '1\trelease-bot\tacme\tselected\t\t2026-02-27T12:00:00Z\tcontents:write, metadata:read\n' +
        '2\trelease-bot\t\tselected\t2026-02-01T00:00:00Z\t2026-02-27T12:00:00Z\t\n',
    );
    expect(code).toBe(0);
    const seen = await run(['installations', 'list'], { env: platform.env, tty: true, columns: 120 });
    const [header, first, second] = seen.stdout.split('\n');
    expect(header).toMatch(/^ID +APP +ACCOUNT +REPOSITORIES +SUSPENDED +UPDATED +PERMISSIONS$/);
    expect(first).toMatch(/^1 +release-bot +acme +selected +no +2 days ago +contents:write, metadata:read$/);
    expect(second).toMatch(/^2 +release-bot +- +selected +yes/);
    expect(platform.requests[0]?.url).toBe('/api/v3/user/installations');
  });

  it('prints the list out of its envelope as JSON', async () => {
    const platform = await scriptedPlatform({
      'GET /user/installations': { body: { total_count: 1, installations: [installation] } },
    });
    const { stdout } = await run(['installations', 'list', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual([installation]);
  });

  it('lists those of an organization with --org', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/installations': { body: { total_count: 1, installations: [installation] } },
    });
    const { stdout } = await run(['installations', 'list', '--org', 'acme', '--quiet'], { env: platform.env });
    expect(stdout).toBe('1\n');
    expect(platform.requests.map(({ url }) => url)).toEqual(['/api/v3/orgs/acme/installations']);
    const { stderr, code } = await run(['installations', 'list', '--org', ''], { env: platform.env });
    expect(stderr).toContain('--org must not be empty');
    expect(code).toBe(2);
  });

  it('reports a 403, exit code 5', async () => {
    const platform = await scriptedPlatform({
      'GET /user/installations': { status: 403, body: { message: 'You must authenticate with an access token' } },
    });
    const { stderr, code } = await run(['installations', 'list'], { env: platform.env });
    expect(stderr).toContain('GET /user/installations returned 403 You must authenticate with an access token');
    expect(code).toBe(5);
  });
});

describe('installations repos', () => {
  it('lists the repositories of an installation token', async () => {
    const site = { id: 5, full_name: 'acme/site', visibility: 'private', archived: false, pushed_at: null };
    const platform = await scriptedPlatform({
      'GET /installation/repositories': { body: { total_count: 1, repositories: [site] } },
    });
    const env = { ...platform.env, FORGECTL_TOKEN: installationToken };
    const { stdout } = await run(['installations', 'repos', '--fields', 'full_name,visibility'], { env });
    expect(stdout).toBe('acme/site\tprivate\n');
    const { stdout: json } = await run(['installations', 'repos', '--json'], { env });
    expect(JSON.parse(json)).toEqual([site]);
    expect(platform.requests[0]?.headers.authorization).toBe(`Bearer ${installationToken}`);
  });

  it('rejects a classic token before any request', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['installations', 'repos'], { env: platform.env });
    expect(stderr).toContain('works only with app installation access tokens');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});

describe('installations revoke-token', () => {
  it('revokes with --yes', async () => {
    const platform = await scriptedPlatform({ 'DELETE /installation/token': { status: 204 } });
    const { stdout, code } = await run(['installations', 'revoke-token', '--yes', '--json'], {
      env: { ...platform.env, FORGECTL_TOKEN: installationToken },
    });
    expect(JSON.parse(stdout)).toEqual({});
    expect(code).toBe(0);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v3/installation/token',
    ]);
  });

  it('sends nothing without --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['installations', 'revoke-token'], {
      env: { ...platform.env, FORGECTL_TOKEN: installationToken },
    });
    expect(stderr).toContain('Nothing was sent. This revokes the installation token in use; confirm with --yes.');
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });
});
