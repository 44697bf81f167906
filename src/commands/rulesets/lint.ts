import { filesArg } from '../../cli/input/args.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import { bodyOfRecord } from '../../platform/resource.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { checkBody, type Given } from '../../platform/validate.ts';
import { LintCommand } from '../../topics/lint.ts';

export default class RulesetsLint extends LintCommand {
  static override summary = 'Check ruleset files without a platform';
  static override description =
    `Checks files, JSON or YAML, that hold a ruleset as rulesets create takes it or as rulesets get printed it, and names everything that the
platform would refuse, with its place. Rule types, parameters and fields that this version does not know are warnings, as a newer platform
may know them; misspelled ones are errors. Errors end it with exit code 2. Nothing is sent, and no login is needed.`;
  static override examples = [
    {
      description: 'A file, before it is given back',
      command:
        '<%= config.bin %> rulesets get acme/site 21000010 -o yaml > ruleset.yaml && <%= config.bin %> rulesets lint ruleset.yaml',
    },
    {
      description: 'Standard input',
      command: '<%= config.bin %> rulesets get acme 10001010 --json | <%= config.bin %> rulesets lint -',
    },
  ];
  static override args = { file: filesArg('Ruleset files; - is standard input') };
  static override flags = unknownFlag;

  async run() {
    const { args, flags } = await this.parse(RulesetsLint);
    return this.lint(args.file, flags);
  }

  /** Organizations take all that repositories take, and a file does not say whose it is. */
  protected override check(document: Given) {
    return checkBody(createOrganizationRuleset, bodyOfRecord(rulesets, createOrganizationRuleset, document).body);
  }
}
