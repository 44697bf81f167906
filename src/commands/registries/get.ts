import { ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg, orgArg } from '../../cli/input/args.ts';
import { getRegistry } from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';
import { registriesOf } from '../../topics/registry-columns.ts';

export default class RegistriesGet extends ForgectlCommand<PrivateRegistry> {
  static override summary = 'Show a private registry';
  static override description =
    'Shows one registry by its name. Its secret is never shown; which repositories are selected is shown where the platform says so.';
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> registries get acme PYTHON_INDEX_SECRET' },
    {
      description: 'Who may use it',
      command: '<%= config.bin %> registries get acme PYTHON_INDEX_SECRET --jq .visibility',
    },
  ];
  static override requests = [getRegistry.route];
  static override args = { org: orgArg(), name: nameArg('NAME', 'Name of the registry') };

  protected override readonly idField = 'name';

  protected override readonly picks = { name: registriesOf };

  async run() {
    const { args } = await this.parse(RegistriesGet);
    const registry = await this.call(getRegistry, { path: { org: args.org, secret_name: args.name } });
    if (registry.visibility === 'selected' && registry.selected_repository_ids === undefined)
      this.notice('The platform does not say which repositories are selected.');
    return registry;
  }
}
