import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { listInstallationRepositories, revokeInstallationToken } from '../../platform/endpoints/installations.ts';

export default class InstallationsRevokeToken extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Revoke the installation token in use';
  static override description =
    'Revokes the app installation token in use. Later requests need a new token. Requires an app installation token.';
  static override examples = examples({
    'Preview the request': 'forgectl installations revoke-token --dry-run',
    'Revoke the token at the end of a script': 'forgectl installations revoke-token --yes',
  });
  static override requests = [revokeInstallationToken.route];
  static override flags = confirmedWriteFlags;

  async run() {
    await this.parse(InstallationsRevokeToken);
    const effect = 'revokes the installation token in use';
    const done = 'Revoked the installation token. It can no longer be used.';
    const verifyCommand = 'forgectl installations repos';
    const preview = async () => ({ record: { reaches: await this.reached() } });
    return this.remove(revokeInstallationToken, {}, { name: 'token', effect, verifyCommand, done, preview });
  }

  /** Returns the names of the first repositories accessible to the token. */
  private async reached(): Promise<string[]> {
    const listing = await this.list(listInstallationRepositories, {}, {});
    const names = (await listing.records()).map(({ full_name }) => full_name);
    return listing.more ? [...names, '…'] : names;
  }
}
