import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, type Target, targetArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getRepositoryRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { rulesetColumns, rulesetsOf } from '../../topics/ruleset-columns.ts';
import { onlyForRepositories } from '../../topics/target-flags.ts';

export default class RulesetsGet extends ForgectlCommand<Ruleset> {
  static override summary = 'Show a ruleset with its rules, conditions and bypass actors';
  static override description =
    `Shows what the ruleset applies to, its rules with their parameters, and who may bypass it; bypass actors are told only to those who may
change it. What --json prints can be checked with rulesets lint, and given back with --input of rulesets update.`;
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> rulesets get acme/site 21000010' },
    {
      description: 'Into a file, to change it and give it back',
      command: '<%= config.bin %> rulesets get acme/site 21000010 -o yaml > ruleset.yaml',
    },
  ];
  static override requests = rulesets.routes('get');
  static override args = { target: targetArg(), id: idArg('ID', 'Id of the ruleset') };
  static override flags = { ...queryFlags(getRepositoryRuleset.query), ...webFlag };

  protected override readonly columns = rulesetColumns;
  protected override readonly idField = 'id';
  protected override readonly picks = {
    id: ({ target }: { readonly target: Target }, flags: { readonly 'includes-parents'?: boolean }) =>
      rulesetsOf(target, flags['includes-parents']),
  };

  async run() {
    const { args, flags } = await this.collect(RulesetsGet);
    this.problems.push(
      ...onlyForRepositories('--includes-parents', flags['includes-parents'] !== undefined, args.target),
    );
    const { get } = rulesets.of(args.target);
    const input = await this.inputFor(get, flags);
    const { target, id: ruleset_id } = this.valid(args);
    return this.call(get, { path: { ...target, ruleset_id }, ...input });
  }
}
