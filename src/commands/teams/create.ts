import { examples } from '../../cli/command/command.ts';
import { invalidArgument, nameArg, orgArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createTeam, getTeam } from '../../platform/endpoints/teams.ts';
import type { FullTeam } from '../../platform/records.ts';
import { teams } from '../../platform/resources/teams.ts';
import { parentField, parentFlag, TeamCommand } from '../../topics/teams/command.ts';
import { teamDetails } from '../../topics/teams/details.ts';

const { name: _fromArgument, parent_team_id: _id, parent_team_slug: _slug, ...fields } = createTeam.body.entries;

export default class TeamsCreate extends TeamCommand<FullTeam> {
  static override summary = 'Create a team in an organization';
  static override description =
    `Creates a team, whose slug follows from its name. The token’s owner becomes a maintainer; remove yourself with “teams
remove” if you should not be one. Child teams have the access of their parents, which are closed.`;
  static override examples = examples({
    'Create a team that all members of the organization see':
      'forgectl teams create acme "Site Reliability" --privacy closed',
    'Create a child team':
      'forgectl teams create acme Observability --parent platform --description "Dashboards and alerts"',
  });
  static override requests = [getTeam.route, createTeam.route];
  static override args = { org: orgArg(), name: nameArg('NAME', 'Team name') };
  static override flags = { ...fieldFlags(fields), ...parentFlag, ...inputFlags, ...writeFlags };

  protected override readonly details = teamDetails;
  protected override readonly idField = 'slug';
  protected override readonly made = ({ slug, organization, html_url }: FullTeam) =>
    `Created team ${organization.login}/${slug}: ${html_url}`;

  async run() {
    const { args, flags } = await this.collect(TeamsCreate);
    const { body } = await this.inputFor(createTeam, flags, {
      resource: teams,
      body: { name: args.name ?? invalidArgument, ...parentField(flags) },
    });
    const { org } = this.valid({ org: args.org });
    const input = { path: { org }, body: await this.withParent(org, body, flags.parent) };
    return this.write(createTeam, input, { verifyCommand: `forgectl teams list ${org} --all` });
  }
}
