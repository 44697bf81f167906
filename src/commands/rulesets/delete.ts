import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg, targetName } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { ownRulesets, rulesetColumns } from '../../topics/rulesets/columns.ts';

export default class RulesetsDelete extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Delete a ruleset';
  static override description =
    'Deletes a ruleset, so that its rules no longer apply. To suspend it instead, use rulesets update --enforcement disabled.';
  static override examples = examples({
    'Preview the request': 'forgectl rulesets delete acme/site 21000011 --dry-run',
    'Delete without confirmation': 'forgectl rulesets delete acme/site 21000011 --yes',
  });
  static override requests = rulesets.routes('delete');
  static override args = { target: targetArg(), id: idArg('ID', 'Ruleset ID') };
  static override flags = confirmedWriteFlags;

  protected override readonly picks = { id: ownRulesets };

  async run() {
    const { args } = await this.parse(RulesetsDelete);
    const { target, id: ruleset_id } = args;
    const owner = targetName(target);
    const operations = rulesets.of(target);
    const options = {
      name: String(ruleset_id),
      effect: `deletes ruleset ${ruleset_id} of ${owner}`,
      done: `Deleted ruleset ${ruleset_id} of ${owner}.`,
      verifyCommand: `forgectl rulesets list ${owner} --all`,
    };
    const input = { path: { ...target, ruleset_id } };
    const preview = async () => {
      const record = await this.call(operations.get, input);
      return { record, columns: rulesetColumns, name: record.name };
    };
    return this.remove(operations.delete, input, { ...options, preview });
  }
}
