import { ForgectlCommand } from '../../cli/command/command.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import type { Column } from '../../output/table/columns.ts';
import { listInstallations } from '../../platform/endpoints/installations.ts';
import type { Installation } from '../../platform/records.ts';

export default class InstallationsList extends ForgectlCommand<Listing<Installation>> {
  static override summary = 'List the app installations that you can reach';
  static override description =
    `Lists installations of apps on accounts where the token’s owner has explicit read, write or admin permission: which app, where, on which
repositories, and what it may do there.`;
  static override examples = [
    { description: 'All of them', command: '<%= config.bin %> installations list --all' },
    {
      description: 'Apps that may write to repositories',
      command: `<%= config.bin %> installations list --all --jq '.[] | select(.permissions.contents == "write") | .app_slug'`,
    },
  ];
  static override requests = [listInstallations.route];
  static override flags = { ...listFlags, ...webListFlag };

  protected override readonly columns: readonly Column<Installation>[] = [
    { header: 'Id', get: 'id', priority: 1, link: true },
    { header: 'App', get: 'app_slug', as: 'name', priority: 1 },
    { header: 'Account', get: 'account.login', as: 'name', priority: 1 },
    { header: 'Repositories', get: 'repository_selection' },
    { header: 'Suspended', get: 'suspended_at', as: 'yes-no' },
    { header: 'Updated', get: 'updated_at', as: 'age', priority: 3 },
    { header: 'Permissions', get: ({ permissions }) => permissionList(permissions), as: 'text', priority: 3 },
  ];
  protected override readonly recordsName = 'installations';
  protected override readonly idField = 'id';

  async run() {
    const { flags } = await this.parse(InstallationsList);
    return this.list(listInstallations, {}, flags);
  }
}

const permissionList = (permissions: Installation['permissions']) =>
  Object.entries(permissions)
    .map(([name, access]) => `${name}:${access}`)
    .join(', ');
