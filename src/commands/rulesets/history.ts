import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg } from '../../cli/input/args.ts';
import { listFlags, valueFlag } from '../../cli/input/flags.ts';
import { wholeNumber } from '../../cli/input/values.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import type { RulesetVersion, RulesetVersionState } from '../../platform/records.ts';
import { rulesetVersions } from '../../platform/resources/rulesets.ts';
import { ownRulesets } from '../../topics/ruleset-columns.ts';

export default class RulesetsHistory extends ForgectlCommand<Listing<RulesetVersion> | RulesetVersionState> {
  static override summary = 'List the versions of a ruleset, or show one of them';
  static override description =
    `Lists who changed the ruleset when; with --version it shows the ruleset as that version had it. Its state, given to rulesets update with
--input, brings the version back.`;
  static override examples = [
    { description: 'Who changed it', command: '<%= config.bin %> rulesets history acme/site 21000010' },
    {
      description: 'What the first version said',
      command: '<%= config.bin %> rulesets history acme/site 21000010 --version 210000101 --jq .state',
    },
  ];
  static override requests = [...rulesetVersions.routes('list'), ...rulesetVersions.routes('get')];
  static override args = { target: targetArg(), id: idArg('ID', 'Id of the ruleset') };
  static override flags = {
    version: valueFlag('--version', wholeNumber(1), {
      helpValue: 'NUMBER',
      description: 'Show this version, with the ruleset as it was',
    }),
    ...listFlags,
  };

  protected override columns: readonly Column<RulesetVersion>[] = [
    { header: 'Version', get: 'version_id', priority: 1 },
    { header: 'Updated', get: 'updated_at', as: 'age' },
    { header: 'Actor', get: 'actor.type' },
    { header: 'Actor id', get: 'actor.id' },
  ];
  protected override readonly recordsName = 'versions';
  protected override readonly idField = 'version_id';

  protected override readonly picks = { id: ownRulesets };

  async run() {
    const { args, flags } = await this.parse(RulesetsHistory);
    const { target, id: ruleset_id } = args;
    const { list, get } = rulesetVersions.of(target);
    if (flags.version !== undefined) {
      this.columns = [];
      return this.call(get, { path: { ...target, ruleset_id, version_id: flags.version } });
    }
    return this.list(list, { path: { ...target, ruleset_id } }, flags);
  }
}
