/** Flags and output that `audit` and `audit merge` share. */
import * as Flags from '@oclif/core/flags';
import type { InferredFlags } from '@oclif/core/interfaces';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { FindingsError, UnreadableError } from '../../cli/errors.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag, wordFlag } from '../../cli/input/flags.ts';
import { PlainText } from '../../cli/result/result.ts';
import { wrapped } from '../../cli/word-wrap.ts';
import { containsKnownSecret } from '../../client/redact.ts';
import { containsOpenSecret } from '../../fleet/policy/wanted/open-secrets.ts';
import { type Severity, severities } from '../../foresight/audit/check.ts';
import type { LazyList } from '../../json/lazy-list.ts';
import { counted } from '../../output/amounts.ts';
import { safeText } from '../../output/safe-text.ts';
import type { Column } from '../../output/table/columns.ts';
import type { Terminal } from '../../output/terminal.ts';
import { yamlWriter } from '../../output/yaml.ts';
import { type Given, invalid, type Problem } from '../../platform/validate.ts';
import { htmlFlags, requireReportFile, writeReport } from '../html-report.ts';
import { type NewFile, requireNewFile, writeNewFile } from '../new-file.ts';
import { drawnFindings } from './drawn.ts';
import { requireFixFiles, writeFixFiles } from './fix-files.ts';
import { fixFileName } from './fix-policy.ts';
import { auditMarkdown } from './markdown.ts';
import { PolicyPlaces } from './policy-places.ts';
import { PolicyTexts } from './policy-text.ts';
import { type AuditFinding, type AuditLine, type AuditReport, auditLines, type OpenFinding } from './report.ts';
import { sarifOf } from './sarif.ts';
import { headLines } from './texts.ts';

const sarifFile: NewFile = { flag: '--sarif', isPrivate: false };

export const outputFlags = {
  severity: wordFlag('--severity', severities, { description: 'Only findings of at least this severity' }),
  'fail-on': wordFlag('--fail-on', ['high', 'medium', 'low', 'new'], {
    description: 'End with exit code 13 if a finding of at least this severity is open, or is new since the baseline',
  }),
  strict: Flags.boolean({ description: 'End with exit code 5 if a fact cannot be read' }),
  sarif: textFlag('--sarif', { ...fileOnly, description: 'Save the findings as SARIF, for code scanning' }),
  'fix-policy': textFlag('--fix-policy', {
    helpValue: 'DIR',
    description: 'Write policies that mend the findings to a folder, a file for each organization',
  }),
  html: htmlFlags.html,
  force: Flags.boolean({ description: 'Write over existing files' }),
  markdown: Flags.boolean({ description: 'Print Markdown, for a comment or the summary of a workflow' }),
};

type OutputFlags = InferredFlags<typeof outputFlags> & {
  readonly output?: string | undefined;
  readonly json?: boolean;
};

/** A report whose policies are still data. */
export interface OpenReport extends Omit<AuditReport, 'findings'> {
  readonly findings: LazyList<OpenFinding>;
}

const findingColumns: readonly Column<AuditFinding>[] = [
  { header: 'Severity', get: 'severity', as: 'state', priority: 1 },
  { header: 'Check', get: 'check', as: 'name', priority: 1 },
  { header: 'Target', get: 'target', as: 'name', priority: 1 },
  { header: 'Object', get: 'object', as: 'text', priority: 2, optional: true },
  { header: 'Status', get: 'status', as: 'state', priority: 2 },
  { header: 'Baseline', get: 'baseline', as: 'text', priority: 3, optional: true },
  { header: 'Message', get: 'message', as: 'message', priority: 1 },
  { header: 'Fix', get: ({ fix }) => fix?.command ?? fix?.hint, as: 'message', priority: 2 },
];

export type AuditResult = AuditReport | LazyList<AuditLine> | PlainText;

export abstract class AuditCommand extends ForgectlCommand<AuditResult> {
  protected override readonly columns = findingColumns;
  protected override readonly recordsName = 'findings';
  protected override emptyText = '';
  protected override readonly wherePicksResult = false;

  protected override readonly rowsOf = (report: AuditResult) => (report as AuditReport).findings;

  protected override readonly drawn = (report: AuditResult, terminal: Terminal) =>
    this.#drawn(report as AuditReport, terminal);

  async #drawn(report: AuditReport, terminal: Terminal): Promise<string> {
    const head = headLines(report).flatMap((line) => wrapped(safeText(line), terminal.columns));
    const findings = await drawnFindings(report.findings, terminal);
    return `${head.join('\n')}\n${findings ? `\n${findings}` : ''}`;
  }

  /** Returns the problems of flags that cannot be combined. */
  protected outputProblems({ markdown, output, json }: OutputFlags): Problem[] {
    return markdown && (output !== undefined || json) ? [invalid('--markdown', 'cannot be used with --output')] : [];
  }

  /** Throws UsageError for a file that certainly cannot be written, before any request. `owners`: as far as known. */
  protected requireFiles({ sarif, html, force, ...flags }: OutputFlags, owners: readonly string[]): void {
    requireReportFile({ html, force });
    if (sarif !== undefined) requireNewFile(sarif, force, sarifFile);
    const folder = flags['fix-policy'];
    if (folder !== undefined) requireFixFiles(folder, owners.map(fixFileName), force);
  }

  /** Writes the files that flags name, and returns the report as the flags specify. */
  protected async shown(report: OpenReport, flags: OutputFlags): Promise<AuditResult> {
    // Files and lines are not masked when they are printed, as records are.
    const masked = (await this.output.valueOf(report)) as OpenReport;
    const head = headLines(masked);
    if (flags.sarif !== undefined) await this.#saveSarif(flags.sarif, masked, head.slice(1), flags.force);
    if (flags['fix-policy'] !== undefined) {
      const omitted = { findings: 0 };
      const policies = policiesOf(report.findings, omitted);
      this.closing.push(await writeFixFiles(flags['fix-policy'], policies, flags.force));
      if (omitted.findings)
        this.closing.push(`Omitted the policies of ${counted(omitted.findings, 'finding')}, which contain secrets.`);
    }
    if (flags.html !== undefined) await this.#saveHtml(flags.html, masked, head, flags);
    this.failure = failureOf(report, flags);
    if (flags.markdown) return new PlainText(auditMarkdown(masked, masked.findings, head));
    // A table has it above the findings.
    if (!this.output.showsColumns) this.closing.push(...head);
    const shown = { ...report, findings: await this.#withPolicies(report.findings) };
    return flags.output === 'ndjson' ? auditLines(shown) : shown;
  }

  /** A table has no policies. */
  async #withPolicies(findings: LazyList<OpenFinding>): Promise<LazyList<AuditFinding>> {
    const texts = this.output.showsColumns ? undefined : new PolicyTexts(await yamlWriter());
    return findings.map((finding) => withPolicy(finding, texts));
  }

  async #saveHtml(file: string, report: OpenReport, head: readonly string[], flags: OutputFlags): Promise<void> {
    const { auditPage } = await import('./html.ts');
    const texts = new PolicyTexts(await yamlWriter());
    const findings = report.findings.map((finding) => withPolicy(finding, texts));
    this.closing.push(await writeReport(file, auditPage({ ...report, findings }, head), flags, this.config));
  }

  async #saveSarif(file: string, { findings }: OpenReport, notes: readonly string[], force: boolean): Promise<void> {
    const places = await PolicyPlaces.read();
    const { version } = this.config;
    const locate = (finding: OpenFinding) => places.of(finding);
    const { text, notice } = sarifOf({ version, findings, notes, locate });
    writeNewFile(file, text, force, sarifFile);
    if (notice) this.closing.push(notice);
  }
}

/** Returns a finding with its policy as YAML, or without it. */
const withPolicy = ({ fix, ...finding }: OpenFinding, texts: PolicyTexts | undefined): AuditFinding => ({
  ...finding,
  fix: fix && { ...fix, policy: fix.policy && texts ? texts.of(fix.policy, finding.target) : null },
});

/** Yields the policies of open findings without those that contain a secret, which it counts. */
function* policiesOf(findings: Iterable<OpenFinding>, omitted: { findings: number }): Generator<Given> {
  for (const { status, fix } of findings) {
    if (status !== 'fail' || !fix?.policy) continue;
    if (containsKnownSecret(fix.policy) || containsOpenSecret(fix.policy)) omitted.findings++;
    else yield fix.policy;
  }
}

/** What cannot be read comes first: it may hide findings. */
function failureOf({ organizations, summary }: OpenReport, flags: OutputFlags): Error | undefined {
  const hidden = organizations.filter(({ unreadable }) => unreadable !== undefined).length;
  const advice = 'Check the names, and the permissions of the token.';
  if (hidden) return new UnreadableError(`${counted(hidden, 'organization')} cannot be read.`, advice);
  if (flags.strict && summary.unreadable)
    return new UnreadableError(`${counted(summary.unreadable, 'judgement')} not possible (--strict).`, advice);
  const least = flags['fail-on'];
  if (least === 'new') {
    const added = summary.baseline?.new ?? 0;
    return added ? new FindingsError(`${counted(added, 'new finding')} since the baseline.`) : undefined;
  }
  if (least === undefined) return undefined;
  const count = severities
    .slice(0, severities.indexOf(least as Severity) + 1)
    .reduce((sum, each) => sum + summary.open[each], 0);
  return count ? new FindingsError(`${counted(count, 'finding')} of severity ${least} or higher.`) : undefined;
}
