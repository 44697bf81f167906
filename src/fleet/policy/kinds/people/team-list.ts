/** The teams of an organization and their own members, as they are and as policies declare them. */
import * as v from 'valibot';
import { getTeam, getTeamMembership, listTeamMembers, listTeams } from '../../../../platform/endpoints/teams.ts';
import type { FullTeam, Team, TeamMember, TeamMembership } from '../../../../platform/records.ts';
import type { Given } from '../../../../platform/validate.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import type { Wanted } from '../../wanted/model.ts';
import type { Placed } from '../../wanted/placed.ts';
import type { Login } from './logins.ts';
import { slugOfTeam } from './team-names.ts';

export interface TeamName {
  readonly name: string;
  readonly was?: readonly string[] | undefined;
}

/** A person whom a policy declares in a team. */
export interface WantedTeammate extends Login {
  readonly role: 'maintainer' | 'member';
  readonly place: Placed['place'];
}

/** The keys of the lists of people, with their roles. */
export const rolesInTeam = { maintainers: 'maintainer', members: 'member' } as const;

export interface WantedTeam extends TeamName, Wanted {
  /** The fields of the team in the form of policies. */
  readonly body: Placed<Given>;
  /** Undefined if the policy does not declare the members. */
  readonly people: readonly WantedTeammate[] | undefined;
}

export interface LiveTeam extends TeamName {
  readonly id: number;
  readonly slug: string;
  /** The slug of the parent. */
  readonly parent: string | null;
  readonly parentId: number | null;
  /** True if an identity provider manages the members; undefined if the record does not say so, as those of lists do not. */
  readonly isManaged?: boolean | undefined;
  /** The fields of the team in the form of policies. */
  readonly body: Given;
}

const shapeOfTeam = {
  id: v.number(),
  name: v.string(),
  slug: v.string(),
  description: v.optional(v.nullable(v.string())),
  privacy: v.optional(v.string()),
  notification_setting: v.optional(v.string()),
};

/** The parent of a team: without its slug, a child team would count as one without a parent. */
export const parentShape = v.optional(v.nullable(v.object({ id: v.number(), slug: v.string() }))) as v.GenericSchema<
  unknown,
  Team['parent']
>;

const listed = checked(listTeams, shape<Team>({ ...shapeOfTeam, parent: parentShape }));
const read = checked(getTeam, shape<FullTeam>({ ...shapeOfTeam, parent: parentShape }));
const memberOf = checked(
  listTeamMembers,
  shape<TeamMember>({
    id: v.number(),
    login: v.string(),
    role: v.optional(v.string()),
    inherited: v.optional(v.boolean()),
  }),
);

/** Reads a membership in a team or its child teams. */
export const teamMembership = checked(getTeamMembership, shape<TeamMembership>({ role: v.string() }));

/** Lists the teams of an organization. */
export async function teamsIn(reader: Reader, org: string): Promise<Reading<readonly LiveTeam[]>> {
  const all = await reader.list(listed, { path: { org } });
  return 'unreadable' in all ? all : { value: all.value.map(liveTeam) };
}

/** Reads a team by its slug; undefined if there is none. */
export async function teamNamed(reader: Reader, org: string, slug: string): Promise<Reading<LiveTeam | undefined>> {
  const found = await reader.find(read, { path: { org, team_slug: slug } });
  return 'unreadable' in found ? found : { value: found.value && liveTeam(found.value) };
}

export function liveTeam(team: Team | FullTeam): LiveTeam {
  const { id, name, slug, description, privacy, notification_setting: setting, ldap_dn } = team;
  const parent = team.parent?.slug ?? null;
  const body = {
    name,
    description: description ?? '',
    ...(privacy !== undefined && { privacy }),
    ...(team.parent !== undefined && { parent }),
    ...(setting !== undefined && { notifications: setting === notificationSettings.on }),
  };
  const isManaged = ldap_dn === undefined ? undefined : Boolean(ldap_dn);
  return { id, name, slug, parent, parentId: team.parent?.id ?? null, isManaged, body };
}

export const notificationSettings = { on: 'notifications_enabled', off: 'notifications_disabled' } as const;

/** Returns the live team of a declared one: by the slug of its name, or else of its earlier names. */
export function teamOf({ name, was = [] }: TeamName, teams: readonly LiveTeam[]): LiveTeam | undefined {
  const slugs = [name, ...was].map(slugOfTeam);
  return slugs.flatMap((each) => teams.find(({ slug }) => slug === each) ?? [])[0];
}

/** A member of a team itself, not only of a child team. */
export interface Teammate extends Login {
  readonly id: number;
  readonly role: string;
}

/** Lists the own members of a team. */
export async function teammatesIn(
  reader: Reader,
  org: string,
  slug: string,
): Promise<Reading<readonly Teammate[]> & { readonly isNotFound?: true }> {
  const all = await reader.list(memberOf, { path: { org, team_slug: slug } });
  if ('unreadable' in all) return all;
  if (all.value.some(({ role }) => role === undefined))
    return { unreadable: `the platform does not list the roles of the members of ${slug}` };
  const own = all.value.filter(({ inherited }) => inherited !== true);
  return { value: own.map(({ id, login, role }) => ({ id, name: login, role: String(role) })) };
}
