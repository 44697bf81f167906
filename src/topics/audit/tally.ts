/** Collects the findings of an audit, and counts them. */
import { Baseline } from '../../foresight/audit/baseline.ts';
import type { Severity } from '../../foresight/audit/check.ts';
import { type Finding, isAtLeast } from '../../foresight/audit/finding.ts';
import { expiredFindings, type Suppression, suppressionOf } from '../../foresight/audit/suppressions.ts';
import type { LazyList } from '../../json/lazy-list.ts';
import { FindingStore } from './finding-store.ts';
import type { AuditFinding, AuditSummary, SeverityCounts } from './report.ts';
import { type OpenFinding, openFinding } from './report.ts';

interface TallyOptions {
  readonly suppressions: readonly Suppression[];
  /** True for a comparison with an earlier audit. */
  readonly compares: boolean;
  /** The IDs of the checks that are run. */
  readonly checks: readonly string[];
  /** Less severe findings are left out. */
  readonly severity: Severity;
  /** True if passes are kept, too. */
  readonly keepsPasses: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}

export class Tally {
  readonly #options: TallyOptions;
  readonly #baseline: Baseline | undefined;
  /** The open findings of the earlier audit. */
  readonly #earlier = new FindingStore();
  readonly #findings = new FindingStore();
  readonly #open: SeverityCounts = { high: 0, medium: 0, low: 0, info: 0 };
  readonly #changes = { new: 0, same: 0, gone: 0 };
  #suppressed = 0;
  #unreadable = 0;
  #passed = 0;

  constructor(options: TallyOptions) {
    this.#options = options;
    this.#baseline = options.compares ? new Baseline() : undefined;
  }

  /** Takes a finding of the earlier audit. */
  addEarlier(finding: AuditFinding): void {
    if (this.#baseline?.add(finding)) this.#earlier.add({ ...finding, fix: null });
  }

  /** Takes the findings of a target. */
  add(target: string, findings: readonly Finding[]): void {
    this.#baseline?.take(target, this.#options.checks, findings);
    for (const finding of findings) this.#take(finding);
  }

  /** Takes the suppressions that have ended. */
  addExpired(): void {
    const { suppressions, now } = this.#options;
    for (const finding of expiredFindings(suppressions, now)) this.#take(finding);
  }

  #take(finding: Finding): void {
    const { suppressions, severity, keepsPasses, now } = this.#options;
    if (!isAtLeast(finding.severity, severity)) return;
    const isFailure = finding.status === 'fail';
    const suppression = isFailure ? suppressionOf(finding, suppressions, now) : undefined;
    if (suppression) this.#suppressed++;
    else if (isFailure) this.#open[finding.severity]++;
    else if (finding.status === 'unreadable') this.#unreadable++;
    else this.#passed++;
    if (finding.status === 'pass' && !keepsPasses) return;
    // Suppressed findings are not compared.
    const change = suppression ? undefined : this.#baseline?.changeOf(finding);
    if (change) this.#changes[change]++;
    this.#findings.add({ ...openFinding(finding, suppression), ...(change && { baseline: change }) });
  }

  /** Returns all findings, sorted, with those that are gone since the baseline. */
  findings(): LazyList<OpenFinding> {
    for (const finding of this.#earlier.list()) {
      if (!this.#baseline?.isGone(finding) || !isAtLeast(finding.severity, this.#options.severity)) continue;
      this.#changes.gone++;
      this.#findings.add(goneFinding(finding));
    }
    return this.#findings.list();
  }

  /** After `findings`. */
  counts(): Pick<AuditSummary, 'open' | 'suppressed' | 'unreadable' | 'passed' | 'baseline'> {
    return {
      open: this.#open,
      suppressed: this.#suppressed,
      unreadable: this.#unreadable,
      passed: this.#passed,
      ...(this.#baseline && { baseline: this.#changes }),
    };
  }
}

function goneFinding({ suppression: _ended, message, ...finding }: OpenFinding): OpenFinding {
  const was = `No longer found: ${message}`;
  return { ...finding, status: 'pass', message: was, since: null, fix: null, baseline: 'gone' };
}
