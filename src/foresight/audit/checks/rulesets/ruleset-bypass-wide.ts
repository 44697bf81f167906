import { bypassFix, eachBypassList, mostTeamMembers, staleTeamOf, widthOf } from '../../bypass-list.ts';
import { check, fail } from '../../check.ts';

export const rulesetBypassWide = check({
  id: 'ruleset-bypass-wide',
  scope: 'organization',
  severity: 'high',
  title: 'Few people may bypass a ruleset',
  description:
    'A ruleset that everyone with a role below admin may bypass, or a large team, protects from accidents at most. Checks of default branches do not count such roles as protection.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-rulesets-for-repositories-in-your-organization',
  ],
  maps: { legitify: ['users_allowed_to_bypass_ruleset'] },
  thresholds: {
    members: {
      default: mostTeamMembers,
      least: 1,
      description: 'Maximum number of members of a team that may bypass',
    },
  },
  reads: ['rulesets', 'bypassTeams'],
  judge: ({ rulesets, bypassTeams }, { owner }, { members: most = mostTeamMembers }) =>
    eachBypassList(rulesets, (ruleset, actors) => {
      const wide = actors.flatMap((actor) => widthOf(actor, bypassTeams, most) ?? []);
      if (wide.length === 0) return undefined;
      // The platform refuses a list with teams that do not exist.
      const kept = actors.filter((actor) => !(widthOf(actor, bypassTeams, most) ?? staleTeamOf(actor, bypassTeams)));
      return fail(
        `Ruleset “${ruleset.name}” can be bypassed by everyone in: ${wide.map(({ name }) => name).join(', ')}.`,
        wide,
        bypassFix(owner, ruleset, kept),
        { object: ruleset.name },
      );
    }),
});
