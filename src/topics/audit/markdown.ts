/** Findings as Markdown, for comments and summaries of workflows. */
import { counted } from '../../output/amounts.ts';
import { longestMarkdown, markdownCode, markdownLine, markdownRow } from '../../output/markdown.ts';
import { safeText } from '../../output/safe-text.ts';
import { withoutCommands } from '../../output/workflow-commands.ts';
import type { AuditReport, OpenFinding } from './report.ts';

/** In characters: the head of the table, and the count of findings that are left out. */
const reserved = 300;

/** In characters: a long name must not take the room of other findings. */
const mostText = 500;

/** Returns open findings with the way to mend each, the most severe first, as far as they fit. `head`: what was audited. */
export function auditMarkdown(
  { organizations }: Pick<AuditReport, 'organizations'>,
  findings: Iterable<OpenFinding>,
  head: readonly string[],
): string {
  const title = `### Audit of ${organizations.map(({ name }) => markdownLine(name)).join(', ')}`;
  const lines = [withoutCommands(title), '', ...head.map((text) => withoutCommands(markdownLine(text)))];
  let room = longestMarkdown - reserved - lines.join('\n').length;
  let [shown, omitted] = [0, 0];
  for (const finding of findings) {
    if (finding.status !== 'fail') continue;
    if (shown === 0) lines.push('', '| Severity | Check | Target | Finding | Fix |', '| --- | --- | --- | --- | --- |');
    const row = omitted > 0 ? '' : rowOf(finding);
    room -= row.length + 1;
    if (omitted > 0 || room < 0) omitted++;
    else {
      lines.push(row);
      shown++;
    }
  }
  if (omitted > 0) lines.push('', `${counted(omitted, 'more finding')} not shown.`);
  return lines.join('\n');
}

function rowOf({ severity, check, target, object, message, fix, baseline }: OpenFinding): string {
  const name = object === undefined ? target : `${target}: ${object}`;
  const mend = fix?.command ? markdownCode(safeText(fix.command)) : markdownLine(fix?.hint ?? '');
  const cells = [
    baseline === 'new' ? `${severity} (new)` : severity,
    lineOf(check),
    lineOf(name),
    lineOf(message),
    mend,
  ];
  return withoutCommands(markdownRow(cells));
}

const lineOf = (text: string): string =>
  markdownLine(text.length > mostText ? `${text.slice(0, mostText).toWellFormed()}…` : text);
