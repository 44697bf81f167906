import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { DifferencesError, GuardError, UsageError } from '../../cli/errors.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag, unknownFlag, valueFlag, wordFlag } from '../../cli/input/flags.ts';
import { printedLine } from '../../cli/input/printed-line.ts';
import { shellLine } from '../../cli/input/prompts/command-line.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import type { PlainText } from '../../cli/result/result.ts';
import { isStep } from '../../fleet/policy/live/change.ts';
import { type PolicyPlan, planPolicy } from '../../fleet/policy/planning/plan.ts';
import { type PlanLine, planLines } from '../../fleet/policy/planning/plan-file.ts';
import { counted } from '../../output/amounts.ts';
import { requireReportFile } from '../../topics/html-report.ts';
import { isSavedRun } from '../../topics/policy/apply/saved-plan.ts';
import { policyPathsArg } from '../../topics/policy/files.ts';
import { planCounts, planTotals } from '../../topics/policy/rendering/counts.ts';
import { PlanCommand, showingFlags, showingProblems } from '../../topics/policy/rendering/plan-command.ts';
import { policyPlanReads } from '../../topics/policy/requests.ts';
import { assertWritable, policyOf, savePlan, unplannedError } from '../../topics/policy/run.ts';
import { rateLimitGroupOf } from '../../topics/runs/installations.ts';

export default class PolicyPlanCommand extends PlanCommand<PolicyPlan | PlanLine[] | PlainText> {
  static override summary = 'Show what would change to match policies';
  static override description =
    `Compares policy files with the live settings, rulesets, private registries, budgets, pre-receive hooks and custom property values of their
organizations and repositories, and lists what policy apply would change: + creates, ~ updates, - deletes or resets, ? cannot be planned,
because it cannot be read, or because a name does not exist. = marks secrets and selected repositories of existing registries, which the
platform does not return. Only what policies declare is compared. Nothing is changed. With -o ndjson, prints the lines of a saved plan.`;
  static override examples = examples({
    'Plan the folder policy': 'forgectl policy plan',
    'Save the plan for a review': 'forgectl policy plan --out plan.ndjson',
    'Write a report to read in a browser': 'forgectl policy plan --html plan.html',
    'Compare globex with the policies of acme': 'forgectl policy plan policy/acme.yaml --organization globex',
  });
  static override requests = policyPlanReads;
  static override args = { path: policyPathsArg() };
  static override flags = {
    organization: textFlag('--organization', {
      helpValue: 'ORG',
      description: 'Organization to compare instead of the one in the files; profile.yaml is ignored',
    }),
    out: textFlag('--out', { ...fileOnly, description: 'Save the plan to a file, for policy apply' }),
    'exit-code': Flags.boolean({ description: 'End with exit code 11 if there are differences' }),
    deny: wordFlag('--deny', ['loosens'], { description: 'End with exit code 12 if a change loosens protection' }),
    ...showingFlags,
    concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
      helpValue: 'NUMBER',
      description: 'Repositories to read in parallel, 1 to 100 (default: 8)',
    }),
    ...unknownFlag,
  };

  protected override readonly readings = true;
  protected override readonly emptyText = 'The live state matches the policy.';

  async run() {
    const { args, flags } = await this.collect(PolicyPlanCommand);
    this.problems.push(...showingProblems(flags));
    const { path = [] } = this.valid(args);
    refuseSaved(path);
    if (flags.out !== undefined) assertWritable(flags.out);
    requireReportFile(flags);
    const policy = await policyOf(path, this.runtime, flags, this.config.root);
    const plan = await planPolicy(policy, {
      client: await this.session.client(),
      concurrency: flags.concurrency,
      rateLimitGroup: rateLimitGroupOf(await this.session.connection()),
      describe: (error) => this.describe(error),
      whereTimeoutMs: flags.timeout,
      warn: (text) => this.notice(text),
    });
    if (flags.out !== undefined) savePlan(flags.out, plan);
    this.failure = failureOf(plan, flags['exit-code'], flags.deny !== undefined);
    const totals = planTotals(plan.changes, planCounts(plan));
    await this.report(plan, flags, { kind: 'Policy plan', totals });
    const shown = await this.shown(plan, flags, { totals, next: this.#next(plan, flags.out) });
    return flags.output === 'ndjson' ? [...planLines(plan)] : shown;
  }

  /** Returns the line that applies the plan, if there is anything to apply. */
  #next({ changes }: PolicyPlan, out: string | undefined): readonly string[] {
    const command = [this.config.bin, 'policy', 'apply'];
    if (out !== undefined)
      return [
        `Saved the plan to ${out}.`,
        printedLine('Apply it with', { command, given: [], declared: {}, args: [out] }),
      ];
    const hasSteps = changes.some((change) => isStep(change) && !change.undeclared);
    return hasSteps && this.output.showsColumns
      ? [printedLine('Apply with', { ...this.typed, command, without: notOfApply })]
      : [];
  }
}

/** Flags that `policy apply` does not have, or that only affect the output. */
const notOfApply = [...Object.keys(showingFlags), 'exit-code', 'output', 'debug'];

/** Throws UsageError for saved plans and journals, which are not policies. */
function refuseSaved(paths: readonly string[]): void {
  const saved = paths.find((path) => isSavedRun(path));
  if (saved === undefined) return;
  throw new UsageError(
    `${saved} is not a policy, but a saved plan or a journal. Nothing was sent.`,
    `Show it with: ${shellLine(['forgectl', 'policy', 'show', saved])}`,
  );
}

/** What the exit code says: a guard first, then what could not be planned, then differences. */
function failureOf({ changes, summary }: PolicyPlan, saysDifferences: boolean, deniesLoosening: boolean) {
  const loosening = changes.filter(({ effect }) => effect === 'loosens').length;
  if (deniesLoosening && loosening)
    return new GuardError(`${counted(loosening, 'change')} would loosen protection (--deny loosens).`);
  const unplanned = unplannedError(changes);
  if (unplanned) return unplanned;
  const count = summary.create + summary.update + summary.delete;
  return saysDifferences && count > 0 ? new DifferencesError(`${counted(count, 'difference')}.`) : undefined;
}
