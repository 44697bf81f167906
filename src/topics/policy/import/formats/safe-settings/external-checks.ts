/** Status checks that safe-settings leaves to others. */
import { elements, member, type Placed, without, withParts } from '../../../../../fleet/policy/wanted/placed.ts';
import type { Lose } from '../../source.ts';
import { externallyDefined } from './table.ts';

/** Returns settings without what stands for the checks of other rulesets, which policies leave alone. */
export function withoutExternal(part: Placed, lose: Lose, path = ''): Placed {
  if (part.parts.size === 0) return part;
  const kept = [...part.parts].filter(([, each]) => !(listsOfChecks.test(path) && isExternal(each)));
  const left = kept.map(([key, each]): [string | number, Placed] => [
    key,
    withoutExternal(each, lose, `${path}.${key}`),
  ]);
  const whole = withParts(part, Array.isArray(part.value) ? left.map(([, each]) => each).entries() : left);
  const strict = member(whole, 'strict');
  if (strict?.value !== true || !hasOnlyExternalChecks(part)) return whole;
  lose(strict, 'Has no effect in a ruleset without status checks');
  return without(whole, ['strict']);
}

/** Required checks of classic protection, and of rulesets. */
const listsOfChecks = /\.(?:required_status_checks\.(?:contexts|checks)|parameters\.required_status_checks)$/;

const isExternal = (part: Placed): boolean =>
  part.value === externallyDefined || member(part, 'context')?.value === externallyDefined;

const hasOnlyExternalChecks = (required: Placed): boolean => {
  const checks = ['checks', 'contexts'].flatMap((key) => elements(member(required, key)));
  return checks.length > 0 && checks.every(isExternal);
};
