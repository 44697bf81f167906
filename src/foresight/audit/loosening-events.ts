/** The events of the audit log that take protection away. Public platform, Audit log events for your organization. */
export const looseningActions = [
  'repository_ruleset.destroy',
  'protected_branch.destroy',
  'org.disable_two_factor_requirement',
  'org.advanced_security_disabled_on_all_repos',
  'org.codeql_disabled',
  'secret_scanning.disable',
  'secret_scanning_push_protection.disable',
  'dependabot_alerts.disable',
  'dependabot_security_updates.disable',
  'dependency_graph.disable',
  'repository_secret_scanning.disable',
  'repository_secret_scanning_push_protection.disable',
  'repository_vulnerability_alerts.disable',
  'repository_dependabot_security_updates.disable',
] as const;
