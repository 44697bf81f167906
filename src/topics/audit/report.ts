/** The result of `audit`: its JSON, a contract with other programs. */

import { shellLine } from '../../cli/input/prompts/command-line.ts';
import type { RequestCounts } from '../../fleet/policy/live/requests.ts';
import type { Severity, Since } from '../../foresight/audit/check.ts';
import type { Finding, Status } from '../../foresight/audit/finding.ts';
import type { Suppression } from '../../foresight/audit/suppressions.ts';
import { LazyList } from '../../json/lazy-list.ts';
import type { Given } from '../../platform/validate.ts';
import type { AuditedOwner } from './owners.ts';

/** Evidence beyond this number is counted. */
const mostEvidence = 100;

export interface AuditEvidence {
  name: string;
  value?: string | number | boolean | null;
  url?: string;
}

/** How to mend a finding. If the platform has no endpoint for it, command and policy are null, and the hint says what to do. */
export interface AuditFix {
  /** A command line of forgectl. */
  command: string | null;
  /** A policy in YAML, which policy apply takes. */
  policy: string | null;
  hint: string | null;
}

export interface AuditFinding {
  /** ID of the check. */
  check: string;
  severity: Severity;
  /** acme, acme/site or enterprise:sandbox. */
  target: string;
  /** The object of the target, such as the name of a ruleset, for checks that judge several. */
  object?: string;
  /** unreadable is never a pass: the message says which permission or feature is missing. */
  status: Status;
  message: string;
  evidence: AuditEvidence[];
  /** The number of evidences, of which at most 100 are listed. */
  evidence_total: number;
  /** When the state began, and where that comes from; null if it is not known. */
  since: { time: string; source: Since['source'] } | null;
  /** Null for anything but a failure. */
  fix: AuditFix | null;
  /** Why the finding is accepted, and until when. */
  suppression?: { reason: string; until: string };
  /** The change since the earlier run, with --baseline. */
  baseline?: 'new' | 'same' | 'gone';
}

/** The number of open findings by severity. */
export type SeverityCounts = { [S in Severity]: number };

export interface AuditSummary {
  open: SeverityCounts;
  suppressed: number;
  /** Judgements that were not possible, because facts cannot be read. */
  unreadable: number;
  passed: number;
  not_checked: NotChecked;
  /** Absent without --baseline. */
  baseline?: { new: number; same: number; gone: number };
  requests: RequestCounts;
}

export interface NotChecked {
  /** Organizations that cannot be read at all. */
  organizations: number;
  archived_repositories: number;
  /** Repositories that --where does not select. */
  other_repositories: number;
  /** IDs of checks that were not run, by reason. */
  deep: string[];
  disabled: string[];
  /** Those that the flags leave out. */
  skipped: string[];
}

interface AuditHead {
  /** Version of the format. */
  audit: 1;
  /** Base URL of the platform. */
  platform: string;
  /** When the audit began. */
  time: string;
  organizations: AuditedOwner[];
  /** IDs of the checks that were run. */
  checks: string[];
  /** The part of the repositories, as 1/4; absent for all. */
  shard?: string;
}

export interface AuditReport extends AuditHead {
  summary: AuditSummary;
  /** The most severe first. */
  findings: LazyList<AuditFinding>;
}

/** The first line of an audit as ndjson. */
export interface AuditHeader extends AuditHead {}

/** The last line. A file without it is not complete. */
export interface AuditTrailer {
  summary: AuditSummary;
}

/** A line of an audit: a header, a line for each finding, and the counts. */
export type AuditLine = AuditHeader | AuditFinding | AuditTrailer;

export const auditLines = ({ summary, findings, ...head }: AuditReport): LazyList<AuditLine> =>
  new LazyList<AuditLine>(findings.length + 2, function* () {
    yield head;
    yield* findings;
    yield { summary };
  });

/** A finding whose policy is still data: writing it as YAML takes longer than judging it. */
export interface OpenFinding extends Omit<AuditFinding, 'fix'> {
  fix: (Omit<AuditFix, 'policy'> & { policy: Given | null }) | null;
}

export function openFinding(finding: Finding, suppression: Suppression | undefined): OpenFinding {
  const { check, severity, target, object, message, evidence, since, fix } = finding;
  return {
    check,
    severity,
    target,
    ...(object !== undefined && { object }),
    status: suppression ? 'suppressed' : finding.status,
    message,
    evidence: evidence.slice(0, mostEvidence).map((each) => ({ ...each })),
    evidence_total: evidence.length,
    since: since ? { ...since } : null,
    fix: fix
      ? {
          command: fix.command ? shellLine(['forgectl', ...fix.command]) : null,
          policy: fix.policy ?? null,
          hint: fix.hint ?? null,
        }
      : null,
    ...(suppression && { suppression: { reason: suppression.reason, until: suppression.until } }),
  };
}
