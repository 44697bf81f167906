/**
 * The fine-grained permission map from the Authentication section of the specification: the endpoints that each
 * permission and level grants. Declared endpoints add details of their own.
 */

/** Ascending: a level includes those before it. */
export const levels = ['read', 'write', 'admin'] as const;
export type Level = (typeof levels)[number];

/**
 * The endpoints that one permission grants. A line is `METHOD … /path`, with `(*)` where the specification marks the
 * endpoint as requiring several permissions or a different one. `<alerts>`, `<assistant>` and `<vendor>` stand for
 * the platform's own path segments.
 */
export interface PermissionGroup {
  /** The name in `X-Accepted-<vendor>-Permissions`. */
  readonly permission: string;
  readonly level: Level;
  readonly endpoints: readonly string[];
}

const administrationWrite = [
  'PATCH DELETE /orgs/{org}',

  'PUT /orgs/{org}/actions/oidc/customization/sub',
  'PUT /orgs/{org}/actions/permissions',
  'PUT /orgs/{org}/actions/permissions/repositories',
  'PUT /orgs/{org}/actions/permissions/selected-actions',
  'PUT /orgs/{org}/actions/permissions/workflow',
  'PUT /orgs/{org}/actions/permissions/artifact-and-log-retention',
  'PUT /orgs/{org}/actions/permissions/fork-pr-contributor-approval',
  'PUT /orgs/{org}/actions/permissions/fork-pr-workflows-private-repos',
  'PUT /orgs/{org}/actions/permissions/self-hosted-runners',
  'PUT /orgs/{org}/actions/permissions/self-hosted-runners/repositories',
  'PUT DELETE /orgs/{org}/actions/permissions/repositories/{repository_id} (*)',
  'PUT DELETE /orgs/{org}/actions/permissions/self-hosted-runners/repositories/{repository_id} (*)',
  'PUT /organizations/{org}/actions/cache/retention-limit',
  'PUT /organizations/{org}/actions/cache/storage-limit',
  'POST /orgs/{org}/actions/hosted-runners',
  'PATCH DELETE /orgs/{org}/actions/hosted-runners/{hosted_runner_id}',
  'POST /orgs/{org}/actions/oidc/customization/properties/repo',
  'DELETE /orgs/{org}/actions/oidc/customization/properties/repo/{custom_property_name}',

  'POST /organizations/{org}/settings/billing/budgets',
  'PATCH DELETE /organizations/{org}/settings/billing/budgets/{budget_id}',

  'POST /orgs/{org}/code-security/configurations',
  'DELETE /orgs/{org}/code-security/configurations/detach',
  'PATCH DELETE /orgs/{org}/code-security/configurations/{configuration_id}',
  'POST /orgs/{org}/code-security/configurations/{configuration_id}/attach',
  'PUT /orgs/{org}/code-security/configurations/{configuration_id}/defaults',

  'POST DELETE /orgs/{org}/<assistant>/billing/selected_teams (*)',
  'POST DELETE /orgs/{org}/<assistant>/billing/selected_users (*)',

  'PATCH /orgs/{org}/<alerts>/repository-access',
  'PUT /orgs/{org}/<alerts>/repository-access/default-level',

  'PUT DELETE /orgs/{org}/interaction-limits',
  'GET PATCH /orgs/{org}/interaction-limits/pulls/creation-cap',

  'GET POST /orgs/{org}/rulesets',
  'GET /orgs/{org}/rulesets/rule-suites',
  'GET /orgs/{org}/rulesets/rule-suites/{rule_suite_id}',
  'GET PUT DELETE /orgs/{org}/rulesets/{ruleset_id}',
  'GET /orgs/{org}/rulesets/{ruleset_id}/history',
  'GET /orgs/{org}/rulesets/{ruleset_id}/history/{version_id}',
  'GET /orgs/{org}/bypass-requests/push-rules',

  'POST DELETE /orgs/{org}/secret-scanning/custom-patterns',
  'PATCH /orgs/{org}/secret-scanning/custom-patterns/{pattern_id}',
  'PATCH /orgs/{org}/secret-scanning/pattern-configurations',
  'PUT DELETE /orgs/{org}/security-managers/teams/{team_slug}',

  'PUT /orgs/{org}/settings/immutable-releases',
  'PUT /orgs/{org}/settings/immutable-releases/repositories (*)',
  'PUT DELETE /orgs/{org}/settings/immutable-releases/repositories/{repository_id} (*)',

  'POST /orgs/{org}/{security_product}/{enablement}',
];

const administrationRead = [
  'GET /orgs/{org}/actions/cache/usage',
  'GET /orgs/{org}/actions/cache/usage-by-repository',
  'GET /orgs/{org}/actions/oidc/customization/sub',
  'GET /orgs/{org}/actions/oidc/customization/properties/repo',
  'GET /orgs/{org}/actions/permissions',
  'GET /orgs/{org}/actions/permissions/repositories',
  'GET /orgs/{org}/actions/permissions/selected-actions',
  'GET /orgs/{org}/actions/permissions/workflow',
  'GET /orgs/{org}/actions/permissions/artifact-and-log-retention',
  'GET /orgs/{org}/actions/permissions/fork-pr-contributor-approval',
  'GET /orgs/{org}/actions/permissions/fork-pr-workflows-private-repos',
  'GET /orgs/{org}/actions/permissions/self-hosted-runners',
  'GET /orgs/{org}/actions/permissions/self-hosted-runners/repositories',
  'GET /orgs/{org}/actions/hosted-runners',
  'GET /orgs/{org}/actions/hosted-runners/images/<vendor>-owned',
  'GET /orgs/{org}/actions/hosted-runners/images/partner',
  'GET /orgs/{org}/actions/hosted-runners/limits',
  'GET /orgs/{org}/actions/hosted-runners/machine-sizes',
  'GET /orgs/{org}/actions/hosted-runners/platforms',
  'GET /orgs/{org}/actions/hosted-runners/{hosted_runner_id}',
  'GET /organizations/{org}/actions/cache/retention-limit',
  'GET /organizations/{org}/actions/cache/storage-limit',

  'GET /organizations/{org}/settings/billing/ai_credit/usage',
  'GET /organizations/{org}/settings/billing/budgets',
  'GET /organizations/{org}/settings/billing/budgets/{budget_id}',
  'GET /organizations/{org}/settings/billing/premium_request/usage',
  'GET /organizations/{org}/settings/billing/usage',
  'GET /organizations/{org}/settings/billing/usage/summary',

  'GET /orgs/{org}/audit-log',

  'GET /orgs/{org}/code-security/configurations',
  'GET /orgs/{org}/code-security/configurations/defaults',
  'GET /orgs/{org}/code-security/configurations/{configuration_id}',
  'GET /orgs/{org}/code-security/configurations/{configuration_id}/repositories',

  'GET /orgs/{org}/<assistant>/billing (*)',
  'GET /orgs/{org}/<assistant>/billing/seats (*)',
  'GET /orgs/{org}/members/{username}/<assistant> (*)',

  'GET /orgs/{org}/<alerts>/repository-access',
  'GET /orgs/{org}/installations',
  'GET /orgs/{org}/interaction-limits',
  'GET /orgs/{org}/secret-scanning/custom-patterns',
  'GET /orgs/{org}/secret-scanning/pattern-configurations',
  'GET /orgs/{org}/security-managers',
  'GET /orgs/{org}/settings/immutable-releases',
  'GET /orgs/{org}/settings/immutable-releases/repositories',

  'GET /orgs/{org}/custom-repository-roles (*)',
  'GET /orgs/{org}/custom-repository-roles/{role_id} (*)',
  'GET /orgs/{org}/repository-fine-grained-permissions (*)',
  'GET /organizations/{organization_id}/custom_roles (*)',
  'GET /orgs/{org}/settings/billing/advanced-security',
];

const membersWrite = [
  'POST /orgs/{org}/invitations',
  'DELETE /orgs/{org}/invitations/{invitation_id}',
  'DELETE /orgs/{org}/members/{username}',
  'PUT DELETE /orgs/{org}/memberships/{username}',
  'DELETE /orgs/{org}/organization-roles/teams/{team_slug}',
  'PUT DELETE /orgs/{org}/organization-roles/teams/{team_slug}/{role_id}',
  'DELETE /orgs/{org}/organization-roles/users/{username}',
  'PUT DELETE /orgs/{org}/organization-roles/users/{username}/{role_id}',
  'PUT DELETE /orgs/{org}/outside_collaborators/{username}',
  'PUT DELETE /orgs/{org}/public_members/{username}',
  'POST /orgs/{org}/teams',
  'PATCH DELETE /orgs/{org}/teams/{team_slug}',
  'PUT DELETE /orgs/{org}/teams/{team_slug}/memberships/{username}',

  'GET /orgs/{org}/external-group/{group_id}',
  'GET /orgs/{org}/external-groups',
  'GET PATCH DELETE /orgs/{org}/teams/{team_slug}/external-groups',

  'PATCH DELETE /teams/{team_id}',
  'PUT DELETE /teams/{team_id}/members/{username}',
  'PUT DELETE /teams/{team_id}/memberships/{username}',
  'PATCH /user/memberships/orgs/{org}',
];

const membersRead = [
  'GET /orgs/{org}/members',
  'GET /orgs/{org}/members/{username}',
  'GET /orgs/{org}/memberships/{username}',
  'GET /orgs/{org}/organization-roles/{role_id}/teams',
  'GET /orgs/{org}/organization-roles/{role_id}/users',
  'GET /orgs/{org}/outside_collaborators',
  'GET /orgs/{org}/public_members',
  'GET /orgs/{org}/public_members/{username}',
  'GET /orgs/{org}/teams',
  'GET /orgs/{org}/teams/{team_slug}',
  'GET /orgs/{org}/teams/{team_slug}/members',
  'GET /orgs/{org}/teams/{team_slug}/memberships/{username}',
  'GET /orgs/{org}/teams/{team_slug}/repos',
  'GET /orgs/{org}/teams/{team_slug}/teams',
  'GET /orgs/{org}/teams/{team_slug}/invitations',
  'GET /orgs/{org}/failed_invitations',
  'GET /orgs/{org}/invitations',
  'GET /orgs/{org}/invitations/{invitation_id}/teams',
  'GET PUT DELETE /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo} (*)',

  'GET /teams/{team_id}',
  'GET /teams/{team_id}/members',
  'GET /teams/{team_id}/members/{username}',
  'GET /teams/{team_id}/memberships/{username}',
  'GET /teams/{team_id}/repos',
  'GET /teams/{team_id}/teams',
  'GET PUT DELETE /teams/{team_id}/repos/{owner}/{repo} (*)',
  'GET /user/memberships/orgs/{org}',
];

const runnersWrite = [
  'POST /orgs/{org}/actions/runner-groups',
  'PATCH DELETE /orgs/{org}/actions/runner-groups/{runner_group_id}',
  'PUT /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories',
  'PUT DELETE /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories/{repository_id} (*)',
  'PUT /orgs/{org}/actions/runner-groups/{runner_group_id}/runners',
  'PUT DELETE /orgs/{org}/actions/runner-groups/{runner_group_id}/runners/{runner_id}',
  'POST /orgs/{org}/actions/runners/generate-jitconfig',
  'POST /orgs/{org}/actions/runners/registration-token',
  'POST /orgs/{org}/actions/runners/remove-token',
  'DELETE /orgs/{org}/actions/runners/{runner_id}',
  'POST PUT DELETE /orgs/{org}/actions/runners/{runner_id}/labels',
  'DELETE /orgs/{org}/actions/runners/{runner_id}/labels/{name}',
];

const runnersRead = [
  'GET /orgs/{org}/actions/runner-groups',
  'GET /orgs/{org}/actions/runner-groups/{runner_group_id}',
  'GET /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories',
  'GET /orgs/{org}/actions/runner-groups/{runner_group_id}/runners',
  'GET /orgs/{org}/actions/runners',
  'GET /orgs/{org}/actions/runners/downloads',
  'GET /orgs/{org}/actions/runners/{runner_id}',
  'GET /orgs/{org}/actions/runners/{runner_id}/labels',
];

/** The specification lists only the resources; paths and permission come from the public platform. */
const assistantWrite = [
  'POST /orgs/{org}/<assistant>-spaces/{space_number}/collaborators',
  'PUT DELETE /orgs/{org}/<assistant>-spaces/{space_number}/collaborators/{actor_type}/{actor_identifier}',
  'POST DELETE /orgs/{org}/<assistant>/billing/selected_teams (*)',
  'POST DELETE /orgs/{org}/<assistant>/billing/selected_users (*)',
];

const assistantRead = [
  'GET /orgs/{org}/<assistant>-spaces/{space_number}/collaborators',
  'GET /orgs/{org}/<assistant>/billing (*)',
  'GET /orgs/{org}/<assistant>/billing/seats (*)',
  'GET /orgs/{org}/members/{username}/<assistant> (*)',
];

const actionsWrite = [
  'DELETE /repos/{owner}/{repo}/actions/artifacts/{artifact_id}',
  'DELETE /repos/{owner}/{repo}/actions/caches',
  'DELETE /repos/{owner}/{repo}/actions/caches/{cache_id}',
  'POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun',
  'PUT /repos/{owner}/{repo}/actions/oidc/customization/sub',
  'DELETE /repos/{owner}/{repo}/actions/runs/{run_id}',
  'DELETE /repos/{owner}/{repo}/actions/runs/{run_id}/logs',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/force-cancel',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun',
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs',
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable',
  'PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable',
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
];

const actionsRead = [
  'GET /repos/{owner}/{repo}/actions/artifacts',
  'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}',
  'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}',
  'GET /repos/{owner}/{repo}/actions/cache/usage',
  'GET /repos/{owner}/{repo}/actions/cache/usage-policy',
  'GET /repos/{owner}/{repo}/actions/caches',
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}',
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs',
  'GET /repos/{owner}/{repo}/actions/oidc/customization/sub',
  'GET /repos/{owner}/{repo}/actions/runs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/approvals',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/jobs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/logs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/logs',
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/pending_deployments',
  'GET /repos/{owner}/{repo}/actions/workflows',
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}',
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs',
  'GET /repos/{owner}/{repo}/environments',
  'GET /repos/{owner}/{repo}/environments/{environment_name}',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment-branch-policies/{branch_policy_id}',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules',
  'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/{protection_rule_id}',
];

export const permissionMap: readonly PermissionGroup[] = [
  { permission: 'organization_administration', level: 'write', endpoints: administrationWrite },
  { permission: 'organization_administration', level: 'read', endpoints: administrationRead },
  { permission: 'members', level: 'write', endpoints: membersWrite },
  { permission: 'members', level: 'read', endpoints: membersRead },
  { permission: 'organization_self_hosted_runners', level: 'write', endpoints: runnersWrite },
  { permission: 'organization_self_hosted_runners', level: 'read', endpoints: runnersRead },
  { permission: 'organization_copilot_seat_management', level: 'write', endpoints: assistantWrite },
  { permission: 'organization_copilot_seat_management', level: 'read', endpoints: assistantRead },
  { permission: 'actions', level: 'write', endpoints: actionsWrite },
  { permission: 'actions', level: 'read', endpoints: actionsRead },
];
