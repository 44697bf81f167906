import { endpoint, list, record } from '../endpoint.ts';
import type { Repository, Team, TeamMember, TeamMembership } from '../records.ts';
import { oneOf } from '../schema.ts';

/** Public platform, About teams: only members of the organization, and classic tokens with read:org. */
const memberAccess = { permission: 'members=read', scopes: ['read:org'], role: 'organization member' } as const;

export const listTeams = endpoint({
  route: 'GET /orgs/{org}/teams',
  summary: 'List the teams of an organization',
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

export const getTeamMembership = endpoint({
  route: 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}',
  summary: 'Show a person’s membership in a team or its child teams; 404 for others',
  ...memberAccess,
  answer: record<TeamMembership>(),
});

export const listTeamRepositories = endpoint({
  route: 'GET /orgs/{org}/teams/{team_slug}/repos',
  summary: 'List the repositories of a team',
  paging: 'page',
  ...memberAccess,
  scopes: ['read:org', 'repo'],
  answer: list<Repository>(),
});
