import { ForgectlCommand } from '../../cli/command/command.ts';
import { isRepo, targetArg, targetName } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import type { Ruleset } from '../../platform/records.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { rulesetPrompts } from '../../topics/ruleset-change.ts';
import { rulesetColumns } from '../../topics/ruleset-columns.ts';

export default class RulesetsCreate extends ForgectlCommand<Ruleset> {
  static override summary = 'Create a ruleset in a repository or an organization';
  static override description =
    `Creates a ruleset from flags, from a file, or from both: flags override what --input holds, and --input takes what rulesets get
printed. With --enforcement evaluate nothing is stopped: rulesets suites shows what would have been.`;
  static override examples = [
    {
      description: 'Nobody deletes the default branch or pushes over its history',
      command: `<%= config.bin %> rulesets create acme/site --name "Guard the default branch" --enforcement active --conditions '{"ref_name":{"include":["~DEFAULT_BRANCH"],"exclude":[]}}' --rules '[{"type":"deletion"},{"type":"non_fast_forward"}]'`,
    },
    {
      description: 'Signed tags in every repository of an organization, only watched for now',
      command: `<%= config.bin %> rulesets create acme --name "Signed tags" --target tag --enforcement evaluate --conditions '{"ref_name":{"include":["~ALL"],"exclude":[]},"repository_name":{"include":["~ALL"],"exclude":[]}}' --rules '[{"type":"required_signatures"}]'`,
    },
  ];
  static override requests = rulesets.routes('create');
  static override args = { target: targetArg() };
  /** Organizations take all that repositories take, and more. */
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
