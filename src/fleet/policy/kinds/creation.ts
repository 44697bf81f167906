/** What an object that does not exist lacks to be created. */
import { ownMember } from '../../../json/exact-json.ts';
import { type Checkable, checkBody, type Given } from '../../../platform/validate.ts';

/**
 * Returns why an endpoint would reject a body; undefined if it would not. Policies need not declare the fields that only
 * a creation requires, so their absence shows only in a plan. `renamed` has the keys of policies for fields of bodies.
 */
export function creationProblems(
  endpoint: Checkable,
  body: Given,
  renamed: Readonly<Record<string, string>> = {},
): string | undefined {
  const { problems } = checkBody(endpoint, body);
  if (problems.length === 0) return undefined;
  const texts = problems.map(({ field, message }) => `${ownMember(renamed, field) ?? field} ${message}`);
  return `cannot be created: ${[...new Set(texts)].join('; ')}`;
}
