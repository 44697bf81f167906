import { examples, ForgectlCommand } from '../../cli/command/command.ts';

export default class PolicySchema extends ForgectlCommand<Record<string, unknown>> {
  static override summary = 'Print the JSON Schema of policy files';
  static override description =
    `Prints the JSON Schema of policy files, for completion and checks in editors: keys, enumerated values, limits and
descriptions. Name the file in the first line of a policy: # yaml-language-server: $schema=policy.schema.json. Rules between
fields and between files are checked only by policy validate. The format is JSON unless -o selects another. Sends no
requests and needs no login.`;
  static override examples = examples({
    'Save the schema for an editor': 'forgectl policy schema > policy.schema.json',
    'List the keys of a document': "forgectl policy schema --jq '.else.properties | keys[]'",
  });

  protected override readonly documentFormat = 'json';

  async run() {
    await this.parse(PolicySchema);
    const { policySchema } = await import('../../fleet/policy/wanted/json-schema.ts');
    return { ...policySchema() };
  }
}
