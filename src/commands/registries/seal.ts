import { orgArg } from '../../cli/input/args.ts';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import { SecretSealingCommand, secretFlags } from '../../topics/registry-secret.ts';

interface SealedSecret {
  key_id: string;
  encrypted_value: string;
}

export default class RegistriesSeal extends SecretSealingCommand<SealedSecret> {
  static override summary = 'Seal a secret for an organization, and upload nothing';
  static override description =
    `Prints the sealed secret and the id of the key it was sealed with, for tools and files that create registries themselves, such as
--input. Only the platform can open it.`;
  static override examples = [
    {
      description: 'From standard input',
      command: 'printf %s "$NPM_TOKEN" | <%= config.bin %> registries seal acme --secret-stdin --json',
    },
    { description: 'From a file', command: '<%= config.bin %> registries seal acme --secret-file token.txt' },
  ];
  static override requests = [getRegistryPublicKey.route];
  static override args = { org: orgArg() };
  static override flags = secretFlags;

  /** This record is what the command exists to print. */
  protected override readonly showsSecrets = true;

  async run() {
    const { args, flags } = await this.collect(RegistriesSeal);
    if (!this.namesSecret(flags)) this.needsAskedSecret();
    return this.sealSecret(this.valid(args).org, flags);
  }
}
