/** Settings of several levels, laid over each other as safe-settings does. */
import { isDeepStrictEqual } from 'node:util';
import { elements, type Placed, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { isObject } from '../../../../../json/exact-json.ts';

/** Keys that identify an element of a list. */
const identities = ['name', 'username', 'type', 'context'];

/** Returns a value with another one laid over it: mappings are merged, lists joined, and equal elements of lists merged. */
export function overlaid(base: Placed | undefined, over: Placed): Placed {
  if (!base) return over;
  if (isObject(base.value) && isObject(over.value)) {
    const parts = [...over.parts].map(([key, part]): [string | number, Placed] => [
      key,
      overlaid(base.parts.get(key), part),
    ]);
    return withParts(over, [...base.parts, ...parts]);
  }
  if (!Array.isArray(base.value) || !Array.isArray(over.value)) return over;
  const below = elements(base);
  const joined = [...below];
  const merged = new Set<number>();
  for (const element of elements(over)) {
    const at = below.findIndex((other, index) => !merged.has(index) && isSame(other, element));
    // Of equal elements of one file, which is reported, the second is another one.
    if (at < 0) joined.push(element);
    else joined[at] = overlaid(joined[at], element);
    merged.add(at);
  }
  return withParts(over, joined.entries());
}

function isSame(one: Placed, other: Placed): boolean {
  const identity = identities.find((key) => one.parts.has(key) || other.parts.has(key));
  return identity === undefined
    ? isDeepStrictEqual(one.value, other.value)
    : one.parts.get(identity)?.value === other.parts.get(identity)?.value;
}
