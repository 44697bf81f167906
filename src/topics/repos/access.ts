/** The sources of people’s roles in a repository. */
import { asText } from '../../json/exact-json.ts';
import { isBaseRole, outranks } from '../../platform/repository-roles.ts';

/** One source of a role. */
export interface AccessSource {
  type: 'owner' | 'team' | 'direct' | 'base';
  /** The team’s slug; null for the other types. */
  team: string | null;
  /** The child teams that make the person a member, their own first; null if they are not visible. */
  through: string[] | null;
  /** The role that it grants; null if unknown. */
  role: string | null;
  /** The role that remains without it, “none” for no access; null if unknown. */
  remains: string | null;
}

/** A person with access to a repository. */
export interface AccessEntry {
  login: string;
  role: string;
  sources: AccessSource[];
  /** True if there may be other sources, which the token cannot see. */
  incomplete?: boolean;
  /** True for an invited person, who has no access yet. */
  pending?: boolean;
}

/** A team with access to a repository. */
export interface GrantedTeam {
  readonly slug: string;
  readonly role: string;
  /** The slug of the team that it is part of. */
  readonly parent: string | undefined;
  /** Undefined if they cannot be listed. */
  readonly logins: ReadonlySet<string> | undefined;
  /** Those of `logins` who are members only through a child team, if that is known. */
  readonly inherited?: ReadonlySet<string>;
}

/** What grants access to a repository, besides grants to people. */
export interface Grants {
  /** Undefined if they cannot be listed. */
  readonly owners: ReadonlySet<string> | undefined;
  readonly teams: readonly GrantedTeam[];
  /** The role of every member of the organization; undefined if unknown. */
  readonly base: string | undefined;
}

interface Person {
  readonly login: string;
  readonly role: string;
  readonly isDirect: boolean;
  readonly isMember: boolean;
}

type Way = Pick<AccessSource, 'type' | 'team' | 'through' | 'role'>;

/** Returns every source of a person’s role, and the role that remains without each. */
export function accessOf({ login, role, isDirect, isMember }: Person, { owners, teams, base }: Grants): AccessEntry {
  const inherited = [
    ...(owners?.has(login) ? [way('owner', 'admin')] : []),
    ...teams
      .filter(({ logins }) => logins?.has(login))
      .map((team): Way => ({ ...way('team', team.role), team: team.slug, through: through(login, team, teams) })),
    ...(isMember && base !== undefined && base !== 'none' ? [way('base', base)] : []),
  ];
  const isHidden = !owners || (isMember && base === undefined) || teams.some(({ logins }) => !logins);
  const incomplete = isHidden || (!isDirect && highest(role, inherited) !== role);
  const direct = isDirect ? [way('direct', directRole(role, inherited, incomplete))] : [];
  const ways = [...inherited, ...direct];
  const sources = ways.map((each) => {
    const others = ways.filter((other) => other !== each).map((other) => withoutTeam(each, other, teams));
    return { ...each, remains: remaining(role, others, incomplete) };
  });
  return { login, role, sources, ...(incomplete && { incomplete }) };
}

/** A record of another shape may have no text as its role. */
const way = (type: Way['type'], role: string | null): Way => ({
  type,
  team: null,
  through: [],
  role: role && asText(role),
});

function through(login: string, { slug, inherited }: GrantedTeam, teams: readonly GrantedTeam[]): string[] | null {
  if (!inherited?.has(login)) return [];
  const child = teams.find(({ parent, logins }) => parent === slug && logins?.has(login));
  const below = child && through(login, child, teams);
  return child && below ? [...below, child.slug] : null;
}

/** The platform reports only the highest role of a person, which a direct grant may have or not. */
function directRole(role: string, inherited: readonly Way[], incomplete: boolean): string | null {
  if (inherited.length === 0 && !incomplete) return role;
  const isCertain = role === 'read' || (!incomplete && highest(role, inherited) !== role);
  return isCertain ? role : null;
}

/** Returns a source as it is without the first: a team may have its role from a team that it is part of, but no higher one. */
function withoutTeam(removed: Way, other: Way, teams: readonly GrantedTeam[]): Way {
  const parentOf = (slug: string | null | undefined) => teams.find((team) => team.slug === slug)?.parent;
  for (let parent = parentOf(other.team); parent !== undefined; parent = parentOf(parent))
    if (parent === removed.team)
      return outranks(asText(other.role), asText(removed.role)) ? other : { ...other, role: null };
  return other;
}

/** Returns the role that the sources amount to; null if unknown. No source exceeds the role of the person. */
function remaining(role: string, sources: readonly Way[], incomplete: boolean): string | null {
  const best = highest(role, sources);
  const isCertain = best === role || (!incomplete && sources.every((each) => each.role !== null));
  return isCertain ? best : null;
}

/**
 * Returns the highest known role, which is at most the role of the person; null if custom roles, which have no rank, are
 * among several.
 */
function highest(most: string, sources: readonly Way[]): string | null {
  const roles = [...new Set(sources.flatMap((each) => each.role ?? []))];
  if (roles.includes(most)) return most;
  if (roles.length > 1 && !roles.every(isBaseRole)) return null;
  return roles.reduce((best, role) => (best === 'none' || outranks(role, best) ? role : best), 'none');
}
