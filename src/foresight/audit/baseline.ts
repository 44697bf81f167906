/** Compares the findings of an audit with those of an earlier one. */
import { type Finding, keyOf } from './finding.ts';

type Known = Pick<Finding, 'check' | 'target' | 'object' | 'status'>;

const isOpen = ({ status }: Pick<Finding, 'status'>): boolean => status === 'fail' || status === 'suppressed';

export class Baseline {
  /** Keys of the findings that were open. */
  readonly #earlier = new Set<string>();
  /** Keys of those that are still open, or cannot be judged. */
  readonly #met = new Set<string>();
  /** The checks of each target that was judged, by its name in lower case. */
  readonly #checks = new Map<string, readonly string[]>();
  /** Keys of checks of targets that could not be judged. */
  readonly #unreadable = new Set<string>();

  /** Takes an earlier finding. Returns whether it was open, and is not known yet. */
  add(finding: Known): boolean {
    const key = keyOf(finding);
    if (!isOpen(finding) || this.#earlier.has(key)) return false;
    this.#earlier.add(key);
    return true;
  }

  /** Takes the findings of the checks of a target. */
  take(target: string, checks: readonly string[], findings: readonly Known[]): void {
    this.#checks.set(target.toLowerCase(), checks);
    for (const finding of findings) {
      if (isOpen(finding)) this.#met.add(keyOf(finding));
      // An unreadable check does not show that a finding is gone.
      else if (finding.status === 'unreadable') this.#unreadable.add(keyOf({ check: finding.check, target }));
    }
  }

  changeOf(finding: Known): 'new' | 'same' | undefined {
    if (!isOpen(finding)) return undefined;
    return this.#earlier.has(keyOf(finding)) ? 'same' : 'new';
  }

  /** Returns whether an earlier finding is no longer open; false for those of targets and checks that were not audited. */
  isGone(finding: Known): boolean {
    const { check, target } = finding;
    const isJudged = this.#checks.get(target.toLowerCase())?.includes(check) ?? false;
    return isJudged && !this.#met.has(keyOf(finding)) && !this.#unreadable.has(keyOf({ check, target }));
  }
}
