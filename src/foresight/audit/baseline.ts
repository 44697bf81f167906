/** Compares the findings of an audit with those of an earlier one. */
import { type Finding, keyOf } from './finding.ts';

type Known = Pick<Finding, 'check' | 'target' | 'object' | 'status'>;

const isOpen = ({ status }: Pick<Finding, 'status'>): boolean => status === 'fail' || status === 'suppressed';

export class Baseline<F extends Known> {
  /** The findings that were open. */
  readonly #earlier: ReadonlyMap<string, F>;
  /** Those that are still open, or cannot be judged. */
  readonly #met = new Set<string>();
  /** The checks of targets that were judged, with JSON keys of both. */
  readonly #judged = new Set<string>();

  constructor(earlier: readonly F[]) {
    this.#earlier = new Map(earlier.filter(isOpen).map((each) => [keyOf(each), each]));
  }

  /** Takes the findings of the checks of a target. */
  take(target: string, checks: readonly string[], findings: readonly Known[]): void {
    const unreadable = new Set<string>();
    for (const finding of findings) {
      if (isOpen(finding)) this.#met.add(keyOf(finding));
      else if (finding.status === 'unreadable') unreadable.add(finding.check);
    }
    // An unreadable check does not show that a finding is gone.
    for (const check of checks) if (!unreadable.has(check)) this.#judged.add(keyOf({ check, target }));
  }

  changeOf(finding: Known): 'new' | 'same' | undefined {
    if (!isOpen(finding)) return undefined;
    return this.#earlier.has(keyOf(finding)) ? 'same' : 'new';
  }

  /** Returns the findings that are no longer open; those of targets and checks that were not audited are not among them. */
  gone(): readonly F[] {
    return [...this.#earlier]
      .filter(([key, { check, target }]) => !this.#met.has(key) && this.#judged.has(keyOf({ check, target })))
      .map(([, finding]) => finding);
  }
}
