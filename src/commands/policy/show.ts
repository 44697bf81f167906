import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { UsageError } from '../../cli/errors.ts';
import { textFlag, wordFlag } from '../../cli/input/flags.ts';
import { printedLine } from '../../cli/input/printed-line.ts';
import type { PlainText } from '../../cli/result/result.ts';
import { requireJournal } from '../../fleet/journal/read.ts';
import type { JournalState } from '../../fleet/journal/state.ts';
import { derivedOffline } from '../../fleet/policy/applying/derive.ts';
import { plannedKinds } from '../../fleet/policy/kinds/names.ts';
import { isStep, type PlannedChange } from '../../fleet/policy/live/change.ts';
import { type PlanLine, planLines, type SavedPlan } from '../../fleet/policy/planning/plan-file.ts';
import { namePattern } from '../../fleet/policy/wanted/name-pattern.ts';
import { formatCount } from '../../output/amounts.ts';
import { safeText } from '../../output/safe-text.ts';
import { requireReportFile } from '../../topics/html-report.ts';
import { requireSamePlan } from '../../topics/policy/apply/resume.ts';
import { isJournal, planBeside, requirePlan } from '../../topics/policy/apply/saved-plan.ts';
import { changeCounts, planTotals, reviewTexts } from '../../topics/policy/rendering/counts.ts';
import { PlanCommand, showingFlags, showingProblems } from '../../topics/policy/rendering/plan-command.ts';
import { keeperOf } from '../../topics/runs/earlier-run.ts';
import { applyLine } from '../../topics/runs/unfinished-runs.ts';

export default class PolicyShow extends PlanCommand<SavedPlan | PlanLine[] | PlainText> {
  static override summary = 'Show a saved plan';
  static override description =
    `Shows the changes of a plan saved with policy plan --out or policy apply --undo-out, or of the plan of a run, given its journal. Needs no
token and sends no requests. Rows and effects are derived from the requests, as in policy apply; the names of teams, apps, roles and
repositories in them are those of the file. Flags select a part of the plan; only whole plans can be applied.`;
  static override examples = examples({
    'Show a plan before it is applied': 'forgectl policy show plan.ndjson',
    'Show only what loosens protection or deletes something': 'forgectl policy show plan.ndjson --loosens --deletes',
  });
  static override args = {
    file: Args.string({ description: 'Saved plan, undo plan or journal', required: true, ignoreStdin: true }),
  };
  static override flags = {
    target: textFlag('--target', {
      helpValue: 'PATTERN',
      description: 'Only these organizations or repositories, such as acme/svc-*',
    }),
    kind: wordFlag('--kind', plannedKinds, {
      helpValue: 'KIND',
      description: `Only objects of this kind: ${plannedKinds.join(', ')}`,
    }),
    loosens: Flags.boolean({ description: 'Only changes that loosen protection (with --deletes: or delete)' }),
    deletes: Flags.boolean({ description: 'Only deletions and resets' }),
    ...showingFlags,
  };

  protected override emptyText = 'No changes.';
  protected override readonly showsInFull = true;

  async run() {
    const { args, flags } = await this.collect(PolicyShow);
    this.problems.push(...showingProblems(flags));
    const { file } = this.valid(args);
    requireReportFile(flags);
    const { plan, state } = savedAt(file);
    const derived = await derivedOffline(plan.changes);
    const isShown = filterOf(flags);
    const changes = derived.filter(isShown);
    const part = { ...plan, changes };
    const omitted = derived.length - changes.length;
    const counts = [
      `${changeCounts(changes)}${omitted ? `; ${formatCount(omitted)} more not selected` : ''}.`,
      `Planned ${plan.identity === null ? '' : `by ${safeText(plan.identity)} `}for ${safeText(plan.platform)}.`,
      ...reviewTexts(plan),
      ...(state ? [countsOf(state)] : []),
    ];
    const totals = planTotals(changes, counts.join('\n'));
    await this.report(part, flags, { kind: omitted ? 'Part of a policy plan' : 'Policy plan', totals });
    const shown = await this.shown(part, flags, {
      totals,
      next: await this.#next(file, part, { state, isPart: omitted > 0 }),
    });
    return flags.output === 'ndjson' ? [...planLines(part)] : shown;
  }

  /** Returns the line that applies the plan, or continues its run. */
  async #next(
    file: string,
    { changes }: SavedPlan,
    { state, isPart }: { readonly state: JournalState | undefined; readonly isPart: boolean },
  ): Promise<readonly string[]> {
    if (!this.output.showsColumns) return [];
    if (state) {
      const { failed, unknown, open } = state.counts();
      return failed + unknown + open > 0 ? [printedLine('Continue with', await applyLine(file, state))] : [];
    }
    const command = [this.config.bin, 'policy', 'apply'];
    const line = printedLine(isPart ? 'Apply the whole plan with' : 'Apply with', {
      command,
      given: [],
      declared: {},
      args: [file],
    });
    return changes.some(isStep) ? [line] : [];
  }
}

/** Returns the plan in a file, or beside a journal. Throws UsageError, PlanFileError and JournalError. */
function savedAt(file: string): { readonly plan: SavedPlan; readonly state?: JournalState } {
  if (!isJournal(file)) return { plan: requirePlan(file) };
  const state = requireJournal(file);
  const keeper = keeperOf(state.header);
  if (keeper !== 'policy apply')
    throw new UsageError(`${file} is the journal of a run of ${keeper}, which has no plan.`);
  const plan = planBeside(file);
  requireSamePlan({ path: file, state }, plan);
  return { plan, state };
}

function countsOf(state: JournalState): string {
  const { done, failed, unknown, open } = state.counts();
  return `Targets of the run: ${formatCount(done)} done, ${formatCount(failed)} failed, ${formatCount(unknown)} unknown, ${formatCount(open)} open.`;
}

interface Filters {
  readonly target?: string | undefined;
  readonly kind?: string | undefined;
  readonly loosens: boolean;
  readonly deletes: boolean;
}

/** Returns whether flags select a change. */
function filterOf({ target, kind, loosens, deletes }: Filters): (change: PlannedChange) => boolean {
  const matches = target === undefined ? undefined : namePattern(target);
  return (change) =>
    (matches?.(change.target) ?? true) &&
    (kind === undefined || change.kind === kind) &&
    (!(loosens || deletes) ||
      (loosens && isStep(change) && change.effect === 'loosens') ||
      (deletes && (change.action === 'delete' || change.action === 'unset')));
}
