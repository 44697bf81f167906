import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg, type Target, targetArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { webFlag } from '../../cli/input/flags.ts';
import { getRepositoryRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { rulesetColumns, rulesetsOf } from '../../topics/rulesets/columns.ts';
import { onlyForRepositories } from '../../topics/target-flags.ts';

export default class RulesetsGet extends ForgectlCommand<Ruleset> {
  static override summary = 'Show a ruleset';
  static override description =
    `Shows a ruleset’s conditions, rules with parameters, and bypass actors, which are visible only to users who may change
it. The --json output works as a file for rulesets lint and as --input of rulesets update.`;
  static override examples = examples({
    'Show details': 'forgectl rulesets get acme/site 21000010',
    'Save a ruleset to a file for editing': 'forgectl rulesets get acme/site 21000010 -o yaml > ruleset.yaml',
  });
  static override requests = rulesets.routes('get');
  static override args = { target: targetArg(), id: idArg('ID', 'Ruleset ID') };
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
