import { ForgectlCommand } from '../../cli/command/command.ts';
import { writeFlags } from '../../cli/input/flags.ts';
import { listInstallationRepositories, revokeInstallationToken } from '../../platform/endpoints/installations.ts';

export default class InstallationsRevokeToken extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Revoke the installation token in use';
  static override description =
    'Ends the app installation token that makes the call. What comes after it needs a new token. Works only with app installation tokens.';
  static override examples = [
    { description: 'See the request first', command: '<%= config.bin %> installations revoke-token --dry-run' },
    { description: 'At the end of a script', command: '<%= config.bin %> installations revoke-token --yes' },
  ];
  static override requests = [revokeInstallationToken.route];
  static override flags = writeFlags;

  async run() {
    await this.parse(InstallationsRevokeToken);
    const effect = 'revokes the installation token in use';
    const done = 'Revoked the installation token; nothing can be asked with it any more.';
    const verifyCommand = 'forgectl installations repos';
    const preview = async () => ({ record: { reaches: await this.reached() } });
    return this.remove(revokeInstallationToken, {}, { name: 'token', effect, verifyCommand, done, preview });
  }

  /** The names of the first repositories that the token reaches. */
  private async reached(): Promise<string[]> {
    const listing = await this.list(listInstallationRepositories, {}, {});
    const names: string[] = [];
    for await (const page of listing.pages()) for (const { full_name } of page) names.push(full_name);
    return listing.more ? [...names, '…'] : names;
  }
}
