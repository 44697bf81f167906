/** Checks of those who may bypass rulesets of an organization. */
import type { BypassActor, Ruleset } from '../../platform/records.ts';
import { type Fix, pass, unreadable, type Verdict } from './check.ts';
import { organizationPolicy } from './fixes.ts';

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
