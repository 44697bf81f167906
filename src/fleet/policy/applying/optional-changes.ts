/** Selects the changes of a plan to make: some are made only on request. */
import {
  type ApplicableChange,
  isStep,
  type PlannedChange,
  type Resend,
  type UnverifiedChange,
} from '../live/change.ts';
import type { SavedPlan } from '../planning/plan-file.ts';

/** Optional changes, which are made only on request. */
export interface OptionalChanges {
  /** Deletes undeclared objects. */
  readonly prune?: boolean;
  /** Returns whether the secret of an existing object is sent again. */
  readonly rotates?: (change: PlannedChange) => boolean;
  /** Sends selections of repositories again. */
  readonly resendsSelection?: boolean;
}

/** Returns the changes that are made. */
export const stepsOf = (
  { changes }: Pick<SavedPlan, 'changes'>,
  optional: OptionalChanges = {},
): readonly ApplicableChange[] =>
  changes.flatMap((change): readonly ApplicableChange[] => {
    if (change.action === 'unverified') return resent(change, optional);
    return isStep(change) && (optional.prune || !change.undeclared) ? [change] : [];
  });

function resent(change: UnverifiedChange, { rotates, resendsSelection = false }: OptionalChanges): readonly Resend[] {
  const { changes, writeOnly, secret, ...common } = change;
  const sendsSecret = secret !== undefined && rotates?.(change);
  const sendsRepositories = writeOnly !== undefined && resendsSelection;
  const sent = changes.filter(
    ({ path }) => (path === 'secret' && sendsSecret) || (path === 'repositories' && sendsRepositories),
  );
  if (sent.length === 0) return [];
  const parts = { ...(sendsRepositories && { writeOnly }), ...(sendsSecret && { secret }) };
  return [{ ...common, action: 'resend', changes: sent, ...parts }];
}
