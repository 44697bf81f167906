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

  it('has each of them read once that requires what a check judges', async () => {
    const site = {
      id: 7,
      name: 'site',
      full_name: 'acme/site',
      archived: false,
      private: true,
      default_branch: 'main',
    };
    const types = ['deletion', 'non_fast_forward', 'pull_request', 'creation'];
    const source = { ruleset_source_type: 'Repository', ruleset_source: 'acme/site' };
    const rules = types.map((type, place) => ({ type, ...source, ruleset_id: place + 1 }));
    const reply = (path: string, body: unknown) => platform().get(`/api/v3${path}`).query(true).reply(200, body);
    reply('/orgs/acme', { login: 'acme', id: 1 });
    reply('/orgs/acme/repos', [site]);
    reply('/orgs/acme/rulesets', []);
    reply('/repos/acme/site/rules/branches/main', rules);
    reply('/repos/acme/site/branches/main', { name: 'main', protection: { enabled: false } });
    for (const id of [1, 2, 3])
      reply(`/repos/acme/site/rulesets/${id}`, { id, name: `Rules ${id}`, enforcement: 'active', bypass_actors: [] });
    const checks = ['default-branch-deletion', 'default-branch-force-push', 'default-branch-pull-request'];
    const words = ['audit', 'acme', '--check', checks.join(), '--all', '--jq', '[.findings[].status]'];
    expect(JSON.parse((await run(words, { env: nockedEnv })).stdout)).toEqual(['pass', 'pass', 'pass']);
  });
});

it('a repository takes at most 5 requests, and at most 10 with --deep', () => {
  const readings = Object.values(repositoryReadings);
  const sum = (some: typeof readings) => some.reduce((all, { requests = 0 }) => all + requests, 0);
  expect(sum(readings.filter(({ deep }) => !deep))).toBe(5);
  expect(sum(readings)).toBe(10);
});
