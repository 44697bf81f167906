import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listAppInstallations } from '../../platform/endpoints/apps.ts';
import type { Installation } from '../../platform/records.ts';
import { installationColumns } from '../../topics/installation-columns.ts';

export default class AppsInstallations extends ForgectlCommand<Listing<Installation>> {
  static override summary = 'List the installations of the app in use';
  static override description =
    `Lists the accounts that the app is installed on, with the repositories and permissions that each has granted. Requires
a login as an app: “auth login --app-id”, or FORGECTL_APP_ID.`;
  static override examples = examples({
    'List all installations': 'forgectl apps installations --all',
    'Print the organizations that have suspended the app': `forgectl apps installations --all --jq '.[] | select(.suspended_at) | .account.login'`,
  });
  static override requests = [listAppInstallations.route];
  static override flags = { ...listFlags('.repository_selection == "all"'), ...webListFlag };

  protected override readonly columns = installationColumns;
  protected override readonly recordsName = 'installations';
  protected override readonly idField = 'id';

  async run() {
    const { flags } = await this.parse(AppsInstallations);
    return this.list(listAppInstallations, {}, flags);
  }
}
