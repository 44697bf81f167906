import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg, targetName } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { updateOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { ownRulesets, rulesetColumns } from '../../topics/rulesets/columns.ts';

export default class RulesetsUpdate extends ForgectlCommand<Ruleset> {
  static override summary = 'Update a ruleset';
  static override description =
    `Sends only the given fields. Rules and conditions are replaced as a whole: to change one rule, save the ruleset with
rulesets get, edit it and pass it to --input. Omitted bypass actors are kept; --bypass-actors '[]' removes all of
them.`;
  static override examples = examples({
    'Switch a ruleset from evaluate to active': 'forgectl rulesets update acme/site 21000011 --enforcement active',
    'Preview the request that removes all bypass actors':
      "forgectl rulesets update acme/site 21000010 --bypass-actors '[]' --dry-run",
  });
  static override requests = rulesets.routes('update');
  static override args = { target: targetArg(), id: idArg('ID', 'Ruleset ID') };
  /** The organization's fields include all fields of repositories. */
  static override flags = { ...fieldFlags(updateOrganizationRuleset.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly columns = rulesetColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: ownRulesets };

  async run() {
    const { args, flags } = await this.collect(RulesetsUpdate);
    const { get, update } = rulesets.of(args.target);
    const path = () => {
      const { target, id: ruleset_id } = this.valid(args);
      return { ...target, ruleset_id };
    };
    const current = () => this.call(get, { path: path() });
    const { body } = await this.inputFor(update, flags, { resource: rulesets, changes: true, current });
    const { target, id } = this.valid(args);
    const verifyCommand = `forgectl rulesets get ${targetName(target)} ${id}`;
    return this.write(update, { path: path(), body }, { verifyCommand });
  }
}
