import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg, orgArg } from '../../cli/input/args.ts';
import { getRegistry } from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';
import { registriesOf } from '../../topics/registries/columns.ts';
import { orNearestRegistry } from '../../topics/registries/nearest.ts';

export default class RegistriesGet extends ForgectlCommand<PrivateRegistry> {
  static override summary = 'Show a private registry';
  static override description =
    'Shows a registry without its secret, and the selected repositories if the platform returns them.';
  static override examples = examples({
    'Show details': 'forgectl registries get acme PYTHON_INDEX_SECRET',
    'Print only the visibility': 'forgectl registries get acme PYTHON_INDEX_SECRET --jq .visibility',
  });
  static override requests = [getRegistry.route];
  static override args = { org: orgArg(), name: nameArg('NAME', 'Registry name') };

  protected override readonly idField = 'name';

  protected override readonly picks = { name: registriesOf };

  async run() {
    const { args } = await this.parse(RegistriesGet);
    const path = { org: args.org, secret_name: args.name };
    const registry = await orNearestRegistry(this.session, path, () => this.call(getRegistry, { path }));
    if (registry.visibility === 'selected' && registry.selected_repository_ids === undefined)
      this.notice('The platform does not return the selected repositories.');
    return registry;
  }
}
