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

const rulesetId = integer('Ruleset id', { min: 1 });
const versionId = integer('Version id', { min: 1 });
const suiteId = integer('Rule suite id', { min: 1 });

const includesParents = boolean('Include rulesets of the organization and the enterprise', { default: true });
const targets = string('Only rulesets for these targets, with commas between them, such as branch,tag');

const organizationAccess = { permission: 'organization_administration=write' } as const;
const repositoryAccess = { permission: 'administration=write' } as const;
const publicAccess = { permission: 'metadata=read', anonymous: true } as const;

export const listRepositoryRulesets = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets',
  summary: 'List the rulesets that a repository has',
  query: { includes_parents: includesParents, targets },
  paging: 'page',
  ...publicAccess,
  status: 200,
  answer: list<RulesetSummary>(),
});

export const listOrganizationRulesets = endpoint({
  route: 'GET /orgs/{org}/rulesets',
  summary: 'List the rulesets of an organization',
  query: { targets },
  paging: 'page',
  ...organizationAccess,
  status: 200,
  answer: list<RulesetSummary>(),
});

export const getRepositoryRuleset = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  summary: 'Show a ruleset that a repository has',
  path: { ruleset_id: rulesetId },
  query: { includes_parents: includesParents },
  ...publicAccess,
  status: 200,
  answer: record<Ruleset>(),
});

export const getOrganizationRuleset = endpoint({
  route: 'GET /orgs/{org}/rulesets/{ruleset_id}',
  summary: 'Show a ruleset of an organization',
  path: { ruleset_id: rulesetId },
  ...organizationAccess,
  status: 200,
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
  summary: 'Change a ruleset of a repository; bypass actors stay unless they are given',
  path: { ruleset_id: rulesetId },
  body: optionalFields(repositoryRulesetFields),
  rules: rulesetRules,
  ...repositoryAccess,
  status: 200,
  answer: record<Ruleset>(),
});

export const updateOrganizationRuleset = endpoint({
  route: 'PUT /orgs/{org}/rulesets/{ruleset_id}',
  summary: 'Change a ruleset of an organization; bypass actors stay unless they are given',
  path: { ruleset_id: rulesetId },
  body: optionalFields(organizationRulesetFields),
  rules: rulesetRules,
  ...organizationAccess,
  status: 200,
  answer: record<Ruleset>(),
});

export const deleteRepositoryRuleset = endpoint({
  route: 'DELETE /repos/{owner}/{repo}/rulesets/{ruleset_id}',
  summary: 'Delete a ruleset of a repository',
  path: { ruleset_id: rulesetId },
  ...repositoryAccess,
  status: 204,
  answer: nothing(),
});

export const deleteOrganizationRuleset = endpoint({
  route: 'DELETE /orgs/{org}/rulesets/{ruleset_id}',
  summary: 'Delete a ruleset of an organization',
  path: { ruleset_id: rulesetId },
  ...organizationAccess,
  status: 204,
  answer: nothing(),
});

export const listBranchRules = endpoint({
  route: 'GET /repos/{owner}/{repo}/rules/branches/{branch}',
  summary: 'List the active rules that apply to a branch, whether it exists or not',
  paging: 'page',
  ...publicAccess,
  status: 200,
  answer: list<AppliedRule>(),
});

export const listRepositoryRulesetVersions = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history',
  summary: 'List the versions of a repository’s ruleset',
  path: { ruleset_id: rulesetId },
  paging: 'page',
  ...repositoryAccess,
  status: 200,
  answer: list<RulesetVersion>(),
});

export const listOrganizationRulesetVersions = endpoint({
  route: 'GET /orgs/{org}/rulesets/{ruleset_id}/history',
  summary: 'List the versions of an organization’s ruleset',
  path: { ruleset_id: rulesetId },
  paging: 'page',
  ...organizationAccess,
  status: 200,
  answer: list<RulesetVersion>(),
});

export const getRepositoryRulesetVersion = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history/{version_id}',
  summary: 'Show a version of a repository’s ruleset',
  path: { ruleset_id: rulesetId, version_id: versionId },
  ...repositoryAccess,
  status: 200,
  answer: record<RulesetVersionState>(),
});

export const getOrganizationRulesetVersion = endpoint({
  route: 'GET /orgs/{org}/rulesets/{ruleset_id}/history/{version_id}',
  summary: 'Show a version of an organization’s ruleset',
  path: { ruleset_id: rulesetId, version_id: versionId },
  ...organizationAccess,
  status: 200,
  answer: record<RulesetVersionState>(),
});

const suiteFilters = {
  ref: string('Only pushes to this ref: main, refs/heads/main or refs/tags/v1; no wildcards'),
  time_period: oneOf(['hour', 'day', 'week', 'month'], 'How far back', { default: 'day' }),
  actor_name: string('Only pushes by this login'),
  rule_suite_result: oneOf(['pass', 'fail', 'bypass', 'all'], 'Only suites with this result', { default: 'all' }),
};

export const listRepositoryRuleSuites = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/rule-suites',
  summary: 'List how pushes to a repository fared with its rules',
  query: suiteFilters,
  paging: 'page',
  permission: 'administration=read',
  status: 200,
  answer: list<RuleSuite>(),
});

export const listOrganizationRuleSuites = endpoint({
  route: 'GET /orgs/{org}/rulesets/rule-suites',
  summary: 'List how pushes to the repositories of an organization fared with its rules',
  query: { repository_name: string('Only pushes to this repository of the organization'), ...suiteFilters },
  paging: 'page',
  ...organizationAccess,
  status: 200,
  answer: list<RuleSuite>(),
});

export const getRepositoryRuleSuite = endpoint({
  route: 'GET /repos/{owner}/{repo}/rulesets/rule-suites/{rule_suite_id}',
  summary: 'Show how one push to a repository fared, rule by rule',
  path: { rule_suite_id: suiteId },
  permission: 'administration=read',
  status: 200,
  answer: record<RuleSuiteEvaluations>(),
});

export const getOrganizationRuleSuite = endpoint({
  route: 'GET /orgs/{org}/rulesets/rule-suites/{rule_suite_id}',
  summary: 'Show how one push to a repository of an organization fared, rule by rule',
  path: { rule_suite_id: suiteId },
  ...organizationAccess,
  status: 200,
  answer: record<RuleSuiteEvaluations>(),
});
