import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedAnswer, type ScriptedPlatform, scriptedPlatform } from '../../support/platform.ts';
import { type RunOptions, run, temporaryDirectory } from '../../support/run.ts';
import { ruleset, summary } from './records.ts';

let folder = '';
let [one, two, signed] = ['', '', ''];
const env = () => ({ PATH: process.env.PATH ?? '', HOME: folder });
const file = (name: string) => join(folder, name);

function git(...words: readonly string[]): string {
  return gitWith('', ...words);
}

function gitWith(input: string, ...words: readonly string[]): string {
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@acme.example'];
  return execFileSync('git', [...author, ...words], { cwd: file('site'), env: env(), encoding: 'utf8', input }).trim();
}

beforeAll(async () => {
  folder = await temporaryDirectory();
  mkdirSync(file('site'));
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'https://ghe.example.com/acme/site.git');
  git('commit', '--quiet', '--allow-empty', '--message', 'JIRA-1 One');
  one = git('rev-parse', 'HEAD');
  git('update-ref', 'refs/remotes/origin/main', one);
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  writeFileSync(join(file('site'), 'tool.exe'), 'MZ');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Two');
  two = git('rev-parse', 'HEAD');
  const object = git('cat-file', 'commit', 'HEAD').replace('\n\n', '\ngpgsig -----BEGIN SSH SIGNATURE-----\n\n');
  signed = gitWith(`${object}\n`, 'hash-object', '-t', 'commit', '-w', '--stdin');
  git('branch', 'both');
  git('tag', 'both');
  git('tag', 'v1');
  writeFileSync(
    file('guard.yaml'),
    `name: guard
enforcement: disabled
conditions: { ref_name: { include: [~DEFAULT_BRANCH], exclude: [] } }
rules:
  - type: commit_message_pattern
    parameters: { operator: starts_with, pattern: JIRA- }
  - type: non_fast_forward
  - type: code_scanning
    parameters: { code_scanning_tools: [] }
`,
  );
  writeFileSync(
    file('files.json'),
    JSON.stringify({
      name: 'files',
      target: 'push',
      enforcement: 'active',
      rules: [{ type: 'file_extension_restriction', parameters: { restricted_file_extensions: ['exe'] } }],
    }),
  );
  writeFileSync(
    file('deletion.yaml'),
    'name: keep\nenforcement: active\nrules: [{ type: deletion }]\nconditions: { ref_name: { include: [~ALL], exclude: [] } }\n',
  );
  writeFileSync(file('bad.yaml'), 'name: bad\nenforcement: active\nrules: [{ type: deletoin }]\n');
});

const simulate = (words: readonly string[], options: RunOptions = {}) =>
  run(['rulesets', 'simulate', '--dir', file('site'), ...words], { ...options, env: { ...env(), ...options.env } });

const offline = (rulesets: readonly string[], words: readonly string[] = [], options: RunOptions = {}) =>
  simulate(['--offline', ...rulesets.flatMap((name) => ['--ruleset', file(name)]), ...words], options);

const refusal = (ref: string, rules: string) => `The push to ${ref} would be refused by ${rules}.`;
const scanning = 'Unknown for refs/heads/main: rule code_scanning of guard (the results of code scanning).\n';

describe('rulesets simulate --offline', () => {
  it('takes no checkout for a bare clone, whatever its settings', async () => {
    git('config', 'core.bare', 'true');
    const { stdout } = await offline(['guard.yaml'], ['--json']);
    git('config', 'core.bare', 'false');
    expect(JSON.parse(stdout)).toMatchObject({ from: one, to: two, commits: 1 });
  });

  it('prints a line for each rule that refuses or is unknown, and all with --all', async () => {
    const piped = await offline(['guard.yaml', 'files.json']);
    const rewrite = 'git commit --amend, or git rebase -i for older commits';
    const lines = [
      `refs/heads/main\tguard\tcommit_message_pattern\trefused\t${two.slice(0, 7)} Two\t${rewrite}`,
      'refs/heads/main\tguard\tcode_scanning\tunknown\tthe results of code scanning\t',
      `refs/heads/main\tfiles\tfile_extension_restriction\trefused\t${two.slice(0, 7)} tool.exe\t${rewrite}`,
    ];
    expect(piped).toEqual({
      stdout: `${lines.join('\n')}\n`,
      stderr: `${scanning}forgectl: ${refusal('refs/heads/main', '2 rules')}\n`,
      code: 13,
    });
    const all = await offline(['guard.yaml', 'files.json'], ['--all']);
    expect(all.stdout.split('\n')).toContain('refs/heads/main\tguard\tnon_fast_forward\tallowed\t\t');
    const seen = await offline(['guard.yaml'], [], { tty: true, columns: 120 });
    expect(seen.stdout).toMatch(/^REF +RULESET +RULE +VERDICT +EVIDENCE +MEND\n/);
    const narrow = await offline(['files.json'], [], { tty: true, columns: 60 });
    expect(narrow.stdout.replace(/\s+/g, ' ')).toContain(`EVIDENCE ${two.slice(0, 7)} tool.exe MEND ${rewrite}`);
  });

  it('prints all rules as JSON, and the error as JSON', async () => {
    const { stdout, stderr, code } = await offline(['guard.yaml'], ['--json']);
    const rule = { ruleset: { id: null, name: 'guard', source: 'proposed' }, would: null };
    expect(JSON.parse(stdout)).toEqual({
      repository: null,
      ref: 'refs/heads/main',
      update: 'update',
      forced: false,
      from: one,
      to: two,
      verdict: 'refused',
      commits: 1,
      rules: [
        {
          ...rule,
          type: 'commit_message_pattern',
          verdict: 'refused',
          evidence: [{ commit: two, path: null, value: 'Two\n' }],
          evidence_total: 1,
          missing: null,
        },
        { ...rule, type: 'non_fast_forward', verdict: 'allowed', evidence: [], evidence_total: 0, missing: null },
        {
          ...rule,
          type: 'code_scanning',
          verdict: 'unknown',
          evidence: [],
          evidence_total: 0,
          missing: 'the results of code scanning',
        },
      ],
    });
    const message = refusal('refs/heads/main', '1 rule');
    expect(stderr).toBe(`${scanning}${JSON.stringify({ error: { code: 'findings', message } })}\n`);
    expect(code).toBe(13);
  });

  it.each<[words: readonly string[], ref: string, update: string, commits: number, verdict: string]>([
    [['--ref', 'feature/a'], 'refs/heads/feature/a', 'create', 1, 'allowed'],
    [['--ref', 'v1'], 'refs/tags/v1', 'create', 1, 'allowed'],
    [['--ref', 'refs/heads/both'], 'refs/heads/both', 'create', 1, 'allowed'],
    [['--from', 'none'], 'refs/heads/main', 'create', 1, 'refused'],
    [['--to', 'origin/main', '--from', 'HEAD'], 'refs/heads/main', 'update', 0, 'refused'],
    [['--to', 'origin/main', '--default-branch', 'develop'], 'refs/heads/main', 'update', 0, 'allowed'],
    [['--delete'], 'refs/heads/main', 'delete', 0, 'allowed'],
    [['--merge'], 'refs/heads/main', 'update', 1, 'unknown'],
  ])('judges %j as %s', async (words, ref, update, commits, verdict) => {
    const { stdout, code } = await offline(['guard.yaml'], [...words, '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ ref, update, commits, verdict });
    expect(code).toBe(verdict === 'refused' ? 13 : 0);
  });

  it('exits with 0 for unknown rules, and with 13 if --strict is given', async () => {
    const words = ['--merge', '--from', 'origin/main'];
    const lenient = await offline(['guard.yaml'], words);
    expect(lenient.stderr).toContain(scanning);
    expect(lenient.code).toBe(0);
    const strict = await offline(['guard.yaml'], [...words, '--strict']);
    expect(strict.stderr).toContain('forgectl: 2 rules with an unknown verdict.\n');
    expect(strict.code).toBe(13);
  });

  it('judges every line of a pre-push hook', async () => {
    const none = '0'.repeat(40);
    const stdin = [
      `main@{1 day ago} ${two} refs/heads/main ${one}`,
      `(delete) ${none} refs/heads/old ${one}`,
      `refs/heads/main ${two} refs/heads/gone ${'5'.repeat(40)}`,
      '',
    ].join('\n');
    const words = ['--pre-push', '-o', 'ndjson'];
    const { stdout, stderr, code } = await offline(['deletion.yaml', 'files.json'], words, { stdin });
    const pushes = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(pushes.map(({ ref, update, commits, verdict }) => [ref, update, commits, verdict])).toEqual([
      ['refs/heads/main', 'update', 1, 'refused'],
      ['refs/heads/old', 'delete', 0, 'refused'],
      ['refs/heads/gone', 'update', null, 'unknown'],
    ]);
    expect(stderr).toContain('The new commits of refs/heads/gone are not known');
    expect(code).toBe(13);
    const table = await offline(['deletion.yaml'], ['--pre-push'], { stdin });
    expect(table.stdout).toBe('refs/heads/old\tkeep\tdeletion\trefused\t\task someone who may bypass the ruleset\n');
    expect(await offline(['deletion.yaml'], ['--pre-push', '--json'])).toEqual({ stdout: '[]\n', stderr: '', code: 0 });
  });

  it('judges all files of all commits, whatever the repository configures', async () => {
    const copy = file('configured');
    git('clone', '--quiet', '--single-branch', '.', copy);
    git('-C', copy, 'update-ref', 'refs/remotes/origin/main', one);
    mkdirSync(join(copy, 'folder'));
    appendFileSync(join(copy, '.git/config'), '[diff]\nrelative = true\n[i18n]\nlogOutputEncoding = UTF-16\n');
    // The commit that is pushed as a parent of the one that the platform has.
    writeFileSync(join(copy, '.git/info/grafts'), `${one} ${two}\n`);
    const words = ['--offline', '--ruleset', file('files.json'), '--ref', 'main', '--from', one];
    const { stdout } = await run(['rulesets', 'simulate', '--dir', join(copy, 'folder'), ...words], { env: env() });
    expect(stdout).toContain(
      `refs/heads/main\tfiles\tfile_extension_restriction\trefused\t${two.slice(0, 7)} tool.exe\t`,
    );
  });

  it('takes the branches of a bare clone for those of the platform', async () => {
    git('clone', '--quiet', '--bare', '.', file('site.git'));
    const words = ['rulesets', 'simulate', '--dir', file('site.git'), '--offline', '--ruleset', file('files.json')];
    const same = await run([...words, '--ref', 'main'], { env: env() });
    expect(same).toEqual({
      stdout: '',
      stderr: 'refs/heads/main already has this commit: nothing to push.\n',
      code: 0,
    });
    const older = await run([...words, '--ref', 'main', '--from', one], { env: env() });
    expect(older).toEqual({ stdout: '', stderr: '', code: 0 });
  });

  it('does not guess the commits of a shallow clone', async () => {
    git('clone', '--quiet', '--depth', '1', `file://${file('site')}`, file('shallow'));
    const words = ['rulesets', 'simulate', '--dir', file('shallow'), '--offline', '--ruleset', file('files.json')];
    const { stdout, code } = await run([...words, '--ref', 'new', '--json'], { env: env() });
    expect(JSON.parse(stdout)).toMatchObject({ forced: null, commits: null, verdict: 'unknown' });
    expect(code).toBe(0);
  });

  it.each<[words: readonly string[], message: string]>([
    [['--ref', 'both'], '--ref both is both a branch and a tag. Write refs/heads/both or refs/tags/both.'],
    [['--ref', 'a..b'], '--ref a..b is not a valid name.'],
    [
      ['--to', 'none', '--from', 'nothing'],
      '--from nothing is not a commit of the repository. --to none is not a commit of the repository.',
    ],
    [
      ['--delete', '--to', 'HEAD', '--merge'],
      '--to cannot be used with --delete; --merge cannot be used with --delete',
    ],
    [['--delete', '--ref', 'new'], 'refs/heads/new cannot be deleted: no remote-tracking ref shows that it exists.'],
    [['--pre-push', '--to', 'HEAD'], '--to cannot be used with --pre-push.'],
    [['--as', 'ada'], '--as cannot be used with --offline.'],
    [['--ruleset', 'bad.yaml'], 'bad.yaml: rules[0].type is not a known rule type (did you mean deletion?)'],
  ])('rejects %j', async (words, message) => {
    const [first, name] = words;
    const typed = first === '--ruleset' && name ? [first, file(name)] : words;
    const { stdout, stderr, code } = await offline(['guard.yaml'], typed);
    expect(stderr.replaceAll('\n', ' ')).toContain(message);
    expect([stdout, code]).toEqual(['', 2]);
  });

  it('requires a ruleset, and a repository', async () => {
    expect((await simulate(['--offline'])).stderr).toContain('--ruleset is required with --offline');
    symlinkSync(file('loop'), file('loop'));
    for (const dir of [file('none'), file('loop'), 'n'.repeat(300)]) {
      const none = await run(['rulesets', 'simulate', '--offline', '--dir', dir], { env: env() });
      expect(none.stderr).toContain(`--ruleset is required with --offline; --dir is not a folder: ${dir}.`);
    }
    const outside = await run(['rulesets', 'simulate', '--offline', '--ruleset', file('guard.yaml'), '--dir', folder], {
      env: env(),
    });
    expect([outside.stderr, outside.code]).toEqual([`forgectl: ${folder} is not in a git repository.\n`, 2]);
    const text = { stdin: 'main\n' };
    expect((await offline(['guard.yaml'], ['--pre-push'], text)).code).toBe(2);
  });
});

describe('rulesets simulate', () => {
  const live = async (
    changes: object = {},
    others: Readonly<Record<number, object>> = {},
    script: Readonly<Record<string, ScriptedAnswer>> = {},
  ): Promise<ScriptedPlatform> => {
    const all = [{ ...ruleset, ...changes }, ...Object.values(others)] as readonly { readonly id: number }[];
    const details = all.map((each) => [`GET /repos/acme/site/rulesets/${each.id}`, { body: each }]);
    return scriptedPlatform({
      'GET /repos/acme/site': { body: { id: 1, name: 'site', full_name: 'acme/site', default_branch: 'main' } },
      'GET /repos/acme/site/rulesets': { body: all.map((each) => ({ ...summary, ...each })) },
      'GET /user': { body: { login: 'ada', id: 7 } },
      'GET /users/grace': { body: { login: 'grace', id: 9 } },
      ...Object.fromEntries(details),
      ...script,
    });
  };
  const asked = ({ requests }: ScriptedPlatform) =>
    requests.map(({ url }) => url.replace('/api/v3/repos/acme/site', ''));
  const verdicts = async (platform: ScriptedPlatform, words: readonly string[] = []) => {
    const { stdout } = await simulate(['acme/site', '--json', ...words], { env: platform.env });
    const { repository, rules } = JSON.parse(stdout);
    const told = rules.map((rule: { ruleset: { id: number | null }; type: string; verdict: string; would: string }) =>
      [rule.ruleset.id, rule.type, rule.would ?? rule.verdict].join(' '),
    );
    return [repository, ...told];
  };
  const classic = ' branch_protection unknown';

  it('judges by the active rulesets of all levels, and says that branch protection is not known', async () => {
    const disabled = { 43: { ...ruleset, id: 43, enforcement: 'disabled' } };
    const platform = await live({}, disabled);
    expect(await verdicts(platform)).toEqual([
      'acme/site',
      '42 deletion allowed',
      '42 commit_message_pattern refused',
      classic,
    ]);
    expect(platform.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v3/repos/acme/site/rulesets?per_page=100',
      'GET /api/v3/repos/acme/site/rulesets/42',
      'GET /api/v3/repos/acme/site',
      'GET /api/v3/repos/acme/site/branches/main',
    ]);
  });

  it.each<[changes: object, problem: string]>([
    [{ rules: {} }, 'an object instead of a list for rules'],
    [{ rules: null }, 'null instead of a list for rules'],
    [{ rules: ['x'] }, 'a string instead of an object for rules[0]'],
    [{ rules: [[]] }, 'a list instead of an object for rules[0]'],
    [{ rules: [{ type: 'deletion', parameters: 'x' }] }, 'a string instead of an object for rules[0].parameters'],
    [{ conditions: 'x' }, 'a string instead of an object for conditions'],
    [
      { conditions: { ref_name: { include: { length: 5 } } } },
      'an object instead of a list for conditions.ref_name.include',
    ],
    [
      { conditions: { ref_name: { include: ['~ALL', null] } } },
      'null instead of a string for conditions.ref_name.include[1]',
    ],
    [
      { conditions: { ref_name: { include: ['~ALL'], exclude: '~ALL' } } },
      'a string instead of a list for conditions.ref_name.exclude',
    ],
    [{ bypass_actors: ['x'] }, 'a string instead of an object for bypass_actors[0]'],
    [{ current_user_can_bypass: true }, 'true or false instead of a string for current_user_can_bypass'],
  ])('rejects a ruleset that it cannot understand: %j', async (changes, problem) => {
    const platform = await live({}, {}, { 'GET /repos/acme/site/rulesets/42': { body: { ...ruleset, ...changes } } });
    const { stdout, stderr, code } = await simulate(['acme/site'], { env: platform.env });
    expect([stdout, stderr, code]).toEqual([
      '',
      `forgectl: GET /repos/acme/site/rulesets/42 returned ${problem}.\n`,
      8,
    ]);
  });

  it.each<[entry: unknown, problem: string]>([
    [{}, 'nothing instead of a number for [0].id'],
    [{ ...summary, id: null }, 'null instead of a number for [0].id'],
    [0, 'a number instead of a record for [0]'],
    ['x', 'a string instead of a record for [0]'],
    [true, 'true or false instead of a record for [0]'],
  ])('rejects a list with %j in place of a ruleset', async (entry, problem) => {
    const platform = await live({}, {}, { 'GET /repos/acme/site/rulesets': { body: [entry] } });
    const { stdout, stderr, code } = await simulate(['acme/site'], { env: platform.env });
    expect([stdout, stderr, code]).toEqual(['', `forgectl: GET /repos/acme/site/rulesets returned ${problem}.\n`, 8]);
  });

  it('never lets a ruleset in evaluate refuse', async () => {
    const platform = await live({ enforcement: 'evaluate' });
    const { stdout, code } = await simulate(['acme/site'], { env: platform.env });
    expect(stdout).toContain('commit_message_pattern\twould be refused');
    expect(code).toBe(0);
  });

  it.each<[mode: string | undefined, words: readonly string[], verdict: string]>([
    ['always', [], 'bypassed'],
    ['exempt', [], 'bypassed'],
    ['pull_requests_only', [], 'refused'],
    [undefined, [], 'unknown'],
    ['always', ['--as', 'grace'], 'unknown'],
  ])('with current_user_can_bypass %s and %j: %s', async (mode, words, verdict) => {
    const platform = await live({ current_user_can_bypass: mode });
    expect(await verdicts(platform, words)).toContain(`42 commit_message_pattern ${verdict}`);
  });

  it('knows that another person cannot bypass a ruleset without a bypass list', async () => {
    const platform = await live({ current_user_can_bypass: 'always', bypass_actors: [] });
    expect(await verdicts(platform, ['--as', 'grace'])).toContain('42 commit_message_pattern refused');
  });

  const branch = (enabled: boolean): ScriptedAnswer => ({
    body: { name: 'main', protected: true, protection: { enabled } },
  });
  const protection = {
    enforce_admins: { url: '', enabled: false },
    required_linear_history: { enabled: true },
    required_pull_request_reviews: {
      dismiss_stale_reviews: false,
      require_code_owner_reviews: false,
      bypass_pull_request_allowances: { users: [{ login: 'Grace' }], teams: [{ slug: 'release' }] },
    },
  };
  const membership = (state: string): ScriptedAnswer => ({ body: { role: 'member', state } });

  it('judges by classic protection as far as it can be read', async () => {
    const main = 'GET /repos/acme/site/branches/main';
    const quiet = { enforcement: 'disabled' };
    expect(await verdicts(await live(quiet, {}, { [main]: branch(false) }))).toEqual([
      'acme/site',
      ' branch_protection allowed',
    ]);
    const hidden = await live(quiet, {}, { [main]: branch(true) });
    expect((await simulate(['acme/site'], { env: hidden.env })).stderr).toBe(
      'Unknown for refs/heads/main: rule branch_protection of branch protection (what classic protection requires, which takes the permission administration (read)).\n',
    );
    const platform = await live(
      quiet,
      {},
      {
        [main]: branch(true),
        [`${main}/protection`]: { body: protection },
        'GET /repos/acme/site/collaborators/ada/permission': { body: { permission: 'write', role_name: 'write' } },
        'GET /repos/acme/site/collaborators/grace/permission': { body: { permission: 'write', role_name: 'custom' } },
      },
    );
    const rules = [' non_fast_forward allowed', ' deletion allowed', ' required_linear_history allowed'];
    expect(await verdicts(platform)).toEqual(['acme/site', ...rules, ' pull_request refused']);
    // The last three are read at the same time.
    expect(asked(platform).slice(2).sort()).toEqual([
      '/api/v3/orgs/acme/teams/release/memberships/ada',
      '/api/v3/user',
      '/branches/main',
      '/branches/main/protection',
      '/collaborators/ada/permission',
    ]);
    expect(await verdicts(platform, ['--as', 'grace'])).toContain(' pull_request bypassed');
    expect(await verdicts(platform, ['--ref', 'v1', '--from', 'none'])).toEqual(['acme/site']);
  });

  describe('asks the platform about commits', () => {
    const checks = { type: 'required_status_checks', parameters: { required_status_checks: [{ context: 'build' }] } };
    const deployments = { type: 'required_deployments', parameters: { required_deployment_environments: ['staging'] } };
    const requiring = (...rules: readonly object[]) => ({ rules, conditions: ruleset.conditions });
    const commit = (verified: boolean): ScriptedAnswer => ({
      body: { sha: two, commit: { message: '', verification: { verified, reason: 'valid' } } },
    });
    const none: ScriptedAnswer = { status: 422, body: { message: `No commit found for SHA: ${'2'.repeat(40)}` } };
    const reports = (conclusion: string | null, states: readonly string[] = []) => ({
      [`GET /repos/acme/site/commits/${two}/check-runs`]: {
        body: { total_count: 1, check_runs: [{ id: 1, name: 'build', conclusion, app: { id: 7 } }] },
      },
      [`GET /repos/acme/site/commits/${two}/status`]: {
        body: { state: 'pending', statuses: states.map((state) => ({ id: 2, context: 'build', state })) },
      },
    });

    it.each<[rule: object, script: () => Readonly<Record<string, ScriptedAnswer>>, verdict: string]>([
      [checks, () => ({ [`GET /repos/acme/site/commits/${two}`]: none }), 'refused'],
      [checks, () => ({ [`GET /repos/acme/site/commits/${two}`]: commit(true), ...reports('neutral') }), 'allowed'],
      [checks, () => ({ [`GET /repos/acme/site/commits/${two}`]: commit(true), ...reports(null) }), 'refused'],
      [
        checks,
        () => ({ [`GET /repos/acme/site/commits/${two}`]: commit(true), ...reports('success', ['failure']) }),
        'unknown',
      ],
      [checks, () => ({ [`GET /repos/acme/site/commits/${two}`]: commit(true) }), 'unknown'],
      [deployments, () => ({ [`GET /repos/acme/site/commits/${two}`]: none }), 'refused'],
      [
        deployments,
        () => ({
          [`GET /repos/acme/site/commits/${two}`]: commit(true),
          'GET /repos/acme/site/deployments': { body: [{ id: 5, environment: 'staging' }] },
          'GET /repos/acme/site/deployments/5/statuses': {
            body: [
              { id: 2, state: 'inactive' },
              { id: 1, state: 'success' },
            ],
          },
        }),
        'allowed',
      ],
      [
        deployments,
        () => ({
          [`GET /repos/acme/site/commits/${two}`]: commit(true),
          'GET /repos/acme/site/deployments': { body: Array(6).fill({ id: 5, environment: 'staging' }) },
          'GET /repos/acme/site/deployments/5/statuses': { body: [{ id: 1, state: 'failure' }] },
        }),
        'unknown',
      ],
    ])('%j', async (rule, script, verdict) => {
      const platform = await live(requiring(rule), {}, script());
      expect((await verdicts(platform))[1]).toBe(`42 ${'type' in rule && rule.type} ${verdict}`);
    });

    it.each<[verification: object | undefined, verdict: string]>([
      [{ verified: true, reason: 'valid' }, 'allowed'],
      [{ verified: false, reason: 'unknown_key' }, 'refused'],
      [undefined, 'unknown'],
    ])('%j of a signed commit: %s', async (verification, verdict) => {
      const answer = { body: { commit: { message: '', verification } } };
      const platform = await live(
        requiring({ type: 'required_signatures' }),
        {},
        {
          [`GET /repos/acme/site/commits/${signed}`]: answer,
        },
      );
      expect((await verdicts(platform, ['--to', signed]))[1]).toBe(`42 required_signatures ${verdict}`);
    });

    it('says which permission is missing, and asks nothing for rules that need no facts', async () => {
      const platform = await live(requiring(checks), {}, { [`GET /repos/acme/site/commits/${two}`]: commit(true) });
      const { stderr } = await simulate(['acme/site'], { env: platform.env });
      expect(stderr).toContain(
        `Check runs of ${two.slice(0, 7)} cannot be read: the token may need the permission checks (read).\n`,
      );
      const other = await live(requiring(checks));
      await simulate(['acme/site', '--ref', 'other', '--from', 'none'], { env: other.env });
      expect(asked(other).filter((url) => url.includes('commits'))).toEqual([]);
    });
  });

  it.each<[person: string, actors: readonly object[], verdict: string]>([
    ['a member of the team', [{ actor_type: 'Team', actor_id: 3 }], 'bypassed'],
    ['a team that is not seen', [{ actor_type: 'Team', actor_id: 4 }], 'unknown'],
    ['no owner', [{ actor_type: 'OrganizationAdmin' }], 'refused'],
    [
      'no owner, but with the role',
      [{ actor_type: 'OrganizationAdmin' }, { actor_type: 'RepositoryRole', actor_id: 2 }],
      'bypassed',
    ],
    ['a role below', [{ actor_type: 'RepositoryRole', actor_id: 5 }], 'refused'],
    ['a role above', [{ actor_type: 'RepositoryRole', actor_id: 4 }], 'unknown'],
    ['the user', [{ actor_type: 'User', actor_id: 9 }], 'bypassed'],
    ['a team for pull requests', [{ actor_type: 'Team', actor_id: 3, bypass_mode: 'pull_request' }], 'refused'],
    ['apps and keys', [{ actor_type: 'Integration', actor_id: 1 }, { actor_type: 'DeployKey' }], 'refused'],
    ['owners of the enterprise', [{ actor_type: 'EnterpriseOwner' }], 'unknown'],
  ])('--as LOGIN: %s: %j: %s', async (_person, bypass_actors, verdict) => {
    const platform = await live(
      { bypass_actors },
      {},
      {
        'GET /orgs/acme/teams': { body: [{ id: 3, slug: 'release' }] },
        'GET /orgs/acme/teams/release/memberships/grace': membership('active'),
        'GET /orgs/acme/memberships/grace': membership('active'),
        'GET /repos/acme/site/collaborators/grace/permission': { body: { permission: 'write', role_name: 'maintain' } },
        'GET /user/9': { body: { login: 'Grace', id: 9 } },
      },
    );
    expect(await verdicts(platform, ['--as', 'grace'])).toContain(`42 commit_message_pattern ${verdict}`);
  });

  it('rejects --as with a login that the platform does not know', async () => {
    const platform = await live({ bypass_actors: [{ actor_type: 'User', actor_id: 9 }] });
    const { code, stderr } = await simulate(['acme/site', '--as', 'gracy'], { env: platform.env });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: 'forgectl: --as gracy: the platform has no user with this login.\n',
    });
  });

  it('adds proposed rulesets, replaces those with the same ID, and ignores one', async () => {
    const platform = await live();
    expect(await verdicts(platform, ['--ruleset', file('files.json'), '--without', '42'])).toEqual([
      'acme/site',
      ' file_extension_restriction refused',
      classic,
    ]);
    const changed = { ...ruleset, enforcement: 'disabled', rules: [{ type: 'update' }] };
    writeFileSync(file('changed.json'), JSON.stringify(changed));
    expect(await verdicts(platform, ['--ruleset', file('changed.json')])).toEqual([
      'acme/site',
      '42 update refused',
      classic,
    ]);
    const { stderr, code } = await simulate(['acme/site', '--without', '7'], { env: platform.env });
    expect([stderr, code]).toEqual(['forgectl: --without 7 is no ruleset that applies to acme/site.\n', 2]);
  });

  it('says that the clone is behind the platform, unless --from says what the ref is', async () => {
    const body = { name: 'main', commit: { sha: '5'.repeat(40) }, protection: { enabled: false } };
    const platform = await live({}, {}, { 'GET /repos/acme/site/branches/main': { body } });
    const { stdout, stderr } = await simulate(['acme/site', '--to', one, '--json'], { env: platform.env });
    // The push of an older commit may be a forced one.
    expect(JSON.parse(stdout)).toMatchObject({ from: one, to: one, forced: null, commits: 0 });
    const behind = `refs/heads/main is at 5555555 on the platform, and the clone has ${one.slice(0, 7)}: run git fetch.\n`;
    expect(stderr).toContain(behind);
    const given = await simulate(['acme/site', '--from', one], { env: platform.env });
    expect(given.stderr).not.toContain(behind);
    const other = await live({}, {}, { 'GET /repos/acme/site/branches/unseen': { body } });
    const unseen = await simulate(['acme/site', '--ref', 'unseen', '--json'], { env: other.env });
    expect(JSON.parse(unseen.stdout)).toMatchObject({ update: 'update', from: '5'.repeat(40), commits: null });
    const tag = await simulate(['acme/site', '--ref', 'v1'], { env: other.env });
    expect(tag.stderr).toContain('refs/tags/v1 is judged as a new tag: if the platform has it, add --from.\n');
  });

  it.each(['HEAD', '--all', ':/Two', `${'5'.repeat(40)}\0`])(
    'looks up no commit called %j by the platform',
    async (sha) => {
      const platform = await live(
        {},
        {},
        { 'GET /repos/acme/site/branches/main': { body: { name: 'main', commit: { sha } } } },
      );
      const { stderr, code } = await simulate(['acme/site'], { env: platform.env });
      expect(stderr).toBe('forgectl: GET /repos/acme/site/branches/main returned a branch whose commit has no ID.\n');
      expect(code).toBe(8);
    },
  );

  it('finds the repository by a git remote on the platform', async () => {
    const platform = await live();
    const { stderr, code } = await simulate([], { env: platform.env });
    const { host } = new URL(platform.baseUrl);
    expect(stderr).toContain(`forgectl: No git remote is on ${host}. Nothing was sent.\n`);
    expect([code, platform.requests]).toEqual([2, []]);
    git('remote', 'add', 'other', `http://${host}/acme/site.git`);
    expect((await simulate(['--from', one], { env: platform.env })).code).toBe(13);
    git('remote', 'remove', 'other');
  });

  it('fails if the rulesets cannot be read', async () => {
    const platform = await scriptedPlatform({});
    const { stdout, code } = await simulate(['acme/site'], { env: platform.env });
    expect([stdout, code]).toEqual(['', 3]);
  });
});
