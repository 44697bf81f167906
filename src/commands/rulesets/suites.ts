import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { type InvalidArgument, optionalIdArg, type Target, targetArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { ListFlags, Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listOrganizationRuleSuites } from '../../platform/endpoints/rulesets.ts';
import type { RuleSuite, RuleSuiteEvaluations } from '../../platform/records.ts';
import { ruleSuites } from '../../platform/resources/rulesets.ts';
import { type Given, invalid } from '../../platform/validate.ts';
import { timeCovered } from '../../topics/reviews/requests.ts';
import { ruleSuiteDetails } from '../../topics/rulesets/suite-details.ts';
import { onlyForOrganizations } from '../../topics/target-flags.ts';

const filters = queryFlags(listOrganizationRuleSuites.query);

export default class RulesetsSuites extends ForgectlCommand<Listing<RuleSuite> | RuleSuiteEvaluations> {
  static override summary = 'List or show rule results for pushes';
  static override description =
    `Lists the rule results of pushes: passed, failed or bypassed, plus the results of rulesets that are only evaluated.
With the ID of a rule suite, shows the result of each rule. The platform lists the last day by default; widen with
--time-period.`;
  static override examples = examples({
    'List pushes that bypassed rules in the last week':
      'forgectl rulesets suites acme --rule-suite-result bypass --time-period week',
    'Show the result of each rule for a push': 'forgectl rulesets suites acme/site 10000104',
  });
  static override requests = [...ruleSuites.routes('list'), ...ruleSuites.routes('get')];
  static override args = {
    target: targetArg(),
    id: optionalIdArg('ID', 'ID of a rule suite to show'),
  };
  static override flags = { ...filters, ...listFlags('.result == "fail"') };

  protected override columns: readonly Column<RuleSuite>[] = [
    { header: 'ID', get: 'id', priority: 1 },
    { header: 'Result', get: 'result', as: 'state', priority: 1 },
    { header: 'Evaluated', get: 'evaluation_result', as: 'state', priority: 3 },
    { header: 'Actor', get: 'actor_name' },
    { header: 'Repository', get: 'repository_name', as: 'name', priority: 1 },
    { header: 'Ref', get: 'ref' },
    { header: 'Pushed', get: 'pushed_at', as: 'age' },
  ];
  protected override details: readonly Column<RuleSuiteEvaluations>[] | undefined = undefined;
  protected override readonly recordsName = 'pushes';
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(RulesetsSuites);
    return args.id === undefined
      ? this.listSuites(args.target, flags)
      : this.showSuite({ ...args, id: args.id }, flags);
  }

  private async listSuites(given: Target | InvalidArgument, flags: ListFlags & Given) {
    const note = timeCovered(listOrganizationRuleSuites, flags['time-period']);
    this.problems.push(...onlyForOrganizations('--repository-name', flags['repository-name'] !== undefined, given));
    const { list } = ruleSuites.of(given);
    const input = await this.inputFor(list, flags);
    return this.list(list, { path: this.valid({ target: given }).target, ...input }, flags, { note });
  }

  private async showSuite(given: { target: Target | InvalidArgument; id: number | InvalidArgument }, flags: Given) {
    for (const name of Object.keys(filters))
      if (flags[name] !== undefined) this.problems.push(invalid(`--${name}`, 'cannot be used with ID'));
    const { target, id: rule_suite_id } = this.valid(given);
    this.columns = [];
    this.details = ruleSuiteDetails;
    return this.call(ruleSuites.of(target).get, { path: { ...target, rule_suite_id } });
  }
}
