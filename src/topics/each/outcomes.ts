/** Outcomes of the targets of `each`: a record for each, and a short summary. */
import type { ErrorLine } from '../../cli/report/report.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import { generalText } from './general-text.ts';

export interface TargetOutcome {
  /** OWNER/NAME, or the login of an organization. */
  readonly target: string;
  /** Skipped targets are done according to the journal, or were not started after --max-failures. */
  readonly status: 'ok' | 'failed' | 'skipped' | 'unknown';
  /** The exit code of the command; absent if it did not run. */
  readonly exit?: number;
  /** The JSON that the command would have printed. */
  readonly result?: unknown;
  readonly error?: ErrorLine['error'];
}

/** Maximum number of targets named with a reason; the results have the rest. */
const namedTargets = 3;

/** Maximum number of reasons in the summary: a failing platform can return a different one for every target. */
const maxReasons = 20;

interface Reason {
  count: number;
  readonly targets: string[];
}

export class OutcomeSummary {
  readonly #counts = { ok: 0, skipped: 0, failed: 0, unknown: 0 };
  readonly #reasons = new Map<string, Reason>();

  /** `reason` is why the target failed, without what differs from target to target. */
  add({ target, status }: TargetOutcome, reason?: string): void {
    this.#counts[status]++;
    if (reason !== undefined) this.#countReason(generalText(reason, target).replace(/\.$/, ''), target);
  }

  #countReason(text: string, target: string): void {
    const reason = this.#reasons.get(text) ?? { count: 0, targets: [] };
    reason.count++;
    if (reason.targets.length < namedTargets) reason.targets.push(target);
    this.#reasons.set(text, reason);
  }

  /** The number of targets with an outcome. */
  get total(): number {
    return Object.values(this.#counts).reduce((sum, count) => sum + count, 0);
  }

  /** The number of targets that failed or may have failed. */
  get failures(): number {
    return this.#counts.failed + this.#counts.unknown;
  }

  get skipped(): number {
    return this.#counts.skipped;
  }

  /**
   * Returns the counts in one line: `212 done, 6 skipped, 1 failed`. Open targets have no outcome, and that of doubtful ones
   * is not verified yet.
   */
  counts({ open = 0, doubtful = 0 } = {}): string {
    const { ok, skipped, failed, unknown } = this.#counts;
    const counts = { done: ok, skipped, failed, unknown: unknown + doubtful, open };
    const shown = Object.entries(counts).filter(([name, count]) => count > 0 || name === 'done');
    return shown.map(([name, count]) => `${formatCount(count)} ${name}`).join(', ');
  }

  /** Returns the sentence about a run of `total` targets with failures. */
  failureText(total: number): string {
    const { failed, unknown } = this.#counts;
    const all = counted(total, 'target');
    const notBegun = total - this.total;
    const parts =
      failed > 0
        ? [`${formatCount(failed)} of ${all} failed`, unknown > 0 && `${formatCount(unknown)} unknown`]
        : [`The outcome of ${formatCount(unknown)} of ${all} is unknown`];
    return `${[...parts, notBegun > 0 && `${formatCount(notBegun)} not started`].filter(Boolean).join(', ')}.`;
  }

  /** Returns the reasons of failures, the most frequent first. */
  reasons(): string[] {
    const sorted = [...this.#reasons].sort(([, one], [, other]) => other.count - one.count);
    const lines = sorted.slice(0, maxReasons).map(([text, { count, targets }]) => {
      const more = count > targets.length ? ', …' : '';
      return `${formatCount(count)} × ${text} (${targets.join(', ')}${more})`;
    });
    const left = sorted.length - lines.length;
    return left > 0 ? [...lines, `and ${formatCount(left)} other reasons`] : lines;
  }
}
