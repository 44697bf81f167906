import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import type { PublicKey } from '../../platform/records.ts';

export default class RegistriesPublicKey extends ForgectlCommand<PublicKey> {
  static override summary = 'Show the public key for registry secrets';
  static override description =
    `Shows the organization’s public key and its ID, for tools that seal secrets themselves. The other registries commands
fetch it automatically.`;
  static override examples = examples({
    'Show details': 'forgectl registries public-key acme',
    'Print only the key in base64': 'forgectl registries public-key acme --jq .key',
  });
  static override requests = [getRegistryPublicKey.route];
  static override args = { org: orgArg() };

  protected override readonly idField = 'key_id';

  async run() {
    const { args } = await this.parse(RegistriesPublicKey);
    return this.call(getRegistryPublicKey, { path: { org: args.org } });
  }
}
