import * as endpoints from '../../platform/endpoints/teams.ts';
import { invalid } from '../../platform/validate.ts';
import type { Caller } from '../callers.ts';
import { listing, mapped } from '../paging.ts';
import type { SandboxPlatform } from '../platform.ts';
import { forbidden, found, notFound, unprocessable, validationFailed } from '../refusals.ts';
import { Reply } from '../replies.ts';
import { hasRole, isVisible, userOf } from '../roles.ts';
import { type App, route } from '../route.ts';
import { isoSeconds, type OrganizationState, type User } from '../state/accounts.ts';
import type { RepositoryState } from '../state/repositories.ts';
import { roleName } from '../state/repository-roles.ts';
import {
  ancestorsOf,
  childrenOf,
  createTeam,
  deleteTeam,
  membershipsIn,
  removeFromTeam,
  saveTeam,
  setTeamGrant,
  setTeamRole,
  type TeamState,
  teamsOf,
  teamsOfRepository,
} from '../state/teams.ts';
import { actorView } from '../views/actor.ts';
import { repositoryView } from '../views/repository.ts';
import { fullTeamView, permissionsUpTo, teamView } from '../views/team.ts';

export function mountTeams(app: App): void {
  mountTeamRecords(app);
  mountTeamMembers(app);
  mountTeamRepositories(app);
}

function mountTeamRecords(app: App): void {
  route(app, endpoints.listTeams, ({ platform, organization, caller }) =>
    teamsOf(platform, organization)
      .filter((team) => isShown(platform, caller, team))
      .map((team) => teamView(platform, team)),
  );

  route(app, endpoints.getTeam, (call) => fullTeamView(call.platform, findTeam(call), call.caller));

  route(app, endpoints.listChildTeams, (call) =>
    childrenOf(call.platform, findTeam(call)).map((team) => teamView(call.platform, team)),
  );

  route(app, endpoints.createTeam, ({ platform, organization, caller, body }) => {
    const { name, description, notification_setting = 'notifications_enabled', ldap_dn } = body;
    const maintainers = (body.maintainers ?? []).map((login) => memberNamed(platform, organization, login));
    const repositories = (body.repo_names ?? []).map((each) => repositoryNamed(platform, organization, each));
    const now = isoSeconds(platform.clock());
    const parent_id = parentIn(platform, organization, body, null);
    const draft = {
      ...{ organization, name, slug: slugOf(name), description: description || null, notification_setting },
      parent_id,
      privacy: body.privacy ?? (parent_id === null ? ('secret' as const) : ('closed' as const)),
      ...(ldap_dn !== undefined && { ldap_dn }),
      ...{ created_at: now, updated_at: now },
    };
    refuseBadTeam(platform, { id: 0, ...draft });
    const team = createTeam(platform, draft);
    // Public platform, Create a team: “you automatically become a team maintainer”.
    const creator = userOf(platform, caller);
    for (const user of [...(creator ? [creator] : []), ...maintainers]) setTeamRole(platform, team, user, 'maintainer');
    for (const repository of repositories) setTeamGrant(platform, repository, team, 'pull');
    return fullTeamView(platform, team, caller);
  });

  route(app, endpoints.updateTeam, (call) => {
    const { platform, caller, body } = call;
    const team = findMaintained(call);
    const { parent_team_id: _id, parent_team_slug: _slug, description = team.description, ...fields } = body;
    const parent_id = parentIn(platform, call.organization, body, team.parent_id);
    const changed = {
      ...team,
      ...fields,
      description: description || null,
      parent_id,
      slug: slugOf(body.name ?? team.name),
    };
    if (Object.entries(changed).every(([name, value]) => team[name as keyof TeamState] === value))
      return new Reply(200, fullTeamView(platform, team, caller));
    refuseBadTeam(platform, changed);
    const saved = { ...changed, updated_at: isoSeconds(platform.clock()) };
    saveTeam(platform, saved);
    return fullTeamView(platform, saved, caller);
  });

  route(app, endpoints.deleteTeam, (call) => {
    const { platform, organization, caller } = call;
    const team = findMaintained(call);
    if (childrenOf(platform, team).length && !hasRole(platform, caller, organization, 'owner'))
      throw forbidden('Only owners can delete a team with child teams.');
    deleteTeam(platform, team);
  });
}

function mountTeamMembers(app: App): void {
  route(app, endpoints.listTeamMembers, (call) =>
    membershipsIn(call.platform, findTeam(call))
      .filter(({ state }) => state === 'active')
      .filter(({ role }) => (call.query.role ?? 'all') === 'all' || role === call.query.role)
      .map(({ user, role, inherited }) => ({ ...actorView(call.platform, user), role, inherited })),
  );

  route(app, endpoints.getTeamMembership, (call) => membershipView(call.platform, findTeam(call), userIn(call)));

  route(app, endpoints.setTeamMembership, (call) => {
    const { platform, organization, caller, path, body } = call;
    const team = findMaintained(call);
    if (platform.accounts.organization(path.username))
      throw unprocessable('Cannot add an organization as a member.', [
        { resource: 'TeamMember', code: 'org', field: 'user' },
      ]);
    const user = userIn(call);
    refuseManaged(team);
    if (!platform.accounts.membershipOf(user, organization)) {
      if (!hasRole(platform, caller, organization, 'owner'))
        throw forbidden('Only owners can add somebody who is not a member of the organization.');
      platform.accounts.setMembership(user, organization, 'member');
    }
    setTeamRole(platform, team, user, body.role ?? 'member');
    return membershipView(platform, team, user);
  });

  route(app, endpoints.removeTeamMembership, (call) => {
    const team = findMaintained(call);
    const user = userIn(call);
    refuseManaged(team);
    if (!removeFromTeam(call.platform, team, user)) throw notFound();
  });
}

function mountTeamRepositories(app: App): void {
  route(app, endpoints.listTeamRepositories, (call) => {
    const { platform, organization, caller } = call;
    const { id } = findTeam(call);
    const reached = platform.repositories
      .all(organization)
      .filter((repository) => isVisible(platform, caller, repository))
      .flatMap((repository) => {
        const access = teamsOfRepository(platform, repository).find(({ team }) => team.id === id);
        return access ? [{ repository, permission: access.permission }] : [];
      });
    return mapped(listing(reached), ({ repository, permission }) => ({
      ...repositoryView(platform, repository, caller),
      permissions: permissionsUpTo(permission),
      role_name: roleName(permission),
    }));
  });
}

interface TeamCall {
  readonly platform: SandboxPlatform;
  readonly organization: OrganizationState;
  readonly caller: Caller;
  readonly path: { readonly team_slug: string };
}

/** Throws 404 for a team that the organization does not have, or that the caller may not see. */
export function findTeam({ platform, organization, caller, path }: TeamCall): TeamState {
  const slug = path.team_slug.toLowerCase();
  const team = found(teamsOf(platform, organization).find((each) => each.slug === slug));
  if (!isShown(platform, caller, team)) throw notFound();
  return team;
}

/** Secret teams are visible to owners and to their members. */
const isShown = (platform: SandboxPlatform, caller: Caller, team: TeamState): boolean =>
  team.privacy === 'closed' ||
  hasRole(platform, caller, team.organization, 'owner') ||
  roleIn(platform, caller, team) !== undefined;

const roleIn = (platform: SandboxPlatform, { login }: Caller, team: TeamState) =>
  membershipsIn(platform, team).find(({ user, state }) => user.login === login && state === 'active')?.role;

/** Throws 404 as `findTeam`, and 403 unless the caller may change the team. */
function findMaintained(call: TeamCall): TeamState {
  const { platform, organization, caller } = call;
  const team = findTeam(call);
  if (!hasRole(platform, caller, organization, 'owner') && roleIn(platform, caller, team) !== 'maintainer')
    throw forbidden('Must be an owner of the organization or a maintainer of the team.');
  return team;
}

/** Public platform, Team members: members of such teams are changed at the identity provider. */
function refuseManaged({ ldap_dn }: TeamState): void {
  if (ldap_dn !== undefined) throw forbidden('The members of this team are managed by LDAP.');
}

const userIn = ({ platform, path }: { platform: SandboxPlatform; path: { readonly username: string } }): User =>
  found(platform.accounts.user(path.username));

/** Throws 404 for somebody who is not in the team. */
function membershipView(platform: SandboxPlatform, team: TeamState, { id, login }: User) {
  const { role, state } = found(membershipsIn(platform, team).find(({ user }) => user.id === id));
  return { url: `${teamView(platform, team).url}/memberships/${login}`, role, state };
}

function memberNamed(platform: SandboxPlatform, organization: OrganizationState, login: string): User {
  const user = platform.accounts.user(login);
  if (user && platform.accounts.isMember(user, organization)) return user;
  throw validationFailed('Team', [invalid('maintainers', `${login} is not a member of ${organization.login}`)]);
}

function repositoryNamed(platform: SandboxPlatform, organization: OrganizationState, text: string): RepositoryState {
  const [owner, name = ''] = text.split('/');
  const repository = platform.repositories.find(organization, name);
  if (repository && owner?.toLowerCase() === organization.login) return repository;
  throw validationFailed('Team', [invalid('repo_names', `${text} is not a repository of ${organization.login}`)]);
}

/** Public platform, Get a team by name: special characters and spaces become hyphens, and marks are removed. */
const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\w]+/g, '-')
    .replace(/^-|-$/g, '');

/** Returns the ID of the parent in a body. Public platform, Teams: the slug is “ignored when `parent_team_id` is also provided”. */
function parentIn(
  platform: SandboxPlatform,
  organization: OrganizationState,
  { parent_team_id: id, parent_team_slug: slug }: { parent_team_id?: number | null; parent_team_slug?: string | null },
  unchanged: number | null,
): number | null {
  if (id !== undefined) return id;
  if (typeof slug !== 'string') return slug === null ? null : unchanged;
  const parent = teamsOf(platform, organization).find((team) => team.slug === slug.toLowerCase());
  if (parent) return parent.id;
  throw validationFailed('Team', [invalid('parent_team_slug', `is not the slug of a team of ${organization.login}`)]);
}

/** Throws 422 for a name that is taken, and for a hierarchy with a cycle or a secret team. */
function refuseBadTeam(platform: SandboxPlatform, team: TeamState): void {
  const { id, slug, privacy, parent_id, organization } = team;
  const all = teamsOf(platform, organization);
  if (!slug) throw validationFailed('Team', [invalid('name', 'must contain a letter or a digit')]);
  if (all.some((other) => other.slug === slug && other.id !== id))
    throw unprocessable('Validation Failed', [{ resource: 'Team', code: 'already_exists', field: 'name' }]);
  const ofParent = (message: string) => validationFailed('Team', [invalid('parent_team_id', message)]);
  const parent = all.find((other) => other.id === parent_id);
  if (parent_id !== null && !parent) throw ofParent(`is not the ID of a team of ${organization.login}`);
  if (parent && [parent, ...ancestorsOf(platform, parent)].some((other) => other.id === id))
    throw ofParent('must not be the team or one of its child teams');
  if (parent?.privacy === 'secret') throw ofParent('must not be a secret team');
  if (privacy === 'secret' && (parent || childrenOf(platform, team).length))
    throw validationFailed('Team', [invalid('privacy', 'must be closed for a parent or child team')]);
}
