import * as Args from '@oclif/core/args';
import { platformWords } from '../../cli/account/platform-words.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { commandsNamed } from '../../cli/lookup/command-words.ts';
import type { Column } from '../../output/table/columns.ts';
import type { PlatformWords } from '../../platform/permissions.ts';
import {
  type Explanation,
  endpointIn,
  explain,
  findRequirements,
  permissionWords,
} from '../../topics/permissions/explanation.ts';

/** For a command's endpoints, also the command. */
type Explained = Explanation & { readonly command?: string };

export default class PermissionsExplain extends ForgectlCommand<Explained | Explained[]> {
  static override summary = 'Explain the access required by a command';
  static override description =
    `Shows the fine-grained permission, the scopes for classic and OAuth tokens, the role, the token kinds, the editions,
and whether public resources need a token. Give an endpoint as METHOD PATH, with a real path or a template, or a
command; a command lists each of its endpoints. “a (read) and b (read), or c (write)” means both of the first two, or
the last. Sends no requests.`;
  static override examples = examples({
    'Explain an endpoint': 'forgectl permissions explain "PATCH /orgs/acme"',
    'A command': 'forgectl permissions explain registries create',
  });
  static override args = {
    subject: Args.string({
      description: 'Method and path of an endpoint, or a command',
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
      if (requests.length === 0) this.notice(`“${name}” has no requests of its own.`);
      return requests.map((route) => {
        const [method, path] = route.split(' ') as [string, string];
        return { command: name, ...explain(findRequirements(method, path, words), words) };
      });
    });
  }
}
