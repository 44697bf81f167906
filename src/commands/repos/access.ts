import { ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { textFlag, whereFlag } from '../../cli/input/flags.ts';
import { nothingFoundText } from '../../cli/result/footer.ts';
import { Listing } from '../../cli/result/listing.ts';
import { NotFoundError, PermissionError } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { listCollaborators, listRepositoryTeams } from '../../platform/endpoints/repos.ts';
import { listTeamMembers } from '../../platform/endpoints/teams.ts';
import type { Collaborator, Team } from '../../platform/records.ts';
import { highestRole, isBaseRole, outranks, permissionOf, roleOf } from '../../topics/repository-roles.ts';

/** A person or team with access to a repository. */
interface AccessEntry {
  who: string;
  type: 'user' | 'team';
  role: string;
  /** `team or organization` if the members of a team cannot be listed, or a custom role cannot be compared. */
  how: 'direct' | 'team' | 'organization' | 'team or organization';
}

/** A team with the logins of its members; undefined if the token cannot list them. */
interface TeamMembers {
  readonly role: string;
  readonly logins: ReadonlySet<string> | undefined;
}

export default class ReposAccess extends ForgectlCommand<Listing<AccessEntry>> {
  static override summary = 'List the access to a repository';
  static override description =
    `Lists teams and people with their roles: direct collaborators, and people with access through a team or the
organization, with the source of their highest role. Public or internal visibility does not count as access. Requires
write access to the repository, and admin access to list its teams.`;
  static override examples = [
    { description: 'List all teams and people with access', command: '<%= config.bin %> repos access acme/site' },
    { description: 'List the administrators', command: '<%= config.bin %> repos access acme/site --role admin' },
  ];
  static override requests = [listCollaborators.route, listRepositoryTeams.route, listTeamMembers.route];
  static override args = { repo: repoArg() };
  static override flags = {
    role: textFlag('--role', {
      helpValue: 'ROLE',
      description: 'Filter by role: read, triage, write, maintain, admin, or a custom role',
    }),
    ...whereFlag,
  };

  protected override readonly columns: readonly Column<AccessEntry>[] = [
    { header: 'Who', get: 'who', as: 'name', priority: 1 },
    { header: 'Type', get: 'type' },
    { header: 'Role', get: 'role', as: 'state', priority: 1 },
    { header: 'How', get: 'how', priority: 1 },
  ];
  protected override readonly recordsName = 'people and teams';
  protected override readonly idField = 'who';

  async run() {
    const { args, flags } = await this.parse(ReposAccess);
    const path = { ...args.repo };
    const role = flags.role?.toLowerCase();
    const permission = role !== undefined && isBaseRole(role) ? permissionOf[role] : undefined;
    const teams = await this.teams(path);
    const people = await this.people(path, { permission });
    const direct = new Set((await this.people(path, { permission, affiliation: 'direct' })).map(({ login }) => login));
    const isInherited = people.some(({ login }) => !direct.has(login));
    const members = isInherited ? await Promise.all(teams.map((team) => this.membersOf(team, path.owner))) : [];
    const entries = [
      ...teams.map(
        ({ slug, permission: held }): AccessEntry => ({ who: slug, type: 'team', role: roleOf(held), how: 'team' }),
      ),
      ...people.map((person): AccessEntry => {
        const { login: who } = person;
        const held = person.role_name ?? highestRole(person.permissions);
        return { who, type: 'user', role: held, how: direct.has(who) ? 'direct' : sourceOf(who, held, members) };
      }),
    ];
    const shown = entries.filter((entry) => role === undefined || entry.role.toLowerCase() === role);
    if (role !== undefined && !isBaseRole(role) && shown.length === 0)
      this.notice(
        `No access as ${flags.role}, a custom role. List custom roles with “forgectl roles list ${path.owner}”.`,
      );
    const request = { path, query: { role: flags.role } };
    return Listing.of(shown, { nothingFound: (what) => nothingFoundText(what, request) });
  }

  private async people(
    path: { owner: string; repo: string },
    query: NonNullable<InputOf<typeof listCollaborators>['query']>,
  ): Promise<Collaborator[]> {
    return (await this.session.list(listCollaborators, { path, query }, { all: true }, {})).records();
  }

  private async teams(path: { owner: string; repo: string }): Promise<Team[]> {
    return (await this.session.list(listRepositoryTeams, { path }, { all: true }, {})).records();
  }

  private async membersOf({ slug, permission }: Team, org: string): Promise<TeamMembers> {
    const role = roleOf(permission);
    try {
      const path = { org, team_slug: slug };
      const members = await this.session.list(listTeamMembers, { path }, { all: true }, {});
      return { role, logins: new Set((await members.records()).map(({ login }) => login)) };
    } catch (error) {
      if (error instanceof NotFoundError || error instanceof PermissionError) return { role, logins: undefined };
      throw error;
    }
  }
}

/** Returns where a person without a direct grant has a role from. */
function sourceOf(login: string, role: string, teams: readonly TeamMembers[]): AccessEntry['how'] {
  const granting = teams.filter((team) => !outranks(role, team.role));
  if (granting.some((team) => team.role === role && team.logins?.has(login))) return 'team';
  return granting.some(({ logins }) => !logins || logins.has(login)) ? 'team or organization' : 'organization';
}
