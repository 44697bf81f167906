import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { installationArg } from '../../cli/input/args.ts';
import { fieldFlags } from '../../cli/input/fields.ts';
import { inputFlags, writeFlags } from '../../cli/input/flags.ts';
import { requireToken } from '../../client/installation-tokens.ts';
import { PlannedRequest } from '../../client/request.ts';
import { maskSecrets } from '../../output/secrets.ts';
import type { Column } from '../../output/table/columns.ts';
import { createInstallationToken, getOrganizationInstallation } from '../../platform/endpoints/apps.ts';
import type { InstallationToken } from '../../platform/records.ts';
import { narrowingFlags } from '../../topics/login/app-flags.ts';
import { requireFields } from '../../topics/required-fields.ts';

export default class InstallationsToken extends ForgectlCommand<InstallationToken> {
  static override summary = 'Create an installation access token';
  static override description =
    `Creates a token of an installation of the app in use and prints it, for use with other tools. It expires within an
hour. With --json, also prints when it expires and its permissions. Keep the output private. Requires a login as an app.`;
  static override examples = examples({
    'Create a token that can only read contents': 'forgectl installations token acme --permissions contents=read',
    'Create a token for one repository of an installation':
      'forgectl installations token 5000 --repositories site --jq .token',
  });
  static override requests = [createInstallationToken.route, getOrganizationInstallation.route];
  static override args = { installation: installationArg() };
  static override flags = {
    ...fieldFlags(createInstallationToken.body.entries),
    permissions: narrowingFlags.permissions,
    ...inputFlags,
    ...writeFlags,
  };

  /** The token is not masked: printing it is the purpose of the command. */
  protected override readonly showsSecrets = true;
  protected override readonly columns: readonly Column<InstallationToken>[] = [{ header: 'Token', get: 'token' }];
  protected override readonly idField = 'token';

  async run() {
    const { args, flags } = await this.collect(InstallationsToken);
    const { permissions, ...others } = flags;
    const { body } = await this.inputFor(createInstallationToken, others, { body: permissions ? { permissions } : {} });
    const { installation } = this.valid(args);
    const installation_id = /^\d+$/.test(installation) ? Number(installation) : await this.#idOf(installation);
    const verifyCommand = 'forgectl apps installations';
    const created = await this.write(createInstallationToken, { path: { installation_id }, body }, { verifyCommand });
    if (created instanceof PlannedRequest) return created;
    requireToken(created, { method: 'POST', path: `/app/installations/${installation_id}/access_tokens` });
    return { ...maskSecrets(created, (text) => this.masked(text)), token: created.token };
  }

  /** Returns the ID of the installation in an organization. */
  async #idOf(org: string): Promise<number> {
    const found = await this.call(getOrganizationInstallation, { path: { org } });
    requireFields(found, { method: 'GET', path: `/orgs/${org}/installation` }, { id: 'id' });
    return found.id;
  }
}
