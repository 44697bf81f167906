import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listTeamMembers } from '../../platform/endpoints/teams.ts';
import type { TeamMember } from '../../platform/records.ts';
import { teamArg, teamsOf } from '../../topics/teams/choice.ts';
import { kindOfAccount } from '../../topics/teams/details.ts';

export default class TeamsMembers extends ForgectlCommand<Listing<TeamMember>> {
  static override summary = 'List the members of a team';
  static override description =
    'Lists the members of a team, including those of its child teams: “inherited” marks members of a child team only.';
  static override examples = examples({
    'List all members': 'forgectl teams members acme engineering --all',
    'List the maintainers': 'forgectl teams members acme platform --role maintainer',
  });
  static override requests = [listTeamMembers.route];
  static override args = { org: orgArg(), team: teamArg() };
  static override flags = { ...queryFlags(listTeamMembers.query), ...listFlags('.site_admin'), ...webListFlag };

  protected override readonly columns: readonly Column<TeamMember>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1, link: true },
    { header: 'Role', get: 'role', priority: 1 },
    { header: 'Inherited', get: 'inherited' },
    { header: 'ID', get: 'id', priority: 3 },
    { header: 'Type', get: kindOfAccount },
  ];
  protected override readonly recordsName = 'members';
  protected override readonly idField = 'login';

  protected override readonly picks = { team: teamsOf };

  async run() {
    const { args, flags } = await this.collect(TeamsMembers);
    const input = await this.inputFor(listTeamMembers, flags);
    const { org, team: team_slug } = this.valid(args);
    return this.list(listTeamMembers, { path: { org, team_slug }, ...input }, flags);
  }
}
