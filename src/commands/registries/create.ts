import { examples } from '../../cli/command/command.ts';
import { orgArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { isStdin } from '../../cli/input/file-flags.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import type { BodyPrompts } from '../../cli/input/request-body.ts';
import { pendingSecret } from '../../client/seal.ts';
import { createRegistry, getRegistryPublicKey, storesSecret } from '../../platform/endpoints/registries.ts';
import type { PrivateRegistry } from '../../platform/records.ts';
import { registries } from '../../platform/resources/registries.ts';
import { type Given, missing } from '../../platform/validate.ts';
import { SecretSealingCommand, sealedFields, secretFlags } from '../../topics/registries/secret.ts';
import { RepositorySelection, selectionFlags } from '../../topics/registries/selection.ts';

/** Registry types that commonly use a username and a password. */
const typesWithUser: readonly unknown[] = [
  'maven_repository',
  'nuget_feed',
  'goproxy_server',
  'rubygems_server',
  'composer_repository',
  'docker_registry',
  'git_source',
  'helm_registry',
  'python_index',
];

const prompts: BodyPrompts = {
  lacks: ({ registry_type: type, auth_type, username }) =>
    typesWithUser.includes(type) && storesSecret(auth_type) && username === undefined ? [missing('username')] : [],
  questions: async () => (await import('../../topics/registries/questions.ts')).registryQuestions,
};

export default class RegistriesCreate extends SecretSealingCommand<PrivateRegistry> {
  static override summary = 'Create a private registry';
  static override description =
    `Creates a registry that provides packages to the organization’s repositories. The secret comes from a file, standard
input or a masked prompt, never from a flag; forgectl seals it locally with the organization’s public key, so that
only the platform can open it. OIDC registries store no secret: each --auth-type oidc_… has its own fields.`;
  static override examples = examples({
    'Create an npm registry with a token for all repositories':
      'printf %s "$NPM_TOKEN" | forgectl registries create acme --registry-type npm_registry --url https://npm.example.com --visibility all --secret-stdin',
    'Create an Azure registry without a stored secret':
      'forgectl registries create acme --registry-type nuget_feed --url https://pkgs.example.com/nuget --visibility private --auth-type oidc_azure --tenant-id 11111111-2222-3333-4444-555555555555 --client-id 66666666-7777-8888-9999-000000000000',
  });
  static override requests = [createRegistry.route, getRegistryPublicKey.route];
  static override args = { org: orgArg() };
  static override flags = {
    ...fieldFlags(createRegistry.body.entries),
    ...selectionFlags,
    ...secretFlags,
    ...inputFlags,
    ...writeFlags,
  };

  protected override readonly idField = 'name';

  protected override readonly made = ({ name, registry_type, visibility }: PrivateRegistry) =>
    `Created registry ${name} (${registry_type}, visibility ${visibility})`;

  async run() {
    const { args, flags } = await this.collect(RegistriesCreate);
    const named = this.namesSecret(flags);
    const selection = new RepositorySelection(flags, this.problems);
    const lacksSecret = ({ auth_type, encrypted_value }: Given) =>
      storesSecret(flags['auth-type'] ?? auth_type) &&
      flags['encrypted-value'] === undefined &&
      encrypted_value === undefined;
    if (!named && flags.input === undefined && lacksSecret({})) this.needsAskedSecret();
    const asks = flags.input === undefined || (!isStdin(flags.input) && this.input.canPrompt());
    const { body } = await this.inputFor(createRegistry, flags, {
      resource: registries,
      body: (input) => ({ ...selection.pending, ...(named || (asks && lacksSecret(input)) ? pendingSecret : {}) }),
      made: sealedFields,
      prompts,
    });
    const { org } = this.valid(args);
    const selected = await selection.body(this.session);
    const sealed = body.encrypted_value === pendingSecret.encrypted_value ? await this.sealSecret(org, flags) : {};
    const verifyCommand = `forgectl registries list ${org}`;
    return this.write(createRegistry, { path: { org }, body: { ...body, ...selected, ...sealed } }, { verifyCommand });
  }
}
