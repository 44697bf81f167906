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
  const depth = depths(({ action, body, before }) => {
    const parent = (action === 'delete' ? before : body)?.parent;
    if (typeof parent !== 'string') return 0;
    const above = named.get(parent);
    // A parent that stays where it is may be below a team that moves.
    const stays = above ? above.action === 'update' && above.body.parent === undefined : !renamed.has(parent);
    return stays ? steps.length : (above ?? -1);
  });
  const earlier = new Map(steps.map((step) => [slugOf(step), step]));
  const earlierDepth = depths(({ before }) => earlier.get(asText(before?.parent)) ?? 0);
  // A team leaves another one before that one moves, perhaps below it.
  return steps.toSorted((a, b) => depth(a) - depth(b) || earlierDepth(b) - earlierDepth(a));
}

/** Returns a function that returns how many steps are above one. Each is counted once, as a chain may have all teams. */
function depths(aboveOf: (step: Step) => Step | number): (step: Step) => number {
  const known = new Map<Step, number>();
  return (step) => {
    const path: Step[] = [];
    let at: Step | number = step;
    while (typeof at !== 'number' && !known.has(at)) {
      path.push(at);
      // For a team that is its own ancestor.
      known.set(at, 0);
      at = aboveOf(at);
    }
    let depth = typeof at === 'number' ? at : (known.get(at) ?? 0) + 1;
    for (const each of path.toReversed()) known.set(each, depth++);
    return known.get(step) ?? 0;
  };
}
