/** Values that Terraform marks as sensitive: outside of the state, it never prints them. */
import { member, type Placed, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import { secretMask } from '../../../../../json/secrets.ts';
import type { Lose } from '../../source.ts';

/** Returns a resource without the values that its `sensitive_values` mark, which are reported with a mask. */
export function withoutSensitive<R extends { readonly values: Placed; readonly resource: Placed }>(
  resource: R,
  lose: Lose,
): R {
  const marks = member(resource.resource, 'sensitive_values');
  if (!marks) return resource;
  return { ...resource, values: unmarked(resource.values, marks, lose) ?? withParts(resource.values, []) };
}

/** `marks` has the shape of the value, with true in place of what is sensitive. */
function unmarked(part: Placed, marks: Placed, lose: Lose): Placed | undefined {
  if (marks.value === true) {
    if (part.value !== null && part.value !== '') lose(part, 'is marked as sensitive in the state', secretMask);
    return undefined;
  }
  if (marks.parts.size === 0) return part;
  const kept = [...part.parts].flatMap(([key, each]): [string | number, Placed][] => {
    const mark = marks.parts.get(key);
    const left = mark ? unmarked(each, mark, lose) : each;
    return left ? [[key, left]] : [];
  });
  return withParts(part, Array.isArray(part.value) ? kept.map(([, each]) => each).entries() : kept);
}
