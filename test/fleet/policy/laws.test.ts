/** What holds of plans whatever the policies and the live state are, against the embedded platform. */
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { ApplyRun, stepsIn, stepsOf } from '../../../src/fleet/policy/apply.ts';
import { exportOwner } from '../../../src/fleet/policy/export.ts';
import { loadPolicy } from '../../../src/fleet/policy/load.ts';
import { type PolicyPlan, planPolicy } from '../../../src/fleet/policy/plan.ts';
import { parsePlan, planText, type SavedPlan } from '../../../src/fleet/policy/plan-file.ts';
import { Reader } from '../../../src/fleet/policy/requests.ts';
import { undoPlan } from '../../../src/fleet/policy/undo.ts';
import type { TargetError } from '../../../src/fleet/runner.ts';
import { yamlText } from '../../../src/output/yaml.ts';
import type { Budget, PrivateRegistry } from '../../../src/platform/records.ts';
import { valuesOf } from '../../../src/sandbox/state/properties.ts';
import { type RulesetState, rulesetsOf } from '../../../src/sandbox/state/rulesets.ts';
import { embeddedPlatform } from '../../support/embedded-platform.ts';

vi.setConfig({ testTimeout: 3_600_000 });

/** `POLICY_CASES=10000` and another `POLICY_SEED` are for a deliberate trial. */
const numRuns = Number(process.env.POLICY_CASES ?? 200);
const seed = Number(process.env.POLICY_SEED ?? 1);

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

const changesOf = (plan: SavedPlan) => stepsOf(plan, { prune: true });

/** Returns the changes of a plan other than write-only fields, which cannot be compared. */
const differencesOf = ({ changes }: PolicyPlan) => changes.filter(({ action }) => action !== 'unverified');

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
  for await (const outcome of new ApplyRun(steps, {
    client,
    describe: describeError,
    signal,
    secrets: () => Buffer.from('sealed'),
  }))
    if ('error' in outcome) failures.push(outcome.error.message);
    else if (outcome.status === 'ok') done.push(...outcome.result.map((step) => `${outcome.target.target}: ${step}`));
  ignore();
  return { failures, done, isWhole: !signal.aborted };
}

/** Returns the plan that undoes another, saved and read again. */
const undoOf = (plan: SavedPlan): SavedPlan =>
  parsePlan('undo.ndjson', planText(undoPlan(plan, stepsIn(changesOf(plan)).steps)));

async function exported(): Promise<File[]> {
  const reader = new Reader(client);
  const owner = { kind: 'organization', name: 'acme' } as const;
  const files = await exportOwner({ reader, owner, repositories: true, warn: () => {} });
  return Promise.all(files.map(({ path, document }) => fileOf(path, document)));
}

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
  .uniqueArray(fc.constantFrom('One', 'Two'))
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

const budgets = fc.uniqueArray(
  fc.record({
    budget_scope: fc.constant('organization'),
    budget_entity_name: fc.constantFrom('acme', 'ACME'),
    budget_type: fc.constant('ProductPricing'),
    budget_product_sku: fc.constantFrom('actions', 'packages'),
    budget_amount: fc.integer({ min: 0, max: 2 }),
    prevent_further_usage: fc.boolean(),
    budget_alerting: fc.record({ will_alert: fc.boolean(), alert_recipients: fc.subarray(['admin', 'riverotter']) }),
  }),
  { selector: ({ budget_product_sku: sku }) => sku },
);

const policy = fc.record({
  settings,
  budgets,
  rulesets: rulesets.map((all) =>
    all.map((each) => ({
      ...each,
      conditions: { ...each.conditions, repository_name: { include: ['~ALL'], exclude: [] } },
    })),
  ),
  repositories: fc.record({
    settings: fc.record(
      { delete_branch_on_merge: fc.boolean(), description: fc.constantFrom<string>('', 'A site') },
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

/** The policy in several files, so that their order can differ. Rulesets and budgets that it does not declare are deleted. */
function filesOf({
  settings,
  budgets,
  rulesets,
  repositories: { hooks, ...repositories },
}: RandomPolicy): Promise<File[]> {
  const organizations = ['acme'];
  const manage = { rulesets: 'all' };
  return Promise.all([
    fileOf('settings.yaml', { organizations, settings }),
    fileOf('rulesets.yaml', { organizations, manage, rulesets }),
    fileOf('budgets.yaml', { organizations, manage: { budgets: 'all' }, budgets }),
    fileOf('site.yaml', { organizations, repositories: [{ select: { names: ['s*'] }, manage, ...repositories }] }),
    fileOf('all.yaml', { organizations, repositories: [{ select: { names: ['*'] }, hooks }] }),
  ]);
}

/** acme and acme/site, as the platform has them. */
function stored() {
  const { platform } = embedded;
  const organization = platform.accounts.organization('acme');
  const repository = organization && platform.repositories.find(organization, 'site');
  if (!organization || !repository) throw new Error('There is no acme/site.');
  return { platform, organization, repository };
}

function storedRulesets(): readonly { readonly owner: string; readonly ruleset: RulesetState }[] {
  const { platform, organization, repository } = stored();
  const of = (owner: string, all: Iterable<RulesetState>) => [...all].map((ruleset) => ({ owner, ruleset }));
  return [
    ...of('acme', rulesetsOf(platform, { organization }).values()),
    ...of('acme/site', rulesetsOf(platform, { repository }).values()),
  ];
}

const collectionOf = <T>(kind: string): readonly T[] => {
  const { platform, organization } = stored();
  return platform.store.collection<T>(kind, organization.id).values();
};

const storedRegistries = () => collectionOf<PrivateRegistry>('registries');

const storedBudgets = () => collectionOf<Budget>('budgets');

const budgetText = ({ budget_scope, budget_entity_name, budget_type, budget_product_sku }: Omit<Budget, 'id'>) =>
  [budget_scope, budget_entity_name, budget_type, budget_product_sku].join(' ').toLowerCase();

/** Returns everything that policies manage by target, kind and name; settings and properties by field. */
function objects(): Readonly<Record<string, unknown>> {
  const { platform, organization, repository } = stored();
  const { updated_at: _, custom_properties: __, ...settings } = repository;
  const fields = (what: string, values: object) =>
    Object.entries(values).map(([field, value]) => [`${what}  ${field}`, value] as const);
  return Object.fromEntries([
    ...fields('acme settings', organization.settings),
    ...fields('acme/site settings', settings),
    ...fields('acme/site properties', valuesOf(platform, repository)),
    ...storedRegistries().flatMap(({ registry_type: type, url, name: _, created_at, updated_at, ...registry }) =>
      fields(`acme registry ${type} ${url}`, registry),
    ),
    ...storedBudgets().flatMap(({ id, ...budget }) =>
      fields(`acme budget ${budgetText(budget)}`, inOrder(budget) as object),
    ),
    ['acme/site hook Block secrets ', platform.store.collection('hooks of repository', repository.id).get(4)],
    ...storedRulesets().map(({ owner, ruleset: { id, created_at, updated_at, ...ruleset } }) => [
      `${owner} ruleset ${ruleset.name} `,
      inOrder(ruleset),
    ]),
  ]);
}

/** Returns a value with sorted lists: the lists in rulesets are sets. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => JSON.stringify(inOrder(each))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, inOrder(member)]),
  );
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

/** What is unknown to this version in the rules of a ruleset, by rule. */
function unknownIn(rules: readonly { readonly type: string; readonly parameters?: object }[]): Record<string, unknown> {
  const unknown = rules.flatMap(({ type, parameters = {} }) => {
    const { strength, parameter_of_tomorrow = strength } = parameters as Record<string, unknown>;
    return parameter_of_tomorrow === undefined ? [] : [[type, parameter_of_tomorrow] as const];
  });
  return Object.fromEntries(unknown);
}

/** Returns what is unknown in each ruleset after a policy: everything declared, and what was in rules that stay. */
function unknownAfter({ rulesets, repositories }: RandomPolicy): readonly Record<string, unknown>[] {
  const declared = [
    ...rulesets.map(({ name, rules }) => ({ target: 'acme', name, rules })),
    ...repositories.rulesets.map(({ name, rules }) => ({ target: 'acme/site', name, rules })),
  ];
  return declared.map(({ target, name, rules }) => {
    const live = storedRulesets().find(({ owner, ruleset }) => owner === target && ruleset.name === name);
    const kept = Object.entries(unknownIn(live?.ruleset.rules ?? []));
    const stays = (type: string) => type === 'rule_of_tomorrow' || !rules || rules.some((rule) => rule.type === type);
    return { ...Object.fromEntries(kept.filter(([type]) => stays(type))), ...unknownIn(rules ?? []) };
  });
}

/** Returns a value with all lists reversed: what policies read of them are sets. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed).reverse();
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reversed(member)]));
}

describe('whatever the live state and the policy are', () => {
  // Seeded objects are stored in a form that no write makes: the actors of rulesets have IDs.
  beforeAll(async () => {
    const repositories = { settings: { description: 'A start' }, properties: {}, rulesets: [], hooks: [] };
    const start = await planOf(await filesOf({ settings: {}, budgets: [], rulesets: [], repositories }));
    expect((await apply(start)).failures).toEqual([]);
  });

  it('plans are empty after an export and after an apply, nothing is unprotected meanwhile, and an undo leads back', async () => {
    const mostWrites = fc.oneof(
      { weight: 2, arbitrary: fc.constant(Number.POSITIVE_INFINITY) },
      { weight: 1, arbitrary: fc.integer({ min: 1, max: 8 }) },
    );
    // Each case starts from the state that the one before it left.
    await fc.assert(
      fc.asyncProperty(policy, mostWrites, fc.boolean(), async (wanted, most, isUndone) => {
        expect(differencesOf(await planOf(await exported()))).toEqual([]);
        const before = objects();

        const files = await filesOf(wanted);
        const plan = await planOf(files);
        const unknown = unknownAfter(wanted);
        const moments = [protection()];
        const ignore = embedded.afterWrite(() => moments.push(protection()));
        const { failures, isWhole } = await apply(plan, most);
        ignore();
        expect(failures).toEqual([]);
        if (isWhole) {
          expect(differencesOf(await planOf(files))).toEqual([]);
          expect(unknownAfter(wanted)).toEqual(unknown);
          const [first = new Set<string>(), ...others] = moments;
          const last = protection();
          const always = [...first].filter((fact) => last.has(fact));
          for (const moment of others) expect(always.filter((fact) => !moment.has(fact))).toEqual([]);
        }
        if (isUndone) {
          expect((await apply(undoOf(plan))).failures).toEqual([]);
          expect(objects()).toEqual(before);
        }
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });

  it('a plan has the same bytes for any order, and makes no change of what has changed since', async () => {
    await fc.assert(
      fc.asyncProperty(policy, policy, async (wanted, meanwhile) => {
        const files = await filesOf(wanted);
        const plan = await planOf(files);
        embedded.onResponse(reversed);
        // The line of a ruleset in its file stays the same, as rules come last.
        const inReverse = <T extends { readonly rules?: readonly object[] }>(all: readonly T[]) =>
          all.map((each) => ({ ...each, ...(each.rules && { rules: each.rules.toReversed() }) })) as T[];
        const { rulesets, repositories } = wanted;
        const others = await filesOf({
          ...wanted,
          rulesets: inReverse(rulesets),
          repositories: { ...repositories, rulesets: inReverse(repositories.rulesets) },
        });
        expect(planText(await planOf(others.toReversed()))).toBe(planText(plan));
        embedded.onResponse((body) => body);

        const earlier = objects();
        expect((await apply(await planOf(await filesOf(meanwhile)))).failures).toEqual([]);
        const now = objects();
        const changed = changesOf(plan).filter(({ kind, target, name, before = {} }) => {
          const fields = kind === 'ruleset' || kind === 'hook' ? [''] : Object.keys(before);
          const key = kind === 'budget' ? name.toLowerCase() : name;
          return fields.some((field) => {
            const object = [target, kind, key, field].join(' ');
            return !isDeepStrictEqual(earlier[object], now[object]);
          });
        });
        const { done } = await apply(plan);
        for (const { target, action, kind, name } of changed)
          expect(done).not.toContain(`${target}: ${action} ${kind}${name && ` “${name}”`}`);
      }),
      { numRuns, seed, endOnFailure: true },
    );
  });
});
