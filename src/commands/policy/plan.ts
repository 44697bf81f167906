import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { DifferencesError, GuardError } from '../../cli/errors.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag, unknownFlag, valueFlag, wordFlag } from '../../cli/input/flags.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import { PlainText } from '../../cli/result/result.ts';
import { type PolicyPlan, planPolicy } from '../../fleet/policy/planning/plan.ts';
import { type PlanLine, planLines } from '../../fleet/policy/planning/plan-file.ts';
import { counted } from '../../output/amounts.ts';
import { invalid } from '../../platform/validate.ts';
import { policyPathsArg } from '../../topics/policy/files.ts';
import { planColumns, planCounts, planMarkdown, planRows } from '../../topics/policy/plan-view.ts';
import { policyPlanReads } from '../../topics/policy/requests.ts';
import { assertWritable, policyOf, savePlan, unplannedError } from '../../topics/policy/run.ts';
import { rateLimitGroupOf } from '../../topics/runs/installations.ts';

export default class PolicyPlanCommand extends ForgectlCommand<PolicyPlan | PlanLine[] | PlainText> {
  static override summary = 'Show what would change to match policies';
  static override description =
    `Compares policy files with the live settings, rulesets, private registries, budgets, pre-receive hooks and custom property values of their
organizations and repositories, and lists what policy apply would change: + creates, ~ updates, - deletes or resets, ? cannot be planned,
because it cannot be read, or because a name does not exist. = marks secrets and selected repositories of existing registries, which the
platform does not return. Only what policies declare is compared. Nothing is changed. With -o ndjson, prints the lines of a saved plan.`;
  static override examples = examples({
    'Plan the folder policy': 'forgectl policy plan',
    'Save the plan for a review': 'forgectl policy plan --out plan.ndjson',
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
    expand: Flags.boolean({ description: 'Show one row for each target' }),
    markdown: Flags.boolean({ description: 'Print Markdown, for the comment of a pull request' }),
    concurrency: valueFlag('--concurrency', wholeNumber(1, 100), {
      helpValue: 'NUMBER',
      description: 'Repositories to read in parallel, 1 to 100 (default: 8)',
    }),
    ...unknownFlag,
  };

  protected override readonly readings = true;
  protected override readonly columns = planColumns;
  protected override readonly recordsName = 'changes';
  protected override readonly emptyText = 'The live state matches the policy.';
  #expand = false;
  protected override readonly rowsOf = (plan: PolicyPlan | PlanLine[] | PlainText) =>
    planRows(plan as PolicyPlan, { expand: this.#expand });

  async run() {
    const { args, flags } = await this.collect(PolicyPlanCommand);
    if (flags.markdown && flags.output !== undefined)
      this.problems.push(invalid('--markdown', 'cannot be used with --output'));
    const { path = [] } = this.valid(args);
    if (flags.out !== undefined) assertWritable(flags.out);
    this.#expand = flags.expand;
    const policy = await policyOf(path, this.runtime.stdin, flags, this.config.root);
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
    if (flags.markdown) return new PlainText(planMarkdown(plan, flags.expand));
    this.notice(planCounts(plan));
    return flags.output === 'ndjson' ? [...planLines(plan)] : plan;
  }
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
