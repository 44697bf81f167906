/** The earlier names of objects that policies rename. */
import * as v from 'valibot';
import { nested, optional } from '../../../platform/schema.ts';
import { elements, member, type Placed } from './placed.ts';

const form = 'must be a name, or a list of names';
const name = v.pipe(v.string(form), v.nonEmpty(form));

/** Declares `was`: a name, or a list of names. */
export const earlierNames = (noun: string) =>
  optional(
    nested(
      v.union([name, v.pipe(v.array(name), v.nonEmpty(form))], form),
      `Earlier name; a ${noun} of that name is renamed. Of several, the first that exists`,
    ),
  );

/** Returns the earlier names of an object; undefined if it declares none. */
export function earlierNamesOf(object: Placed): readonly string[] | undefined {
  const was = member(object, 'was');
  if (!was) return undefined;
  return [was, ...elements(was)].flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
}
