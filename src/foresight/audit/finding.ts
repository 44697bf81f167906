/** What an audit finds out about a target. */
import { type Evidence, type Fix, type Severity, type Since, severities } from './check.ts';

export const statuses = ['fail', 'unreadable', 'suppressed', 'pass'] as const;
export type Status = (typeof statuses)[number];

export interface Finding {
  readonly check: string;
  readonly severity: Severity;
  /** `acme`, `acme/site` or `enterprise:sandbox`. */
  readonly target: string;
  /** The object of the target, such as the name of a ruleset; absent where the check judges the target as a whole. */
  readonly object?: string;
  readonly status: Status;
  readonly message: string;
  readonly evidence: readonly Evidence[];
  readonly since?: Since;
  readonly fix?: Fix;
}

/** Identifies a finding from run to run. */
export const keyOf = ({ check, target, object }: Pick<Finding, 'check' | 'target' | 'object'>): string =>
  JSON.stringify([check, target.toLowerCase(), ...(object === undefined ? [] : [object])]);

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** The order of targets in reports. */
export const compareTargets = (a: string, b: string): number => compareText(a.toLowerCase(), b.toLowerCase());

/** What findings are sorted by. */
export type Ordered = Pick<Finding, 'check' | 'severity' | 'target' | 'object' | 'status'>;

/** The order of reports: what is open first, the most severe first. */
export const bySeverity = (a: Ordered, b: Ordered): number =>
  statuses.indexOf(a.status) - statuses.indexOf(b.status) ||
  severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
  compareText(a.check, b.check) ||
  compareTargets(a.target, b.target) ||
  compareText(a.object ?? '', b.object ?? '');

/** Returns whether a severity is at least another. */
export const isAtLeast = (severity: Severity, least: Severity): boolean =>
  severities.indexOf(severity) <= severities.indexOf(least);
