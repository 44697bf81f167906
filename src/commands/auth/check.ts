import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { identify } from '../../cli/account/account.ts';
import { notLoggedIn } from '../../cli/account/connection.ts';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { exitCodes } from '../../cli/exit-codes.ts';
import { orAddress, type RepoName, readRepoName } from '../../cli/input/args.ts';
import { valueFlag, whereFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import { allCommands, commandsNamed } from '../../cli/lookup/command-words.ts';
import { Listing } from '../../cli/result/listing.ts';
import type { Client } from '../../client/client.ts';
import { unlessHidden } from '../../client/errors.ts';
import { counted, formatCount } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import type { TokenKind } from '../../platform/endpoint.ts';
import { getAuthenticatedUser, getMeta } from '../../platform/endpoints/accounts.ts';
import { createInstallationToken, getApp, listAppInstallations } from '../../platform/endpoints/apps.ts';
import { listInstallationRepositories, listInstallations } from '../../platform/endpoints/installations.ts';
import { getOrganization, getOwnMembership } from '../../platform/endpoints/orgs.ts';
import { getRepository } from '../../platform/endpoints/repos.ts';
import { holdsScope } from '../../platform/scopes.ts';
import { invalid } from '../../platform/validate.ts';
import { type CommandVerdict, checkCommand, type Held } from '../../topics/permissions/access-check.ts';
import { type Standing, standingIn, standingOn } from '../../topics/permissions/standing.ts';

export default class AuthCheck extends ForgectlCommand<Listing<CommandVerdict>> {
  static override summary = 'Check which commands the token can run';
  static override description =
    `Compares the token with the requirements of each command: its kind, the scopes of a classic or OAuth token, the
permissions of the app’s installations for an app and for an app user token, and the roles of the token’s owner. “yes”
means that every requirement is documented and met, “no” that one is not met, and “unknown” that the platform does not
report enough to tell, such as the permissions of other fine-grained tokens.

Roles depend on the organization or repository: specify one with --org or --on, and forgectl reads the roles there.
Without it, commands that require a role are unknown.

COMMAND is one or more commands, or a topic; by default all commands are checked. If the answer for one of the named
commands is “no” (with --strict, also “unknown”), the exit code is 5, so that a script can check before it starts.`;
  static override examples = examples({
    'Check all commands in an organization': 'forgectl auth check --org acme',
    'Check the commands of a script before it starts':
      'forgectl auth check "registries create" "orgs update" --org acme --strict',
  });
  static override requests = [
    getAuthenticatedUser.route,
    getMeta.route,
    getOwnMembership.route,
    getOrganization.route,
    getRepository.route,
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

  static override flags = {
    on: valueFlag('--on', orAddress('--on', readRepoName), {
      helpValue: 'OWNER/NAME',
      description: 'Repository in which to check roles and permissions',
    }),
    org: valueFlag('--org', plainName, {
      helpValue: 'ORG',
      description: 'Organization in which to check roles and permissions',
    }),
    strict: Flags.boolean({ description: 'Also exit with 5 if the result for a given command is unknown' }),
    ...whereFlag('.answer == "no"'),
  };

  protected override readonly columns: readonly Column<CommandVerdict>[] = [
    { header: 'Command', get: 'command', priority: 1 },
    { header: 'Answer', get: 'answer', priority: 1 },
    { header: 'Reason', get: 'reason', as: 'message', priority: 1 },
  ];

  protected override readonly recordsName = 'commands';
  protected override readonly idField = 'command';

  async run() {
    const { args, flags } = await this.parse(AuthCheck);
    const { on, org, strict } = flags;
    if (on && org !== undefined) this.problems.push(invalid('--on and --org', 'cannot be used together'));
    this.valid({});
    const named = args.command && (await commandsNamed(args.command));
    const connection = await this.session.connection();
    if (!connection.credential) throw notLoggedIn(connection);
    const client = await this.session.client();
    const held = connection.credential.app ? await heldByApp(client) : await heldBy(client, connection.tokenKind);
    const standing = await standingAt(client, held, { on, org });
    const verdicts = (named ?? (await askingCommands())).map((each) =>
      checkCommand(each, held, standing, connection.platform),
    );
    const fails = ({ answer }: CommandVerdict) => answer === 'no' || (strict && answer === 'unknown');
    if (named && verdicts.some(fails)) this.runtime.exit(exitCodes.notPermitted);
    return Listing.of(verdicts, this.output.saysJson ? {} : { note: summaryText(verdicts) });
  }
}

function summaryText(verdicts: readonly CommandVerdict[]): string {
  const counts = (['yes', 'no', 'unknown'] as const).map((answer) => {
    const { length } = verdicts.filter((verdict) => verdict.answer === answer);
    return `${formatCount(length)} ${answer}`;
  });
  return `${counted(verdicts.length, 'command')}: ${counts.join(', ')}.`;
}

/** Returns the commands to check: all that send requests, except `auth`, which works with every token. */
async function askingCommands() {
  const commands = await allCommands();
  return commands.filter(({ name, requests }) => requests.length > 0 && !name.startsWith('auth '));
}

async function heldBy(client: Client, expected: TokenKind | undefined): Promise<Held> {
  const account = await identify(client, expected);
  return { ...account, installations: account.tokenKind === 'app_user' ? await installationsOf(client) : null };
}

/** Returns the roles at the named target, which must exist. */
async function standingAt(
  client: Client,
  { tokenKind, scopes }: Held,
  { on, org }: { readonly on: RepoName | undefined; readonly org: string | undefined },
): Promise<Standing> {
  // Without the scope, the platform may not show a membership.
  const reportsAbsence = scopes !== null && holdsScope(scopes, 'read:org');
  const membershipIn = async (login: string) =>
    tokenKind === 'installation' ? { org: login } : standingIn(client, login, reportsAbsence);
  if (on) return standingOn(client, on, membershipIn);
  if (org === undefined) return {};
  if (tokenKind === 'installation') await client.call(getOrganization, { path: { org } });
  return membershipIn(org);
}

async function heldByApp(client: Client): Promise<Held> {
  const { identifyApp, selectedToken } = await import('../../cli/account/app/identify.ts');
  const account = await identifyApp(client);
  const token = await selectedToken(client);
  const usable = await usableInstallations(client, listAppInstallations);
  if (!token) return { ...account, installations: usable, isApp: true };
  // A token can have fewer permissions and repositories than its installation.
  const installations = usable
    .filter(({ id }) => id === token.installationId)
    .map(({ account: owner, permissions, repository_selection }) => ({
      account: owner,
      permissions: token.permissions ?? permissions,
      repository_selection: token.repository_selection ?? repository_selection,
    }));
  return { ...account, installations, isApp: true };
}

/** Returns the installations accessible to an app user token; null if the platform does not list them. */
async function installationsOf(client: Client): Promise<Held['installations']> {
  return (await unlessHidden(usableInstallations(client, listInstallations))) ?? null;
}

/** Returns the installations that are not suspended. */
async function usableInstallations(client: Client, list: typeof listInstallations | typeof listAppInstallations) {
  const installations = [];
  for await (const { items } of client.pages(list, {}, { perPage: 100 }))
    for (const item of items) installations.push(item);
  return installations.filter(({ suspended_at: suspended }) => !suspended);
}
