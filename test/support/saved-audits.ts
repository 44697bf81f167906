/** Audits of two shards, as `audit --shard I/2 -o ndjson` prints them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuditFinding, AuditReport } from '../../src/topics/audit/report.ts';

/** An audit as JSON. */
export type AuditJson = Omit<AuditReport, 'findings'> & { readonly findings: readonly AuditFinding[] };

const header = (shard: string, audited: number) => ({
  audit: 1,
  platform: 'https://ghe.example.com/api/v3',
  time: '2026-03-01T12:00:00.000Z',
  organizations: [{ name: 'acme', repositories: { audited, archived: 1, not_selected: 0 } }],
  checks: ['base-permission', 'two-factor-required'],
  shard,
});

const finding = (check: string, severity: string, target: string) => ({
  check,
  severity,
  target,
  status: 'fail',
  message: 'Found.',
  evidence: [{ name: 'default_repository_permission', value: 'write' }],
  evidence_total: 1,
  since: null,
  fix: {
    command: 'forgectl orgs update acme --default-repository-permission read',
    policy: 'organizations:\n  - acme\nsettings:\n  default_repository_permission: read\n',
    hint: null,
  },
});

const trailer = (high: number, medium: number) => ({
  summary: {
    open: { high, medium, low: 0, info: 0 },
    suppressed: 0,
    unreadable: 1,
    passed: 2,
    not_checked: {
      organizations: 0,
      archived_repositories: 1,
      other_repositories: 0,
      deep: [],
      disabled: ['team-creation'],
      skipped: [],
    },
    requests: { sent: 3, not_modified: 1 },
  },
});

/** The lines of two shards: acme is in the second, acme/docs in the first. */
export const savedAudits = [
  [header('1/2', 5), finding('base-permission', 'medium', 'acme/docs'), trailer(0, 1)],
  [header('2/2', 6), finding('two-factor-required', 'high', 'acme'), trailer(1, 0)],
] as const;

/** Writes `audit-1.ndjson` and `audit-2.ndjson`. */
export function writeAudits(directory: string): void {
  for (const [index, lines] of savedAudits.entries())
    writeFileSync(
      join(directory, `audit-${index + 1}.ndjson`),
      lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    );
}
