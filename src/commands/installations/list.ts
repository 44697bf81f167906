import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { listFlags, valueFlag, webListFlag } from '../../cli/input/flags.ts';
import { plainName } from '../../cli/input/values.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listInstallations, listOrganizationInstallations } from '../../platform/endpoints/installations.ts';
import type { Installation } from '../../platform/records.ts';
import { installationColumns } from '../../topics/installation-columns.ts';

export default class InstallationsList extends ForgectlCommand<Listing<Installation>> {
  static override summary = 'List app installations';
  static override description =
    `Lists app installations with their repositories and permissions. Without --org, lists those on accounts where the
token’s owner has explicit read, write or admin permission. With --org, lists all of an organization’s installations;
only its owners can do this.`;
  static override examples = examples({
    'List all installations': 'forgectl installations list --all',
    'List the apps of an organization': 'forgectl installations list --org acme',
    'Print the apps with write access to repository contents': `forgectl installations list --all --jq '.[] | select(.permissions.contents == "write") | .app_slug'`,
  });
  static override requests = [listInstallations.route, listOrganizationInstallations.route];
  static override flags = {
    org: valueFlag('--org', plainName, {
      helpValue: 'ORG',
      description: 'Organization whose installations to list',
    }),
    ...listFlags('.repository_selection == "all"'),
    ...webListFlag,
  };

  protected override readonly columns = installationColumns;
  protected override readonly recordsName = 'installations';
  protected override readonly idField = 'id';

  async run() {
    const { flags } = await this.parse(InstallationsList);
    const { org } = flags;
    if (org !== undefined) return this.list(listOrganizationInstallations, { path: { org } }, flags);
    return this.list(listInstallations, {}, flags);
  }
}
