/** Errors before any request, and other reasons for a command to fail. */
import type { RequestSummary } from '../client/errors.ts';
import type { Problem } from '../platform/validate.ts';

class AdvisedError extends Error {
  readonly advice: string | undefined;

  constructor(message: string, advice?: string) {
    super(message);
    this.advice = advice;
  }
}

/** The command line is invalid. Nothing was sent. */
export class UsageError extends AdvisedError {
  override name = 'UsageError';
}

/** The command needs a token: the profile has none, or the platform does not accept it. */
export class NotLoggedInError extends UsageError {
  override name = 'NotLoggedInError';
}

/** Invalid values, all reported at once. Nothing was sent. */
export class ValidationError extends Error {
  override name = 'ValidationError';
  readonly problems: readonly Problem[];
  readonly advice: string | undefined;

  constructor(problems: readonly Problem[], advice?: string) {
    super(problems.map(({ field, message }) => (field ? `${field} ${message}` : message)).join('; '));
    this.problems = problems;
    this.advice = advice;
  }
}

/** A checked file has errors, which are already printed as the result. */
export class LintError extends Error {
  override name = 'LintError';
}

/** The platform accepted the request but did not perform it, such as a snapshot whose result is a failure. */
export class RefusedResultError extends Error {
  override name = 'RefusedResultError';
}

/** A limit that the user set stopped the run before it changed anything. */
export class GuardError extends Error {
  override name = 'GuardError';
}

/** Some of several targets failed. Each was reported on its own. */
export class SomeFailedError extends AdvisedError {
  override name = 'SomeFailedError';
}

/** A policy differs from the live state. The differences are already printed as the result. */
export class DifferencesError extends Error {
  override name = 'DifferencesError';
}

/** The token cannot read everything that a policy manages. The unreadable parts are already printed as the result. */
export class UnreadableError extends AdvisedError {
  override name = 'UnreadableError';
}

/** A `wait` reached its limit; the expected state may still follow. */
export class WaitLimitError extends AdvisedError {
  override name = 'WaitLimitError';
}

/** A write that was sent and has no response yet. */
export interface PendingWrite {
  readonly asked: Pick<RequestSummary, 'method' | 'path'>;
  /** The command that shows whether the write happened. */
  readonly verifyCommand?: string | undefined;
}

/** Ctrl-C. */
export class InterruptedError extends Error {
  override name = 'InterruptedError';
  readonly pendingWrites: readonly PendingWrite[];

  constructor(pendingWrites: readonly PendingWrite[] = []) {
    const requests = pendingWrites.map(({ asked: { method, path } }) => `${method} ${path}`);
    const named = requests.join(', ').replace(/, ([^,]*)$/, ' and $1');
    super(
      requests.length === 0
        ? 'Interrupted'
        : `Interrupted before the response to ${named}; the change may have happened.`,
    );
    this.pendingWrites = pendingWrites;
  }
}

/** The change was made, but its result cannot be shown: the jq filter failed on it, or the disk is full. */
export class UnshownResultError extends Error {
  override name = 'UnshownResultError';

  constructor(cause: unknown) {
    super(
      `The change was made, but the result cannot be shown: ${cause instanceof Error ? cause.message : String(cause)}`,
      {
        cause,
      },
    );
  }
}
