import { ForgectlCommand } from '../../cli/command.ts';
import { writeFlags } from '../../cli/flags.ts';
import { revokeInstallationToken } from '../../platform/endpoints/installations.ts';

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
    return this.remove(
      revokeInstallationToken,
      {},
      { name: 'token', effect, look: 'forgectl installations repos', done },
    );
  }
}
