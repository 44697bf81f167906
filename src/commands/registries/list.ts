import { orgArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { listFlags } from '../../cli/flags.ts';
import type { Listing } from '../../cli/listing.ts';
import { registryColumns } from '../../cli/topics/registry-columns.ts';
import { listRegistries } from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';

export default class RegistriesList extends ForgectlCommand<Listing<PrivateRegistry>> {
  static override summary = 'List the private registries of an organization';
  static override description =
    `Lists which registries the organization’s repositories may take packages from. Secrets are never shown.`;
  static override examples = [
    { description: 'All of them', command: '<%= config.bin %> registries list acme --all' },
    { description: 'Names, for a script', command: "<%= config.bin %> registries list acme --jq '.[].name'" },
  ];
  static override requests = [listRegistries.route];
  static override args = { org: orgArg() };
  static override flags = listFlags;

  protected override readonly columns = registryColumns;
  protected override readonly recordsName = 'registries';
  protected override readonly idField = 'name';

  async run() {
    const { args, flags } = await this.parse(RegistriesList);
    return this.list(listRegistries, { path: { org: args.org } }, flags);
  }
}
