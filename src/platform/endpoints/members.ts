import { endpoint, nothing, record } from '../endpoint.ts';
import type { OrganizationMembership } from '../records.ts';
import { fields, oneOf } from '../schema.ts';

const membership = '/orgs/{org}/memberships/{username}';

/** Public platform, Organization members: only owners change memberships. */
const ownerAccess = { permission: 'members=write', scopes: ['write:org'], role: 'organization owner' } as const;

export const getMembership = endpoint({
  route: `GET ${membership}`,
  summary: 'Show a person’s membership in an organization, also while an invitation is pending',
  permission: 'members=read',
  scopes: ['read:org'],
  role: 'organization member',
  refusals: [{ status: 404, advice: 'Outside collaborators have no membership: see “members list ORG --outside”.' }],
  answer: record<OrganizationMembership>(),
});

export const setMembership = endpoint({
  route: `PUT ${membership}`,
  summary: 'Invite a person to an organization, or change a member’s role',
  body: fields({ role: oneOf(['member', 'admin'], 'Role in the organization; admin means owner') }),
  ...ownerAccess,
  refusals: [{ status: 422, advice: 'An organization needs an owner; the number of invitations per day is limited.' }],
  answer: record<OrganizationMembership>(),
});

export const removeMembership = endpoint({
  route: `DELETE ${membership}`,
  summary: 'Remove a person from an organization, or cancel their invitation',
  ...ownerAccess,
  refusals: [{ status: 403, advice: 'The platform keeps the last owner of an organization.' }],
  answer: nothing(),
});

const outsideCollaborator = '/orgs/{org}/outside_collaborators/{username}';

export const convertMember = endpoint({
  route: `PUT ${outsideCollaborator}`,
  summary: 'Make a member an outside collaborator, who keeps only the access to repositories that teams gave',
  ...ownerAccess,
  refusals: [{ status: 403, advice: 'Only members can be converted, and not the last owner.' }],
  answer: nothing(),
});

export const removeOutsideCollaborator = endpoint({
  route: `DELETE ${outsideCollaborator}`,
  summary: 'Remove an outside collaborator from all repositories of an organization',
  ...ownerAccess,
  refusals: [{ status: 422, advice: 'Remove a member without --outside.' }],
  answer: nothing(),
});
