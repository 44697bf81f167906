import type { Team, TeamSummary } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { type Grant, type Permission, permissionOf, permissions } from '../state/repository-roles.ts';
import { type TeamState, teamsOf } from '../state/teams.ts';
import { nodeId } from './actor.ts';

/** Returns which permissions a grant implies. */
export const permissionsUpTo = (grant: Grant): Record<Permission, boolean> =>
  Object.fromEntries(
    permissions.map((each) => [each, permissions.indexOf(each) <= permissions.indexOf(permissionOf(grant))]),
  ) as Record<Permission, boolean>;

/** A team, as far as a repository is concerned with its permission there. */
export function teamView(platform: SandboxPlatform, team: TeamState, permission: Grant = 'pull'): Team {
  const parent = teamsOf(team.organization).find(({ id }) => id === team.parent_id);
  return {
    ...summary(platform, team, permission),
    permissions: permissionsUpTo(permission),
    parent: parent ? summary(platform, parent, 'pull') : null,
  };
}

function summary(platform: SandboxPlatform, team: TeamState, permission: Grant): TeamSummary {
  const { id, name, slug, description, organization } = team;
  const url = `${platform.baseUrl}/organizations/${organization.id}/team/${id}`;
  return {
    id,
    node_id: nodeId('Team', id),
    name,
    slug,
    description,
    privacy: 'closed',
    notification_setting: 'notifications_enabled',
    permission,
    url,
    html_url: `${platform.origin}/orgs/${organization.login}/teams/${slug}`,
    members_url: `${url}/members{/member}`,
    repositories_url: `${url}/repos`,
    type: 'organization',
    organization_id: organization.id,
  };
}
