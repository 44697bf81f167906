import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { targetArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listRepositoryRulesets } from '../../platform/endpoints/rulesets.ts';
import type { RulesetSummary } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { rulesetListColumns } from '../../topics/rulesets/columns.ts';
import { onlyForRepositories } from '../../topics/target-flags.ts';

export default class RulesetsList extends ForgectlCommand<Listing<RulesetSummary>> {
  static override summary = 'List the rulesets of a repository or organization';
  static override description =
    `Lists all rulesets with any enforcement; the source is their owner. A repository’s list includes the rulesets of its
organization and enterprise that apply to it; use --no-includes-parents to exclude them. To list the rules for a
branch, use rulesets check.`;
  static override examples = examples({
    'List only the repository’s own rulesets': 'forgectl rulesets list acme/site --no-includes-parents',
    'Print the names of branch and tag rulesets': "forgectl rulesets list acme --targets branch,tag --jq '.[].name'",
  });
  static override requests = rulesets.routes('list');
  static override args = { target: targetArg() };
  static override flags = {
    ...queryFlags(listRepositoryRulesets.query),
    ...listFlags('.enforcement == "active"'),
    ...webListFlag,
  };

  protected override readonly columns = rulesetListColumns;
  protected override readonly recordsName = 'rulesets';
  protected override readonly idField = 'id';

  async run() {
    const { args, flags } = await this.collect(RulesetsList);
    this.problems.push(
      ...onlyForRepositories('--includes-parents', flags['includes-parents'] !== undefined, args.target),
    );
    const { list } = rulesets.of(args.target);
    const input = await this.inputFor(list, flags);
    return this.list(list, { path: this.valid(args).target, ...input }, flags);
  }
}
