import { examples } from '../../cli/command/command.ts';
import { loginsArg, orgArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { PlannedRequest } from '../../client/request.ts';
import type { Column } from '../../output/table/columns.ts';
import { getTeam, getTeamMembership, setTeamMembership } from '../../platform/endpoints/teams.ts';
import { teamMemberships } from '../../platform/resources/teams.ts';
import { teamArg } from '../../topics/teams/choice.ts';
import { distinctLogins, TeamCommand } from '../../topics/teams/command.ts';

/** A person in a team. */
interface AddedMember {
  login: string;
  /** Null if the request failed. */
  role: string | null;
  /** `active`, `pending` until the person joins the organization, or `failed`. */
  state: string;
}

export default class TeamsAdd extends TeamCommand<Listing<AddedMember>> {
  static override summary = 'Add people to a team';
  static override description =
    `Adds people to a team, or changes their role in it. Without --role, new people become members, and others keep their
role; organization owners are always maintainers. People outside the organization are invited to it, and their
membership is pending until they accept. Each person is a request of its own: if some fail, the exit code is 9.`;
  static override examples = examples({
    'Add two people': 'forgectl teams add acme platform paperfox tealheron',
    'Make a member a maintainer': 'forgectl teams add acme platform stonewren --role maintainer',
  });
  static override requests = [getTeam.route, getTeamMembership.route, setTeamMembership.route];
  static override args = { org: orgArg(), team: teamArg(), logins: loginsArg() };
  static override flags = { ...fieldFlags(setTeamMembership.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly columns: readonly Column<AddedMember>[] = [
    { header: 'Login', get: 'login', as: 'name', priority: 1 },
    { header: 'Role', get: 'role', priority: 1 },
    { header: 'State', get: 'state', as: 'state', priority: 1 },
  ];
  protected override readonly recordsName = 'people';
  protected override readonly idField = 'login';

  async run() {
    const { args, flags } = await this.collect(TeamsAdd);
    const { body } = await this.inputFor(setTeamMembership, flags, { resource: teamMemberships });
    const { org, team: team_slug, logins = [] } = this.valid(args);
    const path = { org, team_slug };
    await this.unmanagedTeam(path);
    const add = async (login: string): Promise<AddedMember | PlannedRequest> => {
      const role = body.role ?? ((await this.membership(path, login))?.role as typeof body.role) ?? 'member';
      const input = { path: { ...path, username: login }, body: { ...body, role } };
      const verifyCommand = `forgectl api GET /orgs/${org}/teams/${team_slug}/memberships/${login}`;
      const answer = await this.write(setTeamMembership, input, { verifyCommand });
      return answer instanceof PlannedRequest ? answer : { login, role: answer.role, state: answer.state };
    };
    return this.changeMembers(distinctLogins(logins), add, (login) => ({ login, role: null, state: 'failed' }));
  }
}
