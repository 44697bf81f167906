import type { BypassActor } from '../../../../platform/records.ts';
import { bypassFix, eachBypassList } from '../../bypass-list.ts';
import { check, type Evidence, fail } from '../../check.ts';
import { wideRoleOf } from '../../wide-bypass.ts';

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
    members: { default: 25, least: 1, description: 'Maximum number of members of a team that may bypass' },
  },
  reads: ['rulesets', 'bypassTeams'],
  judge: ({ rulesets, bypassTeams }, { owner }, { members: most }) =>
    eachBypassList(rulesets, (ruleset, actors) => {
      const widthOf = (actor: BypassActor): Evidence | undefined => {
        const role = wideRoleOf(actor, true);
        if (role !== undefined) return { name: `role ${role}`, value: actor.bypass_mode ?? 'always' };
        const team = actor.actor_type === 'Team' ? bypassTeams.get(actor.actor_id ?? 0) : undefined;
        return team && team.members > most
          ? { name: `team ${team.slug}`, value: `${team.members} members` }
          : undefined;
      };
      const wide = actors.flatMap((actor) => widthOf(actor) ?? []);
      if (wide.length === 0) return undefined;
      return fail(
        `Ruleset “${ruleset.name}” can be bypassed by everyone in: ${wide.map(({ name }) => name).join(', ')}.`,
        wide,
        bypassFix(
          owner,
          ruleset,
          actors.filter((actor) => widthOf(actor) === undefined),
        ),
        { object: ruleset.name },
      );
    }),
});
