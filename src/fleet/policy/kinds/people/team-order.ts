/** The order of changes of teams: a parent exists before its child teams, and no team is ever its own ancestor. */
import { asText } from '../../../../json/exact-json.ts';
import type { PlannedChange, Step } from '../../live/change.ts';
import { slugOfTeam } from './team-names.ts';

/** Returns the slug of the team of a change, before the change. */
export const slugOf = ({ name, before }: PlannedChange): string =>
  slugOfTeam(typeof before?.name === 'string' ? before.name : name);

/**
 * Returns changes in an order in which every parent exists under its name: after it is created or renamed to that name, and
 * before it is renamed from it. In the reverse order, child teams are deleted before their parents.
 */
export function parentsFirst(steps: readonly Step[]): readonly Step[] {
  const named = new Map(steps.map((step) => [slugOfTeam(step.name), step]));
  const renamed = new Set(steps.filter((step) => slugOf(step) !== slugOfTeam(step.name)).map(slugOf));
  const depth = ({ action, body, before }: Step, seen: readonly string[] = []): number => {
    const parent = (action === 'delete' ? before : body)?.parent;
    if (typeof parent !== 'string' || seen.includes(parent)) return 0;
    const above = named.get(parent);
    // A parent that stays where it is may be below a team that moves.
    const stays = above ? above.action === 'update' && above.body.parent === undefined : !renamed.has(parent);
    if (stays) return steps.length;
    return above ? 1 + depth(above, [...seen, parent]) : -1;
  };
  const earlier = new Map(steps.map((step) => [slugOf(step), step]));
  const earlierDepth = ({ before }: Step, seen: readonly unknown[] = []): number => {
    const above = earlier.get(asText(before?.parent));
    return above && !seen.includes(above) ? 1 + earlierDepth(above, [...seen, above]) : 0;
  };
  // A team leaves another one before that one moves, perhaps below it.
  return steps.toSorted((a, b) => depth(a) - depth(b) || earlierDepth(b) - earlierDepth(a));
}
