/** Plans as files: a header, a line for each change, and the counts, in ndjson with the same bytes for equal plans. */
import { isObject, parseJson } from '../../json/exact-json.ts';
import { actions, isStep, type PlannedChange, plannedKinds } from './change.ts';
import { digestOfChanges } from './digest.ts';
import { PlanFileError } from './errors.ts';
import { kinds } from './kinds/index.ts';
import type { PolicyPlan } from './plan.ts';

/** The first line of a plan. */
interface PlanHeader
  extends Pick<PolicyPlan, 'plan' | 'platform' | 'identity' | 'organizations' | 'policy_digest' | 'digest'> {}

/** The last line of a plan. A file without it is not complete. */
interface PlanTrailer extends Pick<PolicyPlan, 'summary'> {}

export type PlanLine = PlanHeader | PlannedChange | PlanTrailer;

/** Returns the lines of a plan. The requests that it took are not part of it, as they depend on what was cached. */
export function planLines({ changes, summary, ...plan }: SavedPlan): readonly PlanLine[] {
  const { plan: version, platform, identity, organizations, policy_digest, digest } = plan;
  return [{ plan: version, platform, identity, organizations, policy_digest, digest }, ...changes, { summary }];
}

export const planText = (plan: SavedPlan): string =>
  planLines(plan)
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');

/** What `apply` needs of a saved plan. */
export type SavedPlan = Omit<PolicyPlan, 'selections' | 'requests' | 'estimated_seconds'>;

/** Parses a saved plan. Throws PlanFileError for one that is cut off, changed, or of another version. */
export function parsePlan(file: string, text: string): SavedPlan {
  const damaged = (line: number) =>
    new PlanFileError(`${file} is not a complete plan, line ${line}. Nothing was sent.`);
  const lines = text.split('\n');
  if (lines.pop() !== '') throw damaged(lines.length + 1);
  const values = lines.map((line, at) => {
    try {
      return parseJson(line);
    } catch {
      throw damaged(at + 1);
    }
  });
  const header = values.shift();
  const trailer = values.pop();
  if (!isObject(header) || !('plan' in header)) throw new PlanFileError(`${file} is not a plan: line 1 is no header.`);
  if (header.plan !== 1)
    throw new PlanFileError(
      `${file} is a plan of version ${JSON.stringify(header.plan)}, and this forgectl reads version 1. Nothing was sent.`,
      'Plan again, or use the version of forgectl that wrote it.',
    );
  const changes = values.map((value, at) => {
    if (!isChange(value)) throw damaged(at + 2);
    return value;
  });
  if (!isObject(trailer) || !isObject(trailer.summary)) throw damaged(lines.length);
  if (header.digest !== digestOfChanges(changes))
    throw new PlanFileError(`${file} was changed after it was saved. Nothing was sent.`);
  return { ...header, changes, summary: trailer.summary } as unknown as SavedPlan;
}

function isChange(value: unknown): value is PlannedChange {
  if (!isObject(value)) return false;
  const { action, kind, target, name, source, changes, id, before, body, sent } = value as Partial<PlannedChange>;
  const texts = [target, name, source].every((text) => typeof text === 'string');
  const isKnown = actions.some((each) => each === action) && plannedKinds.some((each) => each === kind);
  if (!texts || !isKnown || !Array.isArray(changes)) return false;
  const change = value as unknown as PlannedChange;
  if (!isStep(change)) return true;
  // What an earlier write created has no known ID: it is found by its key.
  const needsId = kinds[change.kind].hasId && action !== 'create' && !sent;
  const needsBody = action === 'create' || action === 'update';
  return (
    (!needsId || Number.isSafeInteger(id) || typeof id === 'string') &&
    (!needsBody || isObject(body)) &&
    (action === 'create' || isObject(before))
  );
}
