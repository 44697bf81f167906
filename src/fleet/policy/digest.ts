/** Digests of policies and plans. */
import { hash } from 'node:crypto';
import { isObject } from '../../json/exact-json.ts';
import type { PlannedChange } from './change.ts';
import { canonical } from './diff.ts';
import type { Policy } from './model.ts';

/** Returns the digest of the changes of a plan: equal for equal policies and live states. */
export const digestOfChanges = (changes: readonly PlannedChange[]): string => hash('sha256', JSON.stringify(changes));

/** Returns the digest of what a policy declares, regardless of its files and of the order of its declarations. */
export const digestOfPolicy = ({ owners }: Policy): string => hash('sha256', textOf(owners.map(declared)));

const textOf = (value: unknown): string => JSON.stringify(canonical(value));

/** Returns a part of a policy as data without positions. */
function declared(part: unknown): unknown {
  if (part instanceof Map) return Object.fromEntries([...part].map(([name, value]) => [name, declared(value)]));
  if (Array.isArray(part)) {
    const elements = part.map(declared);
    // Declarations have no order; the patterns of a selector do.
    return elements.some(isObject) ? elements.map(textOf).toSorted() : elements;
  }
  if (!isObject(part)) return part;
  if ('parts' in part) return part.value;
  const { place: _, ...rest } = part;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, declared(value)]));
}
