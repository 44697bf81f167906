/** Who was given access to a repository: teams, people, and people with a pending invitation. */
import * as v from 'valibot';
import { listInvitations } from '../../../../platform/endpoints/grants.ts';
import { listCollaborators, listRepositoryTeams } from '../../../../platform/endpoints/repos.ts';
import type { Actor, Collaborator, RepositoryInvitation, Team } from '../../../../platform/records.ts';
import { highestRole, outranks, roleOf } from '../../../../platform/repository-roles.ts';
import type { PlannedChange } from '../../live/change.ts';
import type { OwnerReadings } from '../../live/owner-readings.ts';
import { checked, shape } from '../../live/record-shapes.ts';
import type { Reader, Reading } from '../../live/requests.ts';
import type { Wanted } from '../../wanted/model.ts';
import type { Placed } from '../../wanted/placed.ts';
import { pathOf } from '../../wanted/target.ts';
import type { Listed, PlannedList, Refusal } from '../object-declaration.ts';
import { directoryOf } from './directory.ts';
import { isSameLogin } from './logins.ts';
import { parentShape } from './team-list.ts';
import { newSlugs, slugOfTeam } from './team-names.ts';

/** `team:SLUG` or `user:LOGIN`. */
export interface GranteeName {
  readonly name: string;
}

export interface WantedGrant extends GranteeName, Wanted {
  readonly body: Placed<{ readonly role: string }>;
}

export interface LiveGrant extends GranteeName {
  /** The ID of the team or the person, or `invitation:ID`. */
  readonly id: number | string;
  /** Absent for somebody who was not given access. */
  readonly role?: string;
  /** True for what was given to the team or the person itself. */
  readonly isOwn?: true;
  /** For a team: the slug of its parent. */
  readonly parent?: string | undefined;
  /** For a team with a role of its parent: what it inherits once the policy is applied. */
  readonly inheritedLater?: string | undefined;
  /** For a person: the slugs of the teams that give the same role, and will once the policy is applied. */
  readonly teams?: readonly string[];
  /** Why access cannot be planned. */
  readonly refused?: Refusal;
}

/** The keys of the section, with the types of their grantees. */
export const granteeTypes = { teams: 'team', users: 'user' } as const;

/** Returns the type and the slug or login of a grantee. */
export function granteeIn({ name }: GranteeName): { readonly type: string; readonly called: string } {
  const end = name.indexOf(':');
  return { type: name.slice(0, end), called: name.slice(end + 1) };
}

const text = v.string();
const teamOfRepository = checked(
  listRepositoryTeams,
  shape<Team>({ id: v.number(), slug: text, permission: text, parent: parentShape }),
);
const collaborator = checked(
  listCollaborators,
  shape<Collaborator>({ id: v.number(), login: text, role_name: v.optional(text) }),
);
const invitation = checked(
  listInvitations,
  shape<Omit<RepositoryInvitation, 'invitee'> & { readonly invitee: Pick<Actor, 'id' | 'login'> | null }>({
    id: v.number(),
    permissions: text,
    expired: v.optional(v.boolean()),
    invitee: v.nullable(v.object({ id: v.number(), login: text })),
  }),
);

const repositoryOf = (target: string) => pathOf(target) as { readonly owner: string; readonly repo: string };

/** Lists the teams with access. A team has at least the role of its parent. */
export async function teamGrants(target: string, reader: Reader): Promise<Reading<readonly LiveGrant[]>> {
  const read = await reader.list(teamOfRepository, { path: repositoryOf(target) });
  if ('unreadable' in read) return read;
  const roles = new Map(read.value.map(({ slug, permission }) => [slug, permission]));
  return {
    value: read.value.map(({ id, slug, permission, parent }) => {
      const isInherited = parent && roles.get(parent.slug) === permission;
      const common = { id, name: `team:${slug}`, role: roleOf(permission), parent: parent?.slug };
      return isInherited ? common : { ...common, isOwn: true };
    }),
  };
}

/** Lists the people who were given access, with the highest role that they have from any source. */
async function personalGrants(target: string, reader: Reader): Promise<Reading<readonly LiveGrant[]>> {
  const read = await reader.list(collaborator, { path: repositoryOf(target), query: { affiliation: 'direct' } });
  if ('unreadable' in read) return read;
  return {
    value: read.value.map(({ id, login, role_name: role, permissions }) => {
      return { id, name: `user:${login}`, role: role ?? highestRole(permissions), isOwn: true };
    }),
  };
}

/** Lists the pending invitations. */
export async function invitationsTo(target: string, reader: Reader): Promise<Reading<readonly LiveGrant[]>> {
  const read = await reader.list(invitation, { path: repositoryOf(target) });
  if ('unreadable' in read) return read;
  return {
    value: read.value.flatMap(({ id, invitee, permissions, expired }) =>
      invitee && !expired
        ? [{ id: `invitation:${id}`, userId: invitee.id, name: `user:${invitee.login}`, role: roleOf(permissions) }]
        : [],
    ),
  };
}

/**
 * Lists the grants of a repository. For a plan, lists declared people who were not given access as well, with their
 * invitations, and if it manages access, all other invitations.
 */
export async function listGrants(
  target: string,
  reader: Reader,
  planned?: PlannedList<GranteeName>,
): Promise<Listed<LiveGrant>> {
  const teams = await teamGrants(target, reader);
  if ('unreadable' in teams) return teams;
  const people = await personalGrants(target, reader);
  if ('unreadable' in people) return people;
  if (!planned) return { value: [...teams.value, ...people.value] };
  const later = rolesLater(planned);
  const named = withLaterNames(teams.value, planned.ofOwner);
  const inherited = rolesInherited(later, named);
  const lasting = named.filter((team) => later(team) === team.role);
  const byRole = Map.groupBy(lasting, ({ role }) => role);
  // Memberships are read by the slugs of today.
  const slugs = new Map(teams.value.map((team) => [team.id, granteeIn(team).called]));
  const teamsByRole = new Map([...byRole].map(([role, those]) => [role, those.map(({ id }) => slugs.get(id) ?? '')]));
  const listed = [
    ...named.map((team) => (team.isOwn ? team : { ...team, inheritedLater: inherited(team) })),
    ...people.value.map((person) => ({ ...person, teams: teamsByRole.get(person.role) ?? [] })),
    // A new repository has no list: there the plan of each grant asks the same.
    ...planned.keys.flatMap((key): readonly LiveGrant[] => {
      const refused = whyRenamed(key, planned.ofOwner);
      return refused ? [{ id: key.name, name: key.name, refused }] : [];
    }),
  ];
  const missing = planned.keys.filter((key) => granteeIn(key).type === 'user' && !grantOf(key, listed));
  if (missing.length === 0 && !planned.isManaged) return { value: listed };
  const invited = await invitationsTo(target, reader);
  const others = await Promise.all(missing.map((key) => unlisted(key, invited, planned.readings)));
  const value = [...listed, ...others.flat()];
  if (!planned.isManaged) return { value };
  if ('unreadable' in invited) return { value, incomplete: invited.unreadable };
  const known = new Set(value.map(({ name }) => name.toLowerCase()));
  const undeclared = invited.value.filter(({ name }) => !known.has(name.toLowerCase()));
  return { value: [...value, ...undeclared.map((grant) => ({ ...grant, isOwn: true }) as const)] };
}

/** Returns the grants of teams with the names that planned changes of their organization give these teams and their parents. */
function withLaterNames(teams: readonly LiveGrant[], ofOwner: readonly PlannedChange[]): readonly LiveGrant[] {
  const renamed = new Map(
    ofOwner.flatMap(({ kind, action, id, body }): readonly (readonly [unknown, string])[] =>
      kind === 'team' && action === 'update' && typeof body.name === 'string' ? [[id, slugOfTeam(body.name)]] : [],
    ),
  );
  if (renamed.size === 0) return teams;
  const slugs = new Map(teams.map((team) => [granteeIn(team).called, renamed.get(team.id) ?? granteeIn(team).called]));
  const laterOf = (slug: string | undefined) => (slug === undefined ? undefined : (slugs.get(slug) ?? slug));
  return teams.map((team) => ({
    ...team,
    name: `team:${laterOf(granteeIn(team).called)}`,
    parent: laterOf(team.parent),
  }));
}

/** Returns why the access of a team cannot be planned by its slug, which the policy changes; undefined if it stays. */
export function whyRenamed(key: GranteeName, ofOwner: readonly PlannedChange[]): Refusal | undefined {
  const { type, called } = granteeIn(key);
  const renamed = type === 'team' ? newSlugs(ofOwner).get(called.toLowerCase()) : undefined;
  return renamed === undefined
    ? undefined
    : { action: 'unresolved', reason: `the policy renames this team to “${renamed}”` };
}

type RoleLater = (team: LiveGrant) => string | undefined;

/** Returns a function that returns the role of a team itself once a policy is applied; undefined for none. */
function rolesLater({ keys, isManaged }: PlannedList<GranteeName>): RoleLater {
  return (team) => {
    const key = keys.find(({ name }) => isSameLogin(name, team.name)) as Partial<Wanted> | undefined;
    if (!key) return isManaged ? undefined : team.role;
    return (key.body?.value as { readonly role?: string } | undefined)?.role;
  };
}

/**
 * Returns a function that returns the highest role that a team inherits once a policy is applied. Each team is looked at
 * once, also if it is its own ancestor.
 */
function rolesInherited(later: RoleLater, teams: readonly LiveGrant[]): RoleLater {
  const bySlug = new Map(teams.map((team) => [granteeIn(team).called, team]));
  const aboveOf = ({ parent }: LiveGrant) => (parent === undefined ? undefined : bySlug.get(parent));
  const known = new Map<LiveGrant, string | undefined>();
  return (team) => {
    const path: LiveGrant[] = [];
    for (let at: LiveGrant | undefined = team; at && !known.has(at); at = aboveOf(at)) {
      path.push(at);
      known.set(at, undefined);
    }
    for (const each of path.toReversed()) {
      const found = aboveOf(each);
      const [own, above] = found ? [later(found), known.get(found)] : [];
      known.set(each, own === undefined || (above !== undefined && outranks(above, own)) ? above : own);
    }
    return known.get(team);
  };
}

export const grantOf = ({ name }: GranteeName, grants: readonly LiveGrant[]): LiveGrant | undefined =>
  grants.find((grant) => isSameLogin(grant.name, name));

/** Returns a declared person who was not given access: invited, without access, or unknown. */
async function unlisted(
  key: GranteeName,
  invited: Reading<readonly LiveGrant[]>,
  readings: OwnerReadings,
): Promise<readonly LiveGrant[]> {
  const { name } = key;
  if ('unreadable' in invited)
    return [{ id: name, name, refused: { action: 'unreadable', reason: invited.unreadable } }];
  const pending = grantOf(key, invited.value);
  if (pending) return [pending];
  if (!('body' in key)) return [];
  const { id, refused } = await (await directoryOf(readings)).person(granteeIn(key).called);
  return [{ id, name, ...(refused && { refused }) }];
}

/** Reads the grant of a change; undefined if there is none. */
export async function readGrant(
  key: GranteeName,
  target: string,
  reader: Reader,
): Promise<Reading<LiveGrant | undefined>> {
  const lists = granteeIn(key).type === 'team' ? [teamGrants] : [personalGrants, invitationsTo];
  for (const list of lists) {
    const read = await list(target, reader);
    if ('unreadable' in read) return read;
    const found = grantOf(key, read.value);
    if (found) return { value: found };
  }
  return { value: undefined };
}
