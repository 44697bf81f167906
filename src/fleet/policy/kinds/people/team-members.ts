/** The members of teams. The section `teams` declares them. Owners of the organization are maintainers of their teams. */

import { getUser } from '../../../../platform/endpoints/accounts.ts';
import {
  getTeam,
  getTeamMembership,
  listTeamMembers,
  removeTeamMembership,
  setTeamMembership,
} from '../../../../platform/endpoints/teams.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { effectRows } from '../../live/effects.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import { declaredElsewhere } from '../elsewhere.ts';
import type { KindDeclaration, Live } from '../kind.ts';
import { hasOnlyRole, isSameLogin, type Login } from './logins.ts';
import { teamMembership, teammatesIn, teamNamed } from './team-list.ts';
import { TeamMembersPlan } from './team-members-plan.ts';
import { slugOfTeam } from './team-names.ts';

export const teamMembers: KindDeclaration = {
  ...declaredElsewhere('team_member', 'team members'),
  name: 'team_member',
  targets: ['organization'],
  actions: ['create', 'update', 'delete'],
  ids: 'never',
  // Slugs have no capitals: guards count the members of each.
  isNamed: ({ name, body }) => /^[^/\p{Lu}]+\/[^/]+$/u.test(name) && hasOnlyRole(body),
  takesAccess: ({ action, effect }) => action === 'delete' || effect === 'tightens',
  standsAlone: true,
  nameBefore,
  peopleIn: (change) => {
    const { team_slug: team, username: user } = partsOf(change);
    return { team, user };
  },
  reads: [listTeamMembers.route, getTeamMembership.route, getTeam.route, getUser.route],
  writes: [setTeamMembership.route, removeTeamMembership.route],
  plan: (wanted, readings) => new TeamMembersPlan(teamMembers, wanted, readings).changes(),
  live: readTeammate,
  request(change) {
    const { action, target: org, body } = change;
    const path = { org, ...partsOf(change) };
    return action === 'delete'
      ? { endpoint: removeTeamMembership, input: { path } }
      : { endpoint: setTeamMembership, input: { path, ...(body && { body }) } };
  },
  kept: (_change, { role }) => ({ role }),
  comparison: () => ({}),
  effects: effectRows({
    'maintainer < member': { role: 'The role that this user should have in the team.' },
  }),
  creation: () => 'loosens',
  deletion: 'tightens',
  guardedFrom: 3,
  scopeOf: (change) => `${partsOf(change).team_slug} in ${change.target}`,
  listed: listTeammates,
  export: async () => [],
};

/** Returns the slug of the team and the login of a change. */
function partsOf({ name }: Pick<PlannedChange, 'name'>) {
  const [team_slug = '', username = ''] = name.split('/');
  return { team_slug, username };
}

function nameBefore(change: PlannedChange, made: readonly PlannedChange[]): string | undefined {
  const { team_slug: slug, username } = partsOf(change);
  const team = made.find(
    ({ kind, action, name }) => kind === 'team' && action !== 'delete' && slugOfTeam(name) === slug,
  );
  if (team?.action === 'create') return undefined;
  const earlier = team?.before?.name;
  return typeof earlier === 'string' ? `${slugOfTeam(earlier)}/${username}` : change.name;
}

/**
 * Lists the own members of the team of deletions, which its ID identifies: the plan may rename it, and give its name to another.
 * A team that the plan creates has none.
 */
async function listTeammates(
  org: string,
  reader: Reader,
  deletions: readonly PlannedChange[],
  plan: readonly PlannedChange[],
): Promise<Reading<readonly Login[]>> {
  const [slug = '', ...otherSlugs] = new Set(deletions.map((change) => partsOf(change).team_slug));
  const [id, ...otherIds] = new Set(deletions.map(({ team_id }) => team_id));
  const renames = plan.filter(
    ({ kind, action, name }) => kind === 'team' && action === 'update' && slugOfTeam(name) === slug,
  );
  const isUnclear = otherSlugs.length + otherIds.length > 0 || (id === undefined && renames.length > 0);
  if (isUnclear) return { unreadable: `which team is ${slug}` };
  const earlier = renames.flatMap(({ before, between }) => [before?.name, between?.name]);
  const slugs = new Set([slug, ...earlier.filter((name) => typeof name === 'string').map(slugOfTeam)]);
  for (const each of slugs) {
    const team = await teamNamed(reader, org, each);
    if ('unreadable' in team) return team;
    if (!team.value || (id !== undefined && team.value.id !== id)) continue;
    const listed = await teammatesIn(reader, org, each);
    if ('unreadable' in listed) return listed;
    return { value: listed.value.map(({ name }) => ({ name: `${slug}/${name}` })) };
  }
  return { value: [] };
}

/** Reads the membership of a change. Members of child teams are no members of the team itself, which only lists show. */
async function readTeammate(change: Step, reader: Reader): Promise<Live> {
  const { target: org, action, before, sent } = change;
  const { team_slug: slug, username } = partsOf(change);
  const read = await reader.find(teamMembership, { path: { org, team_slug: slug, username } });
  if ('unreadable' in read) return read;
  if (!read.value) return { value: undefined };
  const { role, state } = read.value;
  // A pending membership may be that of a child team, and adding somebody twice does no harm.
  if (state === 'pending' && action === 'create') return { value: undefined };
  if (state === 'pending' || (before && !sent)) return { value: { role } };
  const own = await teammatesIn(reader, org, slug);
  if ('unreadable' in own) return own;
  return { value: own.value.some(({ name }) => isSameLogin(name, username)) ? { role } : undefined };
}
