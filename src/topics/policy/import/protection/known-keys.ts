/** The keys of classic protection in the form of the request that sets it, with the types of their values. */
import { type Placed, withParts } from '../../../../fleet/policy/wanted/placed.ts';
import { isObject, ownMember } from '../../../../json/exact-json.ts';
import { byName, type Lose, placedAt, unknownKey } from '../source.ts';

/** Returns what a value must be, if it is not. */
type Type = (value: unknown) => string | undefined;

const typed =
  (holds: (value: unknown) => boolean, what: string): Type =>
  (value) =>
    holds(value) ? undefined : `must be ${what}`;

const flag = typed((value) => typeof value === 'boolean', 'true or false');
const text = typed((value) => typeof value === 'string', 'text');
const name = typed((value) => typeof value === 'string' && value.trim() !== '', 'a name');
const whole = typed((value) => Number.isSafeInteger(value), 'a whole number');
const count = typed((value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 10, '0 to 10');
const none = typed((value) => isObject(value) && Object.keys(value).length === 0, 'a mapping');
const empty = typed((value) => Array.isArray(value) && value.length === 0, 'a list');

/** The leaves of classic protection in the form of the request that sets it, with their types. */
const knownLeaves = byName<Type>({
  enforce_admins: flag,
  required_linear_history: flag,
  required_signatures: flag,
  required_conversation_resolution: flag,
  allow_force_pushes: flag,
  allow_deletions: flag,
  block_creations: flag,
  lock_branch: flag,
  allow_fork_syncing: flag,
  restrictions: none,
  'restrictions.*': empty,
  'restrictions.*[]': text,
  required_status_checks: none,
  'required_status_checks.strict': flag,
  'required_status_checks.contexts': empty,
  'required_status_checks.contexts[]': name,
  'required_status_checks.checks': empty,
  'required_status_checks.checks[].context': name,
  'required_status_checks.checks[].app_id': whole,
  required_pull_request_reviews: none,
  'required_pull_request_reviews.dismiss_stale_reviews': flag,
  'required_pull_request_reviews.require_code_owner_reviews': flag,
  'required_pull_request_reviews.require_last_push_approval': flag,
  'required_pull_request_reviews.required_approving_review_count': count,
  'required_pull_request_reviews.dismissal_restrictions': none,
  'required_pull_request_reviews.dismissal_restrictions.*': empty,
  'required_pull_request_reviews.dismissal_restrictions.*[]': text,
  'required_pull_request_reviews.bypass_pull_request_allowances': none,
  'required_pull_request_reviews.bypass_pull_request_allowances.*': empty,
  'required_pull_request_reviews.bypass_pull_request_allowances.*[]': text,
  bypass_force_push_allowances: none,
  'bypass_force_push_allowances.*': empty,
  'bypass_force_push_allowances.*[]': text,
});

/** Returns protection without the leaves that are unknown, or of a wrong type. */
export function withoutUnknown(protection: Placed, lose: Lose): Placed {
  const pruned = (part: Placed, path: readonly (string | number)[]): Placed | undefined => {
    if (part.parts.size === 0) {
      const problem = whyUnknown(path, part.value);
      if (problem === undefined) return part;
      lose(part, problem);
      return undefined;
    }
    const kept = [...part.parts].flatMap(([key, each]): [string | number, Placed][] => {
      const left = pruned(each, [...path, key]);
      return left ? [[key, left]] : [];
    });
    if (isCheck.test(keyOf(path)) && !kept.some(([key]) => key === 'context')) {
      lose(part, 'must have a context');
      return undefined;
    }
    return withParts(part, Array.isArray(part.value) ? kept.map(([, each], index) => [index, each]) : kept);
  };
  return pruned(protection, []) ?? placedAt({}, protection.place);
}

const actorLists = /(^|\.)(restrictions|dismissal_restrictions|bypass_\w+_allowances)\.(?:users|teams|apps)\b/;

const isCheck = /^required_status_checks\.checks\[\]$/;

/** Returns a path without indexes, as the table has it. */
const keyOf = (path: readonly (string | number)[]): string =>
  path
    .map((each) => (typeof each === 'number' ? '[]' : `.${each}`))
    .join('')
    .slice(1);

function whyUnknown(path: readonly (string | number)[], value: unknown): string | undefined {
  if (path.length === 0) return value === null || isObject(value) ? undefined : 'classic protection must be a mapping';
  const known = ownMember(knownLeaves, keyOf(path).replace(actorLists, '$1$2.*'));
  if (!known) return unknownKey;
  return value === null ? undefined : known(value);
}
