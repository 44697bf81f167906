import { describe, expect, it } from 'vitest';
import { run } from '../support/run.ts';

const json = async (argv: readonly string[], env: Record<string, string> = {}) => {
  const { stdout, stderr, code } = await run([...argv, '--json'], { env });
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return JSON.parse(stdout);
};

describe('permissions list', () => {
  it('lists the whole map without a platform, a profile or a token', async () => {
    const all = await json(['permissions', 'list']);
    expect(all.length).toBeGreaterThan(300);
    expect(all).toContainEqual({
      permission: 'actions',
      level: 'write',
      method: 'POST',
      path: '/repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
      marked: false,
      scopes: null,
      role: null,
      token_kinds: null,
    });
    expect(await json(['permissions', 'list', '--all'])).toEqual(all);
  });

  it('prints permission, level, method, path and mark in a pipe, one line each', async () => {
    const { stdout } = await run(['permissions', 'list', 'custom-repository-roles']);
    expect(stdout).toBe(
      [
        'organization_custom_roles\tread\tGET\t/orgs/{org}/custom-repository-roles\t(*)',
        'organization_administration\tread\tGET\t/orgs/{org}/custom-repository-roles\t(*)',
        'organization_administration\tread\tGET\t/orgs/{org}/custom-repository-roles/{role_id}\t(*)',
        '',
      ].join('\n'),
    );
  });

  it('prints the pattern without matches on a terminal', async () => {
    const { stderr, code } = await run(['permissions', 'list', 'nope'], { tty: true });
    expect({ stderr, code }).toEqual({ stderr: 'No permission, method or path matches “nope”.\n', code: 0 });
  });

  it('prints a table with a header on a terminal', async () => {
    const { stdout } = await run(['permissions', 'list', 'audit-log'], { tty: true, columns: 120 });
    const [header, row] = stdout.split('\n');
    expect(header).toMatch(/^PERMISSION +LEVEL +METHOD +PATH +MARKED$/);
    expect(row).toMatch(/^organization_administration +read +GET +\/orgs\/\{org\}\/audit-log +-$/);
  });

  it('finds a pattern in permission, method and path, in any case', async () => {
    const paths = async (pattern: string) =>
      (await json(['permissions', 'list', pattern])).map(
        ({ method, path }: { method: string; path: string }) => `${method} ${path}`,
      );
    expect(await paths('SELF_HOSTED_runners')).toHaveLength(25);
    expect(await paths('/Teams/{team_id}/members/')).toEqual([
      'PUT /teams/{team_id}/members/{username}',
      'DELETE /teams/{team_id}/members/{username}',
      'GET /teams/{team_id}/members/{username}',
    ]);
    expect(await paths('get /orgs/{org}/settings/b')).toEqual(['GET /orgs/{org}/settings/billing/advanced-security']);
    expect(await paths('nothing-of-the-kind')).toEqual([]);
  });

  it('treats * as a wildcard, and everything else literally', async () => {
    const paths = async (pattern: string) =>
      (await json(['permissions', 'list', pattern])).map(({ path }: { path: string }) => path);
    expect(await paths('/orgs/*/security-managers')).toEqual(['/orgs/{org}/security-managers']);
    expect(await paths('orgs/*/security-managers')).toEqual(['/orgs/{org}/security-managers']);
    expect(await paths('delete *security-managers*')).toEqual(['/orgs/{org}/security-managers/teams/{team_slug}']);
    expect(await paths('/orgs/.org./*')).toEqual([]);
  });

  it('shows the platform’s own terms, and finds them in each spelling', async () => {
    const path = async (pattern: string, env = {}) =>
      (await json(['permissions', 'list', `PUT *${pattern}*default-level`], env)).map(
        (row: { path: string }) => row.path,
      );
    const usual = ['/orgs/{org}/dependabot/repository-access/default-level'];
    expect(await path('dependabot')).toEqual(usual);
    expect(await path('depalerts')).toEqual(usual);
    expect(await path('depalerts', { FORGECTL_ALERTS_SEGMENT: 'depalerts' })).toEqual([
      '/orgs/{org}/depalerts/repository-access/default-level',
    ]);
    expect(
      (await json(['permissions', 'list', '*-owned'], { FORGECTL_VENDOR: 'forge' })).map(
        (row: { path: string }) => row.path,
      ),
    ).toEqual(['/orgs/{org}/actions/hosted-runners/images/forge-owned']);
  });

  it('prints a line for each permission of an endpoint with several', async () => {
    const { stdout } = await run(['permissions', 'list', 'DELETE *immutable-releases*']);
    expect(stdout).toBe(
      [
        'organization_administration\twrite\tDELETE\t/orgs/{org}/settings/immutable-releases/repositories/{repository_id}\t(*)',
        'metadata\tread\tDELETE\t/orgs/{org}/settings/immutable-releases/repositories/{repository_id}\t(*)',
        '',
      ].join('\n'),
    );
  });

  it('distinguishes “none” from “not for fine-grained tokens”', async () => {
    const { stdout } = await run(['permissions', 'list', 'GET /user/*']);
    expect(stdout).toContain('none\t\tGET\t/user/installations\t\n');
    expect(stdout).toContain('not for fine-grained tokens\t\tGET\t/user/migrations\t\n');
  });

  it('reports that more exist beyond --limit', async () => {
    const { stdout, stderr } = await run(['permissions', 'list', '-L', '2']);
    expect(stdout).toBe(
      'organization_administration\twrite\tPATCH\t/orgs/{org}\t\norganization_administration\twrite\tDELETE\t/orgs/{org}\t\n',
    );
    expect(stderr).toBe('Showing the first 2 permissions; --all shows the rest.\n');
  });
});

describe('permissions explain METHOD PATH', () => {
  it('prints one record with permission, scopes and role', async () => {
    expect(await json(['permissions', 'explain', 'patch /api/v3/orgs/acme'])).toEqual({
      endpoint: 'PATCH /orgs/{org}',
      permission: 'organization_administration=write',
      marked: false,
      scopes: ['admin:org', 'repo'],
      role: 'organization owner',
      token_kinds: ['classic', 'oauth', 'fine_grained', 'app_user', 'installation'],
      anonymous: false,
      editions: null,
      closing_down: null,
      notes: [],
    });
  });

  it('prints details on a terminal', async () => {
    const { stdout } = await run(['permissions', 'explain', 'PATCH', '/orgs/acme'], { tty: true });
    expect(stdout).toBe(
      [
        'Endpoint    PATCH /orgs/{org}',
        'Permission  organization_administration (write)',
        'Scopes      admin:org or repo',
        'Role        organization owner',
        'Notes       -',
        '',
      ].join('\n'),
    );
  });

  it('explains (*), and lists what is unknown about endpoints that are only in the map', async () => {
    const { notes, ...known } = await json(['permissions', 'explain', 'GET /orgs/acme/copilot/billing']);
    expect(known).toMatchObject({
      endpoint: 'GET /orgs/{org}/copilot/billing',
      permission: 'organization_administration=read; organization_copilot_seat_management=read',
      marked: true,
      scopes: null,
      token_kinds: null,
      anonymous: null,
    });
    expect(notes).toEqual([
      '(*) requires several permissions or a different one; its response lists them in the header X-Accepted-github-Permissions',
      'only the permission is known, because forgectl has no command for this endpoint',
    ]);
  });

  it('shows token types, editions, anonymous access and closing-down notices', async () => {
    const notes = async (request: string) => (await json(['permissions', 'explain', request])).notes;
    expect(await notes('GET /user/migrations')).toEqual([
      'requires classic personal access tokens and OAuth app tokens',
    ]);
    expect(await notes('GET /repos/acme/site/replicas/caches')).toEqual(['only on self-managed']);
    expect(await notes('GET /repos/acme/site/languages')).toEqual(['public resources need no token and no permission']);
    expect(await notes('GET /organizations')).toEqual(['public resources need no token']);
    expect(await notes('POST /orgs/acme/secret_scanning/enable_all')).toEqual([
      'deprecated: use code security configurations',
    ]);
  });

  it('spells out alternatives and sets', async () => {
    const { stdout } = await run(
      ['permissions', 'explain', 'GET /repos/acme/site/bypass-requests/secret-scanning', '--fields', 'permission'],
      {},
    );
    expect(stdout).toBe(
      'secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read; secret_scanning_alerts=read,secret_scanning_bypass_requests=read\n',
    );
    const words = await run(['permissions', 'explain', 'GET /repos/acme/site/bypass-requests/secret-scanning']);
    expect(words.stdout).toContain(
      'secret_scanning_alerts (read) and organization_secret_scanning_bypass_requests (read), or secret_scanning_alerts (read) and secret_scanning_bypass_requests (read)',
    );
  });

  it('rejects an unknown endpoint with a suggestion, exit 2', async () => {
    const { stdout, stderr, code } = await run(['permissions', 'explain', 'GET /orgs/acme/private-registry']);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
    expect(stderr).toBe(
      'forgectl: No permission data for GET /orgs/acme/private-registry.\n' +
        'Did you mean “GET /orgs/{org}/private-registries”? List all known endpoints with “forgectl permissions list”.\n',
    );
  });

  it('lists the methods that a path supports', async () => {
    const { stderr, code } = await run([
      'permissions',
      'explain',
      'PUT https://ghe.example.com/api/v3/orgs/acme',
      '--json',
    ]);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: 'usage',
        message: 'No permission data for PUT /orgs/acme.',
        advice: 'The path supports GET, PATCH, DELETE. List all known endpoints with “forgectl permissions list”.',
      },
    });
  });

  it('requires a method if only a path is given, exit 2', async () => {
    const { stderr, code } = await run(['permissions', 'explain', '/orgs/acme']);
    expect(code).toBe(2);
    expect(stderr).toBe('forgectl: “/orgs/acme” has no method.\nGive both, such as “GET /orgs/{org}”.\n');
  });
});

describe('permissions explain COMMAND', () => {
  it('lists each endpoint that the command requests', async () => {
    const create = [
      { command: 'registries create', endpoint: 'POST /orgs/{org}/private-registries' },
      { command: 'registries create', endpoint: 'GET /orgs/{org}/private-registries/public-key' },
    ];
    const explained = await json(['permissions', 'explain', 'registries', 'create']);
    expect(explained).toMatchObject(create);
    expect(explained[0].permission).toBe('organization_private_registries=write');
    expect(await json(['permissions', 'explain', 'registries create'])).toEqual(explained);
    expect(await json(['permissions', 'explain', 'forgectl registries:create'])).toEqual(explained);
  });

  it('accepts a topic for all its commands', async () => {
    const explained = await json(['permissions', 'explain', 'orgs', 'security']);
    expect(explained.map(({ command }: { command: string }) => command)).toEqual([
      'orgs security disable',
      'orgs security enable',
    ]);
  });

  it('reports a command without requests', async () => {
    const { stdout, stderr, code } = await run(['permissions', 'explain', 'version', '--json']);
    expect({ stdout, stderr, code }).toEqual({
      stdout: '[]\n',
      stderr: '“version” has no requests of its own.\n',
      code: 0,
    });
  });

  it('rejects an unknown command with a suggestion, exit 2', async () => {
    const { stderr, code } = await run(['permissions', 'explain', 'orgs', 'updat']);
    expect(code).toBe(2);
    expect(stderr).toBe(
      'forgectl: Unknown command “orgs updat”.\nDid you mean “forgectl orgs update”? See “forgectl help”.\n',
    );
  });

  it('requires an argument, exit 2', async () => {
    expect(await run(['permissions', 'explain'])).toMatchObject({ stdout: '', code: 2 });
  });
});
