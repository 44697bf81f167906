/** Checks of those who may bypass rulesets of an organization. */
import type { BypassActor, Ruleset } from '../../platform/records.ts';
import { type Evidence, type Fix, pass, unreadable, type Verdict } from './check.ts';
import { organizationPolicy } from './fixes.ts';
import type { BypassTeam } from './readings.ts';
import { wideRoleOf } from './wide-bypass.ts';

export type BypassTeams = ReadonlyMap<number, BypassTeam | null>;

/** The maximum number of members of a team that may bypass. */
export const mostTeamMembers = 25;

/** Returns why too many people are in an actor; undefined if they are not. */
export function widthOf(actor: BypassActor, teams: BypassTeams, most: number): Evidence | undefined {
  const role = wideRoleOf(actor, true);
  if (role !== undefined) return { name: `role ${role}`, value: actor.bypass_mode ?? 'always' };
  const team = actor.actor_type === 'Team' ? teams.get(actor.actor_id ?? 0) : undefined;
  return team && team.members > most ? { name: `team ${team.slug}`, value: `${team.members} members` } : undefined;
}

/** Returns why a team in a bypass list is stale; undefined if it is not, and for others than teams. */
export function staleTeamOf({ actor_type: type, actor_id: id }: BypassActor, teams: BypassTeams): Evidence | undefined {
  if (type !== 'Team' || id === undefined || id === null) return undefined;
  const team = teams.get(id);
  if (team === null) return { name: `team ${id}`, value: 'does not exist' };
  return team?.members === 0 ? { name: `team ${team.slug}`, value: 'no members' } : undefined;
}

/** Judges the bypass lists of rulesets that are not disabled. */
export function eachBypassList(
  rulesets: readonly Ruleset[],
  judge: (ruleset: Ruleset, actors: readonly BypassActor[]) => Verdict | undefined,
): readonly Verdict[] {
  const enabled = rulesets.filter(({ enforcement }) => enforcement !== 'disabled');
  if (enabled.length === 0) return [pass];
  return enabled.map((ruleset) => {
    const { name, bypass_actors: actors } = ruleset;
    if (actors === undefined)
      return unreadable(`who may bypass ruleset “${name}” is shown only to those who may change it`, name);
    return judge(ruleset, actors) ?? { status: 'pass', object: name };
  });
}

/** Replaces the bypass list of a ruleset. */
export const bypassFix = (owner: string, { id, name }: Ruleset, actors: readonly BypassActor[]): Fix => ({
  command: ['rulesets', 'update', owner, String(id), '--bypass-actors', JSON.stringify(actors)],
  policy: organizationPolicy(owner, { rulesets: [{ name, bypass_actors: actors }] }),
});
