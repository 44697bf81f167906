import { endpoint, list, nothing, record } from '../endpoint.ts';
import type { FullTeam, Repository, Team, TeamMember, TeamMembership } from '../records.ts';
import { fields, integer, nullable, oneOf, optional, optionalFields, string, strings } from '../schema.ts';
import { type Given, invalid, type Problem } from '../validate.ts';

/** Public platform, About teams: only members of the organization, and classic tokens with read:org. */
const memberAccess = { permission: 'members=read', scopes: ['read:org'], role: 'organization member' } as const;

/** Public platform, Teams: organization owners and maintainers of the team change it. */
const maintainerAccess = {
  permission: 'members=write',
  scopes: ['write:org'],
  role: 'organization owner or maintainer of the team',
} as const;

const team = '/orgs/{org}/teams/{team_slug}' as const;

const description = string('Description of the team', { mayBeEmpty: true });
const privacy = 'Who sees the team: closed for all members of the organization, secret for its own members and owners';
const privacies = ['closed', 'secret'] as const;
const notifications = oneOf(
  ['notifications_enabled', 'notifications_disabled'],
  'Whether members are notified when the team is mentioned',
);
const parent = integer('ID of the parent team', { min: 1 });
const parentSlug = string('Slug of the parent team; ignored beside its ID');

/** Public platform, Teams: a child team is closed, “visible to all members of this organization”. */
function nestedIsClosed({ privacy: given, parent_team_id: id, parent_team_slug: slug }: Given): Problem[] {
  if (given !== 'secret' || (id ?? slug ?? null) === null) return [];
  return [invalid('privacy', 'must be closed for a team with a parent')];
}

export const listTeams = endpoint({
  route: 'GET /orgs/{org}/teams',
  summary: 'List the teams of an organization',
  paging: 'page',
  ...memberAccess,
  answer: list<Team>(),
});

export const getTeam = endpoint({
  route: `GET ${team}`,
  summary: 'Show a team',
  ...memberAccess,
  answer: record<FullTeam>(),
});

export const createTeam = endpoint({
  route: 'POST /orgs/{org}/teams',
  summary: 'Create a team',
  body: fields({
    name: string('Team name; its slug follows from it'),
    description: optional(description),
    privacy: optional(oneOf(privacies, `${privacy} (default: secret; closed with a parent)`)),
    notification_setting: optional(notifications),
    parent_team_id: optional(parent),
    parent_team_slug: optional(parentSlug),
    maintainers: optional(strings('Logins of members who become maintainers, besides the token’s owner')),
    repo_names: optional(strings('Repositories that the team gets access to (OWNER/NAME)')),
    ldap_dn: optional(string('Distinguished name of the LDAP group that manages the members')),
  }),
  rules: [nestedIsClosed],
  permission: 'members=write',
  scopes: ['write:org'],
  role: 'organization member',
  refusals: [
    { status: 403, advice: 'The organization may let only owners create teams.' },
    { status: 422, advice: 'Names are unique in an organization, and parents are closed.' },
  ],
  status: 201,
  answer: record<FullTeam>(),
});

export const updateTeam = endpoint({
  route: `PATCH ${team}`,
  summary: 'Update a team, rename it, or give it another parent',
  body: optionalFields({
    name: string('New name; the slug changes, too'),
    description,
    privacy: oneOf(privacies, privacy),
    notification_setting: notifications,
    parent_team_id: nullable(parent),
    parent_team_slug: nullable(parentSlug),
  }),
  rules: [nestedIsClosed],
  ...maintainerAccess,
  refusals: [{ status: 422, advice: 'A team cannot be its own ancestor; parents and children are closed.' }],
  // 200 if nothing has changed.
  status: 201,
  answer: record<FullTeam>(),
});

export const deleteTeam = endpoint({
  route: `DELETE ${team}`,
  summary: 'Delete a team, with its child teams if an owner does',
  ...maintainerAccess,
  answer: nothing(),
});

export const listChildTeams = endpoint({
  route: `GET ${team}/teams`,
  summary: 'List the child teams of a team',
  paging: 'page',
  ...memberAccess,
  answer: list<Team>(),
});

export const listTeamMembers = endpoint({
  route: 'GET /orgs/{org}/teams/{team_slug}/members',
  summary: 'List the members of a team and its child teams',
  query: {
    role: oneOf(['member', 'maintainer', 'all'], 'Filter by role in the team', { default: 'all' }),
  },
  paging: 'page',
  ...memberAccess,
  answer: list<TeamMember>(),
});

const membership = `${team}/memberships/{username}` as const;

/** Public platform, Team members: 403 for teams whose members an identity provider manages. */
const managed = {
  status: 403,
  advice: 'The members of a team that an identity provider manages are changed there.',
} as const;

export const getTeamMembership = endpoint({
  route: `GET ${membership}`,
  summary: 'Show a person’s membership in a team or its child teams; 404 for others',
  ...memberAccess,
  answer: record<TeamMembership>(),
});

export const setTeamMembership = endpoint({
  route: `PUT ${membership}`,
  summary: 'Add a person to a team, or change their role in it',
  body: optionalFields({ role: oneOf(['member', 'maintainer'], 'Role in the team', { default: 'member' }) }),
  ...maintainerAccess,
  refusals: [managed],
  answer: record<TeamMembership>(),
});

export const removeTeamMembership = endpoint({
  route: `DELETE ${membership}`,
  summary: 'Remove a person from a team, or cancel a pending membership',
  ...maintainerAccess,
  refusals: [managed],
  answer: nothing(),
});

export const listTeamRepositories = endpoint({
  route: 'GET /orgs/{org}/teams/{team_slug}/repos',
  summary: 'List the repositories of a team',
  paging: 'page',
  ...memberAccess,
  scopes: ['read:org', 'repo'],
  answer: list<Repository>(),
});
