import * as Args from '@oclif/core/args';
import { platformWords } from '../../cli/account/platform-words.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { commandsNamed } from '../../cli/lookup/command-words.ts';
import type { Column } from '../../output/table/columns.ts';
import type { PlatformWords } from '../../platform/permissions.ts';
import { type Explanation, endpointIn, explain, findRequirements, permissionWords } from '../../topics/explanation.ts';

/** Of a command's endpoints, each also says which command asks it. */
type Explained = Explanation & { readonly command?: string };

export default class PermissionsExplain extends ForgectlCommand<Explained | Explained[]> {
  static override summary = 'Explain what an endpoint or a command needs of a token';
  static override description =
    `Names the fine-grained permission and its level, the scopes for classic and OAuth tokens, the role of the token’s owner, the token kinds
and editions, and whether the public is served without a token. An endpoint is METHOD PATH, as it is sent or as a template, and gives one
record; a command gives a list with each endpoint that it asks. “a (read) and b (read), or c (write)” means both of the first, or the
last. Nothing is sent.`;
  static override examples = [
    { description: 'An endpoint', command: '<%= config.bin %> permissions explain "PATCH /orgs/acme"' },
    { description: 'A command', command: '<%= config.bin %> permissions explain registries create' },
  ];
  static override args = {
    subject: Args.string({
      description: 'Method and path of an endpoint, or the words of a command',
      required: true,
      multiple: true,
      ignoreStdin: true,
    }),
  };

  protected override readonly columns: readonly Column<Explained>[] = [
    { header: 'Endpoint', get: 'endpoint', as: 'message', priority: 1 },
    {
      header: 'Permission',
      get: ({ permission, token_kinds: tokens }) =>
        permissionWords({ permission: permission ?? undefined, tokens: tokens ?? undefined }),
      as: 'message',
      priority: 1,
    },
    { header: 'Scopes', get: ({ scopes }) => scopes?.join(' or '), as: 'message', priority: 1 },
    { header: 'Role', get: 'role', as: 'message' },
    { header: 'Notes', get: ({ notes }) => notes.join('; '), as: 'message', priority: 3 },
  ];

  async run() {
    const { args, flags } = await this.parse(PermissionsExplain);
    const words = platformWords(flags.profile, this.runtime.env, this.settingsDirectory);
    const endpoint = endpointIn(args.subject);
    if (endpoint) return explain(findRequirements(endpoint.method, endpoint.path, words), words);
    return this.explainCommands(args.subject, words);
  }

  private async explainCommands(typed: readonly string[], words: PlatformWords): Promise<Explained[]> {
    const commands = await commandsNamed(typed);
    return commands.flatMap(({ name, requests }) => {
      if (requests.length === 0) this.notice(`“${name}” asks no endpoint of its own.`);
      return requests.map((route) => {
        const [method, path] = route.split(' ') as [string, string];
        return { command: name, ...explain(findRequirements(method, path, words), words) };
      });
    });
  }
}
