/** Whole audits: of the organizations of the sandbox, and of what a token may not see. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checks } from '../../../src/foresight/audit/checks/index.ts';
import { repositoryReadings } from '../../../src/foresight/audit/readings.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/serve.ts';
import { nockedEnv, platform, useNock } from '../../support/nocked.ts';
import { run } from '../../support/run.ts';
import type { AuditJson } from '../../support/saved-audits.ts';

describe('the sandbox', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ orgs: 5 });
  });
  afterAll(() => sandbox.close());

  const audited = async (token: keyof Sandbox['tokens'], ...words: readonly string[]): Promise<AuditJson> => {
    const env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens[token] };
    const { stdout, stderr } = await run(['audit', ...words, '--json'], { env });
    expect(stderr).not.toContain('forgectl:');
    return JSON.parse(stdout) as AuditJson;
  };

  const failed = ({ findings }: AuditJson): string[] =>
    findings
      .filter(({ status }) => status === 'fail')
      .map(({ check, target, object }) => `${check} ${target}${object === undefined ? '' : ` ${object}`}`);

  it('has an organization with little to find, and one with findings of most checks', async () => {
    expect(failed(await audited('classic', 'umbrella', '--deep'))).toEqual([
      'installation-permissions umbrella sandbox-app',
      'ruleset-evaluate umbrella Version tags',
    ]);
    const ofHooli = failed(await audited('classic', 'hooli'));
    expect(new Set(ofHooli.map((line) => line.split(' ')[0])).size).toBeGreaterThan(45);
    expect(ofHooli).toEqual(
      expect.arrayContaining([
        'ruleset-bypass-wide hooli Release tags',
        'ruleset-bypass-stale hooli Release tags',
        'ruleset-loosened hooli Release tags',
        'ruleset-selects-nothing hooli Retired services',
        'default-branch-status-checks hooli/site',
      ]),
    );
  });

  it('judges what applies to the default branch', async () => {
    const send = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${sandbox.tokens.classic}` };
      const response = await fetch(`${sandbox.baseUrl}${path}`, { method, headers, body: JSON.stringify(body) });
      expect(response.ok, `${path}: ${response.status}`).toBe(true);
    };
    const main = ['refs/heads/main'];
    const protect = (
      name: string,
      include: readonly string[],
      others: { exclude?: readonly string[]; enforcement?: string; target?: string } = {},
    ) => {
      const { exclude = [], ...fields } = others;
      const conditions = { ref_name: { include, exclude } };
      const rules = [{ type: 'required_linear_history' }];
      const ruleset = { name: `Rules for ${include} but ${exclude}`, enforcement: 'active', rules, conditions };
      return send('POST', `/repos/hooli/${name}/rulesets`, { ...ruleset, ...fields });
    };
    await protect('finance-agent', ['~ALL'], { enforcement: 'evaluate' });
    await protect('fleet-tests', ['~ALL'], { target: 'tag' });
    await protect('forecast-docs', ['~ALL'], { exclude: main });
    await protect('identity-config', ['main']);
    await protect('inventory-importer', main);
    await send('PATCH', '/repos/hooli/inventory-importer', { default_branch: 'develop' });
    await protect('mailer-web', ['~ALL'], { exclude: main });
    await protect('mailer-web', main);
    await protect('metrics-client', ['~DEFAULT_BRANCH']);
    await send('PATCH', '/repos/hooli/metrics-client', { default_branch: 'develop' });
    const { findings } = await audited('classic', 'hooli', '--check', 'default-branch-linear-history', '--all');
    const passing = findings.filter(({ status }) => status === 'pass').map(({ target }) => target);
    expect(passing).toEqual(['hooli/mailer-web', 'hooli/metrics-client']);
  });

  it('shows nothing as fine to a member, who sees little', async () => {
    const [owner, member] = [await audited('classic', 'acme', '--all'), await audited('member', 'acme', '--all')];
    const passing = ({ findings }: AuditJson) =>
      findings.flatMap(({ status, check, target, object }) =>
        status === 'pass' ? [`${check} ${target} ${object}`] : [],
      );
    const all = passing(owner);
    expect(passing(member).filter((line) => !all.includes(line))).toEqual([]);
    expect(member.summary.unreadable).toBeGreaterThan(100);
  });
});

describe('a token that may read only the organization and its repositories', () => {
  useNock();

  const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false, private: true, default_branch: 'main' };

  it.each([
    [403, []],
    [404, ['budget-stops-usage', 'budget-alerts', 'immutable-releases']],
  ])('sees what cannot be read where the platform returns %i', async (status, elsewhere) => {
    platform().get('/api/v3/orgs/acme').reply(200, { login: 'acme', id: 1 });
    platform().get('/api/v3/orgs/acme/repos').query(true).reply(200, [site]);
    platform().persist().get(/./).reply(status, { message: 'No' });
    const { stdout } = await run(['audit', 'acme', '--deep', '--all', '--json'], { env: nockedEnv });
    const { findings } = JSON.parse(stdout) as AuditJson;
    expect(new Set(findings.map((finding) => finding.status))).toEqual(new Set(['unreadable']));
    const judged = checks.filter(({ id, scope }) => scope !== 'enterprise' && !(elsewhere as string[]).includes(id));
    expect(new Set(findings.map(({ check }) => check))).toEqual(new Set(judged.map(({ id }) => id)));
  });
});

describe('a repository with many rulesets', () => {
  useNock();

  const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false, private: true, default_branch: 'main' };
  const source = { ruleset_source_type: 'Repository', ruleset_source: 'acme/site' };
  // The fourth has no rule that a check judges.
  const rules = [
    { type: 'deletion', ...source, ruleset_id: 1 },
    { type: 'non_fast_forward', ...source, ruleset_id: 2 },
    { type: 'pull_request', ...source, ruleset_id: 3 },
    { type: 'required_linear_history', ...source, ruleset_id: 3 },
    { type: 'creation', ...source, ruleset_id: 4 },
  ];
  const ids = ['deletion', 'force-push', 'pull-request', 'linear-history', 'signatures'];
  const reply = (path: string, body: unknown) => platform().get(`/api/v3${path}`).query(true).reply(200, body);

  const audited = async (isProtected: boolean, read: readonly number[], ...flags: readonly string[]) => {
    reply('/orgs/acme', { login: 'acme', id: 1 });
    reply('/orgs/acme/repos', [site]);
    reply('/orgs/acme/rulesets', []);
    reply('/repos/acme/site/rules/branches/main', rules);
    reply('/repos/acme/site/branches/main', { name: 'main', protection: { enabled: isProtected } });
    const open = { allow_deletions: { enabled: true }, allow_force_pushes: { enabled: true } };
    if (isProtected) reply('/repos/acme/site/branches/main/protection', open);
    for (const id of read)
      reply(`/repos/acme/site/rulesets/${id}`, { id, name: `Rules ${id}`, enforcement: 'active', bypass_actors: [] });
    const checks = ids.map((id) => `default-branch-${id}`).join();
    const words = ['audit', 'acme', '--check', checks, '--all', '--json', ...flags];
    const { findings } = JSON.parse((await run(words, { env: nockedEnv })).stdout) as AuditJson;
    return (id: string) => findings.find(({ check }) => check === `default-branch-${id}`);
  };

  it('has the two read that require most, and is unreadable where only the others would decide', async () => {
    const found = await audited(false, [1, 3]);
    expect(ids.map((id) => found(id)?.status)).toEqual(['pass', 'unreadable', 'pass', 'pass', 'fail']);
    expect(found('force-push')?.message).toBe(
      'Cannot be read: who may bypass ruleset 2 of acme/site cannot be read: only --deep reads that many rulesets of a repository.',
    );
    // The ruleset that was not read may be the one that a policy would change.
    expect(found('signatures')?.fix).toMatchObject({
      policy: null,
      command: expect.stringContaining('rulesets create'),
    });
  });

  it('has one read beside classic protection', async () => {
    const found = await audited(true, [3]);
    expect(ids.map((id) => found(id)?.status)).toEqual(['unreadable', 'unreadable', 'pass', 'pass', 'fail']);
  });

  it('has each of them read once with --deep that requires what a check judges', async () => {
    const found = await audited(false, [1, 2, 3], '--deep');
    expect(ids.map((id) => found(id)?.status)).toEqual(['pass', 'pass', 'pass', 'pass', 'fail']);
    expect(found('signatures')?.fix?.policy).toContain('required_signatures');
  });
});

describe('records that cannot be understood', () => {
  useNock();

  const site = { id: 7, name: 'site', full_name: 'acme/site', archived: false, private: true, default_branch: 'main' };
  const guard = {
    ...{ id: 42, name: 'guard', source_type: 'Organization', source: 'acme', enforcement: 'active' },
    bypass_actors: [{ actor_type: 'OrganizationAdmin', actor_id: null, bypass_mode: 'always' }],
    rules: [{ type: 'deletion' }],
    updated_at: '2025-01-01T00:00:00Z',
  };
  const suite = {
    ...{ id: 71, ref: 'refs/heads/main', result: 'bypass', actor_name: 'ada' },
    ...{ repository_id: 7, repository_name: 'site', pushed_at: new Date().toISOString() },
  };
  const replies = {
    '/orgs/acme': { login: 'acme', id: 1 },
    '/orgs/acme/repos': [site],
    '/orgs/acme/rulesets': [guard],
    '/orgs/acme/rulesets/42': guard,
    '/orgs/acme/rulesets/rule-suites': [suite],
    '/orgs/acme/members': [{ login: 'ben', id: 2 }],
    '/repos/acme/site/rules/branches/main': [
      { type: 'deletion', ruleset_source_type: 'Organization', ruleset_source: 'acme', ruleset_id: 42 },
    ],
    '/repos/acme/site/branches/main': { name: 'main', protection: { enabled: false } },
  };

  const statuses = async (check: string, changes: object = {}) => {
    for (const [path, body] of Object.entries({ ...replies, ...changes }))
      platform()
        .get(`/api/v3${path}`)
        .query(true)
        .optionally()
        .times(2)
        .reply(200, JSON.stringify(body).replace('"-0"', '-0'));
    const words = ['audit', 'acme', '--check', check, '--all', '--json'];
    const { findings } = JSON.parse((await run(words, { env: nockedEnv })).stdout) as AuditJson;
    return findings.map(({ status }) => status);
  };

  it.each<[check: string, path: string, value: unknown, expected: string]>([
    ['default-branch-administrators', '/orgs/acme/rulesets/42', guard, 'fail'],
    ...[{ bypass_actors: 'x' }, { bypass_actors: null }, { bypass_actors: ['x'] }, { source_type: 7 }].map(
      (wrong): [string, string, unknown, string] => [
        'default-branch-administrators',
        '/orgs/acme/rulesets/42',
        { ...guard, ...wrong },
        'unreadable',
      ],
    ),
    ...[7, { id: 1 }, 'Newer'].map((type): [string, string, unknown, string] => [
      'default-branch-administrators',
      '/orgs/acme/rulesets/42',
      { ...guard, bypass_actors: [{ ...guard.bypass_actors[0], actor_type: type }] },
      'unreadable',
    ]),
    ['ruleset-evaluate', '/orgs/acme/rulesets', [{ ...guard, source_type: 7 }], 'unreadable'],
    ['ruleset-evaluate', '/orgs/acme/rulesets/42', { ...guard, enforcement: 7 }, 'unreadable'],
    ['recent-bypasses', '/orgs/acme/rulesets/rule-suites', [suite], 'fail'],
    ['recent-bypasses', '/orgs/acme/rulesets/rule-suites', [{ ...suite, repository_id: '7' }], 'unreadable'],
    ['recent-bypasses', '/orgs/acme/rulesets/rule-suites', [{ ...suite, repository_id: '-0' }], 'fail'],
    [
      'recent-bypasses',
      '/orgs/acme/rulesets/rule-suites',
      [{ ...suite, repository_id: undefined, repository_name: undefined }],
      'unreadable',
    ],
    ['members-two-factor', '/orgs/acme/members', [{ login: 7, id: 2 }], 'unreadable'],
  ])('%s with %s %j: %s', async (check, path, value, expected) => {
    expect(await statuses(check, { [path]: value })).toEqual([expected]);
  });
});

it('a repository takes at most 5 requests, and at most 10 with --deep', () => {
  const readings = Object.values(repositoryReadings);
  const sum = (some: typeof readings) => some.reduce((all, { requests = 0 }) => all + requests, 0);
  expect(sum(readings.filter(({ deep }) => !deep))).toBe(5);
  expect(sum(readings)).toBe(10);
});
