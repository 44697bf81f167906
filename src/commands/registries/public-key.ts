import { ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import type { PublicKey } from '../../platform/records.ts';

export default class RegistriesPublicKey extends ForgectlCommand<PublicKey> {
  static override summary = 'Show the key that an organization’s registry secrets are sealed with';
  static override description =
    `Shows the public key and its id, for tools that seal secrets themselves. forgectl fetches it by itself: see registries create and
registries seal.`;
  static override examples = [
    { description: 'As a sheet', command: '<%= config.bin %> registries public-key acme' },
    { description: 'The key alone, in base64', command: '<%= config.bin %> registries public-key acme --jq .key' },
  ];
  static override requests = [getRegistryPublicKey.route];
  static override args = { org: orgArg() };

  protected override readonly idField = 'key_id';

  async run() {
    const { args } = await this.parse(RegistriesPublicKey);
    return this.call(getRegistryPublicKey, { path: { org: args.org } });
  }
}
