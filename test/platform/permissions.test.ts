import { describe, expect, it } from 'vitest';
import { endpointsByRoute } from '../../src/platform/endpoints/index.ts';
import { permissionMap } from '../../src/platform/permission-map.ts';
import { allRequirements, permissionSets, requirementsFor } from '../../src/platform/permissions.ts';

const find = (request: string, words = {}) => {
  const [method = '', path = ''] = request.split(' ');
  return requirementsFor(method, path, words);
};

describe('the fine-grained permission map', () => {
  // Specification, Fine-grained permission map: one or several from every sentence of every group.
  it.each([
    ['PATCH /orgs/{org}', 'organization_administration=write'],
    ['DELETE /orgs/{org}', 'organization_administration=write'],
    ['PUT /orgs/{org}/actions/oidc/customization/sub', 'organization_administration=write'],
    ['PUT /orgs/{org}/actions/permissions', 'organization_administration=write'],
    ['PUT /orgs/{org}/actions/permissions/fork-pr-workflows-private-repos', 'organization_administration=write'],
    ['PUT /orgs/{org}/actions/permissions/self-hosted-runners/repositories', 'organization_administration=write'],
    ['PUT /organizations/{org}/actions/cache/storage-limit', 'organization_administration=write'],
    ['PATCH /orgs/{org}/actions/hosted-runners/{hosted_runner_id}', 'organization_administration=write'],
    [
      'DELETE /orgs/{org}/actions/oidc/customization/properties/repo/{custom_property_name}',
      'organization_administration=write',
    ],
    ['DELETE /organizations/{org}/settings/billing/budgets/{budget_id}', 'organization_administration=write'],
    ['DELETE /orgs/{org}/code-security/configurations/detach', 'organization_administration=write'],
    ['PUT /orgs/{org}/code-security/configurations/{configuration_id}/defaults', 'organization_administration=write'],
    ['PATCH /orgs/{org}/depalerts/repository-access', 'organization_administration=write'],
    ['PUT /orgs/{org}/depalerts/repository-access/default-level', 'organization_administration=write'],
    ['DELETE /orgs/{org}/interaction-limits', 'organization_administration=write'],
    ['GET /orgs/{org}/interaction-limits/pulls/creation-cap', 'organization_administration=write'],
    ['GET /orgs/{org}/rulesets', 'organization_administration=write'],
    ['GET /orgs/{org}/rulesets/rule-suites/{rule_suite_id}', 'organization_administration=write'],
    ['PUT /orgs/{org}/rulesets/{ruleset_id}', 'organization_administration=write'],
    ['GET /orgs/{org}/rulesets/{ruleset_id}/history/{version_id}', 'organization_administration=write'],
    ['GET /orgs/{org}/bypass-requests/push-rules', 'organization_administration=write'],
    ['PATCH /orgs/{org}/secret-scanning/custom-patterns/{pattern_id}', 'organization_administration=write'],
    ['DELETE /orgs/{org}/security-managers/teams/{team_slug}', 'organization_administration=write'],
    ['PUT /orgs/{org}/settings/immutable-releases', 'organization_administration=write'],
    ['POST /orgs/{org}/{security_product}/{enablement}', 'organization_administration=write'],

    ['GET /orgs/{org}/actions/cache/usage-by-repository', 'organization_administration=read'],
    ['GET /orgs/{org}/actions/oidc/customization/properties/repo', 'organization_administration=read'],
    ['GET /orgs/{org}/actions/permissions/artifact-and-log-retention', 'organization_administration=read'],
    ['GET /orgs/{org}/actions/hosted-runners/machine-sizes', 'organization_administration=read'],
    ['GET /organizations/{org}/actions/cache/retention-limit', 'organization_administration=read'],
    ['GET /organizations/{org}/settings/billing/premium_request/usage', 'organization_administration=read'],
    ['GET /organizations/{org}/settings/billing/usage/summary', 'organization_administration=read'],
    ['GET /orgs/{org}/audit-log', 'organization_administration=read'],
    [
      'GET /orgs/{org}/code-security/configurations/{configuration_id}/repositories',
      'organization_administration=read',
    ],
    ['GET /orgs/{org}/depalerts/repository-access', 'organization_administration=read'],
    ['GET /orgs/{org}/installations', 'organization_administration=read'],
    ['GET /orgs/{org}/interaction-limits', 'organization_administration=read'],
    ['GET /orgs/{org}/secret-scanning/pattern-configurations', 'organization_administration=read'],
    ['GET /orgs/{org}/security-managers', 'organization_administration=read'],
    ['GET /orgs/{org}/settings/immutable-releases/repositories', 'organization_administration=read'],
    ['GET /orgs/{org}/settings/billing/advanced-security', 'organization_administration=read'],

    ['POST /orgs/{org}/invitations', 'members=write'],
    ['DELETE /orgs/{org}/members/{username}', 'members=write'],
    ['PUT /orgs/{org}/memberships/{username}', 'members=write'],
    ['DELETE /orgs/{org}/organization-roles/teams/{team_slug}', 'members=write'],
    ['PUT /orgs/{org}/organization-roles/users/{username}/{role_id}', 'members=write'],
    ['PUT /orgs/{org}/outside_collaborators/{username}', 'members=write'],
    ['DELETE /orgs/{org}/public_members/{username}', 'members=write'],
    ['POST /orgs/{org}/teams', 'members=write'],
    ['PUT /orgs/{org}/teams/{team_slug}/memberships/{username}', 'members=write'],
    ['GET /orgs/{org}/external-groups', 'members=write'],
    ['PATCH /orgs/{org}/teams/{team_slug}/external-groups', 'members=write'],
    ['PUT /teams/{team_id}/members/{username}', 'members=write'],
    ['PATCH /user/memberships/orgs/{org}', 'members=write'],

    ['GET /orgs/{org}/members', 'members=read'],
    ['GET /orgs/{org}/organization-roles/{role_id}/users', 'members=read'],
    ['GET /orgs/{org}/outside_collaborators', 'members=read'],
    ['GET /orgs/{org}/teams/{team_slug}/invitations', 'members=read'],
    ['GET /orgs/{org}/teams/{team_slug}/memberships/{username}', 'members=read'],
    ['GET /orgs/{org}/failed_invitations', 'members=read'],
    ['GET /orgs/{org}/invitations/{invitation_id}/teams', 'members=read'],
    ['GET /teams/{team_id}/repos', 'members=read'],
    ['GET /user/memberships/orgs/{org}', 'members=read'],

    ['POST /orgs/{org}/actions/runner-groups', 'organization_self_hosted_runners=write'],
    [
      'DELETE /orgs/{org}/actions/runner-groups/{runner_group_id}/runners/{runner_id}',
      'organization_self_hosted_runners=write',
    ],
    ['POST /orgs/{org}/actions/runners/remove-token', 'organization_self_hosted_runners=write'],
    ['PUT /orgs/{org}/actions/runners/{runner_id}/labels', 'organization_self_hosted_runners=write'],
    ['DELETE /orgs/{org}/actions/runners/{runner_id}/labels/{name}', 'organization_self_hosted_runners=write'],
    ['GET /orgs/{org}/actions/runner-groups/{runner_group_id}/runners', 'organization_self_hosted_runners=read'],
    ['GET /orgs/{org}/actions/runners/downloads', 'organization_self_hosted_runners=read'],

    ['DELETE /repos/{owner}/{repo}/actions/artifacts/{artifact_id}', 'actions=write'],
    ['DELETE /repos/{owner}/{repo}/actions/caches', 'actions=write'],
    ['POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs', 'actions=write'],
    ['PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable', 'actions=write'],
    ['POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches', 'actions=write'],
    ['GET /repos/{owner}/{repo}/actions/artifacts', 'actions=read'],
    ['GET /repos/{owner}/{repo}/actions/cache/usage-policy', 'actions=read'],
    ['GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs', 'actions=read'],
    ['GET /repos/{owner}/{repo}/actions/runs/{run_id}/attempts/{attempt_number}/logs', 'actions=read'],
    ['GET /repos/{owner}/{repo}/actions/runs/{run_id}/pending_deployments', 'actions=read'],
    ['GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs', 'actions=read'],
    ['GET /repos/{owner}/{repo}/environments', 'actions=read'],
    [
      'GET /repos/{owner}/{repo}/environments/{environment_name}/deployment_protection_rules/{protection_rule_id}',
      'actions=read',
    ],
  ])('%s takes %s', (request, permission) => {
    expect(find(request)).toMatchObject({ permission, marked: false });
  });

  // Specification, Authentication, 6: (*) marks endpoints that need several permissions or allow a different one.
  it.each([
    ['PUT /orgs/{org}/actions/permissions/repositories/{repository_id}', 'organization_administration=write'],
    [
      'DELETE /orgs/{org}/actions/permissions/self-hosted-runners/repositories/{repository_id}',
      'organization_administration=write',
    ],
    ['PUT /orgs/{org}/settings/immutable-releases/repositories', 'organization_administration=write'],
    ['PUT /orgs/{org}/settings/immutable-releases/repositories/{repository_id}', 'organization_administration=write'],
    ['GET /orgs/{org}/custom-repository-roles/{role_id}', 'organization_administration=read'],
    ['GET /orgs/{org}/repository-fine-grained-permissions', 'organization_administration=read'],
    ['GET /organizations/{organization_id}/custom_roles', 'organization_administration=read'],
    ['PUT /orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}', 'members=read,administration=write'],
    ['DELETE /teams/{team_id}/repos/{owner}/{repo}', 'members=read'],
    [
      'PUT /orgs/{org}/actions/runner-groups/{runner_group_id}/repositories/{repository_id}',
      'organization_self_hosted_runners=write',
    ],
  ])('%s is marked', (request, permission) => {
    expect(find(request)).toMatchObject({ permission, marked: true });
  });

  it('lists both permissions if two groups contain an endpoint', () => {
    expect(find('GET /orgs/{org}/<assistant>/billing/seats')).toMatchObject({
      permission: 'organization_administration=read; organization_copilot_seat_management=read',
      marked: true,
    });
    expect(find('DELETE /orgs/{org}/<assistant>/billing/selected_users')).toMatchObject({
      permission: 'organization_administration=write; organization_copilot_seat_management=write',
      marked: true,
    });
  });

  it('lists the whole set if the endpoint itself declares it', () => {
    expect(find('DELETE /orgs/{org}/settings/immutable-releases/repositories/{repository_id}')).toMatchObject({
      permission: 'organization_administration=write,metadata=read',
      marked: true,
      declared: true,
    });
    expect(find('GET /orgs/{org}/custom-repository-roles')).toMatchObject({
      permission: 'organization_custom_roles=read; organization_administration=read',
      marked: true,
      declared: true,
    });
  });

  // Counted in the specification, group by group, every verb of every path.
  it('has every endpoint of every group', () => {
    const counts = permissionMap.map(({ permission, level, endpoints }) => [
      permission,
      level,
      endpoints.flatMap((line) => line.match(/\b(GET|POST|PUT|PATCH|DELETE)\b/g) ?? []).length,
    ]);
    expect(counts).toEqual([
      ['organization_administration', 'write', 63],
      ['organization_administration', 'read', 49],
      ['members', 'write', 32],
      ['members', 'read', 31],
      ['organization_self_hosted_runners', 'write', 17],
      ['organization_self_hosted_runners', 'read', 8],
      ['organization_copilot_seat_management', 'write', 7],
      ['organization_copilot_seat_management', 'read', 4],
      ['actions', 'write', 14],
      ['actions', 'read', 28],
    ]);
  });

  it('lists every endpoint once, in the form METHOD … /path', () => {
    for (const { permission, endpoints } of permissionMap) {
      const routes = endpoints.flatMap((line) => {
        expect(line).toMatch(
          /^((GET|POST|PUT|PATCH|DELETE) )+(\/([a-z_-]+|\{[a-z_]+\}|[a-z-]*<[a-z]+>[a-z-]*))+( \(\*\))?$/,
        );
        const words = line.replace(' (*)', '').split(' ');
        const path = words.pop();
        return words.map((method) => `${method} ${path}`);
      });
      expect(new Set(routes).size, permission).toBe(routes.length);
    }
    const routes = allRequirements.map(({ route }) => route);
    expect(new Set(routes).size).toBe(routes.length);
  });

  it('agrees with the endpoint declarations', () => {
    const both = permissionMap.flatMap(({ permission, level, endpoints }) =>
      endpoints.flatMap((line) => {
        const [, methods = '', path = '', mark] = /^([A-Z ]+) (\S+)( \(\*\))?$/.exec(line) ?? [];
        return methods.split(' ').flatMap((method) => {
          const endpoint = endpointsByRoute.get(`${method} ${path}`);
          return endpoint ? [{ endpoint, mapped: `${permission}=${level}`, mark }] : [];
        });
      }),
    );
    expect(both.length).toBeGreaterThan(10);
    for (const { endpoint, mapped, mark } of both) {
      const declared = (endpoint.permission ?? '').split(/[,;]\s*/);
      expect(declared, endpoint.route).toContain(mapped);
      expect(declared.length > 1, endpoint.route).toBe(mark !== undefined);
    }
  });
});

describe('a lookup', () => {
  it('accepts a request as it is sent, in any case', () => {
    expect(find('patch /ORGS/Acme')?.route).toBe('PATCH /orgs/{org}');
    expect(find('GET orgs/acme/audit-log/')?.route).toBe('GET /orgs/{org}/audit-log');
    expect(find('GET /orgs/acme/audit-log?phrase=a/b#c')?.route).toBe('GET /orgs/{org}/audit-log');
    expect(find('HEAD /orgs/acme/audit-log')?.route).toBe('GET /orgs/{org}/audit-log');
  });

  it('ignores a base URL and /api/v3', () => {
    expect(find('PATCH /api/v3/orgs/acme')?.route).toBe('PATCH /orgs/{org}');
    expect(find('PATCH https://ghe.example.com/api/v3/orgs/acme')?.route).toBe('PATCH /orgs/{org}');
    expect(find('PATCH https://api.github.com/orgs/acme')?.route).toBe('PATCH /orgs/{org}');
    expect(find('GET /repos/api/v3/environments')?.route).toBe('GET /repos/{owner}/{repo}/environments');
  });

  it('prefers a literal segment to a parameter', () => {
    expect(find('GET /orgs/acme/private-registries/public-key')?.route).toBe(
      'GET /orgs/{org}/private-registries/public-key',
    );
    expect(find('GET /orgs/acme/private-registries/NPM_TOKEN')?.route).toBe(
      'GET /orgs/{org}/private-registries/{secret_name}',
    );
    expect(find('GET /orgs/acme/rulesets/rule-suites')?.route).toBe('GET /orgs/{org}/rulesets/rule-suites');
    expect(find('GET /orgs/acme/rulesets/7/history')?.route).toBe('GET /orgs/{org}/rulesets/{ruleset_id}/history');
    expect(find('DELETE /orgs/acme/code-security/configurations/17')?.route).toBe(
      'DELETE /orgs/{org}/code-security/configurations/{configuration_id}',
    );
  });

  it('accepts a template with any parameter names', () => {
    expect(find('GET /orgs/{organization}/rulesets/{id}')?.route).toBe('GET /orgs/{org}/rulesets/{ruleset_id}');
    expect(find('GET /orgs/{org}/private-registries/{name}')?.route).toBe(
      'GET /orgs/{org}/private-registries/{secret_name}',
    );
  });

  it('accepts the platform’s own terms in each spelling', () => {
    for (const path of ['<assistant>', 'copilot'])
      expect(find(`GET /orgs/acme/${path}/billing`)?.route).toBe('GET /orgs/{org}/<assistant>/billing');
    for (const path of ['<vendor>-owned', 'github-owned'])
      expect(find(`GET /orgs/acme/actions/hosted-runners/images/${path}`)?.route).toBe(
        'GET /orgs/{org}/actions/hosted-runners/images/<vendor>-owned',
      );
    for (const path of ['<alerts>', 'depalerts', 'dependabot'])
      expect(find(`GET /orgs/acme/${path}/repository-access`)?.route).toBe(
        'GET /orgs/{org}/<alerts>/repository-access',
      );
    const words = { vendor: 'forge', alertsSegment: 'watchdog' };
    expect(find('GET /orgs/acme/watchdog/repository-access')).toBeUndefined();
    expect(find('GET /orgs/acme/watchdog/repository-access', words)?.path).toBe(
      '/orgs/{org}/<alerts>/repository-access',
    );
    expect(find('GET /orgs/acme/actions/hosted-runners/images/forge-owned', words)?.path).toBe(
      '/orgs/{org}/actions/hosted-runners/images/<vendor>-owned',
    );
  });

  it('accepts only known words for a parameter with fixed words', () => {
    expect(find('POST /orgs/acme/secret_scanning/enable_all')?.route).toBe(
      'POST /orgs/{org}/{security_product}/{enablement}',
    );
    expect(find('POST /orgs/acme/anything/else')).toBeUndefined();
  });

  it('finds nothing if an endpoint is neither in the map nor declared', () => {
    expect(find('PUT /orgs/acme')).toBeUndefined();
    expect(find('GET /orgs/acme/audit-log/today')).toBeUndefined();
    expect(find('GET /')).toBeUndefined();
  });

  it('includes the further requirements of declared endpoints', () => {
    expect(find('PATCH /orgs/acme')).toMatchObject({
      permission: 'organization_administration=write',
      scopes: ['admin:org', 'repo'],
      role: 'organization owner',
      declared: true,
    });
    expect(find('GET /user/migrations')).toMatchObject({ tokens: ['classic', 'oauth'], permission: undefined });
    expect(find('GET /orgs/acme/interaction-limits')).toMatchObject({ declared: false });
  });
});

describe('the header syntax of permissions', () => {
  it('parses alternatives of sets', () => {
    expect(permissionSets('members=read,metadata=read; administration=write')).toEqual([
      [
        { permission: 'members', level: 'read' },
        { permission: 'metadata', level: 'read' },
      ],
      [{ permission: 'administration', level: 'write' }],
    ]);
  });
});
