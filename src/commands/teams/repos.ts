import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listTeamRepositories } from '../../platform/endpoints/teams.ts';
import type { Repository } from '../../platform/records.ts';
import { highestRole } from '../../platform/repository-roles.ts';
import { visibility } from '../../topics/repos/columns.ts';
import { teamArg, teamsOf } from '../../topics/teams/choice.ts';

export default class TeamsRepos extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the repositories of a team';
  static override description =
    'Lists the repositories that a team has access to, with its role in each. Repositories that the token’s owner cannot see are missing.';
  static override examples = examples({
    'List all repositories': 'forgectl teams repos acme engineering --all',
    'List the repositories that the team administers': `forgectl teams repos acme platform --all --jq '.[] | select(.permissions.admin) | .full_name'`,
  });
  static override requests = [listTeamRepositories.route];
  static override args = { org: orgArg(), team: teamArg() };
  static override flags = { ...listFlags(), ...webListFlag };

  protected override readonly columns: readonly Column<Repository>[] = [
    { header: 'Name', get: 'full_name', as: 'name', priority: 1, link: true },
    { header: 'Role', get: ({ role_name, permissions }) => role_name ?? highestRole(permissions), priority: 1 },
    { header: 'Visibility', get: visibility, as: 'state', priority: 1 },
    { header: 'Archived', get: 'archived', as: 'state' },
    { header: 'Pushed', get: 'pushed_at', as: 'age' },
    { header: 'Description', get: 'description', as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  protected override readonly picks = { team: teamsOf };

  async run() {
    const { args, flags } = await this.parse(TeamsRepos);
    const { org, team: team_slug } = args;
    return this.list(listTeamRepositories, { path: { org, team_slug } }, flags);
  }
}
