import * as Args from '@oclif/core/args';
import { identify } from '../../cli/account/account.ts';
import { notLoggedIn } from '../../cli/account/connection.ts';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { allCommands, commandsNamed } from '../../cli/lookup/command-words.ts';
import type { Client } from '../../client/client.ts';
import { NotFoundError, PermissionError } from '../../client/errors.ts';
import type { Column } from '../../output/table/columns.ts';
import type { TokenKind } from '../../platform/endpoint.ts';
import { getAuthenticatedUser, getMeta } from '../../platform/endpoints/accounts.ts';
import { listInstallationRepositories, listInstallations } from '../../platform/endpoints/installations.ts';
import { type CommandVerdict, checkCommand, type Held } from '../../topics/access-check.ts';

export default class AuthCheck extends ForgectlCommand<CommandVerdict[]> {
  static override summary = 'Check which commands the token in use can run';
  static override description =
    `Holds what the token has against what each command needs: its kind, the scopes of a classic or an OAuth token, and for an app user
token the permissions of the app’s installations. The platform does not tell what other fine-grained tokens have, so there “unknown”
names the permission that decides. “partly” means some of a command’s requests, or some accounts. Whether the token’s owner has a role is for
each organization and repository to say, so it is named and not checked.

COMMAND is one or several commands, or a topic; without it all commands are checked. Where commands are named and the token cannot run one
of them, the exit code is 5, so that a script can check before it begins; “partly” and “unknown” do not count as that.`;
  static override examples = [
    { description: 'All commands', command: '<%= config.bin %> auth check' },
    {
      description: 'Before a script begins',
      command: '<%= config.bin %> auth check "registries create" "orgs update"',
    },
  ];
  static override requests = [
    getAuthenticatedUser.route,
    getMeta.route,
    listInstallationRepositories.route,
    listInstallations.route,
  ];
  static override args = {
    command: Args.string({
      description: 'Words of a command or a topic; quote each where there are several',
      multiple: true,
      ignoreStdin: true,
    }),
  };

  protected override readonly columns: readonly Column<CommandVerdict>[] = [
    { header: 'Command', get: 'command', priority: 1 },
    { header: 'Can', get: 'can', priority: 1 },
    { header: 'Why', get: 'why', as: 'message', priority: 1 },
  ];

  protected override readonly idField = 'command';

  async run() {
    const { args } = await this.parse(AuthCheck);
    const named = args.command && (await commandsNamed(args.command));
    const connection = await this.session.connection();
    if (!connection.credential) throw notLoggedIn(connection);
    const held = await heldBy(await this.session.client(), connection.tokenKind);
    const verdicts = (named ?? (await askingCommands())).map((each) => checkCommand(each, held, connection.platform));
    if (named && verdicts.some(({ can }) => can === 'no')) this.runtime.exit(exitCodes.notPermitted);
    return verdicts;
  }
}

/** All that ask something of their own; the `auth` commands ask what every token may. */
async function askingCommands() {
  const commands = await allCommands();
  return commands.filter(({ name, requests }) => requests.length > 0 && !name.startsWith('auth '));
}

async function heldBy(client: Client, expected: TokenKind | undefined): Promise<Held> {
  const account = await identify(client, expected);
  return { ...account, installations: account.tokenKind === 'app_user' ? await installationsOf(client) : null };
}

/** The installations that an app user token reaches; null where the platform does not tell. */
async function installationsOf(client: Client): Promise<Held['installations']> {
  try {
    const installations = [];
    for await (const { items } of client.pages(listInstallations, {}, { perPage: 100 })) installations.push(...items);
    return installations.filter(({ suspended_at: suspended }) => !suspended);
  } catch (error) {
    if (error instanceof PermissionError || error instanceof NotFoundError) return null;
    throw error;
  }
}
