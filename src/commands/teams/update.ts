import { examples } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { PlannedRequest } from '../../client/request.ts';
import { getTeam, updateTeam } from '../../platform/endpoints/teams.ts';
import type { FullTeam } from '../../platform/records.ts';
import { teams } from '../../platform/resources/teams.ts';
import { invalid } from '../../platform/validate.ts';
import { teamArg } from '../../topics/teams/choice.ts';
import { noParentFlag, parentField, parentFlag, TeamCommand, teamName } from '../../topics/teams/command.ts';
import { teamDetails } from '../../topics/teams/details.ts';

const { parent_team_id: _id, parent_team_slug: _slug, ...fields } = updateTeam.body.entries;

export default class TeamsUpdate extends TeamCommand<FullTeam> {
  static override summary = 'Update, rename or move a team';
  static override description =
    `Updates only the given fields. A new name changes the slug, which CODEOWNERS and mentions refer to; the old slug no
longer works. A team that is moved below another one gains its access, and so do its child teams.`;
  static override examples = examples({
    'Move a team to another parent': 'forgectl teams update acme interns --parent platform',
    'Preview a rename': 'forgectl teams update acme interns --name Apprentices --dry-run',
  });
  static override requests = [getTeam.route, updateTeam.route];
  static override args = { org: orgArg(), team: teamArg() };
  static override flags = { ...fieldFlags(fields), ...parentFlag, ...noParentFlag, ...inputFlags, ...writeFlags };

  protected override readonly details = teamDetails;
  protected override readonly idField = 'slug';

  async run() {
    const { args, flags } = await this.collect(TeamsUpdate);
    if (flags.parent !== undefined && flags['no-parent'])
      this.problems.push(invalid('--parent and --no-parent', 'cannot be used together'));
    const path = () => {
      const { org, team: team_slug } = this.valid(args);
      return { org, team_slug };
    };
    let before: FullTeam | undefined;
    const current = async () => {
      before = await this.team(path());
      return before;
    };
    const options = { resource: teams, changes: true, made: ['parent_team_id', 'parent_team_slug'], current };
    const { body } = await this.inputFor(updateTeam, flags, { ...options, body: parentField(flags) });
    const input = { path: path(), body: await this.withParent(path().org, body, flags.parent) };
    if (!flags['dry-run']) await this.requireSame(path(), before);
    const verifyCommand = `forgectl teams list ${path().org} --all`;
    const updated = await this.write(updateTeam, input, { verifyCommand });
    const slug: unknown = updated instanceof PlannedRequest ? undefined : updated.slug;
    if (typeof slug === 'string' && slug && slug !== path().team_slug.toLowerCase())
      this.notice(`${teamName(path())} is now ${teamName({ org: path().org, team_slug: slug })}.`);
    return updated;
  }
}
