/** The fixes of all checks: their commands mend findings, and so do their policies. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../src/sandbox/serve.ts';
import type { AuditFinding } from '../../../src/topics/audit/report.ts';
import { run, temporaryDirectory } from '../../support/run.ts';
import type { AuditJson } from '../../support/saved-audits.ts';

let sandbox: Sandbox;
let env: Readonly<Record<string, string>>;

/** Changes the sandbox as people do who weaken it. Its organization hooli already fails most checks. */
beforeEach(async () => {
  sandbox = await startSandbox({ orgs: 5 });
  onTestFinished(() => sandbox.close());
  env = { FORGECTL_BASE_URL: sandbox.baseUrl, FORGECTL_TOKEN: sandbox.tokens.classic };
  const rulesets = (await send('GET', '/orgs/hooli/rulesets')) as readonly { id: number; name: string }[];
  const { id } = rulesets.find(({ name }) => name === 'Default branches') ?? {};
  await send('PUT', `/orgs/hooli/rulesets/${id}`, { enforcement: 'disabled' });
  await send('POST', '/orgs/hooli/rulesets', {
    ...{ name: 'Left behind', target: 'branch', enforcement: 'active', rules: [{ type: 'creation' }] },
    bypass_actors: [{ actor_id: 999_999, actor_type: 'Integration', bypass_mode: 'always' }],
    conditions: { ref_name: { include: ['~ALL'], exclude: [] }, repository_name: { include: ['~ALL'], exclude: [] } },
  });
  await send('PATCH', '/orgs/hooli', { dependency_graph_enabled_for_new_repositories: false });
  await send('PUT', '/orgs/hooli/properties/schema/pci', { value_type: 'true_false' });
  const properties = [{ property_name: 'pci', value: 'true' }];
  await send('PATCH', '/orgs/hooli/properties/values', { repository_names: ['site'], properties });
  await send('DELETE', '/repos/hooli/site/vulnerability-alerts');
  const required_status_checks = [{ context: 'gone' }];
  await protect('site', 'required_status_checks', {
    parameters: { required_status_checks, strict_required_status_checks_policy: true },
  });
  await protect('forecast-docs', 'deletion', {}, [
    { actor_id: 5, actor_type: 'RepositoryRole', bypass_mode: 'always' },
  ]);
  for (const owner of ['/organizations/hooli', '/enterprises/sandbox'])
    await send('POST', `${owner}/settings/billing/budgets`, {
      ...{ budget_scope: 'organization', budget_entity_name: 'hooli', budget_amount: 100 },
      ...{ budget_type: 'ProductPricing', budget_product_sku: 'codespaces', prevent_further_usage: false },
      budget_alerting: { will_alert: false, alert_recipients: ['admin'] },
    });
});

async function send(method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${sandbox.baseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${sandbox.tokens.classic}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect({ path, isOk: response.ok, text }).toMatchObject({ path, isOk: true });
  return text ? JSON.parse(text) : undefined;
}

const protect = (repository: string, type: string, rule: object, bypass_actors: readonly object[] = []) =>
  send('POST', `/repos/hooli/${repository}/rulesets`, {
    name: 'Own rules',
    target: 'branch',
    enforcement: 'active',
    bypass_actors,
    conditions: { ref_name: { include: ['~DEFAULT_BRANCH'], exclude: [] } },
    rules: [{ type, ...rule }],
  });

/** The sandbox has the time of its machine. */
const forgectl = (words: readonly string[]) => run(words, { env, now: new Date() });

async function audited(...words: readonly string[]): Promise<readonly AuditFinding[]> {
  const { stdout, code } = await forgectl(['audit', 'hooli', '--enterprise', 'sandbox', '--deep', '--json', ...words]);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as AuditJson).findings.filter(({ status }) => status === 'fail');
}

const checksOf = (findings: readonly AuditFinding[]): string[] => [...new Set(findings.map(({ check }) => check))];

/** The checks whose policies mend their findings, and those that have a command beside them. */
const withPolicies = [
  'base-permission',
  'budget-alerts',
  'budget-stops-usage',
  'default-branch-administrators',
  'default-branch-approvals',
  'default-branch-code-owners',
  'default-branch-conversations',
  'default-branch-deletion',
  'default-branch-force-push',
  'default-branch-last-push',
  'default-branch-linear-history',
  'default-branch-pull-request',
  'default-branch-reported-checks',
  'default-branch-signatures',
  'default-branch-stale-approvals',
  'dependency-alerts',
  'dependency-alerts-default',
  'dependency-graph-default',
  'deploy-keys',
  'enterprise-budget-alerts',
  'enterprise-budget-stops-usage',
  'hooks-enforced',
  'hooks-overridable',
  'private-forking',
  'public-pages-creation',
  'public-repository-creation',
  'push-protection',
  'push-protection-default',
  'registry-visibility',
  'ruleset-bypass-stale',
  'ruleset-bypass-wide',
  'ruleset-evaluate',
  'ruleset-selects-nothing',
  'secret-scanning',
  'secret-scanning-default',
  'security-updates',
  'security-updates-default',
  'visibility-property',
  'web-commit-signoff',
];
const withCommands = [
  'immutable-releases',
  'inactive-members',
  'locked-migrations',
  'outside-access',
  'outside-two-factor',
  'registry-transport',
  'repository-forking',
  'stale-repository',
];

const keyOf = ({ check, target, object }: AuditFinding): string => `${check} ${target} ${object}`;

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", '')).slice(1);

it('have commands that mend the findings', async () => {
  const findings = await audited();
  const byCheck = new Map(findings.toReversed().flatMap((each) => (each.fix?.command ? [[each.check, each]] : [])));
  expect([...byCheck.keys()].sort()).toEqual([...withCommands, ...withPolicies].sort());
  for (const line of new Set(findings.flatMap(({ fix }) => fix?.hint?.match(/forgectl [a-z][^”]*[^”.]/)?.[0] ?? []))) {
    const words = line.replace('LOGIN', 'admin').split(' ').slice(1);
    const dryRun = /^(?:budgets|members)$/.test(words[0] ?? '') ? ['--dry-run'] : [];
    const { code, stderr } = await forgectl([...words, ...dryRun]);
    expect({ line, code, stderr }).toEqual({ line, code: 0, stderr: expect.any(String) });
  }
  // Archived last, since nothing else can be changed then.
  const mended = [...byCheck.values()].sort(
    (a, b) => Number(a.check === 'stale-repository') - Number(b.check === 'stale-repository'),
  );
  for (const { fix } of mended) {
    const command = fix?.command ?? '';
    const { code, stderr } = await forgectl([...wordsOf(command), '--yes']);
    expect({ command, code, stderr }).toMatchObject({ code: 0 });
  }
  const left = new Set((await audited()).map(keyOf));
  const stays = mended.filter((each) => left.has(keyOf(each)));
  // Unlocking shows only once somebody pushes, or the repository is gone.
  expect(checksOf(stays)).toEqual(['locked-migrations']);
  const [{ evidence } = { evidence: [] }] = stays;
  await send('DELETE', `/repos/${evidence[0]?.name}`);
  expect(checksOf(await audited('--check', 'locked-migrations'))).toEqual([]);
});

it('have policies that mend the findings', async () => {
  const folder = join(await temporaryDirectory(), 'fixes');
  const planned = (await audited('--fix-policy', folder)).filter(({ fix }) => fix?.policy);
  expect(checksOf(planned).sort()).toEqual(withPolicies);
  expect(readdirSync(folder)).toEqual(['enterprise-sandbox.yaml', 'hooli.yaml']);
  const guards = ['--yes', '--allow-deletes', '100', '--allow', 'visibility'];
  expect(await forgectl(['policy', 'apply', folder, ...guards])).toMatchObject({ code: 0 });
  const left = (await audited()).map(keyOf);
  expect(planned.map(keyOf).filter((key) => left.includes(key))).toEqual([]);
});
