/** Errors of plans, and of applying them. */
import { AdvisedError, type ApiError } from '../../client/errors.ts';

/** A selector matched more or fewer repositories than its policy expects. Nothing was written. */
export class ExpectationError extends Error {}

/** No policy file names an organization or an enterprise. */
export class UnnamedTargetError extends Error {
  constructor(owner: string) {
    super(`No policy file covers ${owner}.`);
  }
}

/** A plan file that cannot be used. Nothing was sent. */
export class PlanFileError extends AdvisedError {}

/** An object has changed since it was planned. Its change was not sent. */
export class ChangedSincePlanError extends Error {
  readonly target: string;

  constructor(what: string, target: string) {
    super(`${what} of ${target} changed after the plan, so nothing was sent. Plan again.`);
    this.target = target;
  }
}

/** A deletion would delete more than its plan names. It was not sent. */
export class UnplannedDeletionError extends Error {
  /** @param more such as “would also delete its child team …” */
  constructor(what: string, target: string, more: string) {
    super(`Deleting ${what} of ${target} ${more}, so it was not deleted. Plan again.`);
  }
}

/** The platform accepted a write but stored something else. */
export class ValuesDifferError extends Error {
  /** The paths of the fields. */
  readonly fields: readonly string[];

  constructor(what: string, target: string, fields: readonly string[]) {
    super(`The platform accepted the change of ${what} of ${target}, but did not keep ${fields.join(', ')}.`);
    this.fields = fields;
  }
}

/** Secrets that policies refer to cannot be read. Nothing was written. */
export class SecretError extends Error {
  constructor(problems: readonly string[]) {
    const what = problems.length === 1 ? 'A secret' : `${problems.length} secrets`;
    super([`${what} cannot be read. Nothing was written.`, ...problems].join('\n'));
  }
}

/** The platform refused several changes of a target. */
export class RefusedChangesError extends Error {
  constructor(errors: readonly ApiError[]) {
    const lines = errors.map(
      ({ asked: { method, path }, refusal: { status }, message }) => `${method} ${path} returned ${status} ${message}`,
    );
    super(lines.join('; '));
  }
}

const hindrances = {
  failed: 'failed',
  left: 'have not been made',
  unprocessed: 'have not been confirmed',
  unidentified: 'have no ID in their responses',
} as const;

/**
 * Why earlier changes are not done: they failed, are left to another shard, this run does not process their target, or the
 * platform returned no ID for what they created.
 */
export type Hindrance = keyof typeof hindrances;

/** Nothing of a target was loosened, because earlier changes are not done. */
export class EarlierFailureError extends Error {
  constructor(target: string, why: Hindrance) {
    super(`Not done: changes of ${target} that come before it ${hindrances[why]}.`);
  }
}
