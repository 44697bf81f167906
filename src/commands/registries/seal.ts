import { examples } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { getRegistryPublicKey } from '../../platform/endpoints/registries.ts';
import { SecretSealingCommand, secretFlags } from '../../topics/registries/secret.ts';

interface SealedSecret {
  key_id: string;
  encrypted_value: string;
}

export default class RegistriesSeal extends SecretSealingCommand<SealedSecret> {
  static override summary = 'Seal a secret without uploading it';
  static override description =
    `Prints a sealed secret and the ID of its key, for tools and --input files that create registries. Only the platform
can open the sealed secret.`;
  static override examples = examples({
    'Seal a secret from standard input': 'printf %s "$NPM_TOKEN" | forgectl registries seal acme --secret-stdin --json',
    'Seal a secret from a file': 'forgectl registries seal acme --secret-file token.txt',
  });
  static override requests = [getRegistryPublicKey.route];
  static override args = { org: orgArg() };
  static override flags = secretFlags;

  /** The sealed secret is not masked: printing it is the purpose of the command. */
  protected override readonly showsSecrets = true;

  async run() {
    const { args, flags } = await this.collect(RegistriesSeal);
    if (!this.namesSecret(flags)) this.needsAskedSecret();
    const { key_id, ...sealed } = await this.sealSecret(this.valid(args).org, flags);
    return { key_id: this.masked(key_id), ...sealed };
  }
}
