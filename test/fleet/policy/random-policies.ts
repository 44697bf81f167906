/** Random policies for acme, its repository acme/site, and the enterprise, with objects of all kinds. */
import fc from 'fast-check';

/** What happens to the objects of a section that the policy does not declare. */
const undeclared = fc.constantFrom('left', 'absent', 'all');

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
      conditions: fc.record({ include: patterns, tomorrow: fc.boolean() }).map(({ include, tomorrow }) => ({
        ref_name: { include, exclude: [] },
        ...(tomorrow && { condition_of_tomorrow: { include: ['x'] } }),
      })),
      rules,
    },
    { requiredKeys: ['enforcement', 'conditions'] },
  )
  .map((fields) => ({ target: 'branch', ...fields }));

export const rulesetNames = ['One', 'Two'];

/** One of the rulesets may be renamed. */
const rulesets = fc.record({
  undeclared,
  isRenamed: fc.boolean(),
  declared: fc
    .uniqueArray(fc.constantFrom(...rulesetNames))
    .chain((names) => fc.tuple(...names.map((name) => ruleset.map((fields) => ({ name, ...fields }))))),
});

type Rulesets = typeof rulesets extends fc.Arbitrary<infer R> ? R : never;

const organizationSettings = fc.record(
  {
    default_repository_permission: fc.constantFrom('none', 'read', 'write'),
    web_commit_signoff_required: fc.boolean(),
    members_can_create_public_repositories: fc.boolean(),
    description: fc.constantFrom('', 'A company'),
  },
  { requiredKeys: [] },
);

const repositorySettings = fc
  .record(
    {
      delete_branch_on_merge: fc.boolean(),
      description: fc.constantFrom('', 'A site'),
      squash: fc.constantFrom(
        ['PR_TITLE', 'PR_BODY'],
        ['PR_TITLE', 'BLANK'],
        ['COMMIT_OR_PR_TITLE', 'COMMIT_MESSAGES'],
      ),
      security_and_analysis: fc.constantFrom('enabled', 'disabled').map((status) => ({ secret_scanning: { status } })),
    },
    { requiredKeys: [] },
  )
  .map(({ squash, ...fields }) => ({
    ...fields,
    ...(squash && { squash_merge_commit_title: squash[0], squash_merge_commit_message: squash[1] }),
  }));

const properties = fc.record(
  {
    tier: fc.constantFrom('gold', 'silver'),
    team: fc.constantFrom('core', null),
    region: fc.subarray(['eu', 'us', 'asia']),
  },
  { requiredKeys: [] },
);

/** Definitions that allow the values above; only policies define the stage. */
const propertySchema = fc
  .tuple(
    fc
      .record({
        allowed: fc.constantFrom(['gold', 'silver'], ['silver', 'gold', 'bronze'], ['gold', 'silver', 'iron']),
        default: fc.constantFrom('gold', 'silver', null),
        editable_by: fc.constantFrom('org_actors', 'org_and_repo_actors'),
      })
      .map((fields) => ({ name: 'tier', type: 'single_select', required: fields.default !== null, ...fields })),
    fc
      .record({ default: fc.constantFrom(['eu', 'us'], ['asia'], null), description: fc.constantFrom('', 'Where') })
      .map((fields) => ({ name: 'Region', type: 'multi_select', required: fields.default !== null, ...fields })),
    fc.record({ required: fc.constant(false), description: fc.constantFrom('', 'Who') }).map((fields) => ({
      ...{ name: 'stage', type: 'string', ...fields },
    })),
  )
  .chain((all) => fc.record({ undeclared: fc.constantFrom('left', 'absent'), declared: fc.subarray(all) }));

const labelNames = ['bug', 'ready', 'on hold'];

/** One of the labels may be renamed. Names ignore case. */
const labels = fc.record({
  undeclared,
  isRenamed: fc.boolean(),
  declared: fc.subarray(labelNames).chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        fc.record(
          {
            name: fc.constantFrom(name, name.toUpperCase()),
            color: fc.constantFrom('d73a4a', '5319E7'),
            description: fc.constantFrom('', 'To do'),
          },
          { requiredKeys: ['name'] },
        ),
      ),
    ),
  ),
});

const topics = fc.subarray(['web', 'Managed', 'a-b']);

/** Fixes need the alerts. */
const alerts = fc.constantFrom(
  { vulnerability: true },
  { vulnerability: true, fixes: true },
  { vulnerability: true, fixes: false },
  { vulnerability: false, fixes: false },
);

/** Hooks that organizations and repositories can set. */
export const hookNames = ['Block secrets', 'Require signed commits'] as const;

const hook = (name: string) =>
  fc.constantFrom('enabled', 'testing', 'disabled', 'inherit').map((enforcement) => ({ name, enforcement }));

/** The organization also decides whether its repositories may change one more hook. */
const organizationHooks = fc
  .tuple(
    fc.subarray([...hookNames]).chain((names) => fc.tuple(...names.map(hook))),
    fc.option(
      fc.record({
        name: fc.constant('Check commit messages'),
        enforcement: fc.constantFrom('enabled', 'testing'),
        allow_downstream_configuration: fc.boolean(),
      }),
    ),
  )
  .map(([hooks, other]) => [...hooks, ...(other ? [other] : [])]);

const repositoryHooks = fc.subarray([...hookNames]).chain((names) => fc.tuple(...names.map(hook)));

const registryKeys = [
  { registry_type: 'npm_registry', url: 'https://npm.example.com' },
  { registry_type: 'cargo_registry', url: 'https://cargo.example.com' },
  { registry_type: 'docker_registry', url: 'https://docker.example.com' },
];

/** Fields that only a creation requires. */
const creationFields: readonly string[] = [
  'auth_type',
  'visibility',
  'secret',
  'budget_amount',
  'prevent_further_usage',
  'budget_alerting',
];

const secret = { secret: { env: 'REGISTRY_TOKEN' } };

/** What the types of authentication require. */
const authentication = [
  () => fc.constant({ ...secret }),
  () =>
    fc.constantFrom('builder', 'deployer').map((username) => ({ auth_type: 'username_password', username, ...secret })),
  () =>
    fc.constantFrom('one', 'two').map((provider) => ({ auth_type: 'oidc_jfrog', jfrog_oidc_provider_name: provider })),
];

const registry = (place: number) =>
  fc
    .record({
      isPartial: fc.boolean(),
      own: authentication[place]?.() ?? fc.constant({}),
      access: fc.oneof(
        fc.constantFrom('all', 'private').map((visibility) => ({ visibility })),
        fc.constantFrom('s*', '*').map((pattern) => ({ visibility: 'selected', repositories: [pattern] })),
      ),
      more: fc.record({ replaces_base: fc.boolean() }, { requiredKeys: [] }),
    })
    .map(({ isPartial, own, access, more }) => ({
      isPartial,
      body: { ...registryKeys[place], ...own, ...access, ...more },
    }));

const registries = fc.record({
  undeclared,
  declared: fc.subarray([0, 1, 2]).chain((places) => fc.tuple(...places.map(registry))),
});

const organizationBudgetKeys = [
  {
    budget_scope: 'organization',
    budget_entity_name: 'acme',
    budget_type: 'ProductPricing',
    budget_product_sku: 'actions',
  },
  {
    budget_scope: 'repository',
    budget_entity_name: 'acme/site',
    budget_type: 'SkuPricing',
    budget_product_sku: 'actions_linux',
  },
];

const enterpriseBudgetKeys = [
  { budget_scope: 'enterprise', budget_type: 'ProductPricing', budget_product_sku: 'packages' },
  {
    budget_scope: 'organization',
    budget_entity_name: 'acme',
    budget_type: 'ProductPricing',
    budget_product_sku: 'actions',
  },
  { budget_scope: 'user', budget_type: 'BundlePricing', budget_product_sku: 'ai_credits', user: 'riverotter' },
];

type BudgetKey = (typeof organizationBudgetKeys | typeof enterpriseBudgetKeys)[number];

/** Names in keys ignore case. */
const budget = (key: BudgetKey) =>
  fc
    .record({
      isPartial: fc.boolean(),
      isUpperCase: fc.boolean(),
      amount: fc.integer({ min: 0, max: 2 }),
      stops: fc.boolean(),
      alerting: fc.record({ will_alert: fc.boolean(), alert_recipients: fc.subarray(['admin', 'riverotter']) }),
    })
    .map(({ isPartial, isUpperCase, amount, stops, alerting }) => ({
      isPartial,
      body: {
        ...key,
        ...('budget_entity_name' in key &&
          isUpperCase && { budget_entity_name: String(key.budget_entity_name).toUpperCase() }),
        budget_amount: amount,
        ...(key.budget_scope === 'user'
          ? { prevent_further_usage: true }
          : { prevent_further_usage: stops, budget_alerting: alerting }),
      },
    }));

const budgets = (keys: readonly BudgetKey[]) =>
  fc.record({
    undeclared,
    declared: fc.subarray([...keys]).chain((some) => fc.tuple(...some.map(budget))),
  });

const noObjects = { undeclared: 'left', declared: [] as never[] } as const;

const noRulesets = { ...noObjects, isRenamed: false } as const;

/** Half of the policies lack a section: what it would declare stays as it is. */
const sometimes = <T, N>(section: fc.Arbitrary<T>, none: N) => fc.oneof(section, fc.constant(none));

export const policy = fc.record({
  settings: sometimes(organizationSettings, {}),
  /** A setting of two organizations. */
  shared: sometimes(fc.record({ has_organization_projects: fc.boolean() }), {}),
  rulesets: sometimes(rulesets, noRulesets),
  registries: sometimes(registries, noObjects),
  budgets: sometimes(budgets(organizationBudgetKeys), noObjects),
  enterpriseBudgets: sometimes(budgets(enterpriseBudgetKeys), noObjects),
  hooks: sometimes(organizationHooks, []),
  managesHooks: sometimes(fc.boolean(), false),
  propertySchema: sometimes(propertySchema, noObjects),
  site: fc.record({
    settings: sometimes(repositorySettings, {}),
    properties: sometimes(properties, {}),
    rulesets: sometimes(rulesets, noRulesets),
    labels: sometimes(labels, noRulesets),
    topics: sometimes(topics, undefined),
    alerts: sometimes(alerts, {}),
  }),
  everywhere: sometimes(repositoryHooks, []),
});

export type RandomPolicy = typeof policy extends fc.Arbitrary<infer P> ? P : never;

/** The policy without any object, which deletes all. */
export const emptyPolicy: RandomPolicy = {
  settings: {},
  shared: {},
  rulesets: { undeclared: 'all', isRenamed: false, declared: [] },
  registries: { undeclared: 'all', declared: [] },
  budgets: { undeclared: 'all', declared: [] },
  enterpriseBudgets: { undeclared: 'all', declared: [] },
  hooks: [],
  managesHooks: true,
  propertySchema: noObjects,
  site: {
    settings: { description: 'A site', security_and_analysis: { secret_scanning: { status: 'disabled' } } },
    properties: {},
    rulesets: { undeclared: 'all', isRenamed: false, declared: [] },
    labels: { undeclared: 'all', isRenamed: false, declared: [] },
    topics: undefined,
    alerts: {},
  },
  everywhere: [],
};

interface Undeclared<K> {
  readonly manage: Readonly<Record<string, 'all'>>;
  readonly absent?: readonly K[];
}

/** Returns how a section treats objects that it does not declare. */
function undeclaredOf<K>(section: string, mode: string, others: readonly K[]): Undeclared<K> {
  if (mode === 'all') return { manage: { [section]: 'all' } };
  return { manage: {}, ...(mode === 'absent' && { absent: others }) };
}

interface Renamable<D> {
  readonly undeclared: string;
  readonly isRenamed: boolean;
  readonly declared: readonly D[];
}

/** Returns the declared objects. The one of a policy that has only one may have had another name. */
function withEarlierName<D extends { readonly name: string }>(
  { undeclared: mode, isRenamed, declared }: Renamable<D>,
  names: readonly string[],
): readonly D[] {
  const [only, ...others] = declared;
  const was = names.find((name) => name !== only?.name.toLowerCase());
  if (!only || others.length || !isRenamed || mode === 'absent') return declared;
  return [{ ...only, was }];
}

export const declaredRulesets = (all: Rulesets) =>
  withEarlierName(
    all,
    rulesetNames.filter((name) => name !== all.declared[0]?.name),
  );

function labelSection(all: typeof labels extends fc.Arbitrary<infer L> ? L : never) {
  const others = labelNames.filter((name) => !all.declared.some((each) => each.name.toLowerCase() === name));
  const { manage, absent } = undeclaredOf('labels', all.undeclared, others);
  return { manage, labels: withEarlierName(all, labelNames), ...(absent && { absent: { labels: absent } }) };
}

/** The rulesets of an organization also say which repositories they protect, in one of two ways. */
const repositoriesOf = ({ ref_name: { include } }: { readonly ref_name: { readonly include: readonly string[] } }) =>
  include.length === 1
    ? { repository_id: { repository_ids: ['repository:site'] } }
    : { repository_name: { include: ['~ALL'], exclude: [] } };

function rulesetSection(all: Rulesets, isOfOrganization = false) {
  const declared = declaredRulesets(all).map((each) => ({
    ...each,
    conditions: { ...each.conditions, ...(isOfOrganization && repositoriesOf(each.conditions)) },
  }));
  const others = rulesetNames.filter((name) => !all.declared.some((each) => each.name === name));
  const { manage, absent } = undeclaredOf('rulesets', all.undeclared, others);
  return { manage, rulesets: declared, ...(absent && { absent: { rulesets: absent } }) };
}

interface Declared {
  readonly undeclared: string;
  readonly declared: readonly { readonly isPartial: boolean; readonly body: object }[];
}

function sectionOf(
  section: 'registries' | 'budgets',
  { undeclared: mode, declared }: Declared,
  keys: readonly object[],
  exists: (key: object) => boolean,
) {
  const isKeyOf = (key: object, body: object) =>
    Object.entries(key).every(
      ([name, value]) => String((body as Record<string, unknown>)[name]).toLowerCase() === value.toLowerCase(),
    );
  const others = keys.filter((key) => !declared.some(({ body }) => isKeyOf(key, body)));
  const { manage, absent } = undeclaredOf(section, mode, others);
  const objects = declared.map(({ isPartial, body }) =>
    isPartial && exists(keys.find((key) => isKeyOf(key, body)) ?? {}) ? withoutCreationFields(body) : body,
  );
  return { manage, [section]: objects, ...(absent && { absent: { [section]: absent } }) };
}

const withoutCreationFields = (body: object): object => {
  const isKept = (name: string) => !creationFields.includes(name) && name !== 'repositories';
  return Object.fromEntries(Object.entries(body).filter(([name]) => isKept(name)));
};

/** Returns sections with their head; undefined if all of them are empty. */
function withSections(head: object, sections: object): object | undefined {
  const given = Object.entries(sections).filter(([, section]) => Object.keys(section).length > 0);
  return given.length ? { ...head, ...Object.fromEntries(given) } : undefined;
}

/**
 * Returns the documents of a policy by file name: several, so that their order can differ. Objects that exist may lack the
 * fields that only a creation requires.
 */
export function documentsOf(
  policy: RandomPolicy,
  exists: (owner: string, key: object) => boolean,
): Record<string, object> {
  const { hooks, managesHooks, site, everywhere } = policy;
  const manage = managesHooks ? { manage: { hooks: 'all' } } : {};
  const existsIn = (owner: string) => (key: object) => exists(owner, key);
  const registries = sectionOf('registries', policy.registries, registryKeys, existsIn('acme'));
  const budgets = sectionOf('budgets', policy.budgets, organizationBudgetKeys, existsIn('acme'));
  const ofEnterprise = sectionOf(
    'budgets',
    policy.enterpriseBudgets,
    enterpriseBudgetKeys,
    existsIn('enterprise:sandbox'),
  );
  const { settings, properties } = site;
  const ofSite = withSections(
    { select: { names: ['s*'] } },
    { settings, properties, ...rulesetSection(site.rulesets) },
  );
  const ofAll = withSections({ select: { names: ['*'] } }, { ...manage, hooks: everywhere });
  const { undeclared: mode, declared } = policy.propertySchema;
  const definitions = {
    property_schema: declared,
    ...(mode === 'absent' &&
      !declared.some(({ name }) => name === 'stage') && { absent: { property_schema: ['stage'] } }),
  };
  const ofLabels = withSections({ select: { names: ['site'] } }, { ...labelSection(site.labels), alerts: site.alerts });
  // An empty list of topics removes all of them.
  const ofTopics = site.topics && { select: { names: ['site'] }, topics: site.topics };
  const acme = { organizations: ['acme'] };
  const documents = {
    'settings.yaml': withSections(acme, { settings: policy.settings }),
    'shared.yaml': withSections({ organizations: ['acme', 'globex'] }, { settings: policy.shared }),
    'rulesets.yaml': withSections(acme, rulesetSection(policy.rulesets, true)),
    'registries.yaml': withSections(acme, registries),
    'budgets.yaml': withSections(acme, budgets),
    'enterprise.yaml': withSections({ enterprise: 'sandbox' }, ofEnterprise),
    'hooks.yaml': withSections(acme, { ...manage, hooks }),
    'schema.yaml': withSections(acme, definitions),
    'labels.yaml': withSections(acme, { repositories: ofLabels ? [ofLabels] : [] }),
    'topics.yaml': withSections(acme, { repositories: ofTopics ? [ofTopics] : [] }),
    'site.yaml': withSections(acme, { repositories: ofSite ? [ofSite] : [] }),
    'all.yaml': withSections(acme, { repositories: ofAll ? [ofAll] : [] }),
  };
  return Object.fromEntries(
    Object.entries(documents).flatMap(([file, document]) => (document ? [[file, document]] : [])),
  );
}
