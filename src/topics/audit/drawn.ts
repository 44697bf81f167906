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

type ShownFinding = Pick<
  AuditFinding,
  'check' | 'severity' | 'target' | 'object' | 'status' | 'message' | 'baseline' | 'fix'
>;

/** Returns the findings; empty without any. */
export async function drawnFindings(
  findings: Iterable<ShownFinding>,
  { columns, color, stdoutIsTTY }: Pick<Terminal, 'columns' | 'color' | 'stdoutIsTTY'>,
): Promise<string> {
  const groups = groupsOf(findings);
  const shown = groups.flatMap((group) => group.findings);
  const width = await widthOf(
    shown.flatMap(({ target, object = '', message, fix }) => [target, object, message, fix?.hint ?? ''].map(safeText)),
  );
  const blocks = groups.map(({ findings: some, rest }) => {
    const [{ check, severity, status }] = some;
    const sign = status === 'fail' ? severity : status;
    const title = titles.get(check);
    const [head = '', ...more] = wrapped(`${check}${title ? `: ${title}` : ''}`, columns - sign.length - 2, width).map(
      (line) => (color ? bold(line) : line),
    );
    return [
      `${color ? colored(sign) : sign}  ${head}`,
      ...more.map((line) => `${' '.repeat(sign.length + 2)}${line}`),
      ...some.flatMap((finding, place) => linesOf(finding, { columns, width, next: some[place + 1] })),
      ...(rest > 0 ? [`  … and ${formatCount(rest)} more; -o json has all`] : []),
    ].join('\n');
  });
  if (blocks.length === 0) return '';
  return `${blocks.join('\n\n')}\n${stdoutIsTTY ? '\n' : ''}`;
}

/** The first findings of a check, and the number of others. */
interface Group {
  readonly findings: [ShownFinding, ...ShownFinding[]];
  rest: number;
}

function groupsOf(findings: Iterable<ShownFinding>): Group[] {
  const groups = new Map<string, Group>();
  for (const finding of findings) {
    const key = `${finding.status} ${finding.severity} ${finding.check}`;
    const group = groups.get(key);
    if (!group) groups.set(key, { findings: [finding], rest: 0 });
    else if (group.findings.length < mostFindings) group.findings.push(finding);
    else group.rest++;
  }
  return [...groups.values()];
}

function linesOf(
  { target, object, message, baseline, fix }: ShownFinding,
  {
    columns,
    width,
    next,
  }: { readonly columns: number; readonly width: Width; readonly next: ShownFinding | undefined },
): string[] {
  const name = object === undefined ? target : `${target}, ${object}`;
  const text = safeText(`${name}: ${message}${baseline && baseline !== 'same' ? ` (${baseline})` : ''}`);
  const indented = (lines: readonly string[], indent: string) => lines.map((line) => indent + line);
  return [
    ...indented(wrapped(text, columns - 2, width), '  '),
    ...(fix?.command ? indented(commandLines(safeText(fix.command), columns - 6), '      ') : []),
    // Findings that are mended in the same way have the hint once.
    ...(fix?.hint && (fix.command || fix.hint !== next?.fix?.hint)
      ? indented(hintLines(safeText(fix.hint), columns - 6, width), '      ')
      : []),
  ];
}

/** A command at the end of a hint starts on a line of its own, so that it can be copied. */
function hintLines(hint: string, columns: number, width: Width): string[] {
  const [text = '', command] = hint.split(/(?<=:) (?=forgectl )/);
  if (command === undefined || width(hint) <= columns) return wrapped(hint, columns, width);
  return [...wrapped(text, columns, width), ...commandLines(command, columns)];
}
