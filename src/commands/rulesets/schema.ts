import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';

export default class RulesetsSchema extends ForgectlCommand<Record<string, unknown>> {
  static override summary = 'Print the JSON Schema of ruleset files';
  static override description =
    `Prints the JSON Schema for the files of rulesets create and rulesets lint, for editors and other tools: field names,
enumerated values, limits and descriptions. It contains only the rule types known to this version. The format is JSON
unless -o selects another. Sends no requests and needs no login.`;
  static override examples = examples({
    'Save the schema for an editor': 'forgectl rulesets schema > ruleset.schema.json',
    'Print the known rule types':
      "forgectl rulesets schema --jq '.properties.rules.items.oneOf[].properties.type.const'",
  });

  protected override readonly documentFormat = 'json';

  async run() {
    await this.parse(RulesetsSchema);
    const { toJsonSchema } = await import('@valibot/to-json-schema');
    const { $schema, ...schema } = toJsonSchema(createOrganizationRuleset.body);
    return { $schema, title: 'Ruleset', ...schema };
  }
}
