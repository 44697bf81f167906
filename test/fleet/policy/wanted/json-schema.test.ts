import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { policySchema } from '../../../../src/fleet/policy/wanted/json-schema.ts';

const matches = new Ajv({ strict: true }).compile(policySchema());

const everything = `
organizations: [acme, acme-labs]
manage: { rulesets: all, hooks: declared }
settings: { default_repository_permission: read, new_switch: true }
rulesets:
  - name: Guard the default branch
    was: Protect main
    enforcement: active
    conditions: { ref_name: { include: ["~DEFAULT_BRANCH"], exclude: [] }, repository_id: { repository_ids: [7, "repository:site"] } }
    bypass_actors:
      - team:release
      - { actor: "app:deployer", mode: pull_request }
      - { actor_type: Team, actor_id: 7 }
      - { actor_type: RepositoryRole, actor_id: "role:auditor", bypass_mode: always }
    rules:
      - { type: deletion }
      - type: required_status_checks
        parameters:
          strict_required_status_checks_policy: true
          required_status_checks: [{ context: ci, integration_id: "app:ci" }]
registries:
  - { registry_type: npm_registry, url: https://npm.example.com, visibility: selected, repositories: ["svc-*"], secret: { env: NPM_TOKEN } }
budgets:
  - { budget_scope: organization, budget_type: ProductPricing, budget_amount: 1400 }
hooks: [{ name: no-secrets, enforcement: inherit }]
absent: { rulesets: [old], registries: [{ registry_type: npm_registry, url: https://old.example.com }] }
repositories:
  - select: { names: ["svc-*"], archived: false, expect: 40..120, properties: { tier: [gold] }, where: .fork }
    settings: { delete_branch_on_merge: true }
    properties: { tier: gold, region: [eu], team: null }
    rulesets: [{ name: Release tags, target: tag, enforcement: active }]
  - { select: { expect: 7 }, override: true }
  - create: { name: new-service, visibility: internal, template: acme/template, include_all_branches: true }
    settings: { archived: true }
`;

describe('the JSON Schema of policy files', () => {
  it.each([
    ['all keys', everything],
    [
      'what this version does not know',
      'organizations: [acme]\nrulesets: [{ name: A, later: 1, conditions: { later: { include: [x] } }, rules: [{ type: later, parameters: { required_status_checkz: 1 } }, { type: repository_name, parameters: { operator: regex, pattern: a } }, { type: deletion, parameters: {} }] }]',
    ],
    [
      'conditions on names of repositories',
      'organizations: [acme]\nrulesets: [{ name: A, conditions: { repository_name: { include: [a], exclude: [], protected: true } } }]\nrepositories: [{ select: {}, rulesets: [{ name: A, conditions: { repository_name: { include: [a] } } }] }]',
    ],
    ['only pieces', 'define: { guard: { name: Guard }, all: [{ use: guard }] }'],
    [
      'pieces in place of what is required',
      'organizations: [acme]\ndefine: { a: { name: A } }\nsettings: { use: base }\nrulesets: [{ use: a, enforcement: active, rules: [{ use: checks }], bypass_actors: [{ use: release }] }, { use: all }]\nrepositories: [{ use: services, select: { use: those, names: [{ use: names }, x] }, absent: { rulesets: [{ use: old }] } }]',
    ],
    ['an enterprise', 'enterprise: e\nbudgets: [{ budget_scope: cost_center, budget_type: ProductPricing }]'],
  ])('accepts a document with %s', (_with, text) => {
    matches(parse(text));
    expect(matches.errors).toBeNull();
  });

  it.each([
    ['no owner', 'settings: {}'],
    ['no owner beside pieces', 'define: {}\nsettings: {}'],
    ['a piece that is text', 'organizations: [acme]\ndefine: { a: text }'],
    ['a piece as the whole document', 'organizations: [acme]\nuse: base'],
    ['a misspelled field beside a piece', 'organizations: [acme]\nrulesets: [{ use: a, enforcment: active }]'],
    ['two kinds of owner', 'organizations: [acme]\nenterprise: e'],
    ['an unknown key', 'organizations: [acme]\nruleset: []'],
    ['settings of an enterprise', 'enterprise: e\nsettings: {}'],
    ['a wrong type', 'organizations: [acme]\nsettings: { members_can_create_pages: "yes" }'],
    ['an unknown value', 'organizations: [acme]\nsettings: { default_repository_permission: sudo }'],
    ['a ruleset without a name', 'organizations: [acme]\nrulesets: [{ enforcement: active }]'],
    [
      'a parameter out of range',
      'organizations: [acme]\nrulesets: [{ name: A, rules: [{ type: max_file_size, parameters: { max_file_size: 0 } }] }]',
    ],
    ['a bypass actor without a kind', 'organizations: [acme]\nrulesets: [{ name: A, bypass_actors: [release] }]'],
    [
      'a misspelled bypass mode',
      'organizations: [acme]\nrulesets: [{ name: A, bypass_actors: [{ actor: "team:a", mode: never }] }]',
    ],
    ['a misspelled rule type', 'organizations: [acme]\nrulesets: [{ name: A, rules: [{ type: deletoin }] }]'],
    ['a misspelled field', 'organizations: [acme]\nrulesets: [{ name: A, enforcment: active }]'],
    ['a field with another case', 'organizations: [acme]\nsettings: { hasOrganizationProjects: true }'],
    [
      'a misspelled parameter',
      'organizations: [acme]\nrulesets: [{ name: A, rules: [{ type: max_file_size, parameters: { max_file_size: 1, max-file-sizes: 1 } }] }]',
    ],
    ['a secret in the open', 'organizations: [acme]\nregistries: [{ registry_type: npm_registry, url: u, secret: x }]'],
    ['an entry without a selector', 'organizations: [acme]\nrepositories: [{ settings: {} }]'],
    ['a new repository without a name', 'organizations: [acme]\nrepositories: [{ create: { visibility: private } }]'],
    ['an unknown condition', 'organizations: [acme]\nrepositories: [{ select: { name: [a] } }]'],
    ['a range without numbers', 'organizations: [acme]\nrepositories: [{ select: { expect: many } }]'],
    ['a property that is a boolean', 'organizations: [acme]\nrepositories: [{ select: {}, properties: { a: true } }]'],
  ])('rejects a document with %s', (_with, text) => {
    expect(matches(parse(text))).toBe(false);
  });
});
