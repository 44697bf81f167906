/** Findings as Markdown, for comments and summaries of workflows. */
import { counted } from '../../output/amounts.ts';
import { longestMarkdown, markdownCode, markdownLine } from '../../output/markdown.ts';
import { withoutCommands } from '../../output/workflow-commands.ts';
import type { AuditReport, OpenFinding } from './report.ts';

/** In characters: the count of findings that are left out. */
const reserved = 200;

/** Returns open findings with the way to mend each, the most severe first, as far as they fit. `head`: what was audited. */
export function auditMarkdown(
  { organizations }: Pick<AuditReport, 'organizations'>,
  findings: readonly OpenFinding[],
  head: readonly string[],
): string {
  const title = `### Audit of ${organizations.map(({ name }) => markdownLine(name)).join(', ')}`;
  const lines = [title, '', ...head.map((text) => withoutCommands(markdownLine(text)))];
  const open = findings.filter(({ status }) => status === 'fail');
  if (open.length > 0)
    lines.push('', '| Severity | Check | Target | Finding | Fix |', '| --- | --- | --- | --- | --- |');
  let length = lines.join('\n').length;
  let shown = 0;
  for (const finding of open) {
    const row = rowOf(finding);
    length += row.length + 1;
    if (length > longestMarkdown - reserved) break;
    lines.push(row);
    shown++;
  }
  if (shown < open.length) lines.push('', `${counted(open.length - shown, 'more finding')} not shown.`);
  return lines.join('\n');
}

function rowOf({ severity, check, target, object, message, fix, baseline }: OpenFinding): string {
  const name = object === undefined ? target : `${target}: ${object}`;
  const mend = fix?.command ? markdownCode(fix.command) : markdownLine(fix?.hint ?? '');
  const cells = [
    baseline === 'new' ? `${severity} (new)` : severity,
    check,
    markdownLine(name),
    markdownLine(message),
    mend,
  ];
  return `| ${cells.map((cell) => withoutCommands(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}
