/** The outcomes of `policy apply`: a record for each target, and the plan that is shown before. */
import type { ErrorLine, Failure } from '../../../cli/report/report.ts';
import type { ApplyOutcome } from '../../../fleet/policy/applying/apply.ts';
import { byTarget, type PlannedChange } from '../../../fleet/policy/live/change.ts';
import { formatCount } from '../../../output/amounts.ts';
import type { Column } from '../../../output/table/columns.ts';

/** The outcome of the changes of one target. */
export interface AppliedTarget {
  /** An organization or a repository. */
  readonly target: string;
  /**
   * `loosenings`: changes of an organization that are made after its repositories; `resets`: changes of a repository that
   * are made after those.
   */
  readonly phase?: 'loosenings' | 'resets';
  /** `skipped`: nothing was sent, because an earlier run did it, or an undo does not need it. */
  readonly status: 'ok' | 'failed' | 'skipped' | 'unknown';
  /** The changes that were made. */
  readonly done: readonly string[];
  readonly error?: ErrorLine['error'];
}

/** Returns the record of an outcome. */
export function appliedTarget(outcome: ApplyOutcome<Failure>): AppliedTarget {
  const { target, phase } = outcome.target;
  const error = 'error' in outcome ? printed(outcome.error) : undefined;
  const { status, done = [] } = outcome;
  return { target, ...(phase && { phase }), status, done, ...(error && { error }) };
}

const printed = ({ exit: _exit, reason: _reason, stops: _stops, ...error }: Failure) => error;

const phaseTexts = { loosenings: 'after its repositories', resets: 'after its organization' };

/** Returns the target of a result with its phase, such as “acme (after its repositories)”. */
export const nameOf = ({ target, phase }: AppliedTarget): string =>
  phase ? `${target} (${phaseTexts[phase]})` : target;

export const outcomeColumns: readonly Column<AppliedTarget>[] = [
  { header: 'Target', get: nameOf, as: 'name', priority: 1 },
  { header: 'Status', get: 'status', as: 'state', priority: 1 },
  { header: 'Done', get: ({ done }) => done.join(', '), as: 'text', priority: 2, optional: true },
  { header: 'Error', get: ({ error }) => error && errorText(error), as: 'message', priority: 1, optional: true },
];

/** Returns the message of an error with the fields that the platform refused, in one line. */
export function errorText({ status, message, fields = [], moreFields = 0 }: ErrorLine['error']): string {
  const refused = status ? fields.map((each) => (each.field ? `${each.field} ${each.message}` : each.message)) : [];
  const more = moreFields ? [`${formatCount(moreFields)} more`] : [];
  return refused.length ? `${message}: ${[...refused, ...more].join('; ')}` : message;
}

/** Returns the changes of a plan, in which steps that send write-only fields again replace the lines of these fields. */
export function withResent(
  changes: readonly PlannedChange[],
  steps: readonly PlannedChange[],
): readonly PlannedChange[] {
  const resent = steps.filter(({ action }) => action === 'resend');
  const left = changes.flatMap((change) => {
    const sent = change.action === 'unverified' && resent.find((step) => isSameObject(step, change));
    if (!sent) return [change];
    const unsent = change.changes.filter(({ path }) => !sent.changes.some((each) => each.path === path));
    return unsent.length ? [{ ...change, changes: unsent }] : [];
  });
  return [...left, ...resent].toSorted(byTarget);
}

const isSameObject = (a: PlannedChange, b: PlannedChange): boolean =>
  a.kind === b.kind && a.target === b.target && a.id === b.id;
