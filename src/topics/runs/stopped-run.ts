/** Errors of runs over many targets. */
import { SomeFailedError } from '../../cli/errors.ts';
import type { TargetError } from '../../fleet/runner.ts';

/** Returns the error of a run that one target stopped: why, what is `left`, and when to continue. */
export const stoppedError = ({ message, advice }: TargetError, left: string): SomeFailedError =>
  new SomeFailedError(`Stopped: ${message.replace(/\.$/, '')}; ${left}.`, advice);
