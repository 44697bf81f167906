import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { webFlag } from '../../cli/input/flags.ts';
import type { FullTeam } from '../../platform/records.ts';
import { teams } from '../../platform/resources/teams.ts';
import { teamArg, teamsOf } from '../../topics/teams/choice.ts';
import { teamDetails } from '../../topics/teams/details.ts';

export default class TeamsGet extends ForgectlCommand<FullTeam> {
  static override summary = 'Show a team';
  static override description =
    'Shows a team with its parent and the numbers of its members and repositories, which include those of child teams and parents.';
  static override examples = examples({
    'Show a team': 'forgectl teams get acme engineering',
    'Print its ID, which rulesets refer to': 'forgectl teams get acme engineering --jq .id',
  });
  static override requests = teams.routes('get');
  static override args = { org: orgArg(), team: teamArg() };
  static override flags = webFlag;

  protected override readonly details = teamDetails;
  protected override readonly idField = 'slug';

  protected override readonly picks = { team: teamsOf };

  async run() {
    const { args } = await this.parse(TeamsGet);
    const { org, team: team_slug } = args;
    return this.call(teams.of({ org }).get, { path: { org, team_slug } });
  }
}
