import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { filesArg } from '../../cli/input/args.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { largestYaml } from '../../cli/input/sources.ts';
import { partAt } from '../../fleet/policy/wanted/placed.ts';
import { lintRuleset } from '../../foresight/lint-ruleset.ts';
import { ownMember } from '../../json/exact-json.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';
import { bodyOfRecord } from '../../platform/resource.ts';
import { rulesets } from '../../platform/resources/rulesets.ts';
import { checkBody, type Given, type Problem } from '../../platform/validate.ts';
import { LintCommand } from '../../topics/lint.ts';

export default class RulesetsLint extends LintCommand {
  static override summary = 'Check ruleset files offline';
  static override description =
    `Checks JSON or YAML files with rulesets, as accepted by rulesets create or printed by rulesets get, and lists the
location of everything that the platform would reject. Warnings are what it accepts but what is likely a mistake, such
as patterns that match nothing, and unknown rule types, parameters and fields, which a newer platform may support;
misspelled ones are errors. Errors end with exit code 2, with --strict also warnings. Sends no requests and needs no login.`;
  static override examples = examples({
    'Check a file before an update':
      'forgectl rulesets get acme/site 21000010 -o yaml > ruleset.yaml && forgectl rulesets lint ruleset.yaml',
    'Check standard input': 'forgectl rulesets get acme 10001010 --json | forgectl rulesets lint -',
  });
  static override args = { file: filesArg('Ruleset files, or - for standard input') };
  static override flags = {
    ...unknownFlag,
    strict: Flags.boolean({ description: 'Treat warnings as errors' }),
  };

  async run() {
    const { args, flags } = await this.parse(RulesetsLint);
    return this.lint(args.file, flags);
  }

  /** The organization's fields include all fields of repositories, and a file does not name its owner. */
  protected override check(document: Given) {
    return checkBody(createOrganizationRuleset, bodyOfRecord(rulesets, createOrganizationRuleset, document).body);
  }

  protected override async advise(document: Given) {
    return lintRuleset(document);
  }

  protected override async locatorOf(text: string) {
    if (text.length > largestYaml) return undefined;
    const { parsePolicyFile } = await import('../../fleet/policy/wanted/parse.ts');
    // JSON is YAML, too.
    const { root } = parsePolicyFile('', text);
    return root && ((path: string) => partAt(root, path).place);
  }

  protected override codeOf(problem: Problem) {
    const field = problem.field.slice(problem.field.lastIndexOf('.') + 1);
    return (problem.code === 'invalid' && ownMember(rangeCodes, field)) || super.codeOf(problem);
  }
}

/** The codes of limits, by field. */
const rangeCodes: Readonly<Record<string, string>> = {
  max_file_size: 'size-range',
  max_file_path_length: 'path-length-range',
};
