import { describe, expect, test } from 'vitest';
import { scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const request = {
  id: 21,
  number: 42,
  repository: { id: 1, name: 'site', full_name: 'acme/site' },
  organization: { id: 101, name: 'acme' },
  requester: { actor_id: 12, actor_name: 'riverotter' },
  request_type: 'dependabot_alert_dismissal',
  data: [{ reason: 'tolerable_risk', alert_number: '3', alert_title: 'ReDoS in lodash' }],
  resource_identifier: '3',
  status: 'denied',
  requester_comment: 'Not reachable',
  expires_at: '2026-03-08T12:00:00Z',
  created_at: '2026-02-28T12:00:00Z',
  responses: [],
  url: 'https://ghe.example.com/api/v3/repos/acme/site/dismissal-requests/dependabot/3',
  html_url: 'https://ghe.example.com/acme/site/security/dependabot/3',
};
const { html_url: _absent, ...withoutPage } = request;
/** As an answer to a creation may be: another type, no responses, no page. */
const created = { ...withoutPage, request_type: 'dependabot_alert_closure', status: 'pending', responses: null };

describe('dismissals list', () => {
  test('requests all open ones of the organization, and says so', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/dismissal-requests/dependabot': { body: [request] } });
    const { stdout, stderr, code } = await run(['dismissals', 'list', 'acme'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/orgs/acme/dismissal-requests/dependabot?request_status=open&time_period=month',
    ]);
    expect(stdout).toBe(
      'site\t3\tReDoS in lodash\ttolerable_risk\triverotter\tdenied\t2026-02-28T12:00:00Z\t2026-03-08T12:00:00Z\n',
    );
    expect(stderr).toBe('Showing open requests of the last month; --request-status all shows the others.\n');
    expect(code).toBe(0);
  });

  test('requests all open ones of the repository, and says so', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/dismissal-requests/dependabot': { body: [] } });
    const { stdout, stderr } = await run(['dismissals', 'list', 'acme/site', '--json'], { env: platform.env });
    expect(platform.requests.map(({ url }) => url)).toEqual([
      '/api/v3/repos/acme/site/dismissal-requests/dependabot?request_status=open&time_period=month',
    ]);
    expect(JSON.parse(stdout)).toEqual([]);
    expect(stderr).toBe('Showing open requests of the last month; --request-status all shows the others.\n');
  });

  test('sends every filter, and names the requested period', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/dismissal-requests/dependabot': { body: [] } });
    const words = ['--repository-name', 'site', '--reviewer', 'paperfox', '--requester', 'riverotter'];
    const { stderr } = await run(
      ['dismissals', 'list', 'acme', ...words, '--time-period', 'week', '--request-status', 'all'],
      { env: platform.env, tty: true },
    );
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/orgs/acme/dismissal-requests/dependabot?request_status=all&time_period=week&repository_name=site&reviewer=paperfox&requester=riverotter',
    );
    expect(stderr).toBe(
      'Found no requests in acme with --request-status all --time-period week --repository-name site --reviewer paperfox --requester riverotter.\nShowing all requests of the last week.\n',
    );
  });

  test('shows what a reviewer needs', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/dismissal-requests/dependabot': { body: [request, { ...created, data: null }] },
    });
    const { stdout } = await run(['dismissals', 'list', 'acme'], { env: platform.env, tty: true, columns: 140 });
    const [header, ...lines] = stdout.trimEnd().split('\n');
    expect(header).toMatch(/^REPOSITORY +ALERT +TITLE +REASON +REQUESTER +STATUS +AGE +EXPIRES$/);
    expect(lines[0]).toMatch(/^site +3 +ReDoS in lodash +tolerable_risk +riverotter +denied +1 day ago +in 7 days$/);
    expect(lines[1]).toMatch(/^site +3 +- +- +riverotter +open +1 day ago +in 7 days$/);
  });

  test('uses the alert segment of the platform in the path', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/dismissal-requests/depalerts': { body: [] } });
    const env = { ...platform.env, FORGECTL_ALERTS_SEGMENT: 'depalerts' };
    const { code } = await run(['dismissals', 'list', 'acme'], { env });
    expect(code).toBe(0);
  });

  test('rejects organization-only filters for a repository', async () => {
    const platform = await scriptedPlatform({});
    const words = ['--repository-name', 'site', '--request-status', 'completed'];
    const { stderr, code } = await run(['dismissals', 'list', 'acme/site', ...words], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain(
      '--repository-name requires an organization, but acme/site is a repository; --request-status must be one of open, approved, expired, denied, all',
    );
    expect(platform.requests).toEqual([]);
  });

  test('rejects a target that is neither', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['dismissals', 'list', 'acme/site/main'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('TARGET must have the form OWNER/NAME');
  });

  test('names the feature to enable if the platform refuses', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/dismissal-requests/dependabot': { status: 403, body: { message: 'Forbidden' } },
    });
    const { stderr, code } = await run(['dismissals', 'list', 'acme'], { env: platform.env });
    expect(code).toBe(5);
    expect(stderr).toContain('Delegated alert dismissal must be enabled on the repository.');
    expect(stderr).toContain('security_events');
  });
});

describe('dismissals get', () => {
  test('shows the request, responses null and page absent', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/dismissal-requests/dependabot/3': { body: created },
    });
    const json = await run(['dismissals', 'get', 'acme/site', '3', '--json'], { env: platform.env });
    expect(JSON.parse(json.stdout)).toEqual(created);
    const details = await run(['dismissals', 'get', 'acme/site', '3'], { env: platform.env, tty: true });
    expect(details.stdout).toMatch(/^ {2}Reason +\S+$/m);
    expect(details.stdout).not.toMatch(/Page|Answers/);
    expect(details.code).toBe(0);
  });
});

describe('the reviewers’ responses', () => {
  test('appear in the details without fields meant for programs', async () => {
    const reviewed = {
      ...created,
      status: 'denied',
      responses: [
        {
          id: 9,
          reviewer: { actor_id: 5, actor_name: 'paperfox' },
          message: 'It can be reached',
          status: 'denied',
          created_at: '2026-02-28T12:00:00Z',
        },
      ],
    };
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/dismissal-requests/dependabot/3': { body: reviewed },
    });
    const { stdout } = await run(['dismissals', 'get', 'acme/site', '3'], { env: platform.env, tty: true });
    expect(stdout.slice(stdout.indexOf('Responses'))).toBe(
      [
        'Responses',
        '  By',
        '    - Reviewer  paperfox',
        '      Status    denied',
        '      Message   It can be reached',
        '      Answered  1 day ago',
        '      ID        9',
        '',
      ].join('\n'),
    );
  });
});

describe('dismissals create', () => {
  test('sends reason and comment, and returns a record of either type', async () => {
    const platform = await scriptedPlatform({
      'POST /repos/acme/site/dismissal-requests/dependabot/3': { status: 201, body: created },
    });
    const words = ['--dismissed-reason', 'not_used', '--dismissed-comment', 'Only in tests'];
    const { stdout, code } = await run(['dismissals', 'create', 'acme/site', '3', ...words, '--json'], {
      env: platform.env,
    });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({
      dismissed_reason: 'not_used',
      dismissed_comment: 'Only in tests',
    });
    expect(JSON.parse(stdout)).toEqual(created);
    expect(code).toBe(0);
  });

  test('rejects an unknown or missing reason', async () => {
    const platform = await scriptedPlatform({});
    const wrong = await run(['dismissals', 'create', 'acme/site', '3', '--dismissed-reason', 'boring'], {
      env: platform.env,
    });
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain(
      '--dismissed-reason must be one of fix_started, no_bandwidth, tolerable_risk, inaccurate, not_used',
    );
    const missing = await run(['dismissals', 'create', 'acme/site', '3'], { env: platform.env });
    expect(missing.code).toBe(2);
    expect(missing.stderr).toContain('dismissed_reason is required');
    expect(platform.requests).toEqual([]);
  });
});

describe('dismissals review', () => {
  test('sends decision and message', async () => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/dismissal-requests/dependabot/3': { body: { dismissal_review_id: 5 } },
    });
    const words = ['dismissals', 'review', 'acme/site', '3', '--status', 'deny', '--message', 'A fix is out'];
    const { stdout, code } = await run([...words, '--json'], { env: platform.env });
    expect(JSON.parse(platform.requests[0]?.body ?? '')).toEqual({ status: 'deny', message: 'A fix is out' });
    expect(JSON.parse(stdout)).toEqual({ dismissal_review_id: 5 });
    expect(code).toBe(0);
  });

  test('reports the decision on a terminal', async () => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/dismissal-requests/dependabot/3': { body: { dismissal_review_id: 5 } },
    });
    const words = ['dismissals', 'review', 'acme/site', '3', '--status', 'deny', '--message', 'A fix is out'];
    expect(await run(words, { env: platform.env, tty: true })).toMatchObject({
      code: 0,
      stdout: 'Denied the request to dismiss alert 3 of acme/site\n',
    });
  });

  test('reports an unknown decision and a message that is too long at once', async () => {
    const platform = await scriptedPlatform({});
    const words = ['dismissals', 'review', 'acme/site', '3', '--status', 'reject', '--message', 'x'.repeat(2049)];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('status must be one of approve, deny');
    expect(stderr).toContain('message must be at most 2048 characters');
    expect(platform.requests).toEqual([]);
  });

  test('ends with exit code 6 if the platform rejects the values', async () => {
    const platform = await scriptedPlatform({
      'PATCH /repos/acme/site/dismissal-requests/dependabot/3': {
        status: 422,
        body: { message: 'Validation Failed', errors: ['The request was decided already'] },
      },
    });
    const words = ['dismissals', 'review', 'acme/site', '3', '--status', 'approve', '--message', 'ok'];
    const { stderr, code } = await run(words, { env: platform.env });
    expect(code).toBe(6);
    expect(stderr).toContain('The request was decided already');
  });
});

describe('dismissals cancel', () => {
  test('sends DELETE with --yes', async () => {
    const platform = await scriptedPlatform({
      'DELETE /repos/acme/site/dismissal-requests/dependabot/3': { status: 204 },
    });
    const { stdout, code } = await run(['dismissals', 'cancel', 'acme/site', '3', '--yes', '--json'], {
      env: platform.env,
    });
    expect(platform.requests.map(({ method }) => method)).toEqual(['DELETE']);
    expect(JSON.parse(stdout)).toEqual({});
    expect(code).toBe(0);
  });

  test('requires --yes when prompts are disabled', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['dismissals', 'cancel', 'acme/site', '3'], { env: platform.env });
    expect(code).toBe(2);
    expect(stderr).toContain('This cancels the request to dismiss alert 3 of acme/site; confirm with --yes.');
    expect(platform.requests).toEqual([]);
  });

  test('names the platforms with the feature after a 404', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['dismissals', 'cancel', 'acme/site', '3', '--yes'], { env: platform.env });
    expect(code).toBe(3);
    expect(stderr).toContain('Available only in: hosted-enterprise.');
  });
});
