/** The file of `--undo-out`. */
import { lstatSync } from 'node:fs';
import { undoPlan } from '../../../fleet/policy/applying/undo.ts';
import type { PropertyDefinitions } from '../../../fleet/policy/kinds/property-definitions.ts';
import type { Step } from '../../../fleet/policy/live/change.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { savePlan } from '../run.ts';
import { requirePlan } from './saved-plan.ts';

export class UndoFile {
  readonly #path: string;
  readonly #plan: SavedPlan;
  readonly #definitions: ReadonlyMap<string, PropertyDefinitions>;

  constructor(path: string, plan: SavedPlan, definitions: ReadonlyMap<string, PropertyDefinitions>) {
    this.#path = path;
    this.#plan = plan;
    this.#definitions = definitions;
  }

  /** Saves the undo of steps before they are made. Throws UsageError and FileError. */
  save(steps: readonly Step[], options: { readonly replace: boolean }): void {
    savePlan(this.#path, undoPlan(this.#plan, steps, this.#definitions), options);
  }

  /** Replaces it by the undo of the steps that were made: somebody else may have made the others. Pipes keep what they got. */
  update(made: readonly Step[], notice: (text: string) => void): void {
    if (!lstatSync(this.#path, { throwIfNoEntry: false })?.isFile()) return;
    try {
      this.save(made, { replace: true });
    } catch {
      notice(`Cannot update ${this.#path}: it undoes all planned changes, even those that were not made.`);
    }
  }
}

/** Returns whether a file has the undo of an earlier part of a run, which that of all replaces. */
export function isUndoOf(path: string, plan: SavedPlan | undefined): boolean {
  try {
    const { platform, policy_digest: digest } = requirePlan(path);
    return platform === plan?.platform && digest === plan.policy_digest;
  } catch {
    return false;
  }
}
