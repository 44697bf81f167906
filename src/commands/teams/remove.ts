import { examples } from '../../cli/command/command.ts';
import { loginsArg, orgArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import type { DeletionPreview } from '../../cli/input/prompts/questions.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { unlessHidden } from '../../client/errors.ts';
import { isSameName } from '../../client/moves.ts';
import { PlannedRequest } from '../../client/request.ts';
import { formatCount } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { getUser } from '../../platform/endpoints/accounts.ts';
import { getTeam, listTeamMembers, removeTeamMembership } from '../../platform/endpoints/teams.ts';
import type { FullTeam } from '../../platform/records.ts';
import { teamArg } from '../../topics/teams/choice.ts';
import { distinctLogins, TeamCommand, type TeamPath, teamName } from '../../topics/teams/command.ts';

/** A person who is no longer in a team. */
interface RemovedMember {
  login: string;
  result: 'removed' | 'failed';
}

/** Maximum number of people whose roles a deletion preview shows. */
const maxPeople = 16;

export default class TeamsRemove extends TeamCommand<Listing<RemovedMember>> {
  static override summary = 'Remove people from a team';
  static override description =
    `Removes people from a team, or cancels memberships that are pending. They stay in the organization and lose the access
that they have only through this team and its parents. Members of a child team are removed there. If some of several
requests fail, the exit code is 9.`;
  static override examples = examples({
    'Preview the requests': 'forgectl teams remove acme engineering paperfox tealheron --dry-run',
    'Remove a person without confirmation': 'forgectl teams remove acme engineering paperfox --yes',
  });
  static override requests = [getTeam.route, removeTeamMembership.route];
  static override args = { org: orgArg(), team: teamArg(), logins: loginsArg() };
  static override flags = confirmedWriteFlags;

  protected override readonly columns: readonly Column<RemovedMember>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1 },
    { header: 'Result', get: 'result', as: 'state', priority: 1 },
  ];
  protected override readonly recordsName = 'people';
  protected override readonly idField = 'login';

  async run() {
    const { args } = await this.parse(TeamsRemove);
    const { org, team: team_slug, logins: typed = [] } = args;
    const path = { org, team_slug };
    const logins = distinctLogins(typed);
    const [first = ''] = logins;
    const what = logins.length === 1 ? first : `${formatCount(logins.length)} people`;
    const effect = `removes ${what} from team ${teamName(path)}`;
    // Without a prompt, nothing is read before the confirmation.
    if (!this.input.canPrompt()) await this.input.confirm(first, effect);
    const team = await this.unmanagedTeam(path);
    const preview = () => this.#removalPreview(path, team, logins);
    await this.input.confirm(logins.length === 1 ? first : String(logins.length), effect, preview);
    const remove = async (login: string): Promise<RemovedMember | PlannedRequest> => {
      const verifyCommand = `forgectl api GET /orgs/${org}/teams/${team_slug}/memberships/${login}`;
      const done = `Removed ${login} from ${teamName(path)}.`;
      const answer = await this.write(
        removeTeamMembership,
        { path: { ...path, username: login } },
        { verifyCommand, done },
      );
      return answer instanceof PlannedRequest ? answer : { login, result: 'removed' };
    };
    return this.changeMembers<RemovedMember>(logins, remove, (login) => ({ login, result: 'failed' }));
  }

  /** Returns the people with their roles, as far as a few requests show them. */
  async #removalPreview(path: TeamPath, team: FullTeam, logins: readonly string[]): Promise<DeletionPreview> {
    const shown = logins.slice(0, maxPeople);
    const listing = await this.session.list(listTeamMembers, { path }, { limit: 100 }, {});
    const listed = await listing.records();
    const people = await Promise.all(
      shown.map(async (login) => {
        // A membership does not tell whether it is one of a child team; the list does, as far as it was read.
        const found = listed.find((member) => isSameName(member.login, login));
        if (found?.inherited) return `${login} (in a child team only)`;
        // The session compares the person after the prompt.
        await unlessHidden(this.call(getUser, { path: { username: login } }));
        const { role, state } = (await this.membership(path, login)) ?? {};
        if (role === undefined) return `${login} (not in the team)`;
        const isUnseen = !found && listing.more && state !== 'pending';
        return `${login} (${role}${state === 'pending' ? ', pending' : isUnseen ? ', perhaps in a child team only' : ''})`;
      }),
    );
    const others = logins.length - shown.length;
    return {
      record: {
        team: teamName(path),
        people: [...people, ...(others > 0 ? [`and ${others} more`] : [])].join(', '),
        repositories: team.repos_count,
        uncounted: 'access through other teams, forks',
      },
      columns: [
        { header: 'Team', get: 'team', as: 'name' },
        { header: 'People', get: 'people', as: 'message' },
        { header: 'Repositories', get: 'repositories', as: 'count' },
        { header: 'Not counted', get: 'uncounted', as: 'text' },
      ],
    };
  }
}
