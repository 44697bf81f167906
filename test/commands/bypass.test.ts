import { describe, expect, test } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const envelope = {
  id: 21,
  number: 42,
  repository: { id: 1, name: 'site', full_name: 'acme/site' },
  organization: { id: 101, name: 'acme' },
  requester: { actor_id: 12, actor_name: 'riverotter' },
  resource_identifier: '827efc6d56897b048c772eb4087f854f46256132',
  status: 'denied',
  requester_comment: 'Test key',
  expires_at: '2026-03-08T12:00:00Z',
  created_at: '2026-02-28T12:00:00Z',
  responses: [
    {
      id: 42,
      reviewer: { actor_id: 4, actor_name: 'paperfox' },
      status: 'denied',
      created_at: '2026-03-01T11:00:00Z',
    },
  ],
  url: 'https://ghe.example.com/api/v3/repos/acme/site/bypass-requests/secret-scanning/42',
};
const secret = {
  secret_type: 'adafruit_io_key',
  bypass_reason: 'used_in_tests',
  path: '/test/keys.rb:22:5',
  branch: 'refs/heads/feature/keys',
};
const request = {
  ...envelope,
  request_type: 'secret_scanning',
  data: [secret],
  html_url: 'https://ghe.example.com/acme/site/exemptions/42',
};
const ofPushRule = {
  ...envelope,
  request_type: 'push_ruleset_bypass',
  data: [{ ruleset_id: 9, ruleset_name: 'No archives', rule_type: 'file_extension_restriction', total_violations: 2 }],
};

describe('bypass list', () => {
  test('requests all open secret-scanning requests of the organization, and says so', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/bypass-requests/secret-scanning': { body: [request] } });
    const { stdout, stderr, code } = await run(['bypass', 'list', 'acme'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/orgs/acme/bypass-requests/secret-scanning?request_status=open&time_period=month',
    ]);
    expect(stdout).toBe(
      'site\t42\tadafruit_io_key\t/test/keys.rb:22:5\tfeature/keys\triverotter\tused_in_tests\tdenied\t2026-02-28T12:00:00Z\n',
    );
    expect(stderr).toBe('Showing open requests of the last month; --request-status all shows the others.\n');
    expect(code).toBe(0);
  });

  test('sends every filter for a repository', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/bypass-requests/secret-scanning': { body: [] } });
    const words = ['--reviewer', 'paperfox', '--requester', 'riverotter', '--time-period', 'hour'];
    const { stdout, stderr } = await run(
      ['bypass', 'list', 'acme/site', ...words, '--request-status', 'deleted', '--json'],
      { env: platform.env },
    );
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/repos/acme/site/bypass-requests/secret-scanning?request_status=deleted&time_period=hour&reviewer=paperfox&requester=riverotter',
    );
    expect(JSON.parse(stdout)).toEqual([]);
    expect(stderr).toBe('Showing deleted requests of the last hour; --request-status all shows the others.\n');
  });

  test('shows what a reviewer needs, with several secrets in one row', async () => {
    const two = { ...request, data: [secret, { ...secret, secret_type: 'stripe_key', path: '/a.rb:1:1' }] };
    const platform = await scriptedPlatform({
      'GET /orgs/acme/bypass-requests/secret-scanning': { body: [two, { ...request, data: null }] },
    });
    const { stdout } = await run(['bypass', 'list', 'acme'], { env: platform.env, tty: true, columns: 180 });
    const [header, ...lines] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^REPOSITORY +NUMBER +SECRET TYPE +FILE +BRANCH +REQUESTER +REASON +STATUS +AGE$/);
    expect(lines[0]).toMatch(
      /^site +42 +adafruit_io_key, stripe_key +\/test\/keys\.rb:22:5, \/a\.rb:1:1 +feature\/keys +riverotter +used_in_tests +denied +1 day ago$/,
    );
    expect(lines[1]).toMatch(/^site +42 +- +- +- +riverotter +- +denied +1 day ago$/);
  });

  test('--kind push-rules lists push-rule requests of the organization, with rulesets', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/bypass-requests/push-rules': { body: [ofPushRule] } });
    const words = ['bypass', 'list', 'acme', '--kind', 'push-rules', '--repository-name', 'site'];
    const { stdout, stderr } = await run(words, { env: platform.env });
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/orgs/acme/bypass-requests/push-rules?request_status=open&time_period=month&repository_name=site',
    );
    expect(stdout).toBe(
      'site\t42\tNo archives\tfile_extension_restriction\triverotter\tTest key\tdenied\t2026-02-28T12:00:00Z\n',
    );
    expect(stderr).toBe('Showing open requests of the last month; --request-status all shows the others.\n');
  });

  test('--quiet prints requests with their repositories, if the platform returns them', async () => {
    const unnamed = { ...ofPushRule, number: 43, repository: { id: null, name: null, full_name: null } };
    const platform = await scriptedPlatform({
      'GET /orgs/acme/bypass-requests/push-rules': { body: [ofPushRule, unnamed] },
    });
    const { stdout } = await run(['bypass', 'list', 'acme', '--kind', 'push-rules', '--quiet'], { env: platform.env });
    expect(stdout).toBe('acme/site 42\n43\n');
  });

  test('rejects organization-only filters for a repository', async () => {
    const platform = await scriptedPlatform({});
    const words = ['bypass', 'list', 'acme/site', '--kind', 'push-rules', '--repository-name', 'site'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('--repository-name requires an organization, but acme/site is a repository');
    expect(stderr).toContain('--kind push-rules requires an organization, but acme/site is a repository');
    expect(platform.requests).toEqual([]);
  });

  test('rejects an unknown kind, status and time all at once', async () => {
    const platform = await scriptedPlatform({});
    const words = ['--kind', 'tags', '--request-status', 'pending', '--time-period', 'year'];
    const { stderr, code } = await run(['bypass', 'list', 'acme', ...words], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('--kind must be one of secret-scanning, push-rules');
    expect(stderr).toContain(
      '--request-status must be one of completed, cancelled, approved, expired, deleted, denied, open, all',
    );
    expect(stderr).toContain('--time-period must be one of hour, day, week, month');
    expect(platform.requests).toEqual([]);
  });
});

describe('bypass get', () => {
  test('prints one request as the platform returns it', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/bypass-requests/secret-scanning/42': { body: { ...request, responses: null } },
    });
    const { stdout, code } = await run(['bypass', 'get', 'acme/site', '42', '--json'], { env: platform.env });
    expect(JSON.parse(stdout)).toEqual({ ...request, responses: null });
    expect(code).toBe(0);
  });

  test('ends with exit code 3 and names the feature to enable if it is not found', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['bypass', 'get', 'acme/site', '7'], { env: platform.env });
    expect(code).toBe(3);
    expect(stderr).toContain('Delegated bypass must be enabled on the repository.');
  });
});

describe('bypass review', () => {
  test('sends decision and message', async () => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/bypass-requests/secret-scanning/42': { body: { bypass_review_id: 1 } },
    });
    const words = ['bypass', 'review', 'acme/site', '42', '--status', 'reject', '--message', 'Still live'];
    const { stdout, code } = await run([...words, '--json'], { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ status: 'reject', message: 'Still live' });
    expect(JSON.parse(stdout)).toEqual({ bypass_review_id: 1 });
    expect(code).toBe(0);
  });

  test.each([
    ['approve', 'Approved request 42 of acme/site\n'],
    ['reject', 'Rejected request 42 of acme/site\n'],
  ])('reports on a terminal what %s did', async (status, said) => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/bypass-requests/secret-scanning/42': { body: { bypass_review_id: 1 } },
    });
    const words = ['bypass', 'review', 'acme/site', '42', '--status', status, '--message', 'M'];
    expect(await run(words, { env: platform.env, tty: true })).toMatchObject({ code: 0, stdout: said });
    expect((await run(words, { env: platform.env })).stdout).toBe('1\n');
  });

  test('reports an unknown decision and a missing message at once', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['bypass', 'review', 'acme/site', '42', '--status', 'deny'], {
      env: platform.env,
    });
    expect(code).toBe(2);
    expect(stderr).toContain('status must be one of approve, reject');
    expect(stderr).toContain('message is required');
    expect(platform.requests).toEqual([]);
  });
});

describe('bypass dismiss-response', () => {
  test('sends DELETE for the response with --yes', async () => {
    const platform = await scriptedPlatform({
      'DELETE /repos/acme/site/bypass-responses/secret-scanning/42': { status: 204 },
    });
    const { code } = await run(['bypass', 'dismiss-response', 'acme/site', '42', '--yes'], { env: platform.env });
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'DELETE /api/v3/repos/acme/site/bypass-responses/secret-scanning/42',
    ]);
    expect(code).toBe(0);
  });

  test('requires --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['bypass', 'dismiss-response', 'acme/site', '42'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('This dismisses response 42 in acme/site; confirm with --yes.');
    expect(platform.requests).toEqual([]);
  });
});
