import { ForgectlCommand } from '../../cli/command/command.ts';
import { targetArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listRepositoryRulesets } from '../../platform/endpoints/rulesets.ts';
import type { RulesetSummary } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { rulesetListColumns } from '../../topics/ruleset-columns.ts';
import { onlyForRepositories } from '../../topics/target-flags.ts';

export default class RulesetsList extends ForgectlCommand<Listing<RulesetSummary>> {
  static override summary = 'List the rulesets of a repository or an organization';
  static override description =
    `Lists every ruleset, whatever its enforcement; source says who it belongs to. A repository’s list includes those of its organization
and enterprise that apply to it, unless --no-includes-parents is given. What holds for one branch is what rulesets check tells.`;
  static override examples = [
    {
      description: 'The repository’s own, without those of its organization',
      command: '<%= config.bin %> rulesets list acme/site --no-includes-parents',
    },
    {
      description: 'Names of an organization’s branch and tag rulesets',
      command: "<%= config.bin %> rulesets list acme --targets branch,tag --jq '.[].name'",
    },
  ];
  static override requests = rulesets.routes('list');
  static override args = { target: targetArg() };
  static override flags = { ...queryFlags(listRepositoryRulesets.query), ...listFlags, ...webListFlag };

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
