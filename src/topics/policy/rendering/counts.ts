/** The totals of plans, and what in them needs attention. */
import { kindNamed } from '../../../fleet/policy/kinds/lookup.ts';
import { type Action, isRefused, isStep, type PlannedChange } from '../../../fleet/policy/live/change.ts';
import type { RequestCounts } from '../../../fleet/policy/live/requests.ts';
import type { PolicyPlan } from '../../../fleet/policy/planning/plan.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { counted, formatCount, timeText } from '../../../output/amounts.ts';
import { safeText } from '../../../output/safe-text.ts';

/**
 * Returns the counts of a plan: a line for each organization whose repositories are selected, and one for its changes, as
 * `apply` makes them.
 */
export function planCounts(
  { changes, selections, requests, estimated_seconds: seconds = 0 }: Omit<PolicyPlan, 'summary'>,
  prunes = false,
): string {
  const selected = selections.map(({ organization, selected: some, of, archived }) => {
    const skipped = archived ? `, ${formatCount(archived)} archived skipped` : '';
    return `${organization}: ${formatCount(some)} of ${formatCount(of)} repositories selected${skipped}.`;
  });
  const time = seconds < 60 ? '' : `; about ${timeText(seconds)} at the platform’s limits`;
  return [...selected, `${changeCounts(changes, prunes)}${time}. ${requestsText(requests)}.`].join('\n');
}

/** Returns the counts of a saved plan, as `apply` makes its changes, and who planned it. */
export function savedPlanCounts(
  { identity, reviewed_from }: Pick<SavedPlan, 'identity' | 'reviewed_from'>,
  changes: readonly PlannedChange[],
  prunes: boolean,
): string {
  const planned = identity ? `, planned by ${safeText(identity)}` : '';
  return [`${changeCounts(changes, prunes)}${planned}.`, ...reviewTexts({ reviewed_from })].join('\n');
}

/** Returns “12 changes (11 to create, 1 to update), 3 undeclared (deleted or reset only with --prune), 2 not planned”. */
export function changeCounts(changes: readonly PlannedChange[], prunes = false): string {
  const undeclared = prunes ? 0 : changes.filter((change) => change.undeclared).length;
  const count = (...those: Action[]) => changes.filter(({ action }) => those.includes(action)).length;
  const made: readonly (readonly [number, string])[] = [
    [count('create'), 'create'],
    [count('update'), 'update'],
    [count('delete', 'unset') - undeclared, 'delete or reset'],
    [count('resend'), 'send again'],
  ];
  const total = made.reduce((sum, [number]) => sum + number, 0);
  const parts = made.flatMap(([number, verb]) => (number ? `${formatCount(number)} to ${verb}` : []));
  const refused = changes.filter(isRefused).length;
  return [
    total === 0 ? 'No changes' : `${counted(total, 'change')} (${parts.join(', ')})`,
    ...(undeclared ? [`${formatCount(undeclared)} undeclared (deleted or reset only with --prune)`] : []),
    ...(refused ? [`${formatCount(refused)} not planned`] : []),
  ].join(', ');
}

/** Returns “3,725 requests, 3,700 unchanged”. */
export const requestsText = ({ sent, not_modified: notModified }: RequestCounts): string =>
  `${counted(sent, 'request')}${notModified ? `, ${formatCount(notModified)} unchanged` : ''}`;

/** In characters: enough of a digest to recognize it. */
const digestLength = 12;

export const digestStart = (digest: string): string => `${digest.slice(0, digestLength)}…`;

/** Returns a line that says of which plan a reviewed one is a part; none for others. */
export const reviewTexts = ({ reviewed_from: digest }: Pick<SavedPlan, 'reviewed_from'>): readonly string[] =>
  digest === undefined ? [] : [`Reviewed, from the plan with the digest ${safeText(digestStart(digest))}.`];

/**
 * Returns “Attention: 2 changes loosen protection, 1 change deletes or resets an object, 1 object cannot be planned.”;
 * undefined if nothing needs any.
 */
function attentionText(changes: readonly PlannedChange[], prunes = false): string | undefined {
  const made = changes.filter((change) => isStep(change) && (prunes || !change.undeclared));
  const count = (is: (change: PlannedChange) => boolean) => made.filter(is).length;
  const loosening = count(({ effect, action }) => effect === 'loosens' && action !== 'delete' && action !== 'unset');
  const removals = count(({ action }) => action === 'delete' || action === 'unset');
  const refused = changes.filter(isRefused).length;
  const parts = [
    loosening && `${counted(loosening, 'change')} ${loosening === 1 ? 'loosens' : 'loosen'} protection`,
    removals &&
      `${counted(removals, 'change')} ${removals === 1 ? 'deletes or resets an object' : 'delete or reset objects'}`,
    refused && `${counted(refused, 'object')} cannot be planned`,
  ].filter(Boolean);
  return parts.length ? `Attention: ${parts.join(', ')}.` : undefined;
}

/** Returns a line about what deletions take with them for good; undefined if that is nothing. */
function lossText(changes: readonly PlannedChange[], prunes = false): string | undefined {
  const deletions = changes.filter(
    ({ action, undeclared, sent }) => action === 'delete' && !sent && (prunes || !undeclared),
  );
  const lost = new Set(deletions.flatMap(({ kind }) => kindNamed(kind).lostWith ?? []));
  return lost.size ? `An undo does not restore ${[...lost].join(', or ')}.` : undefined;
}

/** Returns one line for all fields that cannot be verified; undefined if there are none, or nothing else in the plan. */
function unverifiedText(changes: readonly PlannedChange[]): string | undefined {
  const unverified = changes.filter(({ action }) => action === 'unverified');
  if (unverified.length === 0 || unverified.length === changes.length) return undefined;
  const paths = [...new Set(unverified.flatMap((change) => change.changes.map(({ path }) => path)))];
  return `Cannot be verified, as the platform does not return them: ${paths.join(', ')} of ${formatCount(unverified.length)} ${unverified.length === 1 ? 'registry' : 'registries'}.`;
}

/** Returns the lines below a plan: its counts, and last what needs attention. */
export const planTotals = (changes: readonly PlannedChange[], counts: string, prunes = false): readonly string[] =>
  [unverifiedText(changes), counts, attentionText(changes, prunes), lossText(changes, prunes)].filter(
    (text) => text !== undefined,
  );
