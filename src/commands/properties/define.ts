import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg, plainNameArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { confirmedWriteFlags, inputFlags } from '../../cli/input/flags.ts';
import { NotFoundError, PermissionError } from '../../client/errors.ts';
import { defineProperty, getProperty } from '../../platform/endpoints/properties.ts';
import type { CustomProperty } from '../../platform/records.ts';
import { customProperties } from '../../platform/resources/properties.ts';
import { definitionColumns } from '../../topics/properties/definition-columns.ts';

const { default_value: _text, ...fields } = defineProperty.body.entries;

export default class PropertiesDefine extends ForgectlCommand<CustomProperty> {
  static override summary = 'Define a custom property of an organization';
  static override description =
    `Defines a custom property, or replaces the definition of an existing one, after showing it: what is not given gets its
default. “properties set” sets its values.`;
  static override examples = examples({
    'Define a required property':
      'forgectl properties define acme stage --value-type single_select --allowed-values alpha,stable --required --default-value alpha',
    'Define a property that repository administrators may set':
      'forgectl properties define acme owner --value-type string --values-editable-by org_and_repo_actors',
  });
  static override requests = [defineProperty.route];
  static override args = { org: orgArg(), name: plainNameArg('NAME', 'Property name') };
  static override flags = {
    ...fieldFlags(fields),
    'default-value': Flags.string({
      helpGroup: 'BODY',
      helpValue: 'TEXT',
      multiple: true,
      multipleNonGreedy: true,
      description: 'Value of repositories that have none of their own; repeat it for several values of multi_select',
    }),
    ...inputFlags,
    ...confirmedWriteFlags,
  };

  protected override readonly columns = definitionColumns;
  protected override readonly idField = 'property_name';

  async run() {
    const { args, flags } = await this.collect(PropertiesDefine);
    const { 'default-value': defaults, ...given } = flags;
    const { body } = await this.inputFor(defineProperty, given, {
      resource: customProperties,
      body: (input) => {
        if (defaults === undefined) return {};
        const type = flags['value-type'] ?? input.value_type;
        return { default_value: type !== 'multi_select' && defaults.length === 1 ? defaults[0] : defaults };
      },
    });
    const { org, name: custom_property_name } = this.valid(args);
    const path = { org, custom_property_name };
    const effect = `replaces the definition of property ${custom_property_name} of ${org}`;
    await this.input.confirmReplacing(custom_property_name, effect, () => this.#existing(path));
    const verifyCommand = `forgectl properties list ${org}`;
    return this.write(defineProperty, { path, body }, { verifyCommand });
  }

  async #existing(path: { readonly org: string; readonly custom_property_name: string }) {
    try {
      return { record: await this.call(getProperty, { path }), columns: definitionColumns };
    } catch (error) {
      if (error instanceof NotFoundError) return undefined;
      if (error instanceof PermissionError) return 'unknown';
      throw error;
    }
  }
}
