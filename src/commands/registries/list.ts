import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listRegistries } from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';
import { registryColumns } from '../../topics/registries/columns.ts';

export default class RegistriesList extends ForgectlCommand<Listing<PrivateRegistry>> {
  static override summary = 'List the private registries of an organization';
  static override description =
    'Lists the registries available to the organization’s repositories. Secrets are never shown.';
  static override examples = examples({
    'List all registries': 'forgectl registries list acme --all',
    'Print only the names': "forgectl registries list acme --jq '.[].name'",
  });
  static override requests = [listRegistries.route];
  static override args = { org: orgArg() };
  static override flags = listFlags('.visibility == "all"');

  protected override readonly columns = registryColumns;
  protected override readonly recordsName = 'registries';
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.parse(RegistriesList);
    return this.list(listRegistries, { path: { org: args.org } }, flags);
  }
}
