import * as endpoints from '../endpoints/rulesets.ts';
import { resource } from '../resource.ts';

export const rulesets = resource({
  key: ['name'],
  readOnly: ['source_type', 'source', 'current_user_can_bypass'],
  nullable: ['conditions'],
  isOwn: ({ source_type: type }, owner) =>
    type === undefined ? undefined : type === ('repo' in owner ? 'Repository' : 'Organization'),
  sets: [
    'bypass_actors',
    'conditions.ref_name.include',
    'conditions.ref_name.exclude',
    'conditions.repository_name.include',
    'conditions.repository_name.exclude',
    'conditions.repository_id.repository_ids',
    'conditions.repository_property.include',
    'conditions.repository_property.exclude',
    'rules',
    'rules.parameters.allowed_merge_methods',
    'rules.parameters.dismissal_restriction.allowed_actors',
    'rules.parameters.required_reviewers',
    'rules.parameters.required_reviewers.file_patterns',
    'rules.parameters.required_status_checks',
    'rules.parameters.workflows',
    'rules.parameters.code_scanning_tools',
    'rules.parameters.required_deployment_environments',
    'rules.parameters.restricted_file_paths',
    'rules.parameters.restricted_file_extensions',
  ],
  identity: {
    bypass_actors: ['actor_type', 'actor_id'],
    rules: ['type'],
    'rules.parameters.dismissal_restriction.allowed_actors': ['type', 'id'],
    'rules.parameters.required_status_checks': ['context', 'integration_id'],
    'rules.parameters.workflows': ['repository_id', 'path', 'ref'],
    'rules.parameters.code_scanning_tools': ['tool'],
    'conditions.repository_property.include': ['name', 'source'],
    'conditions.repository_property.exclude': ['name', 'source'],
  },
  alternatives: { conditions: ['repository_name', 'repository_id', 'repository_property'] },
  owners: {
    repository: {
      list: endpoints.listRepositoryRulesets,
      get: endpoints.getRepositoryRuleset,
      create: endpoints.createRepositoryRuleset,
      update: endpoints.updateRepositoryRuleset,
      delete: endpoints.deleteRepositoryRuleset,
    },
    organization: {
      list: endpoints.listOrganizationRulesets,
      get: endpoints.getOrganizationRuleset,
      create: endpoints.createOrganizationRuleset,
      update: endpoints.updateOrganizationRuleset,
      delete: endpoints.deleteOrganizationRuleset,
    },
  },
});

export const rulesetVersions = resource({
  owners: {
    repository: { list: endpoints.listRepositoryRulesetVersions, get: endpoints.getRepositoryRulesetVersion },
    organization: { list: endpoints.listOrganizationRulesetVersions, get: endpoints.getOrganizationRulesetVersion },
  },
});

export const ruleSuites = resource({
  owners: {
    repository: { list: endpoints.listRepositoryRuleSuites, get: endpoints.getRepositoryRuleSuite },
    organization: { list: endpoints.listOrganizationRuleSuites, get: endpoints.getOrganizationRuleSuite },
  },
});
