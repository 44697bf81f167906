/** Whether changes loosen or tighten protection. */
import type { FieldChange } from '../../diff.ts';

/** `loosens` if any part does. */
export type Effect = 'tightens' | 'loosens' | 'neutral';

/** Returns the effect of several changes together: any loosening counts. Undefined if one effect is unknown. */
export function combined(effects: readonly (Effect | undefined)[]): Effect | undefined {
  if (effects.includes('loosens')) return 'loosens';
  if (effects.includes(undefined)) return undefined;
  return effects.includes('tightens') ? 'tightens' : 'neutral';
}

/** Returns the effect of a number of which a larger one protects more. */
export const rising = (from: number, to: number): Effect =>
  to > from ? 'tightens' : to < from ? 'loosens' : 'neutral';

/** Returns the effect of a value among those of an enumeration, the one that protects most last. */
export function ranked(order: readonly unknown[], { from, to }: FieldChange): Effect | undefined {
  const [before, after] = [order.indexOf(from), order.indexOf(to)];
  return before === -1 || after === -1 ? undefined : rising(before, after);
}
