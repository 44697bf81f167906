/**
 * What the specification, and the public platform where it is silent, say of each endpoint: the answer, how a list goes on,
 * and the access that is needed. Written out, so that a slip in a declaration shows, from which all else follows.
 */
import { describe, expect, it } from 'vitest';
import type { Declaration } from '../../src/platform/endpoint.ts';
import { allEndpoints } from '../../src/platform/endpoints/index.ts';

const specified: Readonly<Record<string, string>> = {
  Organizations: `
    GET /organizations: 200 list | by since | anonymous
    GET /orgs/{org}: 200 record | anonymous
    PATCH /orgs/{org}: 200 record | organization_administration=write | scope admin:org or repo | organization owner
    GET /orgs/{org}/settings/immutable-releases: 200 record | organization_administration=read | scope admin:org | organization owner | on hosted-enterprise and hosted
    PUT /orgs/{org}/settings/immutable-releases: 204 nothing | organization_administration=write | scope admin:org | organization owner | on hosted-enterprise and hosted
    DELETE /orgs/{org}/settings/immutable-releases/repositories/{repository_id}: 204 nothing | organization_administration=write,metadata=read | scope admin:org
    POST /orgs/{org}/{security_product}/{enablement}: 204 nothing | organization_administration=write | scope admin:org or write:org or repo | organization owner or security manager | closing down
    GET /user/orgs: 200 list | by page | scope user or read:org
    GET /user/memberships/orgs/{org}: 200 record | members=read | scope read:org | token classic or oauth or fine_grained or app_user
    PATCH /user/memberships/orgs/{org}: 200 record | members=write | scope write:org | token classic or oauth or fine_grained or app_user
    GET /users/{username}/orgs: 200 list | by page | anonymous`,
  'Audit log': `
    GET /orgs/{org}/audit-log: 200 list | by cursor | organization_administration=read | scope read:audit_log | organization owner
    GET /enterprises/{enterprise}/audit-log: 200 list | by cursor | scope admin:enterprise or read:audit_log | token classic or oauth | enterprise administrator`,
  'Custom properties': `
    GET /orgs/{org}/properties/schema: 200 list | organization_custom_properties=read | organization member
    GET /orgs/{org}/properties/schema/{custom_property_name}: 200 record | organization_custom_properties=read | organization member
    PUT /orgs/{org}/properties/schema/{custom_property_name}: 200 record | organization_custom_properties=admin | organization owner or custom_properties_org_definitions_manager
    DELETE /orgs/{org}/properties/schema/{custom_property_name}: 204 nothing | organization_custom_properties=admin | organization owner or custom_properties_org_definitions_manager
    GET /orgs/{org}/properties/values: 200 list | by page | organization_custom_properties=read | organization member
    GET /repos/{owner}/{repo}/properties/values: 200 list | anonymous | metadata=read
    PATCH /orgs/{org}/properties/values: 204 nothing | organization_custom_properties=write | organization owner or custom_properties_org_values_editor`,
  'People and teams': `
    GET /orgs/{org}/custom-repository-roles: 200 list | in custom_roles | organization_custom_roles=read; organization_administration=read | scope admin:org or repo | administrator of the organization or of one of its repositories | on self-managed and hosted-enterprise
    GET /orgs/{org}/members: 200 list | by page | anonymous | members=read | scope read:org
    GET /orgs/{org}/memberships/{username}: 200 record | members=read | scope read:org | organization member
    PUT /orgs/{org}/memberships/{username}: 200 record | members=write | scope write:org | organization owner
    DELETE /orgs/{org}/memberships/{username}: 204 nothing | members=write | scope write:org | organization owner
    GET /orgs/{org}/outside_collaborators: 200 list | by page | members=read | scope read:org | organization member
    PUT /orgs/{org}/outside_collaborators/{username}: 204 nothing | members=write | scope write:org | organization owner
    DELETE /orgs/{org}/outside_collaborators/{username}: 204 nothing | members=write | scope write:org | organization owner
    GET /orgs/{org}/teams: 200 list | by page | members=read | scope read:org | organization member
    POST /orgs/{org}/teams: 201 record | members=write | scope write:org | organization member
    GET /orgs/{org}/teams/{team_slug}: 200 record | members=read | scope read:org | organization member
    PATCH /orgs/{org}/teams/{team_slug}: 201 record | members=write | scope write:org | organization owner or maintainer of the team
    DELETE /orgs/{org}/teams/{team_slug}: 204 nothing | members=write | scope write:org | organization owner or maintainer of the team
    GET /orgs/{org}/teams/{team_slug}/teams: 200 list | by page | members=read | scope read:org | organization member
    GET /orgs/{org}/teams/{team_slug}/members: 200 list | by page | members=read | scope read:org | organization member
    GET /orgs/{org}/teams/{team_slug}/memberships/{username}: 200 record | members=read | scope read:org | organization member
    PUT /orgs/{org}/teams/{team_slug}/memberships/{username}: 200 record | members=write | scope write:org | organization owner or maintainer of the team
    DELETE /orgs/{org}/teams/{team_slug}/memberships/{username}: 204 nothing | members=write | scope write:org | organization owner or maintainer of the team
    GET /orgs/{org}/teams/{team_slug}/repos: 200 list | by page | members=read | scope read:org or repo | organization member`,
  'Access to repositories': `
    GET /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}: 200 record | members=read,metadata=read | scope read:org or repo | organization member
    PUT /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}: 204 nothing | members=read,administration=write | scope admin:org or repo | repository administrator
    DELETE /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}: 204 nothing | members=read,administration=write | scope admin:org or repo | repository administrator or team maintainer
    PUT /repos/{owner}/{repo}/collaborators/{username}: 201 record | administration=write | scope public_repo or repo | repository administrator
    DELETE /repos/{owner}/{repo}/collaborators/{username}: 204 nothing | administration=write | scope public_repo or repo | repository administrator or the collaborator
    GET /repos/{owner}/{repo}/invitations: 200 list | by page | administration=read; private_repository_invitations=read | scope repo:invite or repo | repository administrator
    PATCH /repos/{owner}/{repo}/invitations/{invitation_id}: 200 record | administration=write | scope repo:invite or repo | repository administrator
    DELETE /repos/{owner}/{repo}/invitations/{invitation_id}: 204 nothing | administration=write | scope repo:invite or repo | repository administrator
    PATCH /user/repository_invitations/{invitation_id}: 204 nothing | administration=write | scope repo:invite or repo | token classic or oauth or fine_grained or app_user | invited person`,
  'Dependency alerts': `
    GET /repos/{owner}/{repo}/vulnerability-alerts: 204 nothing | administration=read | repository administrator
    PUT /repos/{owner}/{repo}/vulnerability-alerts: 204 nothing | administration=write | repository administrator
    DELETE /repos/{owner}/{repo}/vulnerability-alerts: 204 nothing | administration=write | repository administrator
    GET /repos/{owner}/{repo}/automated-security-fixes: 200 record | administration=read | repository administrator
    PUT /repos/{owner}/{repo}/automated-security-fixes: 204 nothing | administration=write | repository administrator | on hosted-enterprise and hosted
    DELETE /repos/{owner}/{repo}/automated-security-fixes: 204 nothing | administration=write | repository administrator | on hosted-enterprise and hosted`,
  'Commit comments': `
    GET /repos/{owner}/{repo}/comments: 200 list | by page | anonymous | metadata=read
    GET /repos/{owner}/{repo}/comments/{comment_id}: 200 record | anonymous | metadata=read
    PATCH /repos/{owner}/{repo}/comments/{comment_id}: 200 record | contents=write
    DELETE /repos/{owner}/{repo}/comments/{comment_id}: 204 nothing | contents=write
    GET /repos/{owner}/{repo}/commits/{commit_sha}/comments: 200 list | by page | anonymous | metadata=read
    POST /repos/{owner}/{repo}/commits/{commit_sha}/comments: 201 record | contents=read`,
  Labels: `
    GET /repos/{owner}/{repo}/labels: 200 list | by page | anonymous | issues=read; pull_requests=read
    GET /repos/{owner}/{repo}/labels/{name}: 200 record | anonymous | issues=read; pull_requests=read
    POST /repos/{owner}/{repo}/labels: 201 record | issues=write; pull_requests=write
    PATCH /repos/{owner}/{repo}/labels/{name}: 200 record | issues=write; pull_requests=write
    DELETE /repos/{owner}/{repo}/labels/{name}: 204 nothing | issues=write; pull_requests=write`,
  'Dependency-alert dismissal requests': `
    GET /orgs/{org}/dismissal-requests/<alerts>: 200 list | by page | organization_dependabot_dismissal_requests=read | scope security_events
    GET /repos/{owner}/{repo}/dismissal-requests/<alerts>: 200 list | by page | vulnerability_alerts=read | scope security_events
    GET /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}: 200 record | vulnerability_alerts=read | scope security_events
    POST /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}: 201 record | vulnerability_alerts=read | scope security_events
    PATCH /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}: 200 record | scope security_events | reviewer of dismissal requests
    DELETE /repos/{owner}/{repo}/dismissal-requests/<alerts>/{alert_number}: 204 nothing | scope security_events | requester or reviewer of dismissal requests | on hosted-enterprise`,
  'Enterprise budgets': `
    GET /enterprises/{enterprise}/settings/billing/budgets: 200 list | in budgets | by has_next_page | 10 a page | enterprise_billing=read | enterprise administrator, organization administrator or billing manager
    POST /enterprises/{enterprise}/settings/billing/budgets: 200 record | enterprise_billing=write | enterprise administrator, organization administrator or billing manager
    GET /enterprises/{enterprise}/settings/billing/budgets/{budget_id}: 200 record | enterprise_billing=read | enterprise administrator, organization administrator or billing manager
    PATCH /enterprises/{enterprise}/settings/billing/budgets/{budget_id}: 200 record | enterprise_billing=write | enterprise administrator, organization administrator or billing manager
    DELETE /enterprises/{enterprise}/settings/billing/budgets/{budget_id}: 200 record | enterprise_billing=write | enterprise administrator, organization administrator or billing manager
    GET /organizations/{org}/settings/billing/budgets: 200 list | in budgets | by has_next_page | 10 a page | organization_administration=read | enterprise administrator, organization administrator or billing manager | on hosted
    POST /organizations/{org}/settings/billing/budgets: 200 record | organization_administration=write | enterprise administrator, organization administrator or billing manager | on hosted
    GET /organizations/{org}/settings/billing/budgets/{budget_id}: 200 record | organization_administration=read | enterprise administrator, organization administrator or billing manager | on hosted
    PATCH /organizations/{org}/settings/billing/budgets/{budget_id}: 200 record | organization_administration=write | enterprise administrator, organization administrator or billing manager | on hosted
    DELETE /organizations/{org}/settings/billing/budgets/{budget_id}: 200 record | organization_administration=write | enterprise administrator, organization administrator or billing manager | on hosted`,
  'Organization private registries': `
    GET /orgs/{org}/private-registries: 200 list | in configurations | by page | organization_private_registries=read | scope admin:org
    POST /orgs/{org}/private-registries: 201 record | organization_private_registries=write | scope admin:org
    GET /orgs/{org}/private-registries/public-key: 200 record | organization_private_registries=read | scope admin:org
    GET /orgs/{org}/private-registries/{secret_name}: 200 record | organization_private_registries=read | scope admin:org
    PATCH /orgs/{org}/private-registries/{secret_name}: 204 nothing | organization_private_registries=write | scope admin:org
    DELETE /orgs/{org}/private-registries/{secret_name}: 204 nothing | organization_private_registries=write | scope admin:org`,
  'Rules and rulesets': `
    GET /orgs/{org}/rulesets: 200 list | by page | organization_administration=write
    POST /orgs/{org}/rulesets: 201 record | organization_administration=write
    GET /orgs/{org}/rulesets/rule-suites: 200 list | by page | organization_administration=write
    GET /orgs/{org}/rulesets/rule-suites/{rule_suite_id}: 200 record | organization_administration=write
    GET /orgs/{org}/rulesets/{ruleset_id}: 200 record | organization_administration=write
    PUT /orgs/{org}/rulesets/{ruleset_id}: 200 record | organization_administration=write
    DELETE /orgs/{org}/rulesets/{ruleset_id}: 204 nothing | organization_administration=write
    GET /orgs/{org}/rulesets/{ruleset_id}/history: 200 list | by page | organization_administration=write
    GET /orgs/{org}/rulesets/{ruleset_id}/history/{version_id}: 200 record | organization_administration=write
    GET /repos/{owner}/{repo}/rules/branches/{branch}: 200 list | by page | anonymous | metadata=read
    GET /repos/{owner}/{repo}/rulesets: 200 list | by page | anonymous | metadata=read
    POST /repos/{owner}/{repo}/rulesets: 201 record | administration=write
    GET /repos/{owner}/{repo}/rulesets/rule-suites: 200 list | by page | administration=read
    GET /repos/{owner}/{repo}/rulesets/rule-suites/{rule_suite_id}: 200 record | administration=read
    GET /repos/{owner}/{repo}/rulesets/{ruleset_id}: 200 record | anonymous | metadata=read
    PUT /repos/{owner}/{repo}/rulesets/{ruleset_id}: 200 record | administration=write
    DELETE /repos/{owner}/{repo}/rulesets/{ruleset_id}: 204 nothing | administration=write
    GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history: 200 list | by page | administration=write
    GET /repos/{owner}/{repo}/rulesets/{ruleset_id}/history/{version_id}: 200 record | administration=write`,
  'Secret-scanning bypass requests': `
    GET /orgs/{org}/bypass-requests/push-rules: 200 list | by page | organization_administration=write
    GET /orgs/{org}/bypass-requests/secret-scanning: 200 list | by page | secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read | scope security_events | bypass reviewer
    GET /repos/{owner}/{repo}/bypass-requests/secret-scanning: 200 list | by page | secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read; secret_scanning_alerts=read,secret_scanning_bypass_requests=read | scope security_events | bypass reviewer
    GET /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}: 200 record | secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=read; secret_scanning_alerts=read,secret_scanning_bypass_requests=read | scope security_events | bypass reviewer
    PATCH /repos/{owner}/{repo}/bypass-requests/secret-scanning/{bypass_request_number}: 200 record | secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=write; secret_scanning_alerts=read,secret_scanning_bypass_requests=write | scope security_events | bypass reviewer
    DELETE /repos/{owner}/{repo}/bypass-responses/secret-scanning/{bypass_response_id}: 204 nothing | secret_scanning_alerts=read,organization_secret_scanning_bypass_requests=write; secret_scanning_alerts=read,secret_scanning_bypass_requests=write | scope security_events | bypass reviewer`,
  Forks: `
    GET /repos/{owner}/{repo}/commits: 200 list | by page | anonymous | contents=read
    GET /repos/{owner}/{repo}/forks: 200 list | by page | anonymous | metadata=read
    POST /repos/{owner}/{repo}/forks: 202 record | administration=write,contents=read`,
  'Pre-receive hooks': `
    GET /admin/pre-receive-hooks: 200 list | by page | token classic | site administrator | on self-managed
    GET /orgs/{org}/pre-receive-hooks: 200 list | by page | organization_pre_receive_hooks=read | token classic | on self-managed
    GET /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}: 200 record | organization_pre_receive_hooks=read | token classic | on self-managed
    PATCH /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}: 200 record | organization_pre_receive_hooks=write | token classic | on self-managed
    DELETE /orgs/{org}/pre-receive-hooks/{pre_receive_hook_id}: 200 record | organization_pre_receive_hooks=write | token classic | on self-managed
    GET /repos/{owner}/{repo}/pre-receive-hooks: 200 list | by page | repository_pre_receive_hooks=read | token classic | on self-managed
    GET /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}: 200 record | repository_pre_receive_hooks=read | token classic | on self-managed
    PATCH /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}: 200 record | repository_pre_receive_hooks=write | token classic | on self-managed
    DELETE /repos/{owner}/{repo}/pre-receive-hooks/{pre_receive_hook_id}: 200 record | repository_pre_receive_hooks=write | token classic | on self-managed`,
  Apps: `
    GET /app: 200 record | as an app
    GET /app/installations: 200 list | by page | as an app
    POST /app/installations/{installation_id}/access_tokens: 201 record | as an app
    GET /orgs/{org}/installation: 200 record | as an app`,
  'App installations': `
    GET /installation/repositories: 200 list | in repositories | by page | token installation
    DELETE /installation/token: 204 nothing | token installation
    GET /orgs/{org}/installations: 200 list | in installations | by page | organization_administration=read | scope admin:org | organization owner
    GET /user/installations: 200 list | in installations | by page`,
  'Dependency snapshots': `
    GET /repos/{owner}/{repo}/dependency-graph/compare/{basehead}: 200 list | by cursor | anonymous | contents=read
    GET /repos/{owner}/{repo}/dependency-graph/sbom: 200 record | anonymous | contents=read
    POST /repos/{owner}/{repo}/dependency-graph/snapshots: 201 record | contents=write | scope repo`,
  'Project views': `
    POST /orgs/{org}/projectsV2/{project_number}/views: 201 record | organization_projects=write
    POST /users/{user_id}/projectsV2/{project_number}/views: 201 record | token classic or oauth`,
  'User migrations': `
    GET /user/migrations: 200 list | by page | token classic or oauth | owner of the repositories
    GET /orgs/{org}/migrations: 200 list | by page | token classic or oauth | organization owner
    DELETE /orgs/{org}/migrations/{migration_id}/repos/{repo_name}/lock: 204 nothing | token classic or oauth | organization owner
    POST /user/migrations: 201 record | token classic or oauth | owner of the repositories
    GET /user/migrations/{migration_id}: 200 record | token classic or oauth | owner of the repositories
    GET /user/migrations/{migration_id}/archive: 302 nothing | token classic or oauth | owner of the repositories
    DELETE /user/migrations/{migration_id}/archive: 204 nothing | token classic or oauth | owner of the repositories
    DELETE /user/migrations/{migration_id}/repos/{repo_name}/lock: 204 nothing | token classic or oauth | owner of the repositories
    GET /user/migrations/{migration_id}/repositories: 200 list | by page | token classic or oauth | owner of the repositories`,
  Repositories: `
    GET /orgs/{org}/repos: 200 list | by page | anonymous | metadata=read
    POST /orgs/{org}/repos: 201 record | administration=write | scope public_repo or repo | organization member
    POST /repos/{template_owner}/{template_repo}/generate: 201 record | administration=write,contents=read | scope public_repo or repo | organization member
    GET /repos/{owner}/{repo}: 200 record | anonymous | metadata=read
    PATCH /repos/{owner}/{repo}: 200 record | administration=write | repository administrator
    DELETE /repos/{owner}/{repo}: 204 nothing | administration=write | scope delete_repo | repository administrator
    POST /repos/{owner}/{repo}/transfer: 202 record | administration=write | repository administrator
    GET /repos/{owner}/{repo}/topics: 200 record | anonymous | metadata=read
    PUT /repos/{owner}/{repo}/topics: 200 record | administration=write
    GET /repos/{owner}/{repo}/collaborators: 200 list | by page | metadata=read | scope repo | repository writer
    GET /repos/{owner}/{repo}/teams: 200 list | by page | administration=read | scope public_repo or repo
    GET /repos/{owner}/{repo}/activity: 200 list | by cursor | anonymous | contents=read
    GET /repos/{owner}/{repo}/branches/{branch}: 200 record | anonymous | contents=read
    GET /repos/{owner}/{repo}/branches/{branch}/protection: 200 record | administration=read | repository administrator
    GET /repos/{owner}/{repo}/collaborators/{username}/permission: 200 record | metadata=read | repository writer
    GET /repos/{owner}/{repo}/commits/{ref}: 200 record | anonymous | contents=read
    GET /repos/{owner}/{repo}/commits/{ref}/check-runs: 200 list | in check_runs | by page | anonymous | checks=read
    GET /repos/{owner}/{repo}/commits/{ref}/status: 200 list | in statuses | by page | anonymous | statuses=read
    GET /repos/{owner}/{repo}/deployments: 200 list | by page | anonymous | deployments=read
    GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses: 200 list | by page | anonymous | deployments=read
    GET /repos/{owner}/{repo}/codeowners/errors: 200 list | in errors | anonymous | contents=read
    GET /repos/{owner}/{repo}/contributors: 200 list | by page | anonymous | metadata=read
    POST /repos/{owner}/{repo}/dispatches: 204 nothing | contents=write | scope repo
    GET /repos/{owner}/{repo}/languages: 200 record | anonymous | metadata=read
    GET /repos/{owner}/{repo}/replicas/caches: 200 list | by page | administration=read | on self-managed`,
  'Who a token belongs to, and which platform it is for': `
    GET /meta: 200 record | anonymous
    GET /rate_limit: 200 record | anonymous
    GET /user: 200 record | token classic or oauth or fine_grained or app_user
    GET /user/{account_id}: 200 record | anonymous
    GET /users/{username}: 200 record | anonymous
    GET /versions: 200 list | anonymous | on hosted and hosted-enterprise`,
};

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => line.trim());

const line = (declaration: Declaration): string => {
  const { route, status, answer, items, paging, perPage, anonymous, permission, scopes, tokens, role, editions } =
    declaration;
  const facts = [
    `${status} ${answer.kind}`,
    items && `in ${items}`,
    paging && `by ${paging}`,
    perPage && `${perPage} a page`,
    anonymous && 'anonymous',
    declaration.asApp && 'as an app',
    permission,
    scopes && `scope ${scopes.join(' or ')}`,
    tokens && `token ${tokens.join(' or ')}`,
    role,
    editions && `on ${editions.join(' and ')}`,
    declaration.closingDown && 'closing down',
  ];
  return `${route}: ${facts.filter(Boolean).join(' | ')}`;
};

describe('endpoints are declared as specified', () => {
  const declared = new Map(allEndpoints.map((endpoint) => [endpoint.route as string, line(endpoint)]));

  it.each(Object.entries(specified))('%s', (_section, text) => {
    const lines = linesOf(text);
    expect(lines.map((each) => declared.get(each.split(': ')[0] ?? ''))).toEqual(lines);
  });

  it('and no others', () => {
    const routes = Object.values(specified)
      .flatMap(linesOf)
      .map((each) => each.split(': ')[0]);
    expect([...declared.keys()].sort()).toEqual(routes.sort());
  });
});
