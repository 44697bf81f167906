import { describe, expect, it } from 'vitest';
import { checkPolicy } from '../../../src/fleet/policy/wanted/load.ts';
import { placeText } from '../../../src/fleet/policy/wanted/placed.ts';

const secret = ['hunter', '2'].join('');

async function problemsOf(...texts: readonly string[]): Promise<string[]> {
  const files = texts.map((text, index) => ({ file: `${'abcdefghijkl'[index]}.yaml`, text }));
  const { problems } = await checkPolicy(files);
  return problems.map(({ place, message }) => `${placeText(place)}: ${message}`);
}

const inAcme = (text: string) => `organizations: [acme]\n${text}`;
const ruleset = (text: string) => inAcme(`rulesets:\n  - name: A\n    ${text}`);
const registry = (text: string) =>
  inAcme(`registries:\n  - registry_type: npm_registry\n    url: https://npm.example.com\n    ${text}`);
const budget = (text: string) => inAcme(`budgets:\n  - { budget_type: ProductPricing, ${text} }`);
const hook = (text: string) => inAcme(`hooks:\n  - { name: h, ${text} }`);
const entry = (text: string) => inAcme(`repositories:\n  - select: {}\n    ${text}`);
const select = (text: string) => inAcme(`repositories:\n  - select: { ${text} }`);

const mistakes: readonly (readonly [mistake: string, text: string, problem: string])[] = [
  [
    'an unclosed list',
    'organizations: [acme',
    'a.yaml:1:21: Flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  ['a tab as indentation', inAcme('settings:\n\tcompany: x'), 'a.yaml:3:1: Tabs are not allowed as indentation'],
  [
    'an alias without an anchor',
    inAcme('settings: *nothing'),
    'a.yaml:2:11: is an alias of an anchor that does not exist above it',
  ],
  ['an alias of itself', inAcme('settings: &a { company: *a }'), 'a.yaml:2:25: is nested more than 250 levels deep'],
  [
    'aliases that explode',
    inAcme(
      `settings:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n${[1, 2, 3, 4, 5, 6].map((n) => `  a${n}: &a${n} [${`*a${n - 1}, `.repeat(10)}]\n`).join('')}`,
    ),
    'a.yaml:3:11: has more than 200,000 values',
  ],
  [
    'more than 1000 aliases',
    inAcme(`settings: &a {}\nrepositories: [${'*a,'.repeat(1001)}]`),
    'a.yaml:1:1: has more than 1000 aliases',
  ],
  [
    'nesting that is too deep',
    inAcme(`settings: ${'['.repeat(300)}`),
    'a.yaml:1:1: is nested more than 250 levels deep',
  ],
  ['two documents in a file', `${inAcme('')}---\norganizations: [b]\n`, 'a.yaml:2:1: Only one document is allowed'],
  [
    'a key that occurs twice',
    inAcme('settings: {}\nsettings: {}'),
    'a.yaml:3:1: duplicate key settings (first at a.yaml:2:1)',
  ],
  [
    'a key that is a list',
    inAcme('settings: { [a]: b }'),
    'a.yaml:2:13: must be a name: keys that are lists or mappings are not supported',
  ],
  [
    'a merge key',
    inAcme('settings: { <<: { company: x } }'),
    'a.yaml:2:13: settings["<<"] is not supported: merge keys are not part of YAML 1.2; declare a piece with define',
  ],
  ['a list instead of a mapping', '- acme', 'a.yaml:1:1: must be a mapping with organizations, or with enterprise'],
  ['a text instead of a mapping', 'acme', 'a.yaml:1:1: must be a mapping with organizations, or with enterprise'],
  ['no owner', 'settings: {}', 'a.yaml:1:1: organizations is required, or enterprise for budgets'],
  [
    'both kinds of owner',
    'organizations: [acme]\nenterprise: e',
    'a.yaml:2:1: enterprise cannot be combined with organizations: use a file for each',
  ],
  ['one organization as text', 'organizations: acme', 'a.yaml:1:1: organizations must be a list'],
  ['no organization', 'organizations: []', 'a.yaml:1:1: organizations must name at least one organization'],
  ['an organization that is a number', 'organizations: [7]', 'a.yaml:1:17: organizations[0] must be a string'],
  ['an empty login', 'organizations: [""]', 'a.yaml:1:17: organizations[0] is empty'],
  ['a repository instead of an organization', 'organizations: [acme/site]', 'a.yaml:1:17: acme/site is not a login'],
  [
    'an organization named twice',
    'organizations: [acme, ACME]',
    'a.yaml:1:23: organization ACME is named twice (first at a.yaml:1:17)',
  ],
  ['a misspelled key', inAcme('ruleset: []'), 'a.yaml:2:1: ruleset is not a known field (did you mean rulesets?)'],
  ['an unknown key', inAcme('colour: red'), 'a.yaml:2:1: colour is not a known field'],
  ['settings that are a list', inAcme('settings: []'), 'a.yaml:2:1: settings must be an object'],
  [
    'a misspelled setting',
    inAcme('settings: { default_repository_permision: read }'),
    'a.yaml:2:13: settings.default_repository_permision is not a known field (did you mean default_repository_permission?)',
  ],
  [
    'a setting of a wrong type',
    inAcme('settings: { members_can_create_pages: "yes" }'),
    'a.yaml:2:13: settings.members_can_create_pages must be true or false',
  ],
  [
    'a setting with an unknown value',
    inAcme('settings: { default_repository_permission: sudo }'),
    'a.yaml:2:13: settings.default_repository_permission must be one of read, write, admin, none',
  ],
  [
    'a setting that is too long',
    inAcme(`settings: { description: ${'x'.repeat(161)} }`),
    'a.yaml:2:13: settings.description must be at most 160 characters',
  ],
  [
    'a setting without a value',
    inAcme('settings:\n  has_organization_projects:'),
    'a.yaml:3:3: settings.has_organization_projects must be true or false',
  ],
  [
    'an unknown kind in manage',
    inAcme('manage: { webhooks: all }'),
    'a.yaml:2:11: manage.webhooks is not a known field',
  ],
  [
    'an unknown extent in manage',
    inAcme('manage: { rulesets: some }'),
    'a.yaml:2:11: manage.rulesets must be one of declared, all',
  ],
  ['manage as a word', inAcme('manage: all'), 'a.yaml:2:1: manage must be an object'],
  ['rulesets that are a mapping', inAcme('rulesets: { name: A }'), 'a.yaml:2:1: rulesets must be a list'],
  ['a ruleset that is a text', inAcme('rulesets: [A]'), 'a.yaml:2:12: rulesets[0] must be an object'],
  [
    'a ruleset without a name',
    inAcme('rulesets: [{ enforcement: active }]'),
    'a.yaml:2:12: rulesets[0].name is required',
  ],
  [
    'an unknown enforcement',
    ruleset('enforcement: on'),
    'a.yaml:4:5: rulesets[0].enforcement must be one of disabled, active, evaluate',
  ],
  [
    'a misspelled field of a ruleset',
    ruleset('enforcment: active'),
    'a.yaml:4:5: rulesets[0].enforcment is not a known field (did you mean enforcement?)',
  ],
  [
    'a misspelled rule type',
    ruleset('rules: [{ type: deletoin }]'),
    'a.yaml:4:15: rulesets[0].rules[0].type is not a known rule type (did you mean deletion?)',
  ],
  [
    'a rule without its parameters',
    ruleset('rules: [{ type: max_file_size }]'),
    'a.yaml:4:13: rulesets[0].rules[0].parameters is required',
  ],
  [
    'a parameter out of range',
    ruleset('rules: [{ type: max_file_size, parameters: { max_file_size: 101 } }]'),
    'a.yaml:4:50: rulesets[0].rules[0].parameters.max_file_size must be a whole number from 1 to 100',
  ],
  [
    'two ways to select repositories',
    ruleset('conditions: { repository_name: {}, repository_id: {} }'),
    'a.yaml:4:5: rulesets[0].conditions must have only one of repository_name, repository_id',
  ],
  [
    'an evaluation of a repository ruleset',
    ruleset('{}').replace('{}', 'target: repository\n    enforcement: evaluate'),
    'a.yaml:5:5: rulesets[0].enforcement must not be evaluate when target is repository',
  ],
  [
    'a bypass actor without a kind',
    ruleset('bypass_actors: [release]'),
    'a.yaml:4:21: bypass_actors must be team:SLUG, app:SLUG, role:NAME or user:LOGIN, or an object with actor_type',
  ],
  [
    'a bypass actor of an unknown kind',
    ruleset('bypass_actors: ["person:wren"]'),
    'a.yaml:4:21: bypass_actors must be team:SLUG, app:SLUG, role:NAME or user:LOGIN, or an object with actor_type',
  ],
  [
    'a bypass actor that is a repository',
    ruleset('bypass_actors: ["repository:site"]'),
    'a.yaml:4:21: bypass_actors must be team:SLUG, app:SLUG, role:NAME or user:LOGIN, or an object with actor_type',
  ],
  [
    'an unknown mode of a bypass actor',
    ruleset('bypass_actors: [{ actor: "team:release", mode: sometimes }]'),
    'a.yaml:4:46: rulesets[0].bypass_actors[0].bypass_mode must be one of always, pull_request, exempt',
  ],
  [
    'a pull request bypass of tags',
    ruleset('target: tag\n    bypass_actors: [{ actor: "team:release", mode: pull_request }]'),
    'a.yaml:5:46: rulesets[0].bypass_actors[0].bypass_mode must not be pull_request, which only branch rulesets support',
  ],
  [
    'a team in place of an app',
    ruleset(
      'rules: [{ type: required_status_checks, parameters: { strict_required_status_checks_policy: true, required_status_checks: [{ context: ci, integration_id: "team:release" }] } }]',
    ),
    'a.yaml:4:143: rulesets[0].rules[0].parameters.required_status_checks[0].integration_id must be an ID or app:NAME',
  ],
  [
    'null for bypass actors',
    ruleset('bypass_actors:'),
    'a.yaml:4:5: rulesets[0].bypass_actors must be a list; use [] to clear it, since the platform rejects null',
  ],
  [
    'a ruleset declared twice',
    inAcme('rulesets: [{ name: A }, { name: A }]'),
    'a.yaml:2:25: ruleset “A” is declared twice (first at a.yaml:2:12)',
  ],
  [
    'a ruleset declared and absent',
    inAcme('rulesets: [{ name: A }]\nabsent: { rulesets: [A] }'),
    'a.yaml:3:22: ruleset “A” is both declared and absent (declared at a.yaml:2:12)',
  ],
  [
    'a ruleset renamed from another one',
    inAcme('rulesets: [{ name: A }, { name: B, was: A }]'),
    'a.yaml:2:25: ruleset “A” is both renamed and declared (declared at a.yaml:2:12)',
  ],
  [
    'no earlier name',
    inAcme('rulesets: [{ name: B, was: [] }]'),
    'a.yaml:2:23: rulesets[0].was must be a name, or a list of names',
  ],
  [
    'a ruleset renamed and absent',
    inAcme('rulesets: [{ name: B, was: [C, A] }]\nabsent: { rulesets: [A] }'),
    'a.yaml:3:22: ruleset “A” is both renamed and absent (renamed at a.yaml:2:12)',
  ],
  [
    'a ruleset absent twice',
    inAcme('absent: { rulesets: [A, A] }'),
    'a.yaml:2:25: ruleset “A” is absent twice (first at a.yaml:2:22)',
  ],
  ['absent rulesets that are a text', inAcme('absent: { rulesets: A }'), 'a.yaml:2:11: absent.rulesets must be a list'],
  [
    'absent hooks',
    inAcme('absent: { hooks: [a] }'),
    'a.yaml:2:11: absent.hooks cannot be deleted; use enforcement: inherit to remove a setting',
  ],
  [
    'a registry without a URL',
    inAcme('registries: [{ registry_type: npm_registry }]'),
    'a.yaml:2:14: registries[0].url is required',
  ],
  [
    'an unknown registry type',
    inAcme('registries: [{ registry_type: floppy, url: https://x.example.com }]'),
    'a.yaml:2:16: registries[0].registry_type must be one of maven_repository, nuget_feed, goproxy_server, npm_registry, rubygems_server, cargo_registry, composer_repository, docker_registry, git_source, helm_registry, hex_organization, hex_repository, pub_repository, python_index, terraform_registry',
  ],
  [
    'a registry declared twice',
    inAcme(
      'registries: [{ registry_type: npm_registry, url: https://x.example.com }, { registry_type: npm_registry, url: https://x.example.com }]',
    ),
    'a.yaml:2:75: registry npm_registry https://x.example.com is declared twice (first at a.yaml:2:14)',
  ],
  [
    'a registry declared and absent',
    inAcme(
      'registries: [{ registry_type: npm_registry, url: https://x.example.com }]\nabsent: { registries: [{ registry_type: npm_registry, url: https://x.example.com }] }',
    ),
    'a.yaml:3:24: registry npm_registry https://x.example.com is both declared and absent (declared at a.yaml:2:14)',
  ],
  [
    'a secret in the open',
    registry(`secret: ${secret}`),
    'a.yaml:5:5: registries[0].secret must not contain a secret: use secret: { env: NAME } or { file: PATH }',
  ],
  [
    'a list of secrets in the open',
    inAcme(`repositories: [{ select: { names: [site] }, properties: { deploy_token: [${secret}] } }]`),
    'a.yaml:2:74: repositories[0].properties.deploy_token[0] must not contain a secret: use secret: { env: NAME } or { file: PATH }',
  ],
  [
    'a secret as the name of a key',
    registry(`secret: { ${secret}: }`),
    'a.yaml:5:5: registries[0].secret must be { env: NAME } or { file: PATH }: a policy never contains the secret itself',
  ],
  [
    'a secret as the name of a variable',
    registry(`secret: { env: "${secret}!" }`),
    'a.yaml:5:5: registries[0].secret must be { env: NAME } or { file: PATH }: a policy never contains the secret itself',
  ],
  [
    'a secret from two sources',
    registry('secret: { env: A, file: b }'),
    'a.yaml:5:5: registries[0].secret must be { env: NAME } or { file: PATH }: a policy never contains the secret itself',
  ],
  [
    'a sealed secret',
    registry(`encrypted_value: ${secret}`),
    'a.yaml:5:5: registries[0].encrypted_value must not contain a secret: use secret: { env: NAME } or { file: PATH }',
  ],
  [
    'a password in a URL',
    inAcme(`registries: [{ registry_type: npm_registry, url: "https://u:${secret}@x.example.com" }]`),
    'a.yaml:2:45: registries[0].url must not contain a password, a token, a signature or a private key',
  ],
  [
    'a private key',
    inAcme(`settings: { description: "-----BEGIN PRIVATE KEY-----\\n${secret}\\n-----END PRIVATE KEY-----" }`),
    'a.yaml:2:13: settings.description must not contain a password, a token, a signature or a private key',
  ],
  [
    'a secret with the name of a token',
    registry(`auth_token: ${secret}`),
    'a.yaml:5:5: registries[0].auth_token must not contain a secret: use secret: { env: NAME } or { file: PATH }',
  ],
  [
    'a secret for OIDC',
    registry('auth_type: oidc_azure\n    tenant_id: t\n    client_id: c\n    secret: { env: A }'),
    'a.yaml:8:5: registries[0].secret is not supported with auth_type oidc_azure, which stores no secret',
  ],
  [
    'OIDC without its fields',
    registry('auth_type: oidc_azure\n    client_id: c'),
    'a.yaml:3:5: registries[0].tenant_id is required when auth_type is oidc_azure',
  ],
  [
    'IDs of repositories',
    registry('selected_repository_ids: [1]'),
    'a.yaml:5:5: registries[0].selected_repository_ids is set by repositories, which lists name patterns',
  ],
  [
    'repositories without selected visibility',
    registry('visibility: all\n    repositories: ["*"]'),
    'a.yaml:6:5: registries[0].repositories is only valid with visibility selected',
  ],
  [
    'a budget without a scope',
    inAcme('budgets: [{ budget_type: ProductPricing }]'),
    'a.yaml:2:11: budgets[0].budget_scope is required',
  ],
  [
    'a budget of an enterprise scope',
    budget('budget_scope: cost_center'),
    'a.yaml:3:36: budgets[0].budget_scope must be one of organization, repository, multi_user_customer, user',
  ],
  [
    'a negative budget',
    budget('budget_scope: organization, budget_amount: -1'),
    'a.yaml:3:64: budgets[0].budget_amount must be at least 0',
  ],
  [
    'a fractional budget',
    budget('budget_scope: organization, budget_amount: 1.5'),
    'a.yaml:3:64: budgets[0].budget_amount must be a whole number',
  ],
  [
    'a budget of a wrong product',
    budget('budget_scope: user, user: o, budget_product_sku: actions'),
    'a.yaml:3:65: budgets[0].budget_product_sku must be ai_credits or premium_requests when budget_scope is user',
  ],
  [
    'a user budget that does not stop',
    budget('budget_scope: user, user: o, budget_product_sku: ai_credits, prevent_further_usage: false'),
    'a.yaml:3:97: budgets[0].prevent_further_usage must be true when budget_scope is user',
  ],
  [
    'a user budget that alerts',
    budget('budget_scope: user, user: o, budget_product_sku: ai_credits, budget_alerting: { will_alert: true }'),
    'a.yaml:3:97: budgets[0].budget_alerting is not supported with budget_scope user: these budgets never alert',
  ],
  [
    'a budget declared twice',
    inAcme(
      'budgets: [{ budget_scope: organization, budget_type: SkuPricing }, { budget_scope: organization, budget_type: SkuPricing }]',
    ),
    'a.yaml:2:68: budget organization SkuPricing is declared twice (first at a.yaml:2:11)',
  ],
  [
    'settings of an enterprise',
    'enterprise: e\nsettings: {}',
    'a.yaml:2:1: settings is not a known field: an enterprise has only budgets',
  ],
  ['a hook without a setting', inAcme('hooks: [{ name: h }]'), 'a.yaml:2:9: hooks[0].enforcement is required'],
  [
    'a hook with an unknown enforcement',
    hook('enforcement: maybe'),
    'a.yaml:3:16: hooks[0].enforcement must be one of enabled, disabled, testing, inherit',
  ],
  [
    'a hook that inherits and sets',
    hook('enforcement: inherit, allow_downstream_configuration: true'),
    'a.yaml:3:38: hooks[0].allow_downstream_configuration cannot be combined with enforcement inherit',
  ],
  [
    'a hook declared twice',
    inAcme('hooks: [{ name: h, enforcement: enabled }, { name: H, enforcement: disabled }]'),
    'a.yaml:2:44: hook “h” is declared twice (first at a.yaml:2:9)',
  ],
  [
    'repositories without a selector',
    inAcme('repositories: [{ settings: {} }]'),
    'a.yaml:2:16: repositories[0].select is required, or create',
  ],
  ['a misspelled condition', select('nmaes: [a]'), 'a.yaml:3:15: repositories[0].select.nmaes is not a known field'],
  [
    'a pattern with an owner',
    select('names: [acme/site]'),
    'a.yaml:3:23: repositories[0].select.names must be patterns of names without the organization',
  ],
  [
    'an exclusion before any pattern',
    select('names: ["!a"]'),
    'a.yaml:3:23: repositories[0].select.names begins with an exclusion, before anything is selected: put "*" first',
  ],
  ['a pattern that is empty', select('names: [""]'), 'a.yaml:3:23: repositories[0].select.names[0] is empty'],
  [
    'an unknown visibility',
    select('visibility: [secret]'),
    'a.yaml:3:28: repositories[0].select.visibility[0] must be one of public, private, internal',
  ],
  ['archived as a word', select('archived: any'), 'a.yaml:3:15: repositories[0].select.archived must be true or false'],
  ['topics that are a text', select('topics: payments'), 'a.yaml:3:15: repositories[0].select.topics must be a list'],
  [
    'property values that are a text',
    select('properties: { tier: gold }'),
    'a.yaml:3:29: repositories[0].select.properties.tier must be a list',
  ],
  [
    'a jq expression that does not compile',
    select('where: ".size <"'),
    "a.yaml:3:15: where is not a valid jq expression: syntax error, unexpected ')' at <top-level>, line 2, column 1",
  ],
  [
    'a range that is upside down',
    select('expect: 4..1'),
    'a.yaml:3:15: repositories[0].select.expect must be a count, or a range such as 40..120',
  ],
  [
    'a range that is a word',
    select('expect: many'),
    'a.yaml:3:15: repositories[0].select.expect must be a count, or a range such as 40..120',
  ],
  [
    'a rename of repositories',
    entry('settings: { name: x }'),
    'a.yaml:4:17: repositories[0].settings.name cannot be managed by a policy; rename with “forgectl repos update --name”',
  ],
  [
    'a rename of repositories in capitals',
    entry('settings: { NAME: x }'),
    'a.yaml:4:17: repositories[0].settings.NAME is not a known field',
  ],
  [
    'a repository setting of a wrong type',
    entry('settings: { has_wiki: 1 }'),
    'a.yaml:4:17: repositories[0].settings.has_wiki must be true or false',
  ],
  [
    'a message without its title',
    entry('settings: { merge_commit_message: PR_BODY }'),
    'a.yaml:4:5: repositories[0].settings.merge_commit_title is required with merge_commit_message',
  ],
  [
    'a property that is a boolean',
    entry('properties: { critical: true }'),
    'a.yaml:4:19: repositories[0].properties.critical must be a string, a list of strings, or null',
  ],
  [
    'registries of repositories',
    entry('registries: []'),
    'a.yaml:4:5: repositories[0].registries is not a known field',
  ],
  [
    'a condition of organizations in a repository ruleset',
    entry('rulesets: [{ name: A, target: repository }]'),
    'a.yaml:4:27: repositories[0].rulesets[0].target must be one of branch, tag, push',
  ],
  [
    'a ruleset of repositories declared twice',
    entry('rulesets: [{ name: A }, { name: A }]'),
    'a.yaml:4:29: ruleset “A” is declared twice (first at a.yaml:4:16)',
  ],
  [
    'a ruleset of repositories that is renamed and declared',
    entry('rulesets: [{ name: A }, { name: B, was: [C, A] }]'),
    'a.yaml:4:29: ruleset “A” is both renamed and declared (declared at a.yaml:4:16)',
  ],
  [
    'a ruleset of repositories that is renamed and absent',
    entry('rulesets: [{ name: B, was: A }]\n    absent: { rulesets: [A] }'),
    'a.yaml:5:26: ruleset “A” is both renamed and absent (renamed at a.yaml:4:16)',
  ],
  [
    'a repository hook without enforcement',
    entry('hooks: [{ name: h }]'),
    'a.yaml:4:13: repositories[0].hooks[0].enforcement is required',
  ],
  [
    'a new repository with a selector',
    entry('create: { name: a, visibility: private }'),
    'a.yaml:3:5: repositories[0].select cannot be combined with create',
  ],
  [
    'a new repository with two visibilities',
    inAcme('repositories: [{ create: { name: a, visibility: private }, settings: { private: true } }]'),
    'a.yaml:2:72: settings.visibility cannot be combined with create, which has the visibility',
  ],
  [
    'a pattern as the name of a new repository',
    inAcme('repositories: [{ create: { name: "svc-*", visibility: private } }]'),
    'a.yaml:2:28: repositories[0].create.name must have at most 100 letters, digits, hyphens, underscores and dots, and not end in .git',
  ],
  [
    'a template without an owner',
    inAcme('repositories: [{ create: { name: a, visibility: private, template: service } }]'),
    'a.yaml:2:58: repositories[0].create.template must be OWNER/NAME',
  ],
  [
    'a first commit beside that of a template',
    inAcme('repositories: [{ create: { name: a, visibility: private, template: acme/t, auto_init: true } }]'),
    'a.yaml:2:76: repositories[0].create.auto_init cannot be combined with template',
  ],
  [
    'a configuration of downstream in a repository',
    entry('hooks: [{ name: h, enforcement: inherit, allow_downstream_configuration: true }]'),
    'a.yaml:4:46: repositories[0].hooks[0].allow_downstream_configuration cannot be combined with enforcement inherit',
  ],
  [
    'an unknown field of a bypass actor',
    ruleset('bypass_actors: [{ actor: "team:release", moda: always }]'),
    'a.yaml:4:46: bypass_actors in the short form have only actor and mode',
  ],
];

describe('checkPolicy', () => {
  it.each(mistakes)('reports %s with its position', async (_mistake, text, problem) => {
    expect(await problemsOf(text)).toEqual([problem]);
    expect(problem).not.toContain(secret);
  });

  it('reports all problems of all files at once, in the order of files and lines', async () => {
    const misspelled = inAcme('settings: { blogg: x, has_organization_projects: 1 }');
    expect(await problemsOf('colour: red\norganizations: [acme]', misspelled, 'a: [')).toEqual([
      'a.yaml:1:1: colour is not a known field',
      'b.yaml:2:13: settings.blogg is not a known field (did you mean blog?)',
      'b.yaml:2:23: settings.has_organization_projects must be true or false',
      'c.yaml:1:5: Flow sequence in block collection must be sufficiently indented and end with a ]',
    ]);
  });

  it('reports the first file with which all have too many values, and reads no more', async () => {
    const text = inAcme(`settings: { a: &a [${'x,'.repeat(1000)}], b: [${'*a,'.repeat(190)}] }`);
    const problems = await problemsOf(...Array.from({ length: 11 }, () => text), 'colour: red');
    expect(problems.filter((problem) => !problem.includes('settings'))).toEqual([
      'k.yaml:1:1: has, together with the files before it, more than 2,000,000 values',
    ]);
  });

  it('reports mistakes in labels and definitions of properties', async () => {
    const labels = entry(
      'labels: [{ name: a, color: 000000 }, { name: b, color: red }, { name: B }, { name: c, was: A }]',
    );
    expect(await problemsOf(labels)).toEqual([
      'a.yaml:4:25: repositories[0].labels[0].color must be text: put it in quotes, as in "000000"',
      'a.yaml:4:53: repositories[0].labels[1].color must be six hexadecimal digits, such as d73a4a',
      'a.yaml:4:67: label “B” is declared twice (first at a.yaml:4:42)',
      'a.yaml:4:80: label “A” is both renamed and declared (declared at a.yaml:4:14)',
    ]);
    const others = entry('topics: [a, "b c"]\n    alerts: { vulnerability: false, fixes: true, vulnerable: true }');
    expect(await problemsOf(others)).toEqual([
      'a.yaml:4:17: repositories[0].topics[1] must be at most 50 letters, digits and hyphens, not starting with a hyphen',
      'a.yaml:5:37: repositories[0].alerts.fixes requires vulnerability: true',
      'a.yaml:5:50: repositories[0].alerts.vulnerable is not a known field',
    ]);
    const definitions = '[{ name: a b }, { name: c, type: string, allowed: [x] }, { name: C, type: text }]';
    const managed = 'manage: { property_schema: all }\nabsent: { property_schema: [c] }';
    expect(await problemsOf(inAcme(`property_schema: ${definitions}\n${managed}`))).toEqual([
      'a.yaml:2:21: property_schema[0].name must have 1 to 75 letters, digits, and the characters _ - $ #',
      'a.yaml:2:59: property_schema[1].allowed requires single_select or multi_select',
      'a.yaml:2:75: property “C” is declared twice (first at a.yaml:2:34)',
      'a.yaml:2:86: property_schema[2].type must be one of string, single_select, multi_select, true_false',
      'a.yaml:3:11: manage.property_schema is not supported; list the properties to delete under absent',
      'a.yaml:4:29: property “c” is both declared and absent (declared at a.yaml:2:34)',
    ]);
  });

  it('reports names of the platform that policies have other names for', async () => {
    const definition = '{ name: a, value_type: string, values_editable_by: org_actors, newer: 1 }';
    const team = '{ name: A, parent_team_id: 1, newer: 1 }';
    const label = '{ name: a, new_name: b, newer: 1 }';
    const repositories = `repositories: [{ select: { names: [site] }, labels: [${label}] }]`;
    expect(await problemsOf(inAcme(`property_schema: [${definition}]\nteams: [${team}]\n${repositories}`))).toEqual([
      'a.yaml:2:30: property_schema[0].value_type is not supported; use type',
      'a.yaml:2:50: property_schema[0].values_editable_by is not supported; use editable_by',
      'a.yaml:3:20: teams[0].parent_team_id is not supported; use parent',
      'a.yaml:3:39: teams[0].newer is not a known field',
      'a.yaml:4:65: repositories[0].labels[0].new_name is not supported; use name, and was for the earlier name',
    ]);
  });

  it('reports what two files declare for the same organization', async () => {
    const settings = 'settings: { company: x }';
    expect(await problemsOf(inAcme(settings), `organizations: [globex, ACME]\n${settings}`)).toEqual([
      'b.yaml:2:13: settings.company is declared twice (first at a.yaml:2:13)',
    ]);
    expect(await problemsOf(inAcme(settings), `organizations: [globex]\n${settings}`)).toEqual([]);
    const absent = inAcme('absent: { rulesets: [A] }');
    expect(await problemsOf(ruleset('enforcement: active'), absent)).toEqual([
      'b.yaml:2:22: ruleset “A” is both declared and absent (declared at a.yaml:3:5)',
    ]);
    const renamed = inAcme('rulesets: [{ name: B, was: A }]');
    expect(await problemsOf(ruleset('enforcement: active'), renamed)).toEqual([
      'b.yaml:2:12: ruleset “A” is both renamed and declared (declared at a.yaml:3:5)',
    ]);
    expect(await problemsOf(renamed, inAcme('rulesets: [{ name: C, was: A }]'))).toEqual([
      'b.yaml:2:12: ruleset “A” is renamed twice (first at a.yaml:2:12)',
    ]);
  });

  it('reports the same problems whatever the order of the files', async () => {
    const files = [
      { file: 'b.yaml', text: inAcme('settings: { company: x }') },
      { file: 'a.yaml', text: inAcme('settings: { company: y }') },
    ];
    expect(await checkPolicy(files)).toEqual(await checkPolicy([...files].reverse()));
  });

  it('accepts unknown fields and rule types with a warning, and unknown values only if they are allowed', async () => {
    const text = inAcme('settings: { new_switch: true }\nrulesets: [{ name: A, rules: [{ type: quantum_lock }] }]');
    const { problems, warnings } = await checkPolicy([{ file: 'a.yaml', text }]);
    expect(problems).toEqual([]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'settings.new_switch is not a known field',
      'rulesets[0].rules[0].type is not a known rule type',
    ]);
    const newer = [{ file: 'a.yaml', text: ruleset('enforcement: quantum') }];
    expect((await checkPolicy(newer)).problems).toHaveLength(1);
    expect((await checkPolicy(newer, { allowsUnknown: true })).problems).toEqual([]);
  });
});

it('expressions that take long to compile are not all checked', async () => {
  const long = Array(100_000).fill('1').join(',');
  const entries = Array.from({ length: 8 }, (_, place) => `  - select: { where: "${place},${long}" }\n`).join('');
  const files = [{ file: 'a.yaml', text: inAcme(`repositories:\n${entries}`) }];
  const { problems } = await checkPolicy(files, { timeoutMs: 50 });
  const messages = problems.map(({ message }) => message).filter((message) => message.startsWith('where'));
  expect(messages.length).toBeLessThan(8);
  expect(messages.at(-1)).toBe(
    'where was not checked: the expressions before it took more than 0.3 s. Simplify them, or allow more time with --timeout',
  );
});
