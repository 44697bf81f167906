import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listTeams } from '../../platform/endpoints/teams.ts';
import type { Team } from '../../platform/records.ts';

export default class TeamsList extends ForgectlCommand<Listing<Team>> {
  static override summary = 'List the teams of an organization';
  static override description =
    'Lists the teams that the token’s owner can see. Secret teams are shown to their members and to organization owners only.';
  static override examples = examples({
    'List all teams': 'forgectl teams list acme --all',
    'List the child teams of a team': `forgectl teams list acme --all --jq '.[] | select(.parent.slug == "engineering") | .slug'`,
  });
  static override requests = [listTeams.route];
  static override args = { org: orgArg() };
  static override flags = { ...listFlags('.privacy == "secret"'), ...webListFlag };

  protected override readonly columns: readonly Column<Team>[] = [
    { header: 'Slug', get: 'slug', as: 'name', priority: 1, link: true },
    { header: 'Name', get: 'name', as: 'text' },
    { header: 'Parent', get: 'parent.slug' },
    { header: 'Privacy', get: 'privacy', as: 'state' },
    { header: 'ID', get: 'id', priority: 3 },
    { header: 'Description', get: 'description', as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'teams';
  protected override readonly idField = 'slug';

  async run() {
    const { args, flags } = await this.parse(TeamsList);
    return this.list(listTeams, { path: { org: args.org } }, flags);
  }
}
