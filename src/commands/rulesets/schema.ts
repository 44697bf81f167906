import { ForgectlCommand } from '../../cli/command/command.ts';
import { createOrganizationRuleset } from '../../platform/endpoints/rulesets.ts';

export default class RulesetsSchema extends ForgectlCommand<Record<string, unknown>> {
  static override summary = 'Print the JSON Schema of ruleset files';
  static override description =
    `Prints the schema of what rulesets create and rulesets lint take, for editors and other tools: field names, words, limits and what each
means. It names only the rule types that this version knows. It is JSON unless -o says otherwise. Nothing is sent, and no login is
needed.`;
  static override examples = [
    { description: 'For an editor', command: '<%= config.bin %> rulesets schema > ruleset.schema.json' },
    {
      description: 'The rule types that this version knows',
      command: "<%= config.bin %> rulesets schema --jq '.properties.rules.items.oneOf[].properties.type.const'",
    },
  ];

  protected override readonly documentFormat = 'json';

  async run() {
    await this.parse(RulesetsSchema);
    const { toJsonSchema } = await import('@valibot/to-json-schema');
    const { $schema, ...schema } = toJsonSchema(createOrganizationRuleset.body);
    return { $schema, title: 'Ruleset', ...schema };
  }
}
