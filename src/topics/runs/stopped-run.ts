/** Errors of runs over many targets. */
import { SomeFailedError } from '../../cli/errors.ts';
import type { Stop, TargetError } from '../../fleet/runner.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import type { OutcomeSummary } from '../each/outcomes.ts';

interface EndedRun {
  readonly stop: Stop<TargetError> | undefined;
  readonly stoppedGroups: ReadonlySet<string>;
}

/**
 * Returns the error of a run over `total` targets of which some failed or were not started; undefined if all are done.
 */
export function runFailure(
  { stop, stoppedGroups }: EndedRun,
  summary: OutcomeSummary,
  total: number,
): SomeFailedError | undefined {
  const { failures, skipped } = summary;
  const left = total - summary.total;
  if (stop === 'max failures')
    return new SomeFailedError(`Stopped after ${counted(failures, 'failure')}: ${formatCount(skipped)} skipped.`);
  const cause = typeof stop === 'object' ? stop : undefined;
  // Without rate limit groups, the error concerns all targets that are left.
  if (cause && left > 0 && stoppedGroups.has(''))
    return new SomeFailedError(
      `Stopped: ${cause.message.replace(/\.$/, '')}; ${counted(left, 'target')} not started.`,
      cause.advice,
    );
  return failures > 0 ? new SomeFailedError(summary.failureText(total), cause?.advice) : undefined;
}
