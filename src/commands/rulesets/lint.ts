import { examples } from '../../cli/command/command.ts';
import { filesArg } from '../../cli/input/args.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import { bodyOfRecord } from '../../platform/resource.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { checkBody, type Given } from '../../platform/validate.ts';
import { LintCommand } from '../../topics/lint.ts';

export default class RulesetsLint extends LintCommand {
  static override summary = 'Check ruleset files offline';
  static override description =
    `Checks JSON or YAML files with rulesets, as accepted by rulesets create or printed by rulesets get, and lists the
location of everything that the platform would reject. Unknown rule types, parameters and fields are warnings, because
a newer platform may support them; misspelled ones are errors. Errors end with exit code 2. Sends no requests and
needs no login.`;
  static override examples = examples({
    'Check a file before an update':
      'forgectl rulesets get acme/site 21000010 -o yaml > ruleset.yaml && forgectl rulesets lint ruleset.yaml',
    'Check standard input': 'forgectl rulesets get acme 10001010 --json | forgectl rulesets lint -',
  });
  static override args = { file: filesArg('Ruleset files, or - for standard input') };
  static override flags = unknownFlag;

  async run() {
    const { args, flags } = await this.parse(RulesetsLint);
    return this.lint(args.file, flags);
  }

  /** The organization's fields include all fields of repositories, and a file does not name its owner. */
  protected override check(document: Given) {
    return checkBody(createOrganizationRuleset, bodyOfRecord(rulesets, createOrganizationRuleset, document).body);
  }
}
