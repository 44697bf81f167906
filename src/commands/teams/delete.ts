import { examples } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import type { DeletionPreview } from '../../cli/input/prompts/questions.ts';
import { counted } from '../../output/amounts.ts';
import { deleteTeam, getTeam, listChildTeams } from '../../platform/endpoints/teams.ts';
import type { FullTeam } from '../../platform/records.ts';
import { teamArg } from '../../topics/teams/choice.ts';
import { TeamCommand, type TeamPath, teamName } from '../../topics/teams/command.ts';

/** Maximum number of teams whose child teams a deletion preview lists. */
const maxParents = 16;

export default class TeamsDelete extends TeamCommand<Record<string, never>> {
  static override summary = 'Delete a team with its child teams';
  static override description =
    `Deletes a team. Organization owners delete its child teams with it; move those first with “teams update” to keep them.
Members lose the access that they have through these teams. A new team with the same name does not restore it.`;
  static override examples = examples({
    'Preview the request': 'forgectl teams delete acme interns --dry-run',
    'Delete without confirmation': 'forgectl teams delete acme interns --yes',
  });
  static override requests = [getTeam.route, deleteTeam.route];
  static override args = { org: orgArg(), team: teamArg() };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args, flags } = await this.parse(TeamsDelete);
    const { org, team: team_slug } = args;
    const path = { org, team_slug };
    let team: FullTeam | undefined;
    const preview = async () => {
      team = await this.team(path);
      return this.#deletionPreview(path, team);
    };
    await this.input.confirm(team_slug, `deletes team ${teamName(path)} with its child teams`, preview);
    if (!flags['dry-run']) team ??= await this.team(path);
    const verifyCommand = `forgectl teams list ${org} --all`;
    return this.write(deleteTeam, { path }, { verifyCommand, done: `Deleted team ${teamName(path)}.` });
  }

  /** Returns a team with what its deletion takes away, as far as a few requests show it. */
  async #deletionPreview(path: TeamPath, team: FullTeam): Promise<DeletionPreview> {
    const { children, unread } = await this.#descendants(path);
    const below = unread > 0 ? [`child teams of ${counted(unread, 'team')}`] : [];
    return {
      record: {
        team: teamName(path),
        members: team.members_count,
        repositories: team.repos_count,
        children: children.join(', ') || 'none',
        uncounted: [...below, 'entries in CODEOWNERS', 'bypasses of rulesets'].join(', '),
      },
      columns: [
        { header: 'Team', get: 'team', as: 'name' },
        { header: 'Members', get: 'members', as: 'count' },
        { header: 'Repositories', get: 'repositories', as: 'count' },
        { header: 'Child teams', get: 'children', as: 'text' },
        { header: 'Not counted', get: 'uncounted', as: 'text' },
      ],
      effect: `deletes team ${teamName(path)}${children.length ? ` and ${counted(children.length, 'child team')}` : ''}`,
    };
  }

  /** Returns the slugs of all teams below a team, and the number of those that were not asked for theirs. */
  async #descendants({ org, team_slug }: TeamPath) {
    const teams = [team_slug];
    let asked = 0;
    for (; asked < Math.min(teams.length, maxParents); asked++) {
      const path = { org, team_slug: teams[asked] ?? '' };
      const listing = await this.session.list(listChildTeams, { path }, { limit: 100 }, {});
      for (const { slug } of await listing.records()) teams.push(slug);
      if (listing.more) return { children: teams.slice(1), unread: teams.length - asked };
    }
    return { children: teams.slice(1), unread: teams.length - asked };
  }
}
