/** Changes that one request makes. */
import type { PlannedChange } from '../live/change.ts';
import { kindNamed } from './lookup.ts';

/** Returns whether one request can make this change of several targets. */
export const isShared = ({ kind }: Pick<PlannedChange, 'kind'>): boolean => kindNamed(kind).mostTargets !== undefined;

/** Returns changes in groups, each for one request: the same change of several targets of one organization, or one change. */
export function groupsOf<C extends PlannedChange>(changes: readonly C[]): readonly (readonly C[])[] {
  const keyOf = (change: C): unknown => {
    const { action, kind, target, body } = change;
    return isShared(change) ? JSON.stringify([action, kind, target.split('/', 1)[0]?.toLowerCase(), body]) : change;
  };
  return [...Map.groupBy(changes, keyOf).values()].flatMap((same) => {
    const most = (same[0] && kindNamed(same[0].kind).mostTargets) ?? same.length;
    const count = Math.ceil(same.length / most);
    return Array.from({ length: count }, (_, at) => same.slice(at * most, (at + 1) * most));
  });
}
