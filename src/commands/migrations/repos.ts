import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg } from '../../cli/input/args.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listMigrationRepositories } from '../../platform/endpoints/migrations.ts';
import type { Repository } from '../../platform/records.ts';
import { ownMigrations } from '../../topics/migration-columns.ts';
import { repositoryColumns } from '../../topics/repos/columns.ts';

export default class MigrationsRepos extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the repositories of a migration';
  static override description =
    'Lists the repositories that a migration exports. Requires a classic or OAuth app token.';
  static override examples = examples({
    'List all repositories': 'forgectl migrations repos 78 --all',
    'Print only the names': "forgectl migrations repos 78 --jq '.[].name'",
  });
  static override requests = [listMigrationRepositories.route];
  static override args = { id: idArg('ID', 'Migration ID') };
  static override flags = { ...listFlags(), ...webListFlag };

  protected override readonly columns = repositoryColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  protected override readonly picks = { id: ownMigrations };

  async run() {
    const { args, flags } = await this.parse(MigrationsRepos);
    return this.list(listMigrationRepositories, { path: { migration_id: args.id } }, flags);
  }
}
