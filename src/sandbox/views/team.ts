import type { FullTeam, Team, TeamSummary } from '../../platform/records.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { type Grant, type Permission, permissionOf, permissions } from '../state/repository-roles.ts';
import { ancestorsOf, membershipsIn, type TeamState, teamsOfRepository } from '../state/teams.ts';
import { nodeId } from './actor.ts';
import { organizationView } from './organization.ts';

/** Returns which permissions a grant implies. */
export const permissionsUpTo = (grant: Grant): Record<Permission, boolean> =>
  Object.fromEntries(
    permissions.map((each) => [each, permissions.indexOf(each) <= permissions.indexOf(permissionOf(grant))]),
  ) as Record<Permission, boolean>;

/** A team, as far as a repository is concerned with its permission there. */
export function teamView(platform: SandboxPlatform, team: TeamState, permission: Grant = 'pull'): Team {
  const [parent] = ancestorsOf(platform, team);
  return {
    ...summary(platform, team, permission),
    permissions: permissionsUpTo(permission),
    parent: parent ? summary(platform, parent, 'pull') : null,
  };
}

/** A team with its organization and counts. */
export function fullTeamView(platform: SandboxPlatform, team: TeamState, caller: Caller): FullTeam {
  const { organization, created_at, updated_at } = team;
  const [parent] = ancestorsOf(platform, team);
  const isIn = (repository: RepositoryState) =>
    teamsOfRepository(platform, repository).some(({ team: { id } }) => id === team.id);
  return {
    ...summary(platform, team, 'pull'),
    ...(team.ldap_dn !== undefined && { ldap_dn: team.ldap_dn }),
    parent: parent ? summary(platform, parent, 'pull') : null,
    members_count: membershipsIn(platform, team).filter(({ state }) => state === 'active').length,
    repos_count: platform.repositories.all(organization).filter(isIn).length,
    created_at,
    updated_at,
    organization: organizationView(platform, organization, caller),
  };
}

function summary(platform: SandboxPlatform, team: TeamState, permission: Grant): TeamSummary {
  const { id, name, slug, description, privacy, notification_setting, organization } = team;
  const url = `${platform.baseUrl}/organizations/${organization.id}/team/${id}`;
  return {
    id,
    node_id: nodeId('Team', id),
    name,
    slug,
    description,
    privacy,
    notification_setting,
    permission,
    url,
    html_url: `${platform.origin}/orgs/${organization.login}/teams/${slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: organization.id,
  };
}
