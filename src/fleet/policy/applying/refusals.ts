/** Refused changes, such as invitations, that no other change of their target needs: the others are made all the same. */
import { ApiError } from '../../../client/errors.ts';
import { RefusedChangesError } from '../errors.ts';
import { isMadeLast, kindNamed } from '../kinds/lookup.ts';
import type { Step } from '../live/change.ts';

/** The platform does not accept a change of one object (422), or does not know it (404). */
const ofOneObject: readonly number[] = [404, 422];

export class Refusals {
  readonly #errors: ApiError[] = [];

  /** Collects the error of a step after which the others of its target are made; throws any other. */
  collect(step: Step, error: unknown): void {
    const isAlone = kindNamed(step.kind).standsAlone === true && !isMadeLast(step);
    if (!isAlone || !(error instanceof ApiError) || !ofOneObject.includes(error.refusal.status)) throw error;
    this.#errors.push(error);
  }

  /** Returns whether a step is not made after a refusal: it takes something away, or ends all changes of its target. */
  holds(step: Step): boolean {
    return this.#errors.length > 0 && (isMadeLast(step) || kindNamed(step.kind).closesTarget?.(step) === true);
  }

  /** Throws the collected errors, if there are any. */
  throwAny(): void {
    const [first, ...others] = this.#errors;
    if (first) throw others.length ? new RefusedChangesError(this.#errors) : first;
  }
}
