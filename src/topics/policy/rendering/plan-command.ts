/** Flags and output shared by the commands that show plans. */
import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../../cli/command/command.ts';
import { printedLine } from '../../../cli/input/printed-line.ts';
import { PlainText } from '../../../cli/result/result.ts';
import type { SavedPlan } from '../../../fleet/policy/planning/plan-file.ts';
import { formatCount } from '../../../output/amounts.ts';
import type { Terminal } from '../../../output/terminal.ts';
import { invalid, type Problem } from '../../../platform/validate.ts';
import { type HtmlFlags, htmlFlags, htmlProblems, writeReport } from '../../html-report.ts';
import { planMarkdown } from './markdown.ts';
import { planColumns, planRows } from './rows.ts';
import { mostLines, planLines } from './text.ts';

export const showingFlags = {
  expand: Flags.boolean({ description: 'Show the whole plan with all targets, in tables with a row for each' }),
  summary: Flags.boolean({ description: 'Show one row for each change, as for plans of more than 200 lines' }),
  markdown: Flags.boolean({ description: 'Print Markdown, for the comment of a pull request' }),
  ...htmlFlags,
};

interface ShowingFlags extends HtmlFlags {
  readonly expand: boolean;
  readonly summary: boolean;
  readonly markdown: boolean;
  readonly output?: string | undefined;
}

/** Returns the problems of flags that cannot be combined. */
export const showingProblems = ({ markdown, output, summary, expand, ...html }: ShowingFlags): Problem[] => [
  ...htmlProblems(html),
  ...(markdown && output !== undefined ? [invalid('--markdown', 'cannot be used with --output')] : []),
  ...(markdown && summary ? [invalid('--summary', 'cannot be used with --markdown')] : []),
  ...(expand && summary ? [invalid('--summary', 'cannot be used with --expand')] : []),
];

export abstract class PlanCommand<T> extends ForgectlCommand<T> {
  protected override readonly columns = planColumns;
  protected override readonly recordsName = 'changes';
  /** True to show every field of new objects, for plans shown without their policy. */
  protected readonly showsInFull: boolean = false;
  #flags: Pick<ShowingFlags, 'expand' | 'summary'> = { expand: false, summary: false };

  /** A table has one line for all fields that cannot be verified. */
  protected override readonly rowsOf = (plan: T) => {
    const { changes } = plan as Pick<SavedPlan, 'changes'>;
    const shown = this.output.showsColumns ? changes.filter(({ action }) => action !== 'unverified') : changes;
    return planRows({ changes: shown }, { expand: this.#flags.expand, inFull: this.showsInFull });
  };

  protected override readonly drawn = async (plan: T, terminal: Terminal) => {
    const { expand, summary } = this.#flags;
    const lines = summary ? [] : await planLines((plan as Pick<SavedPlan, 'changes'>).changes, { expand }, terminal);
    if (terminal.stdoutIsTTY && !expand && lines.length > mostLines) {
      const all = printedLine(`Show all ${formatCount(lines.length)} lines with`, {
        ...this.typed,
        flags: ['--expand'],
      });
      this.closing.unshift(all);
      return undefined;
    }
    if (lines.length === 0) return undefined;
    // The totals are on stderr.
    return `${lines.join('\n')}\n${terminal.stdoutIsTTY ? '\n' : ''}`;
  };

  /** Writes the plan as a report, if the flags want one. `kind` is its heading. */
  protected async report(
    plan: SavedPlan,
    flags: HtmlFlags,
    { kind, totals }: { readonly kind: string; readonly totals: readonly string[] },
  ): Promise<void> {
    const { html: file } = flags;
    if (file === undefined) return;
    const { planReport } = await import('./report.ts');
    const shown = (await this.output.valueOf(plan)) as SavedPlan;
    this.closing.push(
      await writeReport(
        file,
        planReport(shown, { kind, totals: totals.map((line) => this.masked(line)) }),
        flags,
        this.config,
      ),
    );
  }

  /** Returns the plan as the flags specify, with its totals below. `next`: the command line to run next. */
  protected async shown<P extends SavedPlan>(
    plan: P,
    flags: ShowingFlags,
    { totals, next }: { readonly totals: readonly string[]; readonly next: readonly string[] },
  ): Promise<P | PlainText> {
    this.#flags = flags;
    if (flags.markdown)
      return new PlainText(planMarkdown((await this.output.valueOf(plan)) as SavedPlan, totals, flags));
    this.closing.push(...totals, ...next);
    return plan;
  }
}
