/** Access to repositories that is given to teams and to people, and the invitations of outside collaborators. */
import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { RepositoryInvitation, TeamRepository } from '../records.ts';
import { integer, oneOf, optionalFields, string } from '../schema.ts';

const teamRepository = '/orgs/{org}/teams/{team_slug}/repos/{owner}/{repo}';

/** Public platform, Permissions required for fine-grained tokens: the team is read, and the repository is changed. */
const teamGrant = { permission: 'members=read,administration=write', scopes: ['admin:org', 'repo'] } as const;

const permission = 'Role, by its permission: pull, triage, push, maintain, admin, or the name of a custom role';

export const getTeamRepository = endpoint({
  route: `GET ${teamRepository}`,
  summary: 'Show the role of a team in a repository; 404 for a team without access',
  // With any other media type, the response is 204 and shows no role.
  accept: 'application/vnd.<vendor>.v3.repository+json',
  permission: 'members=read,metadata=read',
  scopes: ['read:org', 'repo'],
  role: 'organization member',
  answer: record<TeamRepository>(),
});

export const grantTeam = endpoint({
  route: `PUT ${teamRepository}`,
  summary: 'Give a team access to a repository, or change its role there',
  body: optionalFields({ permission: string(permission) }),
  ...teamGrant,
  role: 'repository administrator',
  refusals: [
    {
      status: 422,
      advice: 'The repository must belong to the organization of the team, and the role must exist there.',
    },
  ],
  answer: nothing(),
});

export const revokeTeam = endpoint({
  route: `DELETE ${teamRepository}`,
  summary: 'Take away the access that a team was given to a repository',
  ...teamGrant,
  role: 'repository administrator or team maintainer',
  answer: nothing(),
});

const collaborator = '/repos/{owner}/{repo}/collaborators/{username}';

export const addCollaborator = endpoint({
  route: `PUT ${collaborator}`,
  summary: 'Give a person access to a repository, or invite an outside collaborator; returns an invitation, or nothing',
  body: optionalFields({ permission: string(`${permission}; organizations only`, { default: 'push' }) }),
  permission: 'administration=write',
  scopes: ['public_repo', 'repo'],
  role: 'repository administrator',
  refusals: [
    { status: 403, advice: 'The organization may allow only owners to invite outside collaborators.' },
    {
      status: 422,
      advice: 'The role must exist, and a member’s role cannot be lower than the base permission of the organization.',
    },
  ],
  status: 201,
  answer: record<RepositoryInvitation>(),
});

export const removeCollaborator = endpoint({
  route: `DELETE ${collaborator}`,
  summary: 'Take away the access that a person was given to a repository',
  permission: 'administration=write',
  scopes: ['public_repo', 'repo'],
  role: 'repository administrator or the collaborator',
  answer: nothing(),
});

/** Scopes for OAuth apps: repo:invite gives access to invitations alone. */
const invitationScopes = ['repo:invite', 'repo'] as const;

const invitation = '/repos/{owner}/{repo}/invitations/{invitation_id}';
const invitationId = { invitation_id: integer('ID of the invitation') };

export const listInvitations = endpoint({
  route: 'GET /repos/{owner}/{repo}/invitations',
  summary: 'List the pending invitations to a repository',
  paging: 'page',
  permission: 'administration=read; private_repository_invitations=read',
  scopes: invitationScopes,
  role: 'repository administrator',
  answer: list<RepositoryInvitation>(),
});

export const updateInvitation = endpoint({
  route: `PATCH ${invitation}`,
  summary: 'Change the role that an invitation offers',
  path: invitationId,
  body: optionalFields({ permissions: oneOf(['read', 'write', 'maintain', 'triage', 'admin'], 'Role') }),
  permission: 'administration=write',
  scopes: invitationScopes,
  role: 'repository administrator',
  answer: record<RepositoryInvitation>(),
});

export const cancelInvitation = endpoint({
  route: `DELETE ${invitation}`,
  summary: 'Cancel a pending invitation to a repository',
  path: invitationId,
  permission: 'administration=write',
  scopes: invitationScopes,
  role: 'repository administrator',
  answer: nothing(),
});

export const acceptInvitation = endpoint({
  route: 'PATCH /user/repository_invitations/{invitation_id}',
  summary: 'Accept an invitation to a repository',
  path: invitationId,
  permission: 'administration=write',
  scopes: invitationScopes,
  tokens: ['classic', 'oauth', 'fine_grained', 'app_user'],
  role: 'invited person',
  answer: nothing(),
});
