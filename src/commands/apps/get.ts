import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import type { Column } from '../../output/table/columns.ts';
import { getApp } from '../../platform/endpoints/apps.ts';
import type { App } from '../../platform/records.ts';
import { permissionList } from '../../topics/installation-columns.ts';

export default class AppsGet extends ForgectlCommand<App> {
  static override summary = 'Show the app that you are logged in as';
  static override description =
    `Shows the app whose private key is in use: its owner, the permissions that it requests, and the number of its
installations. Requires a login as an app: “auth login --app-id”, or FORGECTL_APP_ID.`;
  static override examples = examples({
    'Show the app': 'forgectl apps get',
    'Print the permissions that the app requests': 'forgectl apps get --jq .permissions',
  });
  static override requests = [getApp.route];

  protected override readonly columns: readonly Column<App>[] = [
    { header: 'ID', get: 'id', link: true },
    { header: 'App', get: 'slug' },
    { header: 'Name', get: 'name' },
    { header: 'Owner', get: 'owner.login' },
    { header: 'Description', get: 'description' },
    { header: 'Installations', get: 'installations_count' },
    { header: 'Events', get: 'events' },
    { header: 'Permissions', get: ({ permissions }) => permissionList(permissions) },
  ];

  protected override readonly idField = 'id';

  async run() {
    await this.parse(AppsGet);
    return this.call(getApp, {});
  }
}
