import * as endpoints from '../../platform/endpoints/members.ts';
import type { OrganizationMembership } from '../../platform/records.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, unprocessable } from '../refusals.ts';
import { type App, route } from '../route.ts';
import type { OrganizationState, User } from '../state/accounts.ts';
import { keepTeamAccess, removeGrants } from '../state/collaborators.ts';
import { removeFromTeams } from '../state/teams.ts';
import { actorView } from '../views/actor.ts';
import { organizationSummary } from '../views/organization.ts';

export function mountMembers(app: App): void {
  route(app, endpoints.getMembership, ({ platform, organization, path }) =>
    found(membershipView(platform, organization, found(platform.accounts.user(path.username)))),
  );

  route(app, endpoints.setMembership, ({ platform, organization, path, body }) => {
    const { accounts } = platform;
    const user = found(accounts.user(path.username));
    if (body.role === 'member' && isLastOwner(platform, organization, user))
      throw unprocessable('Cannot demote the last owner of the organization.');
    accounts.setMembership(user, organization, body.role);
    return found(membershipView(platform, organization, user));
  });

  route(app, endpoints.removeMembership, ({ platform, organization, path }) => {
    const { accounts } = platform;
    const user = found(accounts.user(path.username));
    found(accounts.membershipOf(user, organization));
    if (isLastOwner(platform, organization, user)) throw forbidden('Cannot remove the last owner of the organization.');
    removeFromTeams(platform, organization, user);
    accounts.removeMembership(user, organization);
    removeGrants(platform, organization, user);
  });

  route(app, endpoints.convertMember, ({ platform, organization, path }) => {
    const { accounts } = platform;
    const user = found(accounts.user(path.username));
    if (!accounts.isMember(user, organization)) throw forbidden(`${user.login} is not a member of the organization.`);
    if (isLastOwner(platform, organization, user))
      throw forbidden('Cannot convert the last owner to an outside collaborator.');
    keepTeamAccess(platform, organization, user);
    removeFromTeams(platform, organization, user);
    accounts.setOutside(user, organization, true);
  });

  route(app, endpoints.removeOutsideCollaborator, ({ platform, organization, path }) => {
    const { accounts } = platform;
    const user = found(accounts.user(path.username));
    if (accounts.isMember(user, organization))
      throw unprocessable('You cannot specify an organization member to remove as an outside collaborator.');
    if (!accounts.isOutside(user, organization)) throw notFound();
    accounts.setOutside(user, organization, false);
    removeGrants(platform, organization, user);
  });
}

/** Returns the record of a membership; undefined for somebody who is neither a member nor invited. */
export function membershipView(
  platform: SandboxPlatform,
  organization: OrganizationState,
  user: User,
): OrganizationMembership | undefined {
  const summary = organizationSummary(platform, organization);
  const membership = platform.accounts.membershipOf(user, organization);
  return (
    membership && {
      url: `${platform.baseUrl}/orgs/${organization.login}/memberships/${user.login}`,
      ...membership,
      organization_url: summary.url,
      organization: summary,
      user: actorView(platform, user),
    }
  );
}

function isLastOwner({ accounts }: SandboxPlatform, organization: OrganizationState, { id }: User): boolean {
  const owners = accounts.users.filter((user) => accounts.rolesIn(user, organization).includes('owner'));
  return owners.length === 1 && owners[0]?.id === id;
}
