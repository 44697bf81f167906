import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { whereFlag } from '../../cli/input/flags.ts';
import { Listing } from '../../cli/result/listing.ts';
import { listProperties } from '../../platform/endpoints/properties.ts';
import type { CustomProperty } from '../../platform/records.ts';
import { definitionColumns } from '../../topics/properties/definition-columns.ts';

export default class PropertiesList extends ForgectlCommand<Listing<CustomProperty>> {
  static override summary = 'List the custom properties of an organization';
  static override description =
    'Lists the definitions of custom properties: type, allowed values, default, and whether a value is required.';
  static override examples = examples({
    'List all properties': 'forgectl properties list acme',
    'Print the allowed values of a property': `forgectl properties list acme --jq '.[] | select(.property_name == "tier") | .allowed_values[]'`,
  });
  static override requests = [listProperties.route];
  static override args = { org: orgArg() };
  static override flags = whereFlag('.required');

  protected override readonly columns = definitionColumns;
  protected override readonly recordsName = 'properties';
  protected override readonly idField = 'property_name';

  async run() {
    const { args } = await this.parse(PropertiesList);
    return Listing.of(await this.call(listProperties, { path: { org: args.org } }));
  }
}
