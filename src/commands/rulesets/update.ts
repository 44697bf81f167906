import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, targetArg, targetName } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { updateOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { ownRulesets, rulesetColumns } from '../../topics/ruleset-columns.ts';

export default class RulesetsUpdate extends ForgectlCommand<Ruleset> {
  static override summary = 'Change a ruleset';
  static override description =
    `Sends only what is given. Rules and conditions are replaced whole: to change one rule, take the ruleset with rulesets get, edit it, and give
it back with --input. Bypass actors that are left out stay; --bypass-actors '[]' leaves nobody who may bypass.`;
  static override examples = [
    {
      description: 'From watching to stopping',
      command: '<%= config.bin %> rulesets update acme/site 21000011 --enforcement active',
    },
    {
      description: 'See the request that lets nobody bypass it any more',
      command: "<%= config.bin %> rulesets update acme/site 21000010 --bypass-actors '[]' --dry-run",
    },
  ];
  static override requests = rulesets.routes('update');
  static override args = { target: targetArg(), id: idArg('ID', 'Id of the ruleset') };
  /** Organizations take all that repositories take, and more. */
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
