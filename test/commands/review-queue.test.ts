/** `dismissals review` and `bypass review` without a number: all open requests, one after the other. */
import { describe, expect, it } from 'vitest';
import { type Script, type ScriptedAnswer, scriptedPlatform } from '../support/platform.ts';
import { run } from '../support/run.ts';

const now = new Date('2026-03-01T12:00:00Z');

const dismissal = (repo: string, alert: number, title: string) => ({
  id: 20 + alert,
  number: 40 + alert,
  repository: { id: 1, name: repo, full_name: `acme/${repo}` },
  organization: { id: 101, name: 'acme' },
  requester: { actor_id: 12, actor_name: 'riverotter' },
  data: [{ reason: 'tolerable_risk', alert_number: String(alert), alert_title: title }],
  resource_identifier: String(alert),
  status: 'pending',
  requester_comment: 'Not reachable',
  created_at: '2026-02-26T12:00:00Z',
});
const lodash = dismissal('site', 3, 'ReDoS in lodash');
const semver = dismissal('api', 9, 'ReDoS in \u001b[2Jsemver');
const axios = dismissal('site', 5, 'SSRF in axios');

const alert = (repo: string, number: number) => `/repos/acme/${repo}/dismissal-requests/dependabot/${number}`;

const dismissals = (answers: Exclude<Script, (...args: never) => unknown> = {}) =>
  scriptedPlatform({
    'GET /orgs/acme/dismissal-requests/dependabot': { body: [lodash, semver, axios] },
    [`GET ${alert('site', 3)}`]: { body: lodash },
    [`GET ${alert('api', 9)}`]: { body: semver },
    [`GET ${alert('site', 5)}`]: { body: axios },
    [`PATCH ${alert('site', 3)}`]: { body: { dismissal_review_id: 1 } },
    [`PATCH ${alert('api', 9)}`]: { body: { dismissal_review_id: 2 } },
    [`PATCH ${alert('site', 5)}`]: { body: { dismissal_review_id: 3 } },
    ...answers,
  });

const sent = ({ requests }: Awaited<ReturnType<typeof dismissals>>) =>
  requests.filter(({ method }) => method !== 'GET').map(({ method, url, body }) => [`${method} ${url}`, body]);

describe('the queue of dismissal requests', () => {
  it('shows the open requests of the last month, decides on the selected ones, and prints a count', async () => {
    const platform = await dismissals();
    const { stdout, stderr, code } = await run(['dismissals', 'review', '--plain', '--json'], {
      env: platform.env,
      now,
      person: [
        ['(TARGET)', 'acme\r'],
        ['3. acme/site 5: SSRF in axios (tolerable_risk), by riverotter, 3 days ago', '1\r'],
        ['1. approve', '2\r'],
        ['Message to the requester', '\r'],
        ['must not be empty', 'A fix is out\r'],
        ['Which request (2 open)?', '2\r'],
        ['1. approve', '1\r'],
        ['Message to the requester', "It's fine\r"],
        ['Which request (1 open)?', '1\r'],
        ['1. approve', '3\r'],
      ],
    });
    expect(code).toBe(0);
    expect(platform.requests[0]?.url).toBe(
      '/api/v3/orgs/acme/dismissal-requests/dependabot?request_status=open&time_period=month&per_page=100',
    );
    expect(sent(platform)).toEqual([
      [`PATCH /api/v3${alert('site', 3)}`, '{"status":"deny","message":"A fix is out"}'],
      [`PATCH /api/v3${alert('site', 5)}`, '{"status":"approve","message":"It\'s fine"}'],
    ]);
    expect(stderr).toMatch(/^ {2}Comment +Not reachable$/m);
    expect(stderr).toContain(
      "  forgectl dismissals review --plain --json acme/site 3 --status deny --message 'A fix is out'\n",
    );
    expect(stderr).toContain(String.raw`acme/site 5 --status approve --message 'It'\''s fine'`);
    expect(stderr.split('\n').at(-2)).toBe('deny: 1, approve: 1, skipped: 1.');
    expect(JSON.parse(stdout)).toEqual([
      { repository: 'acme/site', number: 3, status: 'deny', message: 'A fix is out' },
      { repository: 'acme/site', number: 5, status: 'approve', message: "It's fine" },
    ]);
  });

  it('--quiet prints arguments for the next command: the number for one repository, both for an organization', async () => {
    const approve = async (target: string) => {
      const platform = await dismissals({ 'GET /repos/acme/site/dismissal-requests/dependabot': { body: [lodash] } });
      const words = ['--status', 'approve', '--message', 'Fine', '--plain', '--quiet'];
      const person = [['1. acme/site 3', '1\r']] as const;
      const left = target === 'acme' ? ([['Which request (2 open)?', '3\r']] as const) : [];
      return run(['dismissals', 'review', target, ...words], { env: platform.env, now, person: [...person, ...left] });
    };
    expect(await approve('acme')).toMatchObject({ code: 0, stdout: 'acme/site 3\n' });
    expect(await approve('acme/site')).toMatchObject({ code: 0, stdout: '3\n' });
  });

  it('approves no request but the one that is shown', async () => {
    const review = async (answers: Readonly<Record<string, ScriptedAnswer>>, asked: boolean) => {
      const platform = await dismissals({
        'GET /repos/acme/site/dismissal-requests/dependabot': { body: [lodash] },
        ...answers,
      });
      const words = ['dismissals', 'review', 'acme/site', '--status', 'approve', '--message', 'Fine', '--plain'];
      const person = asked ? ([['1. acme/site 3', '1\r']] as const) : [];
      const { stderr } = await run(words, { env: platform.env, now, person });
      expect(sent(platform)).toEqual([]);
      return stderr;
    };
    for (const other of [{ ...lodash, id: 99 }, semver, { ...lodash, repository: null }])
      expect(await review({ [`GET ${alert('site', 3)}`]: { body: other } }, true)).toContain(
        'Request 3 of acme/site is now a different request. Nothing was sent.',
      );
    for (const other of [semver, { ...lodash, repository: null }, { ...lodash, requester: null }])
      expect(
        await review({ 'GET /repos/acme/site/dismissal-requests/dependabot': { body: [other] } }, false),
      ).toContain('1 of 1 listed requests are incomplete or of others. Nothing was sent.');
  });

  it.each([
    ['request', { id: 99 }],
    ['repository', { repository: { ...lodash.repository, id: 99 } }],
  ])('approves no request whose %s was replaced while the message was typed', async (_what, changes) => {
    let reads = 0;
    const queue = await dismissals({
      [`GET ${alert('site', 3)}`]: () => ({ body: { ...lodash, ...(reads++ > 0 && changes) } }),
    });
    const { stderr, code } = await run(['dismissals', 'review', 'acme', '--plain', '--status', 'approve'], {
      env: queue.env,
      now,
      person: [
        ['1. acme/site 3', '1\r'],
        ['Message to the requester', 'Fine\r'],
      ],
    });
    expect(stderr).toContain(`${alert('site', 3)} was replaced or renamed during the prompt. Nothing was changed.`);
    expect([code, sent(queue)]).toEqual([12, []]);
  });

  it.each([
    ['dismissals', alert('site', 3), lodash, 'ReDoS in lodash'],
    ['bypass', '/repos/acme/site/bypass-requests/secret-scanning/3', { ...lodash, number: 3 }, 'riverotter'],
  ])('%s shows a request given by its number, and approves no other', async (topic, path, request, shown) => {
    const review = async (id: number) => {
      let reads = 0;
      const platform = await scriptedPlatform({
        [`GET ${path}`]: () => ({ body: { ...request, id: reads++ ? id : 23 } }),
        [`PATCH ${path}`]: { body: { dismissal_review_id: 1, bypass_review_id: 1 } },
      });
      const words = [topic, 'review', 'acme/site', '3', '--status', 'approve', '--plain'];
      const person = [
        [shown, ''],
        ['(--message)', 'Fine\r'],
      ] as const;
      const { stderr, code } = await run(words, { env: platform.env, now, person });
      return [code, sent(platform).length, stderr.includes(`${path} was replaced or renamed during the prompt.`)];
    };
    expect(await review(23)).toEqual([0, 1, false]);
    expect(await review(99)).toEqual([12, 0, true]);
  });

  it('neutralises the platform’s text without hiding it', async () => {
    const platform = await dismissals();
    const { stderr } = await run(['dismissals', 'review', 'acme'], {
      env: platform.env,
      now,
      person: [[String.raw`ReDoS in \u001b[2Jsemver`, '\x1b[B\x1b[B\x1b[B\r']],
    });
    expect(stderr).toContain('not reviewed: 3.');
  });

  it('--dry-run prints every request, and sends none', async () => {
    const platform = await dismissals();
    const { stdout, stderr, code } = await run(['dismissals', 'review', 'acme', '--plain', '--dry-run', '--json'], {
      env: platform.env,
      now,
      person: [
        ['Which request (3 open)?', '1\r'],
        ['1. approve', '1\r'],
        ['Message to the requester', 'Fine\r'],
        ['Which request (2 open)?', '1\r'],
        ['1. approve', '2\r'],
        ['Message to the requester', 'Update\r'],
        ['Which request (1 open)?', '2\r'],
      ],
    });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject([
      { url: `${platform.baseUrl}${alert('site', 3)}`, body: { status: 'approve', message: 'Fine' } },
      { url: `${platform.baseUrl}${alert('api', 9)}`, body: { status: 'deny', message: 'Update' } },
    ]);
    expect(stderr).toContain('Dry run: nothing was sent.');
    expect(stderr).not.toContain('Done.');
    expect(sent(platform)).toEqual([]);
  });

  it.each([
    ['AuthenticationError', 401, 4],
    ['RateLimitError', 429, 7],
    ['ServerError', 500, 8],
  ])(
    'prints the decisions made before a fatal error, then the error with its exit code (%s)',
    async (_error, status, exit) => {
      const platform = await dismissals({
        [`PATCH ${alert('api', 9)}`]: { status, headers: { 'retry-after': '7200' }, body: { message: 'No' } },
      });
      const words = ['dismissals', 'review', 'acme', '--plain', '--json', '--status', 'deny', '--message', 'Update'];
      const { stdout, stderr, code } = await run(words, {
        env: platform.env,
        now,
        person: [
          ['Type a number from 1 to 4', '1\r'],
          ['Type a number from 1 to 3', '1\r'],
        ],
      });
      expect(code).toBe(exit);
      expect(JSON.parse(stdout)).toEqual([{ repository: 'acme/site', number: 3, status: 'deny', message: 'Update' }]);
      expect(stderr).toContain('deny: 1, not reviewed: 1.');
      expect(JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error).toMatchObject({ status });
      expect(sent(platform)).toHaveLength(2);
    },
  );

  it('prints the decisions made before Ctrl-C, and exits with 130', async () => {
    const platform = await dismissals();
    const words = ['dismissals', 'review', 'acme', '--plain', '--json', '--status', 'deny', '--message', 'Update'];
    const { stdout, code } = await run(words, {
      env: platform.env,
      now,
      person: [
        ['Type a number from 1 to 4', '1\r'],
        ['Type a number from 1 to 3', '\x04'],
      ],
    });
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toEqual([{ repository: 'acme/site', number: 3, status: 'deny', message: 'Update' }]);
  });

  it('accepts a decision and a message for all from flags', async () => {
    const platform = await dismissals();
    const words = ['dismissals', 'review', 'acme', '--plain', '--status', 'deny', '--message', 'Please update'];
    await run(words, {
      env: platform.env,
      now,
      person: [
        ['Type a number from 1 to 4', '2\r'],
        ['Type a number from 1 to 3', '3\r'],
      ],
    });
    expect(sent(platform)).toEqual([
      [`PATCH /api/v3${alert('api', 9)}`, '{"status":"deny","message":"Please update"}'],
    ]);
  });

  it('continues after a refusal, and exits with code 9', async () => {
    const platform = await dismissals({
      [`PATCH ${alert('site', 3)}`]: { status: 422, body: { message: 'You cannot review your own request' } },
    });
    const { stderr, code } = await run(['dismissals', 'review', 'acme', '--plain', '--status', 'approve'], {
      env: platform.env,
      now,
      person: [
        ['Type a number from 1 to 4', '1\r'],
        ['Message to the requester', 'Fine\r'],
        ['Type a number from 1 to 3', '2\r'],
        ['Message to the requester', 'Fine\r'],
        ['Type a number from 1 to 2', '2\r'],
      ],
    });
    expect(code).toBe(9);
    expect(stderr).toContain('returned 422 You cannot review your own request');
    expect(stderr).toContain('approve: 1, failed: 1, not reviewed: 1.');
    expect(stderr).toContain('forgectl: 1 of 3 requests could not be reviewed.');
    expect(sent(platform)).toHaveLength(2);
  });

  it('reports an empty queue', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/dismissal-requests/dependabot': { body: [] } });
    const { stderr, code } = await run(['dismissals', 'review', 'acme/site'], { env: platform.env, person: [] });
    expect({ stderr, code }).toEqual({ stderr: 'No open requests in the last month.\n', code: 0 });
  });

  it('accepts no file, and an organization only without a number', async () => {
    const file = await run(['dismissals', 'review', 'acme', '--input', 'review.json'], { person: [] });
    expect(file).toMatchObject({
      code: 2,
      stderr: 'forgectl: --input requires the number of a request. Nothing was sent.\n',
    });
    const words = ['dismissals', 'review', 'acme', '3', '--status', 'approve', '--message', 'ok'];
    const organization = await run(words, { person: [] });
    expect(organization).toMatchObject({
      code: 2,
      stderr: 'forgectl: TARGET must have the form OWNER/NAME. Nothing was sent.\n',
    });
  });

  it('exits with 130 on Ctrl-C', async () => {
    const platform = await dismissals();
    const { code } = await run(['dismissals', 'review', 'acme'], {
      env: platform.env,
      now,
      person: [['Which request (3 open)?', '\x03']],
    });
    expect(code).toBe(130);
    expect(sent(platform)).toEqual([]);
  });

  it('decides at once on a given number, and prompts for anything missing', async () => {
    const platform = await dismissals();
    const { stderr, code } = await run(['dismissals', 'review', 'acme/site', '3', '--plain'], {
      env: platform.env,
      person: [
        ['1. approve', '1\r'],
        ['Message to the requester', 'Fine\r'],
      ],
    });
    expect(code).toBe(0);
    expect(sent(platform)).toEqual([[`PATCH /api/v3${alert('site', 3)}`, '{"status":"approve","message":"Fine"}']]);
    expect(stderr).toContain('  forgectl dismissals review acme/site 3 --plain --status approve --message Fine\n');
  });
});

describe('the queue of bypass requests', () => {
  it('shows the content to be pushed, and approves or rejects by number', async () => {
    const request = {
      id: 7,
      number: 42,
      repository: { id: 1, name: 'site', full_name: 'acme/site' },
      organization: { id: 101, name: 'acme' },
      requester: { actor_id: 12, actor_name: 'riverotter' },
      data: [{ secret_type: 'api_key', bypass_reason: 'fix_later', path: 'a.env:1', branch: 'refs/heads/main' }],
      status: 'pending',
      created_at: '2026-02-26T12:00:00Z',
    };
    const requests = '/repos/acme/site/bypass-requests/secret-scanning';
    const platform = await scriptedPlatform({
      [`GET ${requests}`]: { body: [request] },
      [`GET ${requests}/42`]: { body: request },
      [`PATCH ${requests}/42`]: { body: { bypass_review_id: 1 } },
    });
    const { stdout, stderr, code } = await run(['bypass', 'review', 'acme/site', '--plain'], {
      env: platform.env,
      now,
      person: [
        ['1. acme/site 42: api_key in a.env:1, by riverotter, 3 days ago', '1\r'],
        ['2. reject', '2\r'],
        ['Message to the requester', 'Still live\r'],
      ],
    });
    expect(code).toBe(0);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET /api/v3${requests}?request_status=open&time_period=month&per_page=100`,
      `GET /api/v3${requests}/42`,
      `GET /api/v3${requests}/42`,
      `PATCH /api/v3${requests}/42`,
    ]);
    expect(platform.requests[3]?.body).toBe('{"status":"reject","message":"Still live"}');
    expect(stdout).toContain('acme/site');
    expect(stderr.split('\n').at(-2)).toBe('reject: 1.');
  });
});

describe('when prompts are disabled', () => {
  it.each([
    ['dismissals review acme', {}],
    ['bypass review acme', {}],
    ['bypass review acme --no-input', { person: [] }],
    ['bypass review acme', { person: [], env: { CI: '1' } }],
  ])('%s with %j does not prompt, and lists everything missing in one error', async (line, options) => {
    const { stderr, code } = await run(line.split(' '), options);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^forgectl: TARGET must have the form OWNER\/NAME; (ALERT|NUMBER) is required: [^;]+; status is required; message is required\. Nothing was sent\.\n/,
    );
  });
});
