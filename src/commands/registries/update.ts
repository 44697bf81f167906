import * as Flags from '@oclif/core/flags';
import { examples } from '../../cli/command/command.ts';
import { nameArg, orgArg } from '../../cli/input/args.ts';
import { fieldFlags, flagName } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { pendingSecret } from '../../client/seal.ts';
import { getRegistry, getRegistryPublicKey, updateRegistry } from '../../platform/endpoints/registries.ts';
import { registries } from '../../platform/resources/registries.ts';
import type { Given } from '../../platform/validate.ts';
import { registriesOf } from '../../topics/registries/columns.ts';
import { orNearestRegistry } from '../../topics/registries/nearest.ts';
import { SecretSealingCommand, type SecretSource, sealedFields, secretFlags } from '../../topics/registries/secret.ts';
import { RepositorySelection, selectionFlags } from '../../topics/registries/selection.ts';

export default class RegistriesUpdate extends SecretSealingCommand<Record<string, never>> {
  static override summary = 'Update a private registry or its secret';
  static override description =
    `Updates only the given fields; the secret stays unless you give a new one. The authentication type cannot be changed:
--auth-type, if given, must have its current value.`;
  static override examples = examples({
    'Replace the secret':
      'printf %s "$INDEX_TOKEN" | forgectl registries update acme PYTHON_INDEX_SECRET --secret-stdin',
    'Preview restricting the registry to two repositories':
      'forgectl registries update acme PYTHON_INDEX_SECRET --visibility selected --selected-repository-ids 100001,100002 --dry-run',
  });
  static override requests = [updateRegistry.route, getRegistryPublicKey.route];
  static override args = { org: orgArg(), name: nameArg('NAME', 'Registry name') };
  static override flags = {
    ...fieldFlags(updateRegistry.body.entries),
    ...selectionFlags,
    ...secretFlags,
    'secret-prompt': Flags.boolean({ description: 'Prompt for a new secret' }),
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly picks = { name: registriesOf };

  async run() {
    const { args, flags: given } = await this.collect(RegistriesUpdate);
    const flags = (await this.#asksForSecret(given)) ? { ...given, 'secret-prompt': true } : given;
    const seals = this.namesSecret(flags);
    const path = () => {
      const { org, name: secret_name } = this.valid(args);
      return { org, secret_name };
    };
    const selection = new RepositorySelection(flags, this.problems);
    const { body } = await this.inputFor(updateRegistry, flags, {
      resource: registries,
      body: { ...selection.pending, ...(seals ? pendingSecret : {}) },
      made: sealedFields,
      changes: true,
      current: () => this.call(getRegistry, { path: path() }),
    });
    const { org, secret_name } = path();
    const selected = await selection.body(this.session);
    const sealed = seals ? await this.sealSecret(org, flags) : {};
    const done = `Updated registry ${secret_name} of ${org}.`;
    const verifyCommand = `forgectl registries get ${org} ${secret_name}`;
    const input = { path: { org, secret_name }, body: { ...body, ...selected, ...sealed } };
    return orNearestRegistry(this.session, input.path, () =>
      this.write(updateRegistry, input, { verifyCommand, done }),
    );
  }

  /** Prompts for the kind of change when nothing is given: the secret, which is not a typed field, or other fields. */
  async #asksForSecret(flags: Given & SecretSource): Promise<boolean> {
    const fields = [
      ...Object.keys(updateRegistry.body.entries).map(flagName),
      'input',
      ...Object.keys({ ...secretFlags, ...selectionFlags }),
    ];
    if ([...fields, 'secret-prompt'].some((name) => flags[name] !== undefined) || !this.input.promptsForMissing())
      return false;
    const { promptChoice } = await import('../../cli/input/prompts/prompts.ts');
    const choices = [
      { name: 'the secret', value: true },
      { name: 'another field', value: false },
    ];
    return promptChoice('What do you want to change?', choices, this.runtime);
  }
}
