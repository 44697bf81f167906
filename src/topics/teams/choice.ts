/** The argument and choices of a team. */
import type { PickList } from '../../cli/command/picking.ts';
import { nameArg } from '../../cli/input/args.ts';
import { listTeams } from '../../platform/endpoints/teams.ts';
import type { Team } from '../../platform/records.ts';

export const teamArg = () => nameArg('TEAM', 'Team slug');

/** The choices of a prompt for a team. */
export const teamsOf = ({ org }: { readonly org: string }): PickList<Team> => ({
  question: 'Which team?',
  list: (session, cut) => session.list(listTeams, { path: { org } }, cut, {}),
  choice: ({ name, slug }) => ({ name: `${name} (${slug})`, value: slug }),
});
