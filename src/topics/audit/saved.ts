/** Reads audits that were saved as ndjson, and merges those of shards. */

import type { Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../cli/errors.ts';
import { largestSnapshot, readRepositoryText } from '../../cli/input/sources.ts';
import { inShard, parseShard, type Shard, shardText } from '../../fleet/shard.ts';
import { bySeverity, keyOf } from '../../foresight/audit/finding.ts';
import { suppressionExpired } from '../../foresight/audit/suppressions.ts';
import { isObject, parseJson } from '../../json/exact-json.ts';
import { isJsonTooDeep } from '../../json/nesting.ts';
import type { AuditedOwner } from './owners.ts';
import type { AuditFinding, AuditReport, AuditSummary } from './report.ts';
import { isFinding, isHeader, isTrailer } from './saved-lines.ts';

/** A saved audit, whose findings are in memory. */
export interface SavedAudit extends Omit<AuditReport, 'findings'> {
  readonly findings: readonly AuditFinding[];
}

const hint = 'Save one with: forgectl audit ORG -o ndjson > audit.ndjson';

/** Reads a saved audit. Throws UsageError for anything else, and for one that is cut off. */
export async function readAudit(source: string, stdin: Readable): Promise<SavedAudit> {
  const name = source === '-' ? 'Standard input' : source;
  const text = await readRepositoryText(source, stdin, largestSnapshot, { staysInFolder: false });
  const lines = text.split('\n');
  const damaged = (at: number) => new UsageError(`${name} is truncated or damaged at line ${at}.`);
  const first = parsedLine(lines[0] ?? '');
  if (!isObject(first) || !('audit' in first)) throw new UsageError(`${name} is not a saved audit.`, hint);
  if (first.audit !== 1)
    throw new UsageError(
      `${name} is an audit of version ${JSON.stringify(first.audit)}; this version of forgectl reads version 1.`,
      hint,
    );
  if (lines.pop() !== '') throw damaged(lines.length + 1);
  const values = lines.map(parsedLine);
  const [header, ...findings] = values;
  const trailer = findings.pop();
  if (!isHeader(header)) throw damaged(1);
  if (!isTrailer(trailer)) throw damaged(lines.length);
  const wrong = findings.findIndex((line) => !isFinding(line));
  if (wrong !== -1) throw damaged(wrong + 2);
  return { ...header, ...trailer, findings: findings as AuditFinding[] };
}

function parsedLine(line: string): unknown {
  if (isJsonTooDeep(line)) return undefined;
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}

/** A saved audit of a shard, with its file. */
interface ShardAudit {
  readonly file: string;
  readonly shard: Shard;
  readonly report: SavedAudit;
}

/**
 * Returns the audit of all shards, or a single one without shards. Throws UsageError for a missing or duplicate shard, a target in the wrong shard, and
 * shards of different audits.
 */
export function mergeAudits(audits: readonly { readonly file: string; readonly report: SavedAudit }[]): SavedAudit {
  const [only] = audits;
  if (audits.length === 1 && only && only.report.shard === undefined) return only.report;
  const shards = audits.map(({ file, report }) => ({ file, report, shard: shardOf(file, report) }));
  const [first, ...others] = shards as [ShardAudit, ...ShardAudit[]];
  for (const other of others) requireSameAudit(first, other);
  requireAllShards(shards);
  const { shard: _shard, ...report } = first.report;
  const findings = shards.flatMap((each) => each.report.findings).sort(bySeverity);
  return {
    ...report,
    time: shards.map((each) => each.report.time).sort()[0] as string,
    organizations: report.organizations.map((owner, at) =>
      mergedOwner(
        owner,
        shards.map((each) => each.report.organizations[at]),
      ),
    ),
    summary: mergedSummary(shards.map((each) => each.report.summary)),
    findings,
  };
}

function shardOf(file: string, { shard: text = '', findings }: SavedAudit): Shard {
  const shard = parseShard(text);
  if (!shard) throw new UsageError(`${file} is not the audit of a shard.`);
  const stray = findings.find(({ check, target }) => check !== suppressionExpired.id && !inShard(target, shard));
  if (stray) throw new UsageError(`${file} has ${stray.target}, which is not in shard ${shardText(shard)}.`);
  const keys = new Set<string>();
  for (const finding of findings) {
    if (keys.has(keyOf(finding))) throw new UsageError(`${file} has ${finding.check} of ${finding.target} twice.`);
    keys.add(keyOf(finding));
  }
  return shard;
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
