/** Saved plans: one that is named, and the plan of a run beside its journal. */
import { UsageError } from '../../../cli/errors.ts';
import { FileError } from '../../../client/errors.ts';
import { removeIfPossible, writeOutputFile } from '../../../disk/output-file.ts';
import { fileStartsWith, readRegularFile, UnsuitableFileError } from '../../../disk/regular-file.ts';
import { isDiskFailure, whyUnreadable } from '../../../disk/system-errors.ts';
import { JournalError } from '../../../fleet/errors.ts';
import { parsePlan, planText, type SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { safeText } from '../../../output/safe-text.ts';
import { whyNotWritten } from '../../new-file.ts';

/** In bytes: a saved plan of 10,000 repositories has about 30 MB. */
const largestPlan = 256 * 1024 * 1024;

/** Returns the saved plan at a path; undefined for policies. */
export function savedPlanAt(paths: readonly string[]): SavedPlan | undefined {
  const [path, ...others] = paths;
  if (path === undefined || path === '-' || others.length || !isPlan(path)) return undefined;
  return requirePlan(path);
}

/** Plans have any name; one that cannot be read is a plan by its name. */
const isPlan = (path: string): boolean => path.endsWith('.ndjson') || containsPlan(path);

/** Returns whether a file begins like a saved plan; false if it cannot be read. */
export const containsPlan = (path: string): boolean => fileStartsWith(path, '{"plan":');

export const isJournal = (path: string): boolean => fileStartsWith(path, '{"journal":');

/** Returns whether a path is that of a saved plan, or of a journal. */
export const isSavedRun = (path: string): boolean => path !== '-' && (isPlan(path) || isJournal(path));

/** Returns a saved plan. Throws UsageError, and PlanFileError. */
export function requirePlan(path: string): SavedPlan {
  let text: string;
  try {
    text = readRegularFile(path, largestPlan).toString();
  } catch (error) {
    if (error instanceof UnsuitableFileError) throw new UsageError(`${path} ${error.message}. Nothing was sent.`);
    throw new UsageError(`Cannot read ${path}: ${whyUnreadable(error) ?? (error as Error).message}. Nothing was sent.`);
  }
  return parsePlan(path, text);
}

/** Throws UsageError for the plan of another platform. */
export function requirePlatform({ platform }: SavedPlan, baseUrl: string): void {
  if (platform !== baseUrl)
    throw new UsageError(`The plan is for ${safeText(platform)}, not for ${baseUrl}. Nothing was sent.`);
}

const besides = (journal: string): string => `${journal}.plan`;

/** Returns the plan of a run beside its journal. Throws as `requirePlan` does. */
export const planBeside = (journal: string): SavedPlan => requirePlan(besides(journal));

/**
 * Saves the plan of a run beside its new journal, unless it is there. With `replace`, it replaces another plan. Returns
 * a function that removes what was saved. Throws JournalError, and FileError for a full disk.
 */
export function savePlanBeside(
  journal: string,
  plan: SavedPlan,
  { replace }: { readonly replace: boolean },
): () => void {
  const file = besides(journal);
  if (!replace && containsPlan(file) && requirePlan(file).digest === plan.digest) return () => {};
  try {
    // Nobody named this file: a pipe of its name was not made for it.
    writeOutputFile(file, planText(plan), {
      replace: () => replace && containsPlan(file),
      isPrivate: true,
      mayStream: false,
    });
    return () => removeIfPossible(file);
  } catch (error) {
    const message = `Cannot write ${file}: ${whyNotWritten(file, error)}. Nothing was sent.`;
    throw isDiskFailure(error) ? new FileError(message, { cause: error }) : new JournalError(message);
  }
}
