import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/serve.ts';
import type { ImpactPush, Impact as ImpactRecord } from '../../../src/topics/rulesets/impact/result.ts';
import { type ScriptedAnswer, scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';

type Impact = Omit<ImpactRecord, 'pushes'> & { pushes: ImpactPush[] };

const [none, one, two, three] = ['0', 'a', 'b', 'c'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];
const now = new Date('2026-03-01T12:00:00Z');

const reviews = {
  type: 'pull_request',
  parameters: {
    dismiss_stale_reviews_on_push: false,
    require_code_owner_review: false,
    require_last_push_approval: false,
    required_approving_review_count: 1,
    required_review_thread_resolution: false,
  },
};

const guard = {
  id: 7,
  name: 'guard',
  target: 'branch',
  source: 'acme',
  source_type: 'Organization',
  enforcement: 'active',
  conditions: {
    ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] },
    repository_name: { include: ['~ALL'], exclude: [] },
  },
  rules: [reviews, { type: 'non_fast_forward' }],
  bypass_actors: [{ actor_type: 'Team', actor_id: 3, bypass_mode: 'always' }],
  updated_at: '2026-02-01T12:00:00Z',
};

const person = (login: string, id: number) => ({ login, id, type: 'User' });

const activity = [
  {
    ref: 'refs/heads/main',
    before: two,
    after: three,
    activity_type: 'push',
    actor: person('ada', 1),
    timestamp: '2026-02-28T12:00:00Z',
  },
  {
    ref: 'refs/heads/main',
    before: one,
    after: two,
    activity_type: 'pr_merge',
    actor: person('bob', 2),
    timestamp: '2026-02-27T12:00:00Z',
  },
  {
    ref: 'refs/heads/fix',
    before: none,
    after: two,
    activity_type: 'branch_creation',
    actor: person('bob', 2),
    timestamp: '2026-02-26T12:00:00Z',
  },
  {
    ref: 'refs/heads/main',
    before: three,
    after: one,
    activity_type: 'force_push',
    actor: { login: 'robot[bot]', id: 9, type: 'Bot' },
    timestamp: '2026-02-25T12:00:00Z',
  },
];

const suite = (id: number, facts: object) => ({
  ...{ id, ref: 'refs/heads/main', before_sha: one, after_sha: two, actor_id: 2, actor_name: 'bob' },
  ...{
    repository_id: 11,
    repository_name: 'site',
    pushed_at: '2026-02-27T12:00:00Z',
    result: 'pass',
    evaluation_result: null,
  },
  ...facts,
});
const suites = [
  suite(71, { result: 'pass' }),
  suite(72, {
    result: 'fail',
    after_sha: none.replace(/0/g, 'd'),
    pushed_at: '2026-02-26T15:00:00Z',
    actor_id: 1,
    actor_name: 'ada',
  }),
];

const repository = {
  id: 11,
  name: 'site',
  full_name: 'acme/site',
  default_branch: 'main',
  html_url: 'https://git.example.com/acme/site',
};

const script = (changes: Readonly<Record<string, ScriptedAnswer>> = {}): Readonly<Record<string, ScriptedAnswer>> => ({
  'GET /orgs/acme/rulesets/7': { body: guard },
  'GET /orgs/acme/repos': { body: [repository] },
  'GET /repos/acme/site/activity': { body: activity },
  'GET /orgs/acme/rulesets/rule-suites': { body: suites },
  'GET /orgs/acme/rulesets/rule-suites/72': {
    body: {
      ...suites[1],
      rule_evaluations: [evaluation('pull_request', 'fail'), evaluation('non_fast_forward', 'pass')],
    },
  },
  'GET /orgs/acme/teams': { body: [{ id: 3, slug: 'leads', name: 'Leads' }] },
  'GET /orgs/acme/teams/leads/members': { body: [person('carol', 4)] },
  ...changes,
});

const evaluation = (rule_type: string, result: string) => ({
  ...{
    rule_source: { type: 'ruleset', id: 7, name: 'guard' },
    enforcement: 'active',
    rule_type,
    result,
    details: null,
  },
});

const judge = async (
  words: readonly string[],
  { changes = {}, ...options }: RunOptions & { changes?: Readonly<Record<string, ScriptedAnswer>> } = {},
) => {
  const platform = await scriptedPlatform(script(changes));
  const result = await run(['rulesets', 'impact', ...words], { ...options, env: platform.env, now });
  return {
    ...result,
    sent: platform.requests.map(({ method, url }) => `${method} ${url.replace('/api/v3', '')}`).sort(),
  };
};

const fileOf = (changes: object = {}) => ({ stdin: JSON.stringify({ ...guard, id: undefined, ...changes }) });

describe('rulesets impact of a live ruleset', () => {
  it.each([7, null, [null], [{ result: 'fail' }]])('reports rule results of a wrong shape: %j', async (results) => {
    const body = { ...suites[1], rule_evaluations: results };
    const { stderr, code } = await judge(['7', 'acme'], {
      changes: { 'GET /orgs/acme/rulesets/rule-suites/72': { body } },
    });
    expect(stderr).toMatch(
      /GET \/orgs\/acme\/rulesets\/rule-suites\/72 returned \S+ .*instead of .* for rule_evaluations/,
    );
    expect(code).toBe(9);
  });

  it.each<[changes: object, problem: string]>([
    [{ rules: {} }, 'an object instead of a list for rules'],
    [
      { conditions: { ref_name: { include: { length: 5 } } } },
      'an object instead of a list for conditions.ref_name.include',
    ],
    [{ conditions: { repository_name: 'x' } }, 'a string instead of an object for conditions.repository_name'],
    [{ bypass_actors: ['x'] }, 'a string instead of an object for bypass_actors[0]'],
    [{ bypass_actors: [{ actor_type: 7 }] }, 'a number instead of a string for bypass_actors[0].actor_type'],
  ])('rejects a ruleset that it cannot understand: %j', async (changes, problem) => {
    const { stdout, stderr, code } = await judge(['7', 'acme'], {
      changes: { 'GET /orgs/acme/rulesets/7': { body: { ...guard, ...changes } } },
    });
    expect([stdout, stderr, code]).toEqual(['', `forgectl: GET /orgs/acme/rulesets/7 returned ${problem}.\n`, 8]);
  });

  it('prints the refused pushes in lines, and the summary on stderr', async () => {
    const { stdout, stderr, code, sent } = await judge(['7', 'acme']);
    const page = 'https://git.example.com/acme/site';
    expect(stdout.split('\n')).toEqual([
      `2026-02-28T12:00:00Z\tacme/site\trefs/heads/main\tada\tpush\trefused\t\tpull_request\t${page}/compare/${two}...${three}`,
      '2026-02-26T15:00:00Z\tacme/site\trefs/heads/main\tada\trefused\trefused\t\tpull_request\t',
      `2026-02-25T12:00:00Z\tacme/site\trefs/heads/main\trobot[bot]\tforce_push\trefused\t\tpull_request, non_fast_forward\t${page}/compare/${three}...${one}`,
      '',
    ]);
    expect(stderr).toBe(
      'pushes 5: 2 allowed, 3 refused, 0 bypassed, 0 unknown\n1 of the refused pushes was refused already, by active rulesets.\n',
    );
    expect(code).toBe(0);
    expect(sent).toEqual([
      'GET /orgs/acme/repos?per_page=100',
      'GET /orgs/acme/rulesets/7',
      'GET /orgs/acme/rulesets/rule-suites/72',
      'GET /orgs/acme/rulesets/rule-suites?time_period=month&per_page=100',
      'GET /orgs/acme/teams/leads/members?per_page=100',
      'GET /orgs/acme/teams?per_page=100',
      'GET /repos/acme/site/activity?time_period=month&per_page=100',
    ]);
  });

  it('counts by rule, actor and repository at a terminal', async () => {
    const { stdout } = await judge(['7', 'acme'], { tty: true, columns: 120 });
    expect(stdout).toMatch(
      /^RULE +REFUSED +UNKNOWN +BYPASSED +ALLOWED\npull_request +3 +0 +0 +1\nnon_fast_forward +1 +0 +0 +3\n/,
    );
    expect(stdout).toMatch(
      /\nACTOR .*\nada +2 +0 +0 +0\nrobot\[bot] +1 +0 +0 +0\n\nREPOSITORY .*\nacme\/site +3 +0 +0 +2\n\nWHEN /,
    );
  });

  it('prints everything as JSON, and a line for each push with -o ndjson', async () => {
    const { summary, pushes, ruleset } = JSON.parse((await judge(['7', 'acme', '--json'])).stdout) as Impact;
    expect(ruleset).toEqual({ id: 7, name: 'guard', source: 'acme', target: 'branch', enforcement: 'active' });
    expect(summary).toMatchObject({
      ...{ pushes: 5, allowed: 2, refused: 3, bypassed: 0, unknown: 0, missing: null, compared: null },
      by_actor: [
        { name: 'ada', pushes: 2, refused: 2 },
        { name: 'robot[bot]', pushes: 1, refused: 1 },
        { name: 'bob', pushes: 2, allowed: 2 },
      ],
      ...{ time_period: 'month', repositories: 1, unreadable: [] },
      rule_suites: { time_period: 'month', suites: 2, unread: 0, missing: null },
    });
    expect(pushes[0]).toEqual({
      ...{ repository: 'acme/site', ref: 'refs/heads/main', before: two, after: three, actor: 'ada' },
      ...{ time: '2026-02-28T12:00:00Z', activity: 'push', verdict: 'refused', live: null },
      rules: [
        { type: 'pull_request', verdict: 'refused', missing: null },
        { type: 'non_fast_forward', verdict: 'allowed', missing: null },
      ],
      ...{ rule_suite: null, result: null, html_url: `https://git.example.com/acme/site/compare/${two}...${three}` },
    });
    const lines = (await judge(['7', 'acme', '-o', 'ndjson'])).stdout.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as ImpactPush)).toEqual(pushes);
    const actors = [
      await judge(['7', 'acme', '--jq', '[.pushes[].actor]']),
      await judge(['7', 'acme', '--json', '--fields', 'pushes.actor']),
    ];
    const names = pushes.map(({ actor }) => actor);
    expect(JSON.parse(actors[0]?.stdout ?? '')).toEqual(names);
    expect(JSON.parse(actors[1]?.stdout ?? '')).toEqual({ pushes: names.map((actor) => ({ actor })) });
  });

  it('writes a report with all pushes to a new file that only its owner can read', async () => {
    const file = join(await temporaryDirectory(), 'impact.html');
    const { stdout, stderr, code } = await judge(['7', 'acme', '--html', file, '--json']);
    expect([stderr.split('\n').at(-2), code]).toEqual([`Wrote the report to ${file}.`, 0]);
    expect((JSON.parse(stdout) as Impact).pushes).toHaveLength(5);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    expect(text).toContain('<title>Ruleset impact: guard</title>');
    expect(text).toContain('<dt>Refused</dt><dd><b>3</b><span>60.0%</span></dd>');
    expect(text).toContain('<th scope="row"><bdi>robot[bot]</bdi></th><td>1</td>');
    expect(text).toContain('<th scope="row"><bdi>2026-02-25</bdi></th><td>0</td><td>1</td>');
    expect(text).toMatch(/"texts":\["refused","acme\/site",.*"pull_request: refused\\nnon_fast_forward: allowed"/);
    const again = await judge(['7', 'acme', '--html', file]);
    expect([again.code, again.sent]).toEqual([2, []]);
    expect(again.stderr).toContain(
      `${file} already exists.\nReplace it with --force, or choose another file with --html.\n`,
    );
    expect((await judge(['7', 'acme', '--html', file, '--force'])).code).toBe(0);
    expect((await judge(['7', 'acme', '--force'])).stderr).toContain('--force requires --html');
  });

  it('lets those bypass it who may, as of today', async () => {
    const members = { 'GET /orgs/acme/teams/leads/members': { body: [person('ada', 1)] } };
    const { stderr } = await judge(['7', 'acme'], { changes: members });
    expect(stderr).toContain('pushes 5: 2 allowed, 1 refused, 2 bypassed, 0 unknown\n');
    const newer = { ...guard, bypass_actors: [{ ...guard.bypass_actors[0], bypass_mode: 'newer' }] };
    const unclear = await judge(['7', 'acme'], {
      changes: { ...members, 'GET /orgs/acme/rulesets/7': { body: newer } },
    });
    expect(unclear.stderr).toContain('pushes 5: 2 allowed, 2 refused, 0 bypassed, 1 unknown\n');
    const hidden = await judge(['7', 'acme'], { changes: { 'GET /orgs/acme/teams': { status: 403, body: {} } } });
    // A person may be in the team, unless the platform has refused the push; an app is in none.
    expect(hidden.stderr).toContain('pushes 5: 2 allowed, 2 refused, 0 bypassed, 1 unknown\n');
  });

  it('exits with 13 for refused pushes with --fail-on refused', async () => {
    const { stderr, code } = await judge(['7', 'acme', '--fail-on', 'refused']);
    expect(stderr).toContain('forgectl: 3 pushes would have been refused.\n');
    expect(code).toBe(13);
  });

  it('exits with 9 for --fail-on refused if the pushes that were refused cannot be read', async () => {
    const changes = {
      'GET /orgs/acme/rulesets/rule-suites': { status: 404, body: {} },
      'GET /repos/acme/site/activity': { status: 200, body: [] },
    };
    const { stderr, code } = await judge(['7', 'acme', '--fail-on', 'refused'], { changes });
    expect(stderr).toContain('forgectl: The pushes that were refused cannot be read, so they are not judged.\n');
    expect(code).toBe(9);
  });

  it('names repositories whose activity cannot be read, and exits with 9', async () => {
    const changes = { 'GET /repos/acme/site/activity': { status: 403, body: { message: 'Forbidden' } } };
    const { stderr, code } = await judge(['7', 'acme'], { changes });
    expect(stderr).toContain('acme/site cannot be read: GET /repos/acme/site/activity returned 403 Forbidden');
    expect(code).toBe(9);
  });

  it('rejects rule suites with numbers in place of commits', async () => {
    const body = JSON.stringify([suite(72, {})]).replace(`"${one}"`, '99999999999999999999999');
    const { stderr, code } = await judge(['7', 'acme'], {
      changes: { 'GET /orgs/acme/rulesets/rule-suites': { body } },
    });
    expect(stderr).toContain('/orgs/acme/rulesets/rule-suites');
    expect(stderr).toContain('[0].before_sha');
    expect(code).toBe(8);
  });

  it('says that refused pushes are missing if rule suites cannot be read', async () => {
    const changes = { 'GET /orgs/acme/rulesets/rule-suites': { status: 404, body: {} } };
    const { stderr, code } = await judge(['7', 'acme', '--time-period', 'year'], { changes });
    expect(stderr).toBe(
      'pushes 4: 1 allowed, 2 refused, 0 bypassed, 1 unknown\nRefused pushes are not included: GET /orgs/acme/rulesets/rule-suites returned 404: needs organization_administration (write).\n',
    );
    expect(code).toBe(0);
    const longer = await judge(['7', 'acme', '--time-period', 'year']);
    expect(longer.stderr).toContain(
      'Refused pushes are those of the last month; the platform keeps no older rule suites.\n',
    );
  });

  it('leaves the rules of suites unknown beyond --suite-details', async () => {
    const { stdout, stderr } = await judge(['7', 'acme', '--suite-details', '0', '--json']);
    expect((JSON.parse(stdout) as Impact).pushes[2]?.rules[1]).toEqual({
      ...{ type: 'non_fast_forward', verdict: 'unknown' },
      missing: 'the details of rule suite 72, beyond --suite-details 0',
    });
    expect(stderr).toContain('The rules of 1 rule suite were not read; --suite-details allows 0.\n');
  });

  it('has an answer for tag and push rulesets that is not 0', async () => {
    const changes = { 'GET /orgs/acme/rulesets/7': { body: { ...guard, target: 'tag' } } };
    const { stdout, sent, code } = await judge(['7', 'acme', '--json'], { changes });
    expect((JSON.parse(stdout) as Impact).summary).toMatchObject({ pushes: null, refused: null });
    expect([sent, code]).toEqual([['GET /orgs/acme/rulesets/7'], 0]);
    const failing = await judge(['7', 'acme', '--fail-on', 'refused'], { changes });
    expect([failing.stdout, failing.code]).toEqual(['', 2]);
  });
});

describe('rulesets impact of a ruleset in evaluate', () => {
  const evaluated = [
    suite(81, { evaluation_result: 'pass' }),
    suite(82, { evaluation_result: 'fail', ref: 'refs/heads/main' }),
    suite(83, { evaluation_result: 'bypass' }),
    suite(84, { evaluation_result: null }),
    suite(85, { evaluation_result: 'fail', ref: 'refs/heads/fix' }),
    suite(86, { evaluation_result: 'fail', pushed_at: '2026-01-31T12:00:00Z' }),
  ];
  const changes = {
    'GET /orgs/acme/rulesets/7': { body: { ...guard, enforcement: 'evaluate' } },
    'GET /orgs/acme/rulesets/rule-suites': { body: evaluated },
    ...Object.fromEntries(
      [82, 83].map((id) => [
        `GET /orgs/acme/rulesets/rule-suites/${id}`,
        { body: { ...evaluated[0], rule_evaluations: [evaluation('pull_request', 'fail')] } },
      ]),
    ),
  };

  it('shows what the platform said since the ruleset was last changed', async () => {
    const { stderr, sent } = await judge(['7', 'acme'], { changes });
    expect(stderr).toBe(
      'pushes 3: 1 allowed, 1 refused, 1 bypassed, 0 unknown\nJudged by the platform: its evaluations of the last month, since the ruleset was last changed.\n',
    );
    expect(sent.filter((request) => request.includes('/activity'))).toEqual([]);
  });

  it('leaves rules unknown beyond --suite-details', async () => {
    const { stdout } = await judge(['7', 'acme', '--suite-details', '1', '--json'], { changes });
    const { summary } = JSON.parse(stdout) as Impact;
    expect(summary).toMatchObject({ pushes: 3, allowed: 1, refused: 1, unknown: 1, rule_suites: { unread: 1 } });
    expect(summary.by_rule.find(({ name }) => name === 'rule unknown')).toMatchObject({ pushes: 1, unknown: 1 });
  });

  it.each(['quarter', 'year'])('rejects --time-period %s', async (period) => {
    const { stderr, code } = await judge(['7', 'acme', '--time-period', period], { changes });
    expect(stderr).toContain(`--time-period ${period} cannot be used with ruleset guard, which is in evaluate`);
    expect(code).toBe(2);
  });
});

describe('rulesets impact of a file', () => {
  it('judges as if it were active, whatever it says', async () => {
    const said = ['disabled', 'evaluate', 'active'].map((enforcement) => judge(['-', 'acme'], fileOf({ enforcement })));
    const [first, ...others] = await Promise.all(said);
    // Rules of a refused push are those of the live ruleset only if the file has its ID.
    expect(first?.stderr).toContain('pushes 5: 1 allowed, 3 refused, 0 bypassed, 1 unknown\n');
    for (const other of others) expect(other).toEqual(first);
  });

  it('shows nothing if it selects nothing', async () => {
    const conditions = { ...guard.conditions, repository_name: { include: ['other'], exclude: [] } };
    const { stdout, stderr, code, sent } = await judge(['-', 'acme'], fileOf({ conditions }));
    expect([stdout, code]).toEqual(['', 0]);
    expect(stderr).toBe(
      'pushes 0: 0 allowed, 0 refused, 0 bypassed, 0 unknown\nRuleset guard selects none of the repositories.\n',
    );
    expect(sent).toEqual(['GET /orgs/acme/repos?per_page=100']);
  });

  it('finds renamed repositories by their IDs, and reads property values only where conditions need them', async () => {
    const renamed = { ...repository, name: 'shop', full_name: 'acme/shop' };
    const { stderr, sent } = await judge(['-', 'acme'], {
      ...fileOf({
        conditions: {
          ...{ ref_name: guard.conditions.ref_name },
          repository_property: { include: [{ name: 'tier', property_values: ['gold'] }], exclude: [] },
        },
      }),
      changes: {
        'GET /orgs/acme/repos': { body: [renamed, { ...renamed, id: 12, name: 'api', full_name: 'acme/api' }] },
        'GET /repos/acme/shop/activity': { body: activity },
        'GET /orgs/acme/properties/values': {
          body: [{ repository_full_name: 'acme/shop', properties: [{ property_name: 'tier', value: 'gold' }] }],
        },
      },
    });
    expect(stderr).toContain('pushes 5: ');
    expect(sent.filter((request) => request.includes('/repos/') || request.includes('properties'))).toEqual([
      'GET /orgs/acme/properties/values?per_page=100',
      'GET /repos/acme/shop/activity?time_period=month&per_page=100',
    ]);
  });

  it('rejects a repository without a possible name, and takes no other value for the name of an actor', async () => {
    const changes = (body: object) => ({ ...fileOf(), changes: { 'GET /orgs/acme/repos': { body: [body] } } });
    for (const [name, text] of [
      [undefined, 'undefined'],
      ['acme/../x', '"acme/../x"'],
    ] as const)
      expect(await judge(['-', 'acme'], changes({ ...repository, full_name: name }))).toMatchObject({
        code: 8,
        stderr: expect.stringContaining(
          `GET /orgs/acme/repos returned a repository with the invalid full_name ${text}`,
        ),
      });
    const nameless = suites.map((suite) => ({ ...suite, actor_name: { login: 'ada' } }));
    const answers = { 'GET /orgs/acme/rulesets/rule-suites': { body: nameless } };
    expect(await judge(['7', 'acme'], { changes: answers })).toMatchObject({ code: 0 });
  });

  it('reads the activity and rule suites of one repository', async () => {
    const { stderr, sent } = await judge(['-', 'acme/site'], {
      ...fileOf({ bypass_actors: [] }),
      changes: {
        'GET /repos/acme/site': { body: repository },
        'GET /repos/acme/site/rulesets/rule-suites': { body: suites },
      },
    });
    expect(stderr).toContain('pushes 5: 1 allowed, 3 refused');
    expect(sent).toEqual([
      'GET /repos/acme/site',
      'GET /repos/acme/site/activity?time_period=month&per_page=100',
      'GET /repos/acme/site/rulesets/rule-suites?time_period=month&per_page=100',
    ]);
  });

  it('shows with --compare only what differs from the live version', async () => {
    const same = await judge(['-', 'acme', '--compare'], fileOf({ id: 7 }));
    expect([same.stdout, same.code]).toEqual(['', 0]);
    expect(same.stderr).toContain('0 of 5 pushes differ from the live version.\n');
    const changed = await judge(['-', 'acme', '--compare', '--json'], fileOf({ id: 7, rules: [guard.rules[1]] }));
    const { pushes, summary } = JSON.parse(changed.stdout) as Impact;
    expect(pushes.map(({ actor, verdict, live }) => [actor, verdict, live])).toEqual([
      ['ada', 'allowed', 'refused'],
      ['ada', 'allowed', 'refused'],
      ['robot[bot]', 'refused', 'refused'],
    ]);
    expect(summary).toMatchObject({ pushes: 3, allowed: 2, refused: 1, compared: 5 });
  });

  it.each<[words: readonly string[], file: object, message: string]>([
    [['-', 'acme', '--compare'], {}, '--compare requires a file with the ID of a ruleset of acme'],
    [['7', 'acme', '--compare'], {}, '--compare requires a file with a proposed version'],
    [['-', 'acme/site', '--where', '.archived'], {}, '--where requires ORG'],
    [['-', 'acme', '--clones', '/nowhere'], {}, '--clones /nowhere is not a folder'],
    [['-', 'acme', '--clones', 'n'.repeat(300)], {}, 'nnn is not a folder'],
    [['-', 'acme'], { rules: [{ type: 'deletoin' }] }, 'rules[0].type is not a known rule type'],
  ])('rejects %j', async (words, file, message) => {
    const { stdout, stderr, code } = await judge(words, fileOf(file));
    expect(stderr).toContain(message);
    expect([stdout, code]).toEqual(['', 2]);
  });

  it('judges commits of clones', async () => {
    const folder = await temporaryDirectory();
    const git = (...words: readonly string[]) =>
      execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example', ...words], {
        ...{ cwd: join(folder, 'acme/site'), encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder } },
      }).trim();
    mkdirSync(join(folder, 'acme/site'), { recursive: true });
    git('init', '--quiet', '--initial-branch=main');
    const [first, second] = ['One', 'Two'].map((message) => {
      git('commit', '--quiet', '--allow-empty', '--message', message);
      return git('rev-parse', 'HEAD');
    });
    const pushed = [
      { ...activity[0], before: first, after: second },
      { ...activity[0], before: three, after: first },
      { ...activity[0], before: 'HEAD~1', after: 'HEAD' },
    ];
    const rule = { type: 'commit_message_pattern', parameters: { operator: 'starts_with', pattern: 'ABC-' } };
    const { stderr } = await judge(['-', 'acme', '--clones', folder], {
      ...fileOf({ rules: [rule], bypass_actors: [] }),
      changes: {
        'GET /repos/acme/site/activity': { body: pushed },
        'GET /orgs/acme/rulesets/rule-suites': { body: [] },
      },
    });
    expect(stderr).toContain('pushes 3: 0 allowed, 1 refused, 0 bypassed, 2 unknown\n');
  });
});

describe('the laws of an impact', () => {
  let sandbox: Sandbox;
  let file: string;
  beforeAll(async () => {
    sandbox = await startSandbox({ orgs: 5 });
    file = join(await temporaryDirectory(), 'ruleset.yaml');
    writeFileSync(
      file,
      JSON.stringify({ ...guard, id: undefined, bypass_actors: [{ actor_type: 'OrganizationAdmin' }] }),
    );
  });
  afterAll(() => sandbox.close());

  const impact = async (...words: readonly string[]) => {
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
    const { stdout, code } = await run(['rulesets', 'impact', ...words, '--json'], { env, now: new Date() });
    expect(code).toBe(0);
    return JSON.parse(stdout) as Impact;
  };
  const verdicts = ['allowed', 'refused', 'bypassed', 'unknown'] as const;

  it('counts add up, and each verdict occurs', async () => {
    const { summary, pushes } = await impact(file, 'hooli', '--time-period', 'quarter');
    for (const group of [[summary], summary.by_rule, summary.by_actor, summary.by_repository])
      for (const counts of group)
        expect(verdicts.reduce((sum, verdict) => sum + (counts[verdict] ?? 0), 0)).toBe(counts.pushes);
    for (const group of [summary.by_actor, summary.by_repository])
      expect(group.reduce((sum, counts) => sum + counts.pushes, 0)).toBe(pushes.length);
    expect(new Set(pushes.map(({ verdict }) => verdict))).toEqual(new Set(verdicts));
  });

  it('shards together are the whole', async () => {
    const [whole, ...shards] = await Promise.all([
      impact(file, 'hooli'),
      ...['0', '1', '2'].map((index) => impact(file, 'hooli', '--shard-index', index, '--shards', '3')),
    ]);
    const lines = (pushes: readonly ImpactPush[]) => pushes.map((push) => JSON.stringify(push)).sort();
    expect(lines(shards.flatMap(({ pushes }) => pushes))).toEqual(lines(whole?.pushes ?? []));
    for (const verdict of verdicts)
      expect(shards.reduce((sum, { summary }) => sum + (summary[verdict] ?? 0), 0)).toBe(whole?.summary[verdict]);
  });

  // The sandbox judges the pushes of hooli on its own.
  it('agrees with the rule suites of the platform about a live ruleset', async () => {
    const { pushes } = await impact('10001050', 'hooli');
    const wanted: Readonly<Record<string, readonly string[]>> = {
      pass: ['allowed'],
      bypass: ['bypassed', 'allowed'],
      fail: ['refused', 'allowed'],
    };
    const judged = pushes.filter(({ result }) => result !== null);
    expect(judged.length).toBeGreaterThan(50);
    for (const push of judged) expect(wanted[push.result ?? ''], JSON.stringify(push)).toContain(push.verdict);
  });
});
