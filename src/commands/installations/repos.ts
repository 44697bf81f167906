import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listInstallationRepositories } from '../../platform/endpoints/installations.ts';
import type { Repository } from '../../platform/records.ts';
import { repositoryColumns } from '../../topics/repos/columns.ts';

export default class InstallationsRepos extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the repositories of an installation token';
  static override description =
    'Lists the repositories that the app installation can access. Requires an app installation token.';
  static override examples = examples({
    'List all repositories': 'forgectl installations repos --all',
    'Print only the names': "forgectl installations repos --all --jq '.[].full_name'",
  });
  static override requests = [listInstallationRepositories.route];
  static override flags = { ...listFlags(), ...webListFlag };

  protected override readonly columns = repositoryColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  async run() {
    const { flags } = await this.parse(InstallationsRepos);
    return this.list(listInstallationRepositories, {}, flags);
  }
}
