import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, targetArg, targetName } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { rulesetPrompts } from '../../topics/rulesets/change.ts';
import { rulesetColumns } from '../../topics/rulesets/columns.ts';

export default class RulesetsCreate extends ForgectlCommand<Ruleset> {
  static override summary = 'Create a ruleset in a repository or organization';
  static override description =
    `Creates a ruleset from flags, a file or both; flags override --input, which also accepts the output of rulesets get.
--enforcement evaluate blocks nothing: “rulesets suites” shows the pushes that would have been blocked.`;
  static override examples = examples({
    'Block deletion of the default branch and force pushes to it': `forgectl rulesets create acme/site --name "Guard the default branch" --enforcement active --conditions '{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}' --rules '[{"type":"deletion"},{"type":"non_fast_forward"}]'`,
    'Evaluate signed tags in all repositories of an organization': `forgectl rulesets create acme --name "Signed tags" --target tag --enforcement evaluate --conditions '{"ref_name":{"include":["~ALL"],"exclude":[]},"repository_name":{"include":["~ALL"],"exclude":[]}}' --rules '[{"type":"required_signatures"}]'`,
  });
  static override requests = rulesets.routes('create');
  static override args = { target: targetArg() };
  /** The organization's fields include all fields of repositories. */
  static override flags = { ...fieldFlags(createOrganizationRuleset.body.entries), ...inputFlags, ...writeFlags };

  protected override readonly columns = rulesetColumns;
  protected override readonly idField = 'id';

  protected override readonly made = ({ id, name, source, enforcement }: Ruleset) =>
    `Created ruleset ${id} of ${source}: ${name} (${enforcement})`;

  async run() {
    const { args, flags } = await this.collect(RulesetsCreate);
    const { create } = rulesets.of(args.target);
    const { body } = await this.inputFor(create, flags, {
      resource: rulesets,
      prompts: rulesetPrompts(!isRepo(args.target)),
    });
    const { target } = this.valid(args);
    const verifyCommand = `forgectl rulesets list ${targetName(target)} --all`;
    return this.write(create, { path: { ...target }, body }, { verifyCommand });
  }
}
