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
import { createInstallationToken, getApp, listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listInstallationRepositories, listInstallations } from '../../platform/endpoints/installations.ts';
import { type CommandVerdict, checkCommand, type Held } from '../../topics/access-check.ts';

export default class AuthCheck extends ForgectlCommand<CommandVerdict[]> {
  static override summary = 'Check which commands the token can run';
  static override description =
    `Compares the token with the requirements of each command: its kind, the scopes of a classic or OAuth token, and the
permissions of the app’s installations for an app and for an app user token. The platform does not report the permissions of other
fine-grained tokens: their result is “unknown”, with the permission that decides. “partly” means only some of a
command’s requests or some accounts. Roles depend on the organization or repository, so they are listed but not
checked.

COMMAND is one or more commands, or a topic; by default all commands are checked. If the token cannot run one of the
named commands, the exit code is 5, so that a script can check before it starts; “partly” and “unknown” do not count
as failures.`;
  static override examples = [
    { description: 'Check all commands', command: '<%= config.bin %> auth check' },
    {
      description: 'Check the commands of a script before it starts',
      command: '<%= config.bin %> auth check "registries create" "orgs update"',
    },
  ];
  static override requests = [
    getAuthenticatedUser.route,
    getMeta.route,
    listInstallationRepositories.route,
    listInstallations.route,
    getApp.route,
    listAppInstallations.route,
    createInstallationToken.route,
  ];
  static override args = {
    command: Args.string({
      description: 'Command or topic; quote commands of several words',
      multiple: true,
      ignoreStdin: true,
    }),
  };

  protected override readonly columns: readonly Column<CommandVerdict>[] = [
    { header: 'Command', get: 'command', priority: 1 },
    { header: 'Allowed', get: 'can', priority: 1 },
    { header: 'Reason', get: 'why', as: 'message', priority: 1 },
  ];

  protected override readonly idField = 'command';

  async run() {
    const { args } = await this.parse(AuthCheck);
    const named = args.command && (await commandsNamed(args.command));
    const connection = await this.session.connection();
    if (!connection.credential) throw notLoggedIn(connection);
    const client = await this.session.client();
    const held = connection.credential.app ? await heldByApp(client) : await heldBy(client, connection.tokenKind);
    const verdicts = (named ?? (await askingCommands())).map((each) => checkCommand(each, held, connection.platform));
    if (named && verdicts.some(({ can }) => can === 'no')) this.runtime.exit(exitCodes.notPermitted);
    return verdicts;
  }
}

/** The checked commands: all that send requests of their own, except `auth`, which works with every token. */
async function askingCommands() {
  const commands = await allCommands();
  return commands.filter(({ name, requests }) => requests.length > 0 && !name.startsWith('auth '));
}

async function heldBy(client: Client, expected: TokenKind | undefined): Promise<Held> {
  const account = await identify(client, expected);
  return { ...account, installations: account.tokenKind === 'app_user' ? await installationsOf(client) : null };
}

async function heldByApp(client: Client): Promise<Held> {
  const { identifyApp, selectedToken } = await import('../../cli/account/identify-app.ts');
  const account = await identifyApp(client);
  const token = await selectedToken(client);
  if (token) {
    const { permissions } = token;
    return { ...account, installations: permissions ? [{ account: null, permissions }] : null, isApp: true };
  }
  const installations = [];
  for await (const { items } of client.pages(listAppInstallations, {}, { perPage: 100 })) installations.push(...items);
  return { ...account, installations: installations.filter(({ suspended_at: suspended }) => !suspended), isApp: true };
}

/** Returns the installations accessible to an app user token; null if the platform does not list them. */
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
