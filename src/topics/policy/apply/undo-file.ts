/** The file of `--undo-out`. */
import { lstatSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../../cli/errors.ts';
import { undoPlan } from '../../../fleet/policy/applying/undo.ts';
import type { PropertyDefinitions } from '../../../fleet/policy/kinds/property-definitions.ts';
import { isStep, type PlannedChange, type Step } from '../../../fleet/policy/live/change.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { assertWritable, savePlan } from '../run.ts';
import { requirePlan } from './saved-plan.ts';

export class UndoFile {
  readonly #path: string;
  readonly #plan: SavedPlan;
  readonly #definitions: ReadonlyMap<string, PropertyDefinitions>;
  /** The digest of the undo plan that was saved. */
  #digest: string | undefined;

  constructor(path: string, plan: SavedPlan, definitions: ReadonlyMap<string, PropertyDefinitions>) {
    this.#path = path;
    this.#plan = plan;
    this.#definitions = definitions;
  }

  /**
   * Saves the undo of steps before they are made. With `continues`, it replaces that of an earlier part of the run. Throws
   * UsageError and FileError.
   */
  save(steps: readonly Step[], { continues }: { readonly continues: boolean }): void {
    this.#save(steps, () => continues && isUndoOf(this.#path, this.#plan));
  }

  /**
   * Replaces what was saved with the undo of the steps that were made: somebody else may have made the others. A pipe keeps
   * what was written to it.
   */
  update(made: readonly Step[], notice: (text: string) => void): void {
    if (!lstatSync(this.#path, { throwIfNoEntry: false })?.isFile()) return;
    try {
      this.#save(made, () => requirePlan(this.#path).digest === this.#digest);
    } catch {
      notice(`Cannot update ${this.#path}: it undoes all planned changes, even those that were not made.`);
    }
  }

  #save(steps: readonly Step[], replace: () => boolean): void {
    const plan = undoPlan(this.#plan, steps, this.#definitions);
    savePlan(this.#path, plan, { replace });
    this.#digest = plan.digest;
  }
}

/**
 * Throws UsageError for a file that certainly cannot be written, and for one that exists, unless it contains the undo of an
 * earlier part of a run that continues. `plan`: that of this run.
 */
export function requireUndoFile(path: string, plan: SavedPlan | undefined): void {
  assertWritable(path);
  if (!(plan && isUndoOf(path, plan)) && lstatSync(path, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${path} already exists, perhaps to undo an earlier run. Nothing was sent.`);
}

/** Returns whether a file contains the undo of a part of the run with this plan. */
function isUndoOf(path: string, plan: SavedPlan): boolean {
  try {
    const { platform, policy_digest: digest, changes } = requirePlan(path);
    if (platform !== plan.platform || digest !== plan.policy_digest) return false;
    const all = new Map(undoPlan(plan, plan.changes.filter(isStep)).changes.map((change) => [keyOf(change), change]));
    return changes.every((change) => isPartOf(change, all.get(keyOf(change))));
  } catch {
    return false;
  }
}

const keyOf = ({ kind, target, action, name }: PlannedChange): string => JSON.stringify([kind, target, action, name]);

/** Returns whether `whole` restores every value that a change restores. Null resets a field to its default. */
const isPartOf = ({ body = {} }: PlannedChange, whole: PlannedChange | undefined): boolean =>
  whole !== undefined &&
  Object.entries(body).every(([field, value]) => value === null || isDeepStrictEqual(value, whole.body?.[field]));
