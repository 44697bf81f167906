import { ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { textFlag, whereFlag } from '../../cli/input/flags.ts';
import { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import type { InputOf } from '../../platform/endpoint.ts';
import { listCollaborators, listRepositoryTeams } from '../../platform/endpoints/repos.ts';
import type { Collaborator, Team } from '../../platform/records.ts';
import { highestRole, permissionOf } from '../../topics/repository-roles.ts';

/** A person or team with access to a repository. */
interface AccessEntry {
  who: string;
  type: 'user' | 'team';
  role: string;
  /** The platform does not report whether a person's access comes from a team or the organization. */
  how: 'direct' | 'team' | 'organization' | 'team or organization';
}

const isBaseRole = (role: string): role is keyof typeof permissionOf => Object.hasOwn(permissionOf, role);

const roleOf = (permission: string): string =>
  Object.entries(permissionOf).find(([, each]) => each === permission)?.[0] ?? permission;

export default class ReposAccess extends ForgectlCommand<Listing<AccessEntry>> {
  static override summary = 'List the access to a repository';
  static override description =
    `Lists teams and people with their roles: direct collaborators, and people with access through a team or the
organization. Public or internal visibility does not count as access. Requires write access to the repository, and
admin access to list its teams.`;
  static override examples = [
    { description: 'List all teams and people with access', command: '<%= config.bin %> repos access acme/site' },
    { description: 'List the administrators', command: '<%= config.bin %> repos access acme/site --role admin' },
  ];
  static override requests = [listCollaborators.route, listRepositoryTeams.route];
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
    const inherited = teams.length > 0 ? 'team or organization' : 'organization';
    const entries = [
      ...teams.map(
        ({ slug, permission: held }): AccessEntry => ({ who: slug, type: 'team', role: roleOf(held), how: 'team' }),
      ),
      ...people.map(
        (person): AccessEntry => ({
          who: person.login,
          type: 'user',
          role: person.role_name ?? highestRole(person.permissions),
          how: direct.has(person.login) ? 'direct' : inherited,
        }),
      ),
    ];
    return Listing.of(entries.filter((entry) => role === undefined || entry.role.toLowerCase() === role));
  }

  private async people(
    path: { owner: string; repo: string },
    query: NonNullable<InputOf<typeof listCollaborators>['query']>,
  ): Promise<Collaborator[]> {
    return all(await this.session.list(listCollaborators, { path, query }, { all: true }, {}));
  }

  private async teams(path: { owner: string; repo: string }): Promise<Team[]> {
    return all(await this.session.list(listRepositoryTeams, { path }, { all: true }, {}));
  }
}

async function all<T>(listing: Listing<T>): Promise<T[]> {
  const records: T[] = [];
  for await (const page of listing.pages()) records.push(...page);
  return records;
}
