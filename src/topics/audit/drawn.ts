/** Findings on a terminal: by check, each with its target and the way to mend it. */
import { commandLines } from '../../cli/word-wrap.ts';
import { checks } from '../../foresight/audit/checks/index.ts';
import { suppressionExpired } from '../../foresight/audit/suppressions.ts';
import { formatCount } from '../../output/amounts.ts';
import { safeText } from '../../output/safe-text.ts';
import { bold, colored } from '../../output/table/colors.ts';
import { type Width, widthOf } from '../../output/table/width.ts';
import { wrapped } from '../../output/table/wrap.ts';
import type { Terminal } from '../../output/terminal.ts';
import type { AuditFinding } from './report.ts';

/** The number of findings of one check; -o json has all. */
const mostFindings = 20;

const titles = new Map([...checks, suppressionExpired].map(({ id, title }) => [id, title]));

/** Returns the findings; empty without any. */
export async function drawnFindings(
  findings: readonly Pick<
    AuditFinding,
    'check' | 'severity' | 'target' | 'object' | 'status' | 'message' | 'baseline' | 'fix'
  >[],
  { columns, color, stdoutIsTTY }: Pick<Terminal, 'columns' | 'color' | 'stdoutIsTTY'>,
): Promise<string> {
  const groups = [...Map.groupBy(findings, ({ status, severity, check }) => `${status} ${severity} ${check}`).values()];
  const shown = groups.flatMap((group) => group.slice(0, mostFindings));
  const width = await widthOf(
    shown.flatMap(({ target, object = '', message, fix }) => [target, object, message, fix?.hint ?? ''].map(safeText)),
  );
  const blocks = groups.map((group) => {
    const [{ check, severity, status }] = group as [(typeof group)[number]];
    const sign = status === 'fail' ? severity : status;
    const title = titles.get(check);
    const head = `${check}${title ? `: ${title}` : ''}`;
    const rest = group.length - mostFindings;
    return [
      color ? `${colored(sign)}  ${bold(head)}` : `${sign}  ${head}`,
      ...group.slice(0, mostFindings).flatMap((finding) => linesOf(finding, columns, width)),
      ...(rest > 0 ? [`  … and ${formatCount(rest)} more; -o json has all`] : []),
    ].join('\n');
  });
  if (blocks.length === 0) return '';
  return `${blocks.join('\n\n')}\n${stdoutIsTTY ? '\n' : ''}`;
}

function linesOf(
  { target, object, message, baseline, fix }: Pick<AuditFinding, 'target' | 'object' | 'message' | 'baseline' | 'fix'>,
  columns: number,
  width: Width,
): string[] {
  const name = object === undefined ? target : `${target}, ${object}`;
  const text = safeText(`${name}: ${message}${baseline && baseline !== 'same' ? ` (${baseline})` : ''}`);
  const indented = (lines: readonly string[], indent: string) => lines.map((line) => indent + line);
  return [
    ...indented(wrapped(text, columns - 2, width), '  '),
    ...(fix?.command ? indented(commandLines(safeText(fix.command), columns - 6), '      ') : []),
    ...(fix?.hint ? indented(wrapped(safeText(fix.hint), columns - 6, width), '      ') : []),
  ];
}
