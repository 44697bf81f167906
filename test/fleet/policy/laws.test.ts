/** What holds of plans whatever the policies and the live state are, against the embedded platform. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ApplyRun, stepsIn, stepsOf } from '../../../src/fleet/policy/apply.ts';
import { exportOwner } from '../../../src/fleet/policy/export.ts';
import { loadPolicy } from '../../../src/fleet/policy/load.ts';
import { type PolicyPlan, planPolicy } from '../../../src/fleet/policy/plan.ts';
import { parsePlan, planText, type SavedPlan } from '../../../src/fleet/policy/plan-file.ts';
import { Reader } from '../../../src/fleet/policy/requests.ts';
import { undoPlan } from '../../../src/fleet/policy/undo.ts';
import type { TargetError } from '../../../src/fleet/runner.ts';
import { yamlText } from '../../../src/output/yaml.ts';
import { type RulesetState, rulesetsOf } from '../../../src/sandbox/state/rulesets.ts';
import { embeddedPlatform } from '../../support/embedded-platform.ts';

vi.setConfig({ testTimeout: 3_600_000 });

/** `POLICY_CASES=10000` is for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 200);

const embedded = embeddedPlatform();
const { client } = embedded;

interface File {
  readonly file: string;
  readonly text: string;
}

const describeError = (error: unknown): TargetError => ({ exit: 1, code: 'error', message: String(error) });

const fileOf = async (file: string, document: object): Promise<File> => ({ file, text: await yamlText(document) });

const planOf = async (files: readonly File[]): Promise<PolicyPlan> =>
  planPolicy(await loadPolicy(files), { client, describe: describeError, warn: () => {} });

const changesOf = (plan: SavedPlan) => stepsOf(plan, true);

/** Applies a plan, and stops it after some writes. */
async function apply(plan: SavedPlan, mostWrites = Number.POSITIVE_INFINITY) {
  const stopping = new AbortController();
  const { signal } = stopping;
  let writes = 0;
  const ignore = embedded.afterWrite(() => {
    if (++writes >= mostWrites) stopping.abort();
  });
  const failures: string[] = [];
  const done: string[] = [];
  const { steps } = stepsIn(changesOf(plan));
  for await (const outcome of new ApplyRun(steps, { client, describe: describeError, signal }))
    if ('error' in outcome) failures.push(outcome.error.message);
    else if (outcome.status === 'ok') done.push(...outcome.result.map((step) => `${outcome.target.target}: ${step}`));
  ignore();
  return { failures, done, isWhole: !signal.aborted };
}

/** Returns the plan that undoes another, saved and read again. */
const undoOf = (plan: SavedPlan): SavedPlan =>
  parsePlan('undo.ndjson', planText(undoPlan(plan, stepsIn(changesOf(plan)).steps)));

const exported = () =>
  exportOwner({
    reader: new Reader(client),
    owner: { kind: 'organization', name: 'acme' },
    repositories: true,
    warn: () => {},
  });

const actors = fc.uniqueArray(
  fc.oneof(
    fc.constant('role:admin'),
    fc.constantFrom('always', 'pull_request').map((mode) => ({ actor: 'role:maintain', mode })),
    fc.constant({ actor_type: 'DeployKey', bypass_mode: 'always' }),
    fc.constant({ actor_type: 'OrganizationAdmin', bypass_mode: 'always' }),
  ),
  { selector: (actor) => (typeof actor === 'object' && 'actor' in actor ? actor.actor : JSON.stringify(actor)) },
);

const checks = fc.uniqueArray(fc.constantFrom('test', 'lint', 'build'), { minLength: 1 });

const rules = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom({ type: 'deletion' }, { type: 'non_fast_forward' }, { type: 'required_signatures' }),
    fc.integer({ min: 0, max: 2 }).map((strength) => ({ type: 'rule_of_tomorrow', parameters: { strength } })),
    fc
      .record({ contexts: checks, strict: fc.boolean(), tomorrow: fc.boolean() })
      .map(({ contexts, strict, tomorrow }) => ({
        type: 'required_status_checks',
        parameters: {
          strict_required_status_checks_policy: strict,
          required_status_checks: contexts.map((context) => ({ context })),
          ...(tomorrow && { parameter_of_tomorrow: 7 }),
        },
      })),
  ),
  { selector: ({ type }) => type },
);

const patterns = fc.uniqueArray(fc.constantFrom('~DEFAULT_BRANCH', 'refs/heads/release/*', 'refs/heads/x'), {
  minLength: 1,
});

const ruleset = fc
  .record(
    {
      enforcement: fc.constantFrom('active', 'active', 'active', 'evaluate', 'disabled'),
      bypass_actors: actors,
      conditions: patterns.map((include) => ({ ref_name: { include, exclude: [] } })),
      rules,
    },
    { requiredKeys: ['enforcement', 'conditions'] },
  )
  .map((fields) => ({ target: 'branch', ...fields }));

const rulesets = fc
  .uniqueArray(fc.constantFrom('One', 'Two', 'Three'))
  .chain((names) => fc.tuple(...names.map((name) => ruleset.map((fields) => ({ name, ...fields })))));

const settings = fc.record(
  {
    default_repository_permission: fc.constantFrom('none', 'read', 'write'),
    web_commit_signoff_required: fc.boolean(),
    members_can_create_public_repositories: fc.boolean(),
  },
  { requiredKeys: [] },
);

const hooks = fc
  .constantFrom('enabled', 'disabled', 'inherit')
  .map((enforcement) => [{ name: 'Block secrets', enforcement }]);

const policy = fc.record({
  settings,
  rulesets: rulesets.map((all) =>
    all.map((each) => ({
      ...each,
      conditions: { ...each.conditions, repository_name: { include: ['~ALL'], exclude: [] } },
    })),
  ),
  repositories: fc.record({
    settings: fc.record(
      { delete_branch_on_merge: fc.boolean(), description: fc.constantFrom('', 'A site') },
      { requiredKeys: [] },
    ),
    properties: fc.record(
      { tier: fc.constantFrom('gold', 'silver'), team: fc.constantFrom('core', null) },
      { requiredKeys: [] },
    ),
    rulesets,
    hooks,
  }),
});

type RandomPolicy = typeof policy extends fc.Arbitrary<infer P> ? P : never;

/** The policy in several files, so that their order can differ. Rulesets that it does not declare are deleted. */
function filesOf({ settings, rulesets, repositories: { hooks, ...repositories } }: RandomPolicy): Promise<File[]> {
  const organizations = ['acme'];
  const manage = { rulesets: 'all' };
  return Promise.all([
    fileOf('settings.yaml', { organizations, settings }),
    fileOf('rulesets.yaml', { organizations, manage, rulesets }),
    fileOf('site.yaml', { organizations, repositories: [{ select: { names: ['s*'] }, manage, ...repositories }] }),
    fileOf('all.yaml', { organizations, repositories: [{ select: { names: ['*'] }, hooks }] }),
  ]);
}

/** The rulesets of acme and of acme/site, as the platform has them. */
function storedRulesets(): readonly { readonly owner: string; readonly ruleset: RulesetState }[] {
  const { platform } = embedded;
  const organization = platform.accounts.organization('acme');
  const repository = organization && platform.repositories.find(organization, 'site');
  if (!organization || !repository) throw new Error('There is no acme/site.');
  const stored = (owner: string, all: Iterable<RulesetState>) => [...all].map((ruleset) => ({ owner, ruleset }));
  return [
    ...stored('acme', rulesetsOf(platform, { organization }).values()),
    ...stored('acme/site', rulesetsOf(platform, { repository }).values()),
  ];
}

const pushers = ['RepositoryRole 5', 'RepositoryRole 2', 'DeployKey null', 'OrganizationAdmin null', 'anyone'];

/** What protects acme/site: who is bound by which part of a rule where, by a direct push and in a pull request. */
function protection(): ReadonlySet<string> {
  const facts = new Set<string>();
  for (const { ruleset } of storedRulesets()) {
    const { enforcement, conditions, bypass_actors: bypass, rules } = ruleset;
    if (enforcement !== 'active') continue;
    for (const pattern of conditions.ref_name?.include ?? [])
      for (const part of rules.flatMap(partsOf))
        for (const pusher of pushers) {
          const { bypass_mode: mode } =
            bypass.find(({ actor_type, actor_id }) => `${actor_type} ${actor_id}` === pusher) ?? {};
          if (mode === undefined) facts.add(`${pattern}: ${part} binds ${pusher} in a pull request`);
          if (mode !== 'always') facts.add(`${pattern}: ${part} binds ${pusher} in a push`);
        }
  }
  return facts;
}

function partsOf({ type, parameters = {} }: RulesetState['rules'][number]): readonly string[] {
  const { required_status_checks: checks, strict_required_status_checks_policy: strict } = parameters as Record<
    string,
    unknown
  >;
  if (!Array.isArray(checks)) return [type];
  return [...checks.map(({ context }) => `check ${context}`), ...(strict ? ['strict checks'] : [])];
}

describe('whatever the live state and the policy are', () => {
  it('plans are empty after an export and after an apply, nothing is unprotected meanwhile, and an undo leads back', async () => {
    const mostWrites = fc.oneof(
      { weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
    );
    await fc.assert(
      fc.asyncProperty(policy, policy, mostWrites, async (live, wanted, most) => {
        expect((await apply(await planOf(await filesOf(live)))).failures).toEqual([]);
        const before = await exported();
        const beforeFiles = await Promise.all(before.map(({ path, document }) => fileOf(path, document)));
        expect((await planOf(beforeFiles)).changes).toEqual([]);

        const files = await filesOf(wanted);
        const plan = await planOf(files);
        const moments = [protection()];
        const ignore = embedded.afterWrite(() => moments.push(protection()));
        const { failures, isWhole } = await apply(plan, most);
        ignore();
        expect(failures).toEqual([]);
        if (isWhole) {
          expect((await planOf(files)).changes).toEqual([]);
          const [first = new Set<string>(), ...others] = moments;
          const last = protection();
          const always = [...first].filter((fact) => last.has(fact));
          for (const moment of others) expect(always.filter((fact) => !moment.has(fact))).toEqual([]);
        }

        expect((await apply(undoOf(plan))).failures).toEqual([]);
        expect(await exported()).toEqual(before);
      }),
      { numRuns, endOnFailure: true },
    );
  });
});
