import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { nameArg, orgArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { deleteRegistry, getRegistry } from '../../platform/endpoints/registries.ts';
import { registriesOf } from '../../topics/registries/columns.ts';
import { orNearestRegistry } from '../../topics/registries/nearest.ts';

export default class RegistriesDelete extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Delete a private registry and its secret';
  static override description = 'Deletes a registry and its secret. Builds can no longer fetch packages from it.';
  static override examples = examples({
    'Preview the request': 'forgectl registries delete acme PYTHON_INDEX_SECRET --dry-run',
    'Delete without confirmation': 'forgectl registries delete acme PYTHON_INDEX_SECRET --yes',
  });
  static override requests = [deleteRegistry.route];
  static override args = { org: orgArg(), name: nameArg('NAME', 'Registry name') };
  static override flags = confirmedWriteFlags;

  protected override readonly picks = { name: registriesOf };

  async run() {
    const { args } = await this.parse(RegistriesDelete);
    const { org, name } = args;
    const verifyCommand = `forgectl registries list ${org}`;
    const effect = `deletes registry ${name} of ${org} and its secret`;
    const input = { path: { org, secret_name: name } };
    const preview = async () => ({ record: await this.call(getRegistry, input) });
    const done = `Deleted registry ${name} of ${org}.`;
    return orNearestRegistry(this.session, input.path, () =>
      this.remove(deleteRegistry, input, { name, effect, verifyCommand, done, preview }),
    );
  }
}
