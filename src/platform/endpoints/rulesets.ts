import { endpoint, list, nothing, record } from '../endpoint.ts';
import type {
  AppliedRule,
  RuleSuite,
  RuleSuiteEvaluations,
  Ruleset,
  RulesetSummary,
  RulesetVersion,
  RulesetVersionState,
} from '../records.ts';
import { organizationRulesetFields, repositoryRulesetFields, rulesetRules } from '../ruleset.ts';
import { boolean, fields, integer, oneOf, optionalFields, string } from '../schema.ts';

const rulesetId = integer('Ruleset ID', { min: 1 });
const versionId = integer('Version ID', { min: 1 });
const suiteId = integer('Rule suite ID', { min: 1 });

const includesParents = boolean('Include rulesets of the organization and the enterprise', { default: true });
const targets = string('Filter by targets, comma-separated, such as branch,tag');

const organizationAccess = { permission: 'organization_administration=write' } as const;
const repositoryAccess = { permission: 'administration=write' } as const;
const publicAccess = { permission: 'metadata=read', anonymous: true } as const;

export const listRepositoryRulesets = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets',
  summary: 'List the rulesets of a repository',
  query: { includes_parents: includesParents, targets },
  paging: 'page',
  ...publicAccess,
  answer: list<RulesetSummary>(),
});

export const listOrganizationRulesets = endpoint({
  route: 'GET /orgs/{org}/rulesets',
  summary: 'List the rulesets of an organization',
  query: { targets },
  paging: 'page',
  ...organizationAccess,
  answer: list<RulesetSummary>(),
});

export const getRepositoryRuleset = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  summary: 'Show a ruleset of a repository',
  path: { ruleset_id: rulesetId },
  query: { includes_parents: includesParents },
  ...publicAccess,
  answer: record<Ruleset>(),
});

export const getOrganizationRuleset = endpoint({
  route: 'GET /orgs/{org}/rulesets/{ruleset_id}',
  summary: 'Show a ruleset of an organization',
  path: { ruleset_id: rulesetId },
  ...organizationAccess,
  answer: record<Ruleset>(),
});

export const createRepositoryRuleset = endpoint({
  route: 'POST /repos/{owner}/{repo}/rulesets',
  summary: 'Create a ruleset in a repository',
  body: fields(repositoryRulesetFields),
  rules: rulesetRules,
  ...repositoryAccess,
  status: 201,
  answer: record<Ruleset>(),
});

export const createOrganizationRuleset = endpoint({
  route: 'POST /orgs/{org}/rulesets',
  summary: 'Create a ruleset in an organization',
  body: fields(organizationRulesetFields),
  rules: rulesetRules,
  ...organizationAccess,
  status: 201,
  answer: record<Ruleset>(),
});

export const updateRepositoryRuleset = endpoint({
  route: 'PUT /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  summary: 'Update a ruleset of a repository; omitted bypass actors are kept',
  path: { ruleset_id: rulesetId },
  body: optionalFields(repositoryRulesetFields),
  rules: rulesetRules,
  ...repositoryAccess,
  answer: record<Ruleset>(),
});

export const updateOrganizationRuleset = endpoint({
  route: 'PUT /orgs/{org}/rulesets/{ruleset_id}',
  summary: 'Update a ruleset of an organization; omitted bypass actors are kept',
  path: { ruleset_id: rulesetId },
  body: optionalFields(organizationRulesetFields),
  rules: rulesetRules,
  ...organizationAccess,
  answer: record<Ruleset>(),
});

export const deleteRepositoryRuleset = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  summary: 'Delete a ruleset of a repository',
  path: { ruleset_id: rulesetId },
  ...repositoryAccess,
  answer: nothing(),
});

export const deleteOrganizationRuleset = endpoint({
  route: 'DELETE /orgs/{org}/rulesets/{ruleset_id}',
  summary: 'Delete a ruleset of an organization',
  path: { ruleset_id: rulesetId },
  ...organizationAccess,
  answer: nothing(),
});

export const listBranchRules = endpoint({
  route: 'GET /repos/{owner}/{repo}/rules/branches/{branch}',
  summary: 'List the active rules for a branch, even if it does not exist',
  paging: 'page',
  ...publicAccess,
  answer: list<AppliedRule>(),
});

export const listRepositoryRulesetVersions = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history',
  summary: 'List the versions of a repository’s ruleset',
  path: { ruleset_id: rulesetId },
  paging: 'page',
  ...repositoryAccess,
  answer: list<RulesetVersion>(),
});

export const listOrganizationRulesetVersions = endpoint({
  route: 'GET /orgs/{org}/rulesets/{ruleset_id}/history',
  summary: 'List the versions of an organization’s ruleset',
  path: { ruleset_id: rulesetId },
  paging: 'page',
  ...organizationAccess,
  answer: list<RulesetVersion>(),
});

export const getRepositoryRulesetVersion = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history/{version_id}',
  summary: 'Show a version of a repository’s ruleset',
  path: { ruleset_id: rulesetId, version_id: versionId },
  ...repositoryAccess,
  answer: record<RulesetVersionState>(),
});

export const getOrganizationRulesetVersion = endpoint({
  route: 'GET /orgs/{org}/rulesets/{ruleset_id}/history/{version_id}',
  summary: 'Show a version of an organization’s ruleset',
  path: { ruleset_id: rulesetId, version_id: versionId },
  ...organizationAccess,
  answer: record<RulesetVersionState>(),
});

const suiteFilters = {
  ref: string('Filter by ref: main, refs/heads/main or refs/tags/v1; no wildcards'),
  time_period: oneOf(['hour', 'day', 'week', 'month'], 'Time period to list', { default: 'day' }),
  actor_name: string('Filter by the actor’s login'),
  rule_suite_result: oneOf(['pass', 'fail', 'bypass', 'all'], 'Filter by result', { default: 'all' }),
};

export const listRepositoryRuleSuites = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/rule-suites',
  summary: 'List the rule results for pushes to a repository',
  query: suiteFilters,
  paging: 'page',
  permission: 'administration=read',
  answer: list<RuleSuite>(),
});

export const listOrganizationRuleSuites = endpoint({
  route: 'GET /orgs/{org}/rulesets/rule-suites',
  summary: 'List the rule results for pushes to an organization’s repositories',
  query: { repository_name: string('Filter by repository name'), ...suiteFilters },
  paging: 'page',
  ...organizationAccess,
  answer: list<RuleSuite>(),
});

export const getRepositoryRuleSuite = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/rule-suites/{rule_suite_id}',
  summary: 'Show the result of each rule for a push to a repository',
  path: { rule_suite_id: suiteId },
  permission: 'administration=read',
  answer: record<RuleSuiteEvaluations>(),
});

export const getOrganizationRuleSuite = endpoint({
  route: 'GET /orgs/{org}/rulesets/rule-suites/{rule_suite_id}',
  summary: 'Show the result of each rule for a push to an organization’s repository',
  path: { rule_suite_id: suiteId },
  ...organizationAccess,
  answer: record<RuleSuiteEvaluations>(),
});
