import { describe, expect, it } from 'vitest';
import { scriptedPlatform } from '../../support/platform.ts';
import { run } from '../../support/run.ts';
import { ofOrganization, ruleset, summary } from './records.ts';

const asked = ({ requests }: { requests: readonly { method: string; url: string }[] }) =>
  requests.map(({ method, url }) => `${method} ${url}`);

describe('rulesets list', () => {
  it('shows the source, target and enforcement of each ruleset', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/rulesets': { body: [summary, ofOrganization] } });
    const { env } = platform;
    const piped = await run(['rulesets', 'list', 'acme/site'], { env });
    expect(piped.stdout).toBe(
      '42\tprotect-main\tbranch\tactive\tacme/site\t2026-02-27T12:00:00Z\n' +
        '9\tprotect-main\tbranch\tactive\tacme\t2026-02-27T12:00:00Z\n',
    );
    const seen = await run(['rulesets', 'list', 'acme/site'], { env, tty: true });
    expect(seen.stdout).toBe(
      'ID  NAME          TARGET  ENFORCEMENT  SOURCE     UPDATED\n' +
        '42  protect-main  branch  active       acme/site  2 days ago\n' +
        '9   protect-main  branch  active       acme       2 days ago\n',
    );
    const json = await run(['rulesets', 'list', 'acme/site', '--json'], { env });
    expect(JSON.parse(json.stdout)).toEqual([summary, ofOrganization]);
    expect(asked(platform)).toEqual(Array(3).fill('GET /api/v3/repos/acme/site/rulesets'));
  });

  it('sends the filters, and paginates', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/rulesets': { body: [summary] },
      'GET /orgs/acme/rulesets': { body: [ofOrganization] },
    });
    const filtered = ['--no-includes-parents', '--targets', 'branch,tag', '--per-page', '5', '--page', '2'];
    await run(['rulesets', 'list', 'acme/site', ...filtered], platform);
    await run(['rulesets', 'list', 'acme', '--targets', 'push'], platform);
    expect(asked(platform)).toEqual([
      'GET /api/v3/repos/acme/site/rulesets?includes_parents=false&targets=branch%2Ctag&per_page=5&page=2',
      'GET /api/v3/orgs/acme/rulesets?targets=push',
    ]);
  });

  it('rejects --includes-parents for an organization, which has none', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'list', 'acme', '--includes-parents'], platform);
    expect(stderr).toBe(
      'forgectl: --includes-parents requires a repository, but acme is an organization. Nothing was sent.\n',
    );
    expect(code).toBe(2);
    expect(platform.requests).toEqual([]);
  });

  it('reports only the error for an invalid target', async () => {
    const { stderr, code } = await run(['rulesets', 'list', 'acme/site/x', '--includes-parents']);
    expect(stderr).toBe('forgectl: TARGET must have the form OWNER/NAME. Nothing was sent.\n');
    expect(code).toBe(2);
  });

  it('reports a 404 with exit code 3', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'list', 'acme/gone', '--json'], platform);
    expect(JSON.parse(stderr.trim()).error).toMatchObject({ code: 'not_found', status: 404 });
    expect(code).toBe(3);
  });
});

describe('rulesets get', () => {
  it('shows a summary of the ruleset, then its parts', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/rulesets/42': { body: ruleset } });
    const { stdout } = await run(['rulesets', 'get', 'acme/site', '42'], { ...platform, tty: true });
    const words = stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' · '));
    expect(words.slice(0, 10)).toEqual([
      'ID · 42',
      'Name · protect-main',
      'Target · branch',
      'Enforcement · active',
      'Source · Repository acme/site',
      'You may bypass · never',
      'Created · 1 month ago',
      'Updated · 2 days ago',
      'Number of rules · 2',
      'Number of bypass actors · 1',
    ]);
    for (const part of [/^Conditions\b.*Include +~DEFAULT_BRANCH/ms, /^Bypass actors\b.*Actor type +Team/ms])
      expect(stdout).toMatch(part);
    expect(stdout).toMatch(/^Rules\b.*deletion.*commit_message_pattern.*Pattern +fix/ms);
  });

  it('prints JSON with the ruleset as the platform returned it', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/rulesets/42': { body: ruleset } });
    const { stdout } = await run(['rulesets', 'get', 'acme', '42', '--json'], platform);
    expect(JSON.parse(stdout)).toEqual(ruleset);
  });

  it('requests without the rulesets of the organization on request', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/rulesets/42': { body: ruleset } });
    await run(['rulesets', 'get', 'acme/site', '42', '--no-includes-parents'], platform);
    expect(asked(platform)).toEqual(['GET /api/v3/repos/acme/site/rulesets/42?includes_parents=false']);
  });

  it('accepts only a whole number as the ID', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'get', 'acme/site', 'protect-main'], platform);
    expect(stderr).toBe('forgectl: ID must be a whole number, at least 1. Nothing was sent.\n');
    expect(code).toBe(2);
  });
});

describe('rulesets check', () => {
  const rules = [
    { type: 'deletion', ruleset_source_type: 'Repository', ruleset_source: 'acme/site', ruleset_id: 42 },
    {
      type: 'commit_message_pattern',
      ruleset_source_type: 'Organization',
      ruleset_source: 'acme',
      ruleset_id: 9,
      parameters: { operator: 'starts_with', pattern: 'fix', negate: false },
    },
    {
      type: 'required_status_checks',
      ruleset_source_type: 'Organization',
      ruleset_source: 'acme',
      ruleset_id: 9,
      parameters: { required_status_checks: [{ context: 'build' }], modes: ['a', 'b'] },
    },
  ];

  it('shows each rule with its ruleset, source and short parameters', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/rules/branches/main': { body: rules } });
    const { stdout, code } = await run(['rulesets', 'check', 'acme/site', 'main'], platform);
    expect(stdout).toBe(
      'deletion\t42\tRepository acme/site\t\n' +
        'commit_message_pattern\t9\tOrganization acme\toperator=starts_with pattern=fix negate=false\n' +
        'required_status_checks\t9\tOrganization acme\trequired_status_checks={"context":"build"} modes=a,b\n',
    );
    expect(code).toBe(0);
    const json = await run(['rulesets', 'check', 'acme/site', 'main', '--json'], platform);
    expect(JSON.parse(json.stdout)).toEqual(rules);
  });

  it('encodes a slash in the name of a branch', async () => {
    const platform = await scriptedPlatform({ 'GET /repos/acme/site/rules/branches/release%2F1.2': { body: [] } });
    const { stderr, code } = await run(['rulesets', 'check', 'acme/site', 'release/1.2'], { ...platform, tty: true });
    expect(asked(platform)).toEqual(['GET /api/v3/repos/acme/site/rules/branches/release%2F1.2']);
    expect(stderr).toBe('No active rule applies to release/1.2.\n');
    expect(code).toBe(0);
  });

  it.each(['release/*', 'v?', 'v[12]'])(
    'rejects the wildcards of %s: “branch cannot contain wildcards”',
    async (branch) => {
      const platform = await scriptedPlatform({});
      const { stderr, code } = await run(['rulesets', 'check', 'acme/site', branch], platform);
      expect(stderr).toBe('forgectl: BRANCH must be one branch name, without the wildcards * ? [. Nothing was sent.\n');
      expect(code).toBe(2);
      expect(platform.requests).toEqual([]);
    },
  );
});

describe('rulesets history', () => {
  const version = { version_id: 3, actor: { id: 5, type: 'User' }, updated_at: '2026-02-28T12:00:00Z' };

  it('lists the versions', async () => {
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/rulesets/42/history': { body: [version] },
      'GET /orgs/acme/rulesets/9/history': { body: [version] },
    });
    const { stdout } = await run(['rulesets', 'history', 'acme/site', '42'], platform);
    expect(stdout).toBe('3\t2026-02-28T12:00:00Z\tUser\t5\n');
    const json = await run(['rulesets', 'history', 'acme', '9', '--json'], platform);
    expect(JSON.parse(json.stdout)).toEqual([version]);
  });

  it('shows logins in a table, and requests each user once', async () => {
    const by = (version_id: number, id: number, type = 'User') => ({ ...version, version_id, actor: { id, type } });
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets/9/history': {
        body: [by(5, 5), by(4, 7), by(3, 5), by(2, 8), by(1, 15368, 'Integration')],
      },
      'GET /user/5': { body: { id: 5, login: 'octocat' } },
      'GET /user/7': { status: 403, body: { message: 'Forbidden' } },
      'GET /user/8': { status: 404, body: { message: 'Not Found' } },
    });
    const { stdout, stderr, code } = await run(['rulesets', 'history', 'acme', '9'], { ...platform, tty: true });
    expect({ stdout, stderr, code }).toEqual({
      stdout: [
        'VERSION  UPDATED    ACTOR',
        '5        1 day ago  octocat',
        '4        1 day ago  User 7',
        '3        1 day ago  octocat',
        '2        1 day ago  User 8',
        '1        1 day ago  Integration 15368',
        '',
      ].join('\n'),
      stderr: '',
      code: 0,
    });
    expect(asked(platform).toSorted()).toEqual([
      'GET /api/v3/orgs/acme/rulesets/9/history',
      'GET /api/v3/user/5',
      'GET /api/v3/user/7',
      'GET /api/v3/user/8',
    ]);
  });

  it.each(['--output=tsv', '--json', '--output=yaml', '--quiet', '--fields=actor.id', '--jq=.[0].actor'])(
    'requests no login with %s',
    async (flag) => {
      const platform = await scriptedPlatform({ 'GET /orgs/acme/rulesets/9/history': { body: [version] } });
      expect((await run(['rulesets', 'history', 'acme', '9', flag], { ...platform, tty: true })).code).toBe(0);
      expect(asked(platform)).toEqual(['GET /api/v3/orgs/acme/rulesets/9/history']);
    },
  );

  it('shows one version with its state', async () => {
    const withState = { ...version, state: { name: 'protect-main', enforcement: 'disabled' } };
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/rulesets/42/history/3': { body: withState },
      'GET /orgs/acme/rulesets/9/history/3': { body: withState },
    });
    const seen = await run(['rulesets', 'history', 'acme/site', '42', '--version', '3'], { ...platform, tty: true });
    expect(seen.stdout).toMatch(/^Version ID +3$/m);
    expect(seen.stdout).toMatch(/^ +Enforcement +disabled$/m);
    const json = await run(['rulesets', 'history', 'acme', '9', '--version', '3', '--json'], platform);
    expect(JSON.parse(json.stdout)).toEqual(withState);
  });

  it('accepts only a whole number as the version', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'history', 'acme', '9', '--version', 'latest'], platform);
    expect(stderr).toBe('forgectl: --version must be a whole number, at least 1. Nothing was sent.\n');
    expect(code).toBe(2);
  });
});

describe('rulesets suites', () => {
  const suite = {
    id: 21,
    actor_name: 'octocat',
    ref: 'refs/heads/main',
    repository_name: 'site',
    result: 'bypass',
    evaluation_result: 'fail',
    pushed_at: '2026-02-28T12:00:00Z',
  };

  it('lists rule results, and prints the period', async () => {
    const platform = await scriptedPlatform({ 'GET /orgs/acme/rulesets/rule-suites': { body: [suite] } });
    const { stdout, stderr } = await run(['rulesets', 'suites', 'acme'], platform);
    expect(stdout).toBe('21\tbypass\tfail\toctocat\tsite\trefs/heads/main\t2026-02-28T12:00:00Z\n');
    expect(stderr).toBe('Showing the last day (default); change with --time-period (hour, day, week, month).\n');
  });

  it('sends every filter', async () => {
    const platform = await scriptedPlatform({
      'GET /orgs/acme/rulesets/rule-suites': { body: [] },
      'GET /repos/acme/site/rulesets/rule-suites': { body: [] },
    });
    const filters = ['--ref=main', '--time-period=week', '--actor-name=octocat', '--rule-suite-result=bypass'];
    const pages = ['--per-page=10', '--page=3'];
    await run(['rulesets', 'suites', 'acme', '--repository-name=site', ...filters, ...pages], platform);
    await run(['rulesets', 'suites', 'acme/site', ...filters], platform);
    const query = 'ref=main&time_period=week&actor_name=octocat&rule_suite_result=bypass';
    expect(asked(platform)).toEqual([
      `GET /api/v3/orgs/acme/rulesets/rule-suites?repository_name=site&${query}&per_page=10&page=3`,
      `GET /api/v3/repos/acme/site/rulesets/rule-suites?${query}`,
    ]);
  });

  it('reports every invalid filter at once', async () => {
    const platform = await scriptedPlatform({});
    const bad = ['--repository-name=site', '--time-period=year', '--rule-suite-result=maybe'];
    const { stderr, code } = await run(['rulesets', 'suites', 'acme/site', ...bad, '--json'], platform);
    expect(JSON.parse(stderr.trim()).error.fields).toEqual([
      {
        field: '--repository-name',
        message: 'requires an organization, but acme/site is a repository',
      },
      { field: '--time-period', message: 'must be one of hour, day, week, month' },
      { field: '--rule-suite-result', message: 'must be one of pass, fail, bypass, all' },
    ]);
    expect(code).toBe(2);
  });

  it('shows the result of each rule for a suite', async () => {
    const rule_source = { type: 'ruleset', id: 7, name: 'Guard' };
    const rule = { rule_source, enforcement: 'active', rule_type: 'deletion' };
    const evaluations = [
      { ...rule, result: 'fail', details: 'not yours' },
      { ...rule, result: 'pass', details: null },
      { enforcement: 'evaluate', result: 'pass', rule_type: 'creation' },
    ];
    const one = { ...suite, rule_evaluations: evaluations };
    const platform = await scriptedPlatform({
      'GET /repos/acme/site/rulesets/rule-suites/21': { body: one },
      'GET /orgs/acme/rulesets/rule-suites/21': { body: one },
    });
    const seen = await run(['rulesets', 'suites', 'acme/site', '21'], { ...platform, tty: true });
    expect(seen.stdout).toContain(
      [
        '  By ruleset',
        '    Guard 7, active',
        '      deletion  fail: not yours; pass',
        '    rules, evaluate',
        '      creation  pass',
        '',
      ].join('\n'),
    );
    const json = await run(['rulesets', 'suites', 'acme', '21', '--json'], platform);
    expect(JSON.parse(json.stdout)).toEqual(one);
  });

  it('rejects filters for a single suite', async () => {
    const platform = await scriptedPlatform({});
    const { stderr, code } = await run(['rulesets', 'suites', 'acme', '21', '--ref', 'main'], platform);
    expect(stderr).toBe('forgectl: --ref cannot be used with ID. Nothing was sent.\n');
    expect(code).toBe(2);
  });
});
