import * as endpoints from '../../platform/endpoints/grants.ts';
import type { RepositoryInvitation } from '../../platform/records.ts';
import type { Caller } from '../callers.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, unprocessable } from '../refusals.ts';
import { Reply } from '../replies.ts';
import { basePermission, hasRole, requireLevel, userOf } from '../roles.ts';
import { type App, route } from '../route.ts';
import type { OrganizationState, User } from '../state/accounts.ts';
import {
  accept,
  directGrants,
  type InvitationState,
  invitations,
  invitationsTo,
  invite,
  revoke,
} from '../state/collaborators.ts';
import type { RepositoryState } from '../state/repositories.ts';
import {
  type Grant,
  grantNamed,
  highestGrant,
  permissionOf,
  permissions,
  roleName,
} from '../state/repository-roles.ts';
import { membershipsIn, setTeamGrant, teamsOfRepository } from '../state/teams.ts';
import { actorView, nodeId } from '../views/actor.ts';
import { fullName, repositoryView } from '../views/repository.ts';
import { permissionsUpTo } from '../views/team.ts';
import { findTeam } from './teams.ts';

export function mountGrants(app: App): void {
  mountTeamGrants(app);
  mountCollaborators(app);
  mountInvitations(app);
}

function mountTeamGrants(app: App): void {
  route(app, endpoints.getTeamRepository, ({ platform, organization, repository, caller, path, accept: type }) => {
    const team = findTeam({ platform, organization, caller, path });
    const held = teamsOfRepository(platform, repository).find((each) => each.team.id === team.id);
    const { permission } = found(held);
    if (!/\brepository\+json\b/.test(type)) return new Reply(204);
    return {
      ...repositoryView(platform, repository, caller),
      permissions: permissionsUpTo(permission),
      role_name: roleName(permission),
    };
  });

  route(app, endpoints.grantTeam, ({ platform, organization, repository, caller, path, body }) => {
    const team = findTeam({ platform, organization, caller, path });
    if (!hasRole(platform, caller, organization, 'owner', 'member')) throw notFound();
    if (repository.owner_id !== organization.id)
      throw unprocessable('The repository must belong to the organization of the team.');
    setTeamGrant(platform, repository, team, requireGrant(body.permission ?? 'pull'));
  });

  route(
    app,
    endpoints.revokeTeam,
    ({ platform, organization, repository, caller, path }) => {
      const team = findTeam({ platform, organization, caller, path });
      const login = userOf(platform, caller)?.login;
      const isMaintainer = membershipsIn(platform, team).some(
        ({ user, role }) => user.login === login && role === 'maintainer',
      );
      if (!isMaintainer) requireLevel(platform, caller, repository, 'admin');
      setTeamGrant(platform, repository, team, undefined);
    },
    { checksRole: true },
  );
}

/** Throws 422 for a role that does not exist. */
function requireGrant(asked: string): Grant {
  const grant = grantNamed(asked);
  if (grant === undefined)
    throw unprocessable(`Invalid permission: ${asked}. It must be one of ${permissions.join(', ')} or a custom role.`);
  return grant;
}

function mountCollaborators(app: App): void {
  route(app, endpoints.addCollaborator, ({ platform, repository, caller, path, body }) => {
    const user = found(platform.accounts.user(path.username));
    const organization = platform.accounts.organizationById(repository.owner_id);
    if (repository.owner_id === user.id) throw unprocessable('Repository owner cannot be a collaborator');
    const grant = organization ? requireGrant(body.permission ?? 'push') : 'push';
    const grants = directGrants(platform, repository);
    const isMember = organization !== undefined && platform.accounts.isMember(user, organization);
    if (isMember) refuseLowGrant(organization, grant);
    if (isMember || grants.get(user.id) !== undefined) {
      grants.set(user.id, grant);
      return new Reply(204);
    }
    refuseInvitation(platform, caller, organization);
    const inviter = userOf(platform, caller);
    return invitationView(
      platform,
      repository,
      caller,
      invite(platform, repository, { invitee: user, inviter, grant }),
    );
  });

  route(
    app,
    endpoints.removeCollaborator,
    ({ platform, repository, caller, path }) => {
      const user = found(platform.accounts.user(path.username));
      if (userOf(platform, caller)?.id !== user.id) requireLevel(platform, caller, repository, 'admin');
      revoke(platform, repository, user);
    },
    { checksRole: true },
  );
}

/** Public platform, Add a repository collaborator: a member’s grant includes at least the base permission. */
function refuseLowGrant(organization: OrganizationState, grant: Grant): void {
  const base = basePermission(organization);
  const floor = permissions.find((permission) => roleName(permission) === base);
  if (floor !== undefined && highestGrant([floor, permissionOf(grant)]) !== permissionOf(grant))
    throw unprocessable(`Cannot assign member permission of ${roleName(grant)}`);
}

function refuseInvitation(
  platform: SandboxPlatform,
  caller: Caller,
  organization: OrganizationState | undefined,
): void {
  if (!organization || organization.settings.members_can_invite_outside_collaborators === true) return;
  if (!hasRole(platform, caller, organization, 'owner'))
    throw forbidden('You do not have permission to invite outside collaborators to this repository.');
}

function mountInvitations(app: App): void {
  const { platform } = app;
  route(app, endpoints.listInvitations, ({ repository, caller }) =>
    invitationsTo(platform, repository).map((invitation) => invitationView(platform, repository, caller, invitation)),
  );

  route(app, endpoints.updateInvitation, ({ repository, caller, path, body }) => {
    const pending = find(platform, repository, path.invitation_id);
    const grant = permissions.find((permission) => roleName(permission) === body.permissions) ?? pending.grant;
    const changed = { ...pending, grant };
    invitations(platform).set(pending.id, changed);
    return invitationView(platform, repository, caller, changed);
  });

  route(app, endpoints.cancelInvitation, ({ repository, path }) => {
    invitations(platform).delete(find(platform, repository, path.invitation_id).id);
  });

  route(app, endpoints.acceptInvitation, ({ caller, path }) => {
    const invitation = found(invitations(platform).get(path.invitation_id));
    const user: User = found(userOf(platform, caller));
    if (invitation.invitee_id !== user.id) throw notFound();
    accept(platform, found(platform.repositories.byId(invitation.repository_id)), user, invitation);
  });
}

const find = (platform: SandboxPlatform, repository: RepositoryState, id: number): InvitationState =>
  found(invitationsTo(platform, repository).find((invitation) => invitation.id === id));

function invitationView(
  platform: SandboxPlatform,
  repository: RepositoryState,
  caller: Caller,
  { id, invitee_id, inviter_id, grant, created_at }: InvitationState,
): RepositoryInvitation {
  const actor = (userId: number | null) => {
    const user = userId === null ? undefined : platform.accounts.userById(userId);
    return user ? actorView(platform, user) : null;
  };
  return {
    id,
    node_id: nodeId('RepositoryInvitation', id),
    repository: repositoryView(platform, repository, caller),
    invitee: actor(invitee_id),
    inviter: actor(inviter_id),
    permissions: roleName(permissionOf(grant)),
    created_at,
    expired: false,
    url: `${platform.baseUrl}/user/repository_invitations/${id}`,
    html_url: `${platform.origin}/${fullName(platform, repository)}/invitations`,
  };
}
