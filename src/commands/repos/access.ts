import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { type RepoName, repoArg } from '../../cli/input/args.ts';
import { textFlag, valueFlag, whereFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import { nothingFoundText } from '../../cli/result/footer.ts';
import { Listing } from '../../cli/result/listing.ts';
import { unlessHidden } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import type { InputOf, PagedEndpoint, RecordOf } from '../../platform/endpoint.ts';
import { listInvitations } from '../../platform/endpoints/grants.ts';
import { getOrganization, listCustomRepositoryRoles, listOrganizationMembers } from '../../platform/endpoints/orgs.ts';
import { getRepository, listCollaborators, listRepositoryTeams } from '../../platform/endpoints/repos.ts';
import { listTeamMembers } from '../../platform/endpoints/teams.ts';
import type { Actor, Team } from '../../platform/records.ts';
import { highestRole, isBaseRole, permissionOf, roleOf } from '../../platform/repository-roles.ts';
import { isSameLogin } from '../../topics/own-login.ts';
import {
  type AccessEntry,
  type AccessSource,
  accessOf,
  type GrantedTeam,
  type Grants,
} from '../../topics/repos/access.ts';

import { knownRole } from '../../topics/repos/known-role.ts';
import { requireFields } from '../../topics/required-fields.ts';

export default class ReposAccess extends ForgectlCommand<Listing<AccessEntry>> {
  static override summary = 'List the people with access to a repository';
  static override description =
    `Lists people with their roles and every source of their access: organization ownership, a team, a direct grant or
the organization’s base permission, each with the role that would remain without it. The platform reports only each
person’s highest role: lower grants, and anything that the token cannot see, are “unknown”. Public or internal
visibility does not count as access, and neither does an invitation: --pending lists those. Requires write access to the repository, and admin access to list its teams.`;
  static override examples = examples({
    'List all people with access': 'forgectl repos access acme/site',
    'List the administrators': 'forgectl repos access acme/site --role admin',
    'List the people who have not accepted an invitation yet': 'forgectl repos access acme/site --pending',
    'Show what would remain of a person’s access': 'forgectl repos access acme/site --user riverotter -o json',
  });
  static override requests = [
    getRepository.route,
    listCollaborators.route,
    listRepositoryTeams.route,
    listTeamMembers.route,
    listOrganizationMembers.route,
    getOrganization.route,
    listCustomRepositoryRoles.route,
    listInvitations.route,
  ];
  static override args = { repo: repoArg() };
  static override flags = {
    user: valueFlag('--user', plainName, { helpValue: 'LOGIN', description: 'Show only this person' }),
    role: textFlag('--role', {
      helpValue: 'ROLE',
      description: 'Filter by role: read, triage, write, maintain, admin, or a custom role of the organization',
    }),
    pending: Flags.boolean({ description: 'List the people with a pending invitation instead' }),
    ...whereFlag('.role == "admin"'),
  };

  protected override readonly columns: readonly Column<AccessEntry>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1 },
    { header: 'Role', get: 'role', as: 'state', priority: 1 },
    { header: 'Sources', get: sourcesText, as: 'message', priority: 1 },
  ];
  protected override readonly recordsName = 'people';
  protected override readonly idField = 'login';

  async run() {
    const { args, flags } = await this.parse(ReposAccess);
    const { repo } = this.valid(args);
    const { owner } = await this.call(getRepository, { path: { ...repo } });
    const { login = repo.owner, type } = owner ?? {};
    const org = type === 'Organization' ? login : undefined;
    const role =
      flags.role && (await knownRole(this.session, flags.role, org, (text) => this.notice(text))).toLowerCase();
    const permission = role !== undefined && isBaseRole(role) ? permissionOf[role] : undefined;
    if (flags.pending) return this.shown(await this.invited(repo), flags, { repo, role });
    const grants =
      org === undefined ? { owners: new Set([login]), teams: [], base: undefined } : await this.grantsIn(org, repo);
    const entries = await this.entries(repo, permission, grants, org !== undefined);
    return this.shown(entries, flags, { repo, role });
  }

  /** Returns the entries that the flags select. */
  private shown(
    entries: readonly AccessEntry[],
    flags: { readonly user?: string | undefined; readonly role?: string | undefined },
    { repo, role }: { readonly repo: RepoName; readonly role: string | undefined },
  ): Listing<AccessEntry> {
    const { user } = flags;
    const shown = entries.filter(
      (entry) =>
        (role === undefined || isSameLogin(entry.role, role)) && (user === undefined || isSameLogin(entry.login, user)),
    );
    const request = { path: { ...repo }, query: { role: flags.role, user: flags.user } };
    return Listing.of(shown, { nothingFound: (what) => nothingFoundText(what, request) });
  }

  /** Returns the people with a pending invitation, and the roles that it offers. */
  private async invited(repo: RepoName): Promise<AccessEntry[]> {
    const input = { path: { ...repo } };
    const invitations = await this.all(listInvitations, input, { id: 'id' });
    const { asked } = (await this.session.client()).plan(listInvitations, input);
    for (const each of invitations) if (each.invitee) requireFields(each, asked, { 'invitee.login': 'text' });
    return invitations.flatMap(({ invitee, permissions: role }) =>
      invitee ? [{ login: invitee.login, role, sources: [], pending: true }] : [],
    );
  }

  private async entries(
    path: RepoName,
    permission: Permission,
    grants: Grants,
    hasMembers: boolean,
  ): Promise<AccessEntry[]> {
    const people = (affiliation?: 'direct' | 'outside') =>
      this.all(listCollaborators, { path: { ...path }, query: { permission, affiliation } }, byLogin);
    const everyone = await people();
    const direct = loginsOf(await people('direct'));
    const outside = hasMembers ? loginsOf(await people('outside')) : undefined;
    return everyone.map(({ login, role_name, permissions }) => {
      const role = role_name ?? highestRole(permissions);
      const isMember = outside !== undefined && !outside.has(login);
      return accessOf({ login, role, isDirect: direct.has(login), isMember }, grants);
    });
  }

  private async grantsIn(org: string, repo: RepoName): Promise<Grants> {
    const teams = await this.all(listRepositoryTeams, { path: { ...repo } }, { slug: 'text' });
    const granted = await Promise.all(teams.map((team) => this.granted(team, org)));
    const owners = await this.ownersOf(org);
    const organization = await unlessHidden(this.call(getOrganization, { path: { org } }));
    return { owners, teams: granted, base: organization?.default_repository_permission ?? undefined };
  }

  private async ownersOf(org: string): Promise<ReadonlySet<string> | undefined> {
    const owners = await unlessHidden(
      this.all(listOrganizationMembers, { path: { org }, query: { role: 'admin' } }, byLogin),
    );
    return owners && loginsOf(owners);
  }

  private async granted({ slug, permission, parent }: Team, org: string): Promise<GrantedTeam> {
    const members = await unlessHidden(this.all(listTeamMembers, { path: { org, team_slug: slug } }, byLogin));
    const inherited = loginsOf((members ?? []).filter((member) => member.inherited));
    return { slug, role: roleOf(permission), parent: parent?.slug, logins: members && loginsOf(members), inherited };
  }

  /** Reads a list. Throws InvalidResponseError for a record without one of the fields, which would hide a person. */
  private async all<E extends PagedEndpoint>(
    endpoint: E,
    input: InputOf<E>,
    fields: Parameters<typeof requireFields>[2],
  ): Promise<RecordOf<E>[]> {
    const records = await (await this.session.list(endpoint, input, { all: true }, {})).records();
    const { asked } = (await this.session.client()).plan(endpoint, input);
    for (const each of records) requireFields(each, asked, fields);
    return records;
  }
}

/** Fields required of a person. */
const byLogin = { login: 'text' } as const;

type Permission = NonNullable<InputOf<typeof listCollaborators>['query']>['permission'];

const loginsOf = (people: readonly Pick<Actor, 'login'>[]): ReadonlySet<string> =>
  new Set(people.map(({ login }) => login));

const names: Readonly<Record<AccessSource['type'], string>> = {
  owner: 'owner',
  team: 'team',
  direct: 'direct',
  base: 'base permission',
};

/** Returns the sources with the role that remains without each. */
function sourcesText({ sources, incomplete, pending }: AccessEntry): string {
  if (pending) return 'pending invitation';
  const texts = sources.map(({ type, team, through, role, remains }) => {
    const below = through === null ? ' through a child team' : through.length ? ` through ${through.join(', ')}` : '';
    const name = team === null ? names[type] : `${names[type]} ${team}${below}`;
    return `${name}: ${role ?? 'unknown'} (without it: ${remains ?? 'unknown'})`;
  });
  return [...texts, ...(incomplete ? ['others unknown'] : [])].join('; ');
}
