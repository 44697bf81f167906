/** How `rulesets impact` ends. */
import { FindingsError, SomeFailedError } from '../../../cli/errors.ts';
import { formatCount } from '../../../output/amounts.ts';
import type { ImpactFlags } from './flags.ts';
import type { ImpactSummary } from './result.ts';

/** Returns the error for pushes that cannot be read, or that `--fail-on` names; undefined if there are none. */
export function failureOf(
  { unreadable, refused, rule_suites: suites }: ImpactSummary,
  { 'fail-on': failsOn }: Pick<ImpactFlags, 'fail-on'>,
): Error | undefined {
  if (unreadable.length > 0)
    return new SomeFailedError(`The activity of ${repositoriesText(unreadable.length)} cannot be read.`);
  if (failsOn !== 'refused') return undefined;
  if (refused) return new FindingsError(`${pushesText(refused)} would have been refused.`);
  if (suites?.missing)
    return new SomeFailedError('The pushes that were refused cannot be read, so they are not judged.');
  return undefined;
}

export const repositoriesText = (count: number) =>
  `${formatCount(count)} ${count === 1 ? 'repository' : 'repositories'}`;

const pushesText = (count: number) => `${formatCount(count)} ${count === 1 ? 'push' : 'pushes'}`;
