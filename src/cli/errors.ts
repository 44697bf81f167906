/** Errors before any request, and other reasons for a command to fail. */
import { AdvisedError, type RequestSummary } from '../client/errors.ts';
import { asText } from '../json/exact-json.ts';
import type { Problem } from '../platform/validate.ts';

/** The command line is invalid. Nothing was sent. */
export class UsageError extends AdvisedError {}

/** The command needs a token: the profile has none, or the platform does not accept it. */
export class NotLoggedInError extends UsageError {}

/** Invalid values, all reported at once. Nothing was sent. */
export class ValidationError extends AdvisedError {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[], advice?: string) {
    super(problems.map(({ field, message }) => (field ? `${field} ${message}` : message)).join('; '), advice);
    this.problems = problems;
  }
}

/** A checked file has errors, which are already printed as the result. */
export class LintError extends Error {}

/** A prediction, which is already printed as the result, is bad news. */
export class FindingsError extends Error {}

/** The platform accepted the request but did not perform it, such as a snapshot whose result is a failure. */
export class RefusedResultError extends Error {}

/** A limit that the user set stopped the run before it changed anything. */
export class GuardError extends Error {}

/** Some of several targets failed, or parts of a result are missing. Each was reported on its own. */
export class SomeFailedError extends AdvisedError {}

/** A policy differs from the live state. The differences are already printed as the result. */
export class DifferencesError extends Error {}

/** The token cannot read everything that a policy manages. The unreadable parts are already printed as the result. */
export class UnreadableError extends AdvisedError {}

/** A `wait` reached its limit; the expected state may still follow. */
export class WaitLimitError extends AdvisedError {}

/** A write that was sent and has no response yet. */
export interface PendingWrite {
  readonly asked: Pick<RequestSummary, 'method' | 'path'>;
  /** The command that shows whether the write happened. */
  readonly verifyCommand?: string | undefined;
}

/** Ctrl-C. */
export class InterruptedError extends Error {
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
  constructor(cause: unknown) {
    super(
      `The change was made, but the result cannot be shown: ${cause instanceof Error ? cause.message : asText(cause)}`,
      {
        cause,
      },
    );
  }
}
