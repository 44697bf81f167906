/** The effects of changes of settings, with the sentences of the platform’s documentation. */
import { effectRows } from '../live/effects.ts';

const forNew = 'for new repositories and repositories transferred to this organization.';

/** Fields that updates do not declare may be set too, because other versions accept them. */
export const settingEffects = effectRows({
  'admin < write < read < none': {
    default_repository_permission: 'Default permission level members have for organization repositories.',
  },
  'all < private < none': {
    members_allowed_repository_creation_type:
      'Specifies which types of repositories non-admin organization members can create.',
  },
  'public < internal < private': { visibility: 'The visibility of the repository.' },
  'all < collaborators_only': {
    pull_request_creation_policy:
      'The policy that controls who can create pull requests for this repository: `all` or `collaborators_only`.',
  },
  'disabled < enabled': {
    'security_and_analysis.advanced_security.status':
      'Use the `status` property to enable or disable GitHub Advanced Security for this repository.',
    'security_and_analysis.code_security.status':
      'Use the `status` property to enable or disable GitHub Code Security for this repository.',
    'security_and_analysis.secret_scanning.status':
      'Use the `status` property to enable or disable secret scanning for this repository.',
    'security_and_analysis.secret_scanning_push_protection.status':
      'Use the `status` property to enable or disable secret scanning push protection for this repository.',
    'security_and_analysis.secret_scanning_non_provider_patterns.status':
      'Use the `status` property to enable or disable secret scanning non-provider patterns for this repository.',
    'security_and_analysis.secret_scanning_ai_detection.status':
      'Use the `status` property to enable or disable secret scanning AI detection for this repository.',
    'security_and_analysis.secret_scanning_delegated_alert_dismissal.status':
      'Use the `status` property to enable or disable secret scanning delegated alert dismissal for this repository.',
    'security_and_analysis.secret_scanning_delegated_bypass.status':
      'Use the `status` property to enable or disable secret scanning delegated bypass for this repository.',
  },
  'true loosens': {
    allow_forking: 'Either `true` to allow private forks, or `false` to prevent private forks.',
    deploy_keys_enabled_for_repositories:
      'Controls whether or not deploy keys may be added and used for repositories in the organization.',
    members_can_create_repositories: 'Whether of non-admin organization members can create repositories.',
    members_can_create_internal_repositories:
      'Whether organization members can create internal repositories, which are visible to all enterprise members.',
    members_can_create_private_repositories:
      'Whether organization members can create private repositories, which are visible to organization members with permission.',
    members_can_create_public_repositories:
      'Whether organization members can create public repositories, which are visible to anyone.',
    members_can_create_pages: 'Whether organization members can create GitHub Pages sites.',
    members_can_create_public_pages: 'Whether organization members can create public GitHub Pages sites.',
    members_can_create_private_pages: 'Whether organization members can create private GitHub Pages sites.',
    members_can_fork_private_repositories: 'Whether organization members can fork private organization repositories.',
    members_can_create_teams:
      'By default, organization members can create teams. Organization owners can limit team creation to organization owners.',
    members_can_change_repo_visibility:
      'You can restrict the ability to change repository visibility to organization owners only, or you can allow anyone with admin access to a repository to change visibility.',
    members_can_delete_issues:
      'Organization owners can allow certain people to delete issues in repositories owned by your organization.',
    members_can_delete_repositories:
      'You can allow organization members with admin permissions to a repository to delete or transfer the repository, or limit the ability to delete or transfer repositories to organization owners only.',
    members_can_invite_outside_collaborators:
      "To protect your organization's data and the number of paid licenses used in your organization, you can configure who can add outside collaborators to organization repositories.",
    members_can_view_dependency_insights:
      'You can allow all organization members to view dependency insights for your organization or limit viewing to organization owners.',
  },
  'true tightens': {
    private: 'Either `true` to make the repository private or `false` to make it public.',
    advanced_security_enabled_for_new_repositories: `Whether GitHub Advanced Security is automatically enabled ${forNew}`,
    dependabot_alerts_enabled_for_new_repositories: `Whether Dependabot alerts are automatically enabled ${forNew}`,
    dependabot_security_updates_enabled_for_new_repositories: `Whether Dependabot security updates are automatically enabled ${forNew}`,
    dependency_graph_enabled_for_new_repositories: `Whether dependency graph is automatically enabled ${forNew}`,
    secret_scanning_enabled_for_new_repositories: `Whether secret scanning is automatically enabled ${forNew}`,
    secret_scanning_push_protection_enabled_for_new_repositories: `Whether secret scanning push protection is automatically enabled ${forNew}`,
    secret_scanning_validity_checks_enabled:
      'Whether secret scanning automatic validity checks on supported partner tokens is enabled for all repositories under this organization.',
    two_factor_requirement_enabled:
      'When the value of `two_factor_requirement_enabled` is `true`, the organization requires all members, billing managers, outside collaborators, guest collaborators, repository collaborators, or everyone with access to any repository within the organization to enable two-factor authentication.',
    web_commit_signoff_required:
      "Whether contributors to organization repositories are required to sign off on commits they make through GitHub's web interface.",
  },
});
