/** Merges the saved audits of shards. */
import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../cli/errors.ts';
import { inShard, parseShard, type Shard, shardText } from '../../fleet/shard.ts';
import { keyOf } from '../../foresight/audit/finding.ts';
import { suppressionExpired } from '../../foresight/audit/suppressions.ts';
import type { AuditedOwner } from './owners.ts';
import type { AuditFinding, AuditSummary } from './report.ts';
import { readAudit, type SavedAudit } from './saved.ts';

/** A saved audit of a shard, with its file. */
interface ShardAudit {
  readonly file: string;
  readonly shard: Shard;
  readonly report: SavedAudit;
}

/**
 * Reads the audits of all shards, or a single one without shards, and passes on their findings. Throws UsageError for a
 * missing or duplicate shard, a target in the wrong shard, and shards of different audits.
 */
export async function mergeAudits(
  files: readonly string[],
  stdin: Readable,
  found: (finding: AuditFinding) => void,
): Promise<SavedAudit> {
  const reports: SavedAudit[] = [];
  for (const file of files) {
    const keys = new Set<string>();
    const report = await readAudit(file, stdin, (finding, { shard }) => {
      if (shard !== undefined) requireOwn(finding, shardOf(file, shard), file, keys);
      found(finding);
    });
    reports.push(report);
  }
  const [only] = reports;
  if (reports.length === 1 && only && only.shard === undefined) return only;
  const shards = reports.map((report, at) => {
    const file = files[at] as string;
    return { file, report, shard: shardOf(file, report.shard) };
  });
  const [first, ...others] = shards as [ShardAudit, ...ShardAudit[]];
  for (const other of others) requireSameAudit(first, other);
  requireAllShards(shards);
  const { shard: _shard, ...report } = first.report;
  return {
    ...report,
    time: reports.map(({ time }) => time).sort()[0] as string,
    organizations: report.organizations.map((owner, at) =>
      mergedOwner(
        owner,
        reports.map(({ organizations }) => organizations[at]),
      ),
    ),
    summary: mergedSummary(reports.map(({ summary }) => summary)),
  };
}

function shardOf(file: string, text = ''): Shard {
  const shard = parseShard(text);
  if (!shard) throw new UsageError(`${file} is not the audit of a shard.`);
  return shard;
}

/** Throws UsageError for a finding of another shard, and for one that the shard already has. */
function requireOwn(finding: AuditFinding, shard: Shard, file: string, keys: Set<string>): void {
  const { check, target } = finding;
  if (check !== suppressionExpired.id && !inShard(target, shard))
    throw new UsageError(`${file} has ${target}, which is not in shard ${shardText(shard)}.`);
  const key = keyOf(finding);
  if (keys.has(key)) throw new UsageError(`${file} has ${check} of ${target} twice.`);
  keys.add(key);
}

function requireSameAudit(first: ShardAudit, other: ShardAudit): void {
  const partOf = ({ report, shard }: ShardAudit) => {
    const { platform, checks, organizations, summary } = report;
    const { deep, disabled, skipped } = summary.not_checked;
    const names = organizations.map(({ name }) => name);
    return {
      platform,
      checks,
      names,
      deep,
      disabled,
      skipped,
      count: shard.count,
      compares: summary.baseline !== undefined,
    };
  };
  if (!isDeepStrictEqual(partOf(first), partOf(other)))
    throw new UsageError(`${other.file} and ${first.file} are shards of different audits.`);
}

function requireAllShards(shards: readonly ShardAudit[]): void {
  const count = shards[0]?.shard.count ?? 0;
  for (let index = 1; index <= count; index++) {
    const [only, second] = shards.filter(({ shard }) => shard.index === index);
    if (!only) throw new UsageError(`Shard ${index}/${count} is missing.`);
    if (second) throw new UsageError(`${only.file} and ${second.file} are both shard ${index}/${count}.`);
  }
}

/** Every shard lists all repositories, and audits its own. */
function mergedOwner(owner: AuditedOwner, all: readonly (AuditedOwner | undefined)[]): AuditedOwner {
  const unreadable = all.find((each) => each?.unreadable !== undefined)?.unreadable;
  if (unreadable !== undefined) return { name: owner.name, unreadable };
  const counts = all.flatMap((each) => each?.repositories ?? []);
  const [first] = counts;
  if (!first || counts.length < all.length) return { name: owner.name };
  return { ...owner, repositories: { ...first, audited: counts.reduce((sum, { audited }) => sum + audited, 0) } };
}

function mergedSummary(all: readonly AuditSummary[]): AuditSummary {
  const [first] = all as readonly [AuditSummary];
  const sum = (of: (summary: AuditSummary) => number) => all.reduce((total, each) => total + of(each), 0);
  const most = (of: (summary: AuditSummary) => number) => Math.max(...all.map(of));
  const { not_checked: not, baseline } = first;
  return {
    open: {
      high: sum(({ open }) => open.high),
      medium: sum(({ open }) => open.medium),
      low: sum(({ open }) => open.low),
      info: sum(({ open }) => open.info),
    },
    suppressed: sum(({ suppressed }) => suppressed),
    unreadable: sum(({ unreadable }) => unreadable),
    passed: sum(({ passed }) => passed),
    not_checked: {
      ...not,
      organizations: most((each) => each.not_checked.organizations),
      archived_repositories: most((each) => each.not_checked.archived_repositories),
      other_repositories: most((each) => each.not_checked.other_repositories),
    },
    ...(baseline && {
      baseline: {
        new: sum((each) => each.baseline?.new ?? 0),
        same: sum((each) => each.baseline?.same ?? 0),
        gone: sum((each) => each.baseline?.gone ?? 0),
      },
    }),
    requests: {
      sent: sum(({ requests }) => requests.sent),
      not_modified: sum(({ requests }) => requests.not_modified),
    },
  };
}
