/** The access that a revocation ends, and what remains of it, as far as at most 20 requests show. */
import type { Session } from '../../cli/command/session.ts';
import type { RepoName } from '../../cli/input/args.ts';
import type { DeletionPreview } from '../../cli/input/prompts/questions.ts';
import { NotFoundError, PermissionError, unlessHidden } from '../../client/errors.ts';
import type { InputOf, PagedEndpoint, RecordOf } from '../../platform/endpoint.ts';
import { getUser } from '../../platform/endpoints/accounts.ts';
import { getMembership } from '../../platform/endpoints/members.ts';
import { getOrganization } from '../../platform/endpoints/orgs.ts';
import { listCollaborators, listRepositoryTeams } from '../../platform/endpoints/repos.ts';
import { getTeam, getTeamMembership, listTeamMembers } from '../../platform/endpoints/teams.ts';
import type { RepositoryInvitation, Team } from '../../platform/records.ts';
import { highestRole, roleOf } from '../../platform/repository-roles.ts';
import { isSameLogin } from '../own-login.ts';
import { accessOf, type GrantedTeam } from './access.ts';
import { namedRepository } from './named.ts';

/** Maximum number of teams whose membership is checked. */
const maxTeams = 12;

/** The first page of a list; undefined if the token may not see it. */
interface FirstPage<T> {
  readonly records: readonly T[];
  readonly more: boolean;
}

async function firstPage<E extends PagedEndpoint>(
  session: Session,
  endpoint: E,
  input: InputOf<E>,
): Promise<FirstPage<RecordOf<E>> | undefined> {
  const listing = await session.list(endpoint, input, { limit: 100 }, {});
  const records = await unlessHidden(listing.records());
  return records && { records, more: listing.more };
}

export const invitationPreview = ({ invitee, permissions, created_at }: RepositoryInvitation): DeletionPreview => ({
  record: { login: invitee?.login, role: permissions, state: 'pending', created_at },
  columns: [
    { header: 'Login', get: 'login', as: 'name' },
    { header: 'Role', get: 'role' },
    { header: 'State', get: 'state', as: 'state' },
    { header: 'Invited', get: 'created_at', as: 'age' },
  ],
});

/** Returns the role of a team, and what remains of it through its parent. */
export async function teamPreview(session: Session, named: RepoName, slug: string): Promise<DeletionPreview> {
  const { owner } = await namedRepository(session, named);
  const org = owner?.login ?? named.owner;
  const [teams, members, organization] = await Promise.all([
    firstPage(session, listRepositoryTeams, { path: { ...named } }),
    firstPage(session, listTeamMembers, { path: { org, team_slug: slug } }),
    unlessHidden(session.call(getOrganization, { path: { org } }, {})),
    // The session compares it after the prompt.
    unlessHidden(session.call(getTeam, { path: { org, team_slug: slug } }, {})),
  ]);
  const teamCalled = (name: string | undefined) => teams?.records.find((team) => isSameLogin(team.slug, name ?? ''));
  const team = teamCalled(slug);
  const parent = teamCalled(team?.parent?.slug);
  const unseen = !teams || (teams.more && !team);
  const children = teams?.records.filter((each) => isSameLogin(each.parent?.slug, slug)).map((each) => each.slug) ?? [];
  return {
    record: {
      team: slug,
      role: team ? roleOf(team.permission) : unseen ? 'unknown' : 'none',
      remains: remainsOf(team, parent, unseen),
      members: members && `${members.records.length}${members.more ? ' or more' : ''}`,
      children: children.join(', ') || undefined,
      base: organization?.default_repository_permission ?? 'unknown',
      uncounted: 'access of its members by other teams, ownership or name',
    },
    columns: [
      { header: 'Team', get: 'team', as: 'name' },
      { header: 'Role', get: 'role' },
      { header: 'Remains by parent team', get: 'remains' },
      { header: 'Members', get: 'members' },
      { header: 'Child teams', get: 'children' },
      { header: 'Base permission', get: 'base' },
      { header: 'Not counted', get: 'uncounted', as: 'text' },
    ],
  };
}

function remainsOf(team: Team | undefined, parent: Team | undefined, unseen: boolean): string {
  if (parent) return `${roleOf(parent.permission)} (team ${parent.slug})`;
  return unseen || (team?.parent && !parent) ? 'unknown' : 'none';
}

/** Returns a person’s role, its other sources, and what remains of it. */
export async function userPreview(session: Session, named: RepoName, login: string): Promise<DeletionPreview> {
  const { owner } = await namedRepository(session, named);
  // The session compares the person after the prompt.
  await unlessHidden(session.call(getUser, { path: { username: login } }, {}));
  const org = owner?.type === 'Organization' ? owner.login : undefined;
  const direct = await firstPage(session, listCollaborators, { path: { ...named }, query: { affiliation: 'direct' } });
  const person = direct?.records.find((each) => isSameLogin(each.login, login));
  const role = person && (person.role_name ?? highestRole(person.permissions));
  const around = org === undefined ? undefined : await surroundings(session, named, { org, login });
  const grants = around
    ? { owners: around.isOwner === undefined ? undefined : new Set(around.isOwner ? [login] : []), ...around }
    : { owners: new Set<string>(), teams: [], base: 'none' };
  const isMember = around?.isMember ?? false;
  const entry = accessOf({ login, role: role ?? 'unknown', isDirect: true, isMember }, grants);
  const others = entry.sources.filter(({ type }) => type !== 'direct');
  const isListed = person !== undefined || direct === undefined || direct.more;
  const hidden = around?.unchecked ?? [];
  return {
    record: {
      login,
      role: role ?? (isListed ? 'unknown' : 'not given to the person by name'),
      others: others.map(
        (source) => `${source.team === null ? names[source.type] : `team ${source.team}`}: ${source.role ?? 'unknown'}`,
      ),
      remains: entry.sources.find(({ type }) => type === 'direct')?.remains ?? 'unknown',
      uncounted: ['forks', 'assigned issues', ...hidden].join(', '),
    },
    columns: [
      { header: 'Login', get: 'login', as: 'name' },
      { header: 'Role', get: 'role' },
      { header: 'Other sources', get: 'others', as: 'text' },
      { header: 'Remains', get: 'remains' },
      { header: 'Not counted', get: 'uncounted', as: 'text' },
    ],
  };
}

const names: Readonly<Record<string, string>> = { owner: 'owner', base: 'base permission' };

interface Surroundings {
  readonly isOwner: boolean | undefined;
  readonly isMember: boolean | undefined;
  readonly teams: readonly GrantedTeam[];
  readonly base: string | undefined;
  /** What the token may not see, or what takes too many requests. */
  readonly unchecked: readonly string[];
}

async function surroundings(
  session: Session,
  named: RepoName,
  { org, login }: { readonly org: string; readonly login: string },
): Promise<Surroundings> {
  const path = { org, username: login };
  const membership = await unlessRefused(session.call(getMembership, { path }, {}));
  const organization = await unlessHidden(session.call(getOrganization, { path: { org } }, {}));
  const listed = await firstPage(session, listRepositoryTeams, { path: { ...named } });
  const teams = await Promise.all(
    (listed?.records ?? []).map(async ({ slug, permission, parent }, at): Promise<GrantedTeam> => {
      const inTeam = { path: { org, team_slug: slug, username: login } };
      const found = at < maxTeams ? await unlessRefused(session.call(getTeamMembership, inTeam, {})) : undefined;
      const logins = found && new Set(found === 'none' ? [] : [login]);
      return { slug, role: roleOf(permission), parent: parent?.slug, logins };
    }),
  );
  const unknown = teams.filter(({ logins }) => !logins).length;
  const isKnown = membership !== undefined;
  const isActive = isKnown && membership !== 'none' && membership.state === 'active';
  const base = organization?.default_repository_permission ?? undefined;
  return {
    isOwner: isKnown ? isActive && membership.role === 'admin' : undefined,
    isMember: isKnown ? isActive : undefined,
    teams:
      listed && !listed.more ? teams : [...teams, { slug: '', role: 'unknown', parent: undefined, logins: undefined }],
    base,
    unchecked: [
      ...(!listed || listed.more
        ? ['other teams']
        : unknown > 0
          ? [`${unknown} ${unknown === 1 ? 'team' : 'teams'}`]
          : []),
      ...(isKnown ? [] : ['ownership']),
      ...(base === undefined ? ['base permission'] : []),
    ],
  };
}

/** Returns a record, `none` where there is none, or undefined if the token may not see it. */
async function unlessRefused<T>(reading: Promise<T>): Promise<T | 'none' | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof NotFoundError) return 'none';
    if (error instanceof PermissionError) return undefined;
    throw error;
  }
}
