import { examples } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { filesArg } from '../../cli/input/args.ts';
import { isStandardInput } from '../../cli/input/sources.ts';
import { isAtLeast } from '../../foresight/audit/finding.ts';
import { AuditCommand, outputFlags } from '../../topics/audit/command.ts';
import { FindingStore } from '../../topics/audit/finding-store.ts';
import { mergeAudits } from '../../topics/audit/merge.ts';
import { PolicyDocuments } from '../../topics/audit/policy-text.ts';
import type { AuditFinding, OpenFinding } from '../../topics/audit/report.ts';

export default class AuditMerge extends AuditCommand {
  static override summary = 'Merge the audits of all shards';
  static override description =
    `Shows the audits of all shards, saved with -o ndjson, as one. A missing shard, a shard given twice and shards of different
audits are errors. A single audit without shards is shown again. Sends no requests and needs no login.`;
  static override examples = examples({
    'Merge the audits of a CI matrix': 'forgectl audit merge audit-*.ndjson -o ndjson > audit.ndjson',
    'Save all findings as SARIF': 'forgectl audit merge audit-*.ndjson --sarif audit.sarif',
  });
  static override args = { file: filesArg('Audits of all shards, or - for standard input') };
  static override flags = outputFlags;

  async run() {
    const { args, flags } = await this.collect(AuditMerge);
    this.problems.push(...this.outputProblems(flags));
    const { file: files } = this.valid(args);
    if (files.filter(isStandardInput).length > 1) throw new UsageError('Standard input (-) can be given only once.');
    this.requireFiles(flags, []);
    const { severity: least = 'info' } = flags;
    const findings = new FindingStore();
    const documents = new PolicyDocuments();
    const report = await mergeAudits(files, this.runtime.stdin, (finding) => {
      const open = openAgain(finding, documents);
      if (isAtLeast(finding.severity, least)) findings.add(open);
    });
    if (flags['fail-on'] === 'new' && report.summary.baseline === undefined)
      throw new UsageError('--fail-on new requires audits that were made with --baseline.');
    return this.shown({ ...report, findings: findings.list() }, flags);
  }
}

/** Returns a saved finding with its policy as data. Throws UsageError. */
function openAgain({ fix, ...finding }: AuditFinding, documents: PolicyDocuments): OpenFinding {
  const policy = fix?.policy ? documents.of(fix.policy, finding.target) : null;
  if (policy === undefined)
    throw new UsageError(`The policy that mends ${finding.check} of ${finding.target} is damaged.`);
  return { ...finding, fix: fix && { ...fix, policy } };
}
