import type { BypassActor } from '../../../../platform/records.ts';
import { bypassFix, eachBypassList, mostTeamMembers, staleTeamOf, widthOf } from '../../bypass-list.ts';
import { check, type Evidence, fail } from '../../check.ts';

export const rulesetBypassStale = check({
  id: 'ruleset-bypass-stale',
  scope: 'organization',
  severity: 'medium',
  title: 'Those who may bypass a ruleset still exist',
  description:
    'Bypass lists keep people who left, teams that were deleted or emptied, and apps that are no longer installed. Everyone who joins such a team may bypass the ruleset.',
  documents: [
    'https://docs.github.com/en/organizations/managing-organization-settings/managing-rulesets-for-repositories-in-your-organization',
  ],
  maps: {},
  reads: ['rulesets', 'bypassTeams', 'members', 'installations'],
  judge: ({ rulesets, bypassTeams, members, installations }, { owner }) => {
    const [people, apps] = [new Set(members.map(({ id }) => id)), new Set(installations.map(({ app_id: id }) => id))];
    const staleOf = (actor: BypassActor): Evidence | undefined => {
      const { actor_type: type, actor_id: id } = actor;
      if (id === undefined || id === null) return undefined;
      if (type === 'User' && !people.has(id)) return { name: `user ${id}`, value: 'not a member' };
      if (type === 'Integration' && !apps.has(id)) return { name: `app ${id}`, value: 'not installed' };
      return staleTeamOf(actor, bypassTeams);
    };
    return eachBypassList(rulesets, (ruleset, actors) => {
      const stale = actors.flatMap((actor) => staleOf(actor) ?? []);
      if (stale.length === 0) return undefined;
      const kept = actors.filter((actor) => staleOf(actor) === undefined);
      const { command, policy } = bypassFix(owner, ruleset, kept);
      // Both commands replace the list: this one would add again what the other one removes.
      const isWide = kept.some((actor) => widthOf(actor, bypassTeams, mostTeamMembers));
      const hint = 'Run the command of ruleset-bypass-wide first, and audit again.';
      return fail(
        `Ruleset “${ruleset.name}” can be bypassed by ${stale.map(({ name, value }) => `${name} (${value})`).join(', ')}.`,
        stale,
        { policy, ...(isWide ? { hint } : { command }) },
        { object: ruleset.name },
      );
    });
  },
});
