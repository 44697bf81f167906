/** What can go wrong with plans, and when they are applied. */

/** A selector matched more or fewer repositories than its policy expects. Nothing was written. */
export class ExpectationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ExpectationError';
  }
}

/** A plan file that cannot be used. Nothing was sent. */
export class PlanFileError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'PlanFileError';
  }
}

/** An object is not as the plan found it. Its change was not sent. */
export class MovedError extends Error {
  constructor(what: string, target: string) {
    super(`${what} of ${target} changed after the plan, so nothing was sent. Plan again.`);
    this.name = 'MovedError';
  }
}

/** The platform accepted a write and keeps something else. */
export class NotKeptError extends Error {
  constructor(what: string, target: string, fields: readonly string[]) {
    super(`${what} of ${target} was accepted, but not kept by the platform: ${fields.join(', ')}.`);
    this.name = 'NotKeptError';
  }
}

/** Nothing of a target was loosened, because what has to come before that failed. */
export class EarlierFailureError extends Error {
  constructor(target: string) {
    super(`Not done: changes of ${target} that come before it failed.`);
    this.name = 'EarlierFailureError';
  }
}
