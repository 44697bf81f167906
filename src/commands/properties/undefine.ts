import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg, plainNameArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { getProperty, undefineProperty } from '../../platform/endpoints/properties.ts';
import { definitionColumns } from '../../topics/properties/definition-columns.ts';

export default class PropertiesUndefine extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Remove a custom property of an organization';
  static override description =
    `Removes the definition of a custom property and its values in all repositories. Defining it again does not restore
the values; list them first with “properties values”.`;
  static override examples = examples({
    'Preview the request': 'forgectl properties undefine acme pci --dry-run',
    'Remove without confirmation': 'forgectl properties undefine acme region --yes',
  });
  static override requests = [undefineProperty.route];
  static override args = { org: orgArg(), name: plainNameArg('NAME', 'Property name') };
  static override flags = confirmedWriteFlags;

  async run() {
    const { args } = await this.parse(PropertiesUndefine);
    const { org, name } = args;
    const input = { path: { org, custom_property_name: name } };
    const preview = async () => ({ record: await this.call(getProperty, input), columns: definitionColumns });
    return this.remove(undefineProperty, input, {
      name,
      effect: `removes property ${name} of ${org} and its values in all repositories`,
      verifyCommand: `forgectl properties list ${org}`,
      done: `Removed property ${name} of ${org}.`,
      preview,
    });
  }
}
