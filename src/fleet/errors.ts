/** Errors of a run over many targets, in addition to the client's. */
import { AdvisedError } from '../client/errors.ts';

/** A journal that cannot be used: damaged, of another run, or in use. Nothing was sent. */
export class JournalError extends AdvisedError {}

/** A write without a response whose outcome cannot be read from the platform. It is not sent again. */
export class UnverifiedWriteError extends AdvisedError {
  constructor(step: string) {
    super(
      `The outcome of ${step} is unknown: an earlier run sent it, and the platform does not show its effect.`,
      'It was not sent again. Check the target, and run the command for it alone if the change is missing.',
    );
  }
}

/** The name of a repository, organization, team or person now belongs to a different one than in the run or the plan, which was not changed. */
export class OtherTargetError extends Error {
  constructor(
    target: string,
    earlier: number,
    found: unknown,
    kind: 'repository' | 'organization' | 'team' | 'user' = target.includes('/') ? 'repository' : 'organization',
  ) {
    super(
      `${target} is now a different ${kind}: its ID is ${JSON.stringify(found)}, not ${earlier}. Nothing was sent to it.`,
    );
  }
}
