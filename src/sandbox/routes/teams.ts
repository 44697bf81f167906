import * as endpoints from '../../platform/endpoints/teams.ts';
import { listing, mapped } from '../paging.ts';
import { found } from '../refusals.ts';
import { isVisible } from '../roles.ts';
import { type App, route } from '../route.ts';
import type { OrganizationState } from '../state/accounts.ts';
import { roleName } from '../state/repository-roles.ts';
import { membershipsIn, type TeamState, teamsOf, teamsOfRepository } from '../state/teams.ts';
import { actorView } from '../views/actor.ts';
import { repositoryView } from '../views/repository.ts';
import { permissionsUpTo, teamView } from '../views/team.ts';

export function mountTeams(app: App): void {
  route(app, endpoints.listTeams, ({ platform, organization }) =>
    teamsOf(organization).map((team) => teamView(platform, team)),
  );

  route(app, endpoints.listTeamMembers, ({ platform, organization, path, query: { role: wanted = 'all' } }) =>
    membershipsIn(platform, findTeam(organization, path.team_slug))
      .filter(({ role }) => wanted === 'all' || role === wanted)
      .map(({ user, role, inherited }) => ({ ...actorView(platform, user), role, inherited })),
  );

  route(app, endpoints.getTeamMembership, ({ platform, organization, path }) => {
    const team = findTeam(organization, path.team_slug);
    const user = found(platform.accounts.user(path.username));
    const { role } = found(membershipsIn(platform, team).find((each) => each.user.id === user.id));
    const { url } = teamView(platform, team);
    return { url: `${url}/memberships/${user.login}`, role, state: 'active' };
  });

  route(app, endpoints.listTeamRepositories, ({ platform, organization, caller, path }) => {
    const { id } = findTeam(organization, path.team_slug);
    const reached = platform.repositories
      .all(organization)
      .filter((repository) => isVisible(platform, caller, repository))
      .flatMap((repository) => {
        const access = teamsOfRepository(platform, repository).find(({ team }) => team.id === id);
        return access ? [{ repository, permission: access.permission }] : [];
      });
    return mapped(listing(reached), ({ repository, permission }) => ({
      ...repositoryView(platform, repository, caller),
      permissions: permissionsUpTo(permission),
      role_name: roleName(permission),
    }));
  });
}

/** Throws 404 for a team that the organization does not have. */
export const findTeam = (organization: OrganizationState, slug: string): TeamState =>
  found(teamsOf(organization).find((each) => each.slug === slug.toLowerCase()));
