import { idArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { listFlags, webListFlag } from '../../cli/flags.ts';
import type { Listing } from '../../cli/listing.ts';
import { ownMigrations } from '../../cli/topics/migration-columns.ts';
import { repositoryColumns } from '../../cli/topics/repository-columns.ts';
import { listMigrationRepositories } from '../../platform/endpoints/migrations.ts';
import type { Repository } from '../../platform/records.ts';

export default class MigrationsRepos extends ForgectlCommand<Listing<Repository>> {
  static override summary = 'List the repositories of a migration';
  static override description = 'Lists what a migration takes along. Works only with classic and OAuth app tokens.';
  static override examples = [
    { description: 'All of them', command: '<%= config.bin %> migrations repos 78 --all' },
    { description: 'Names, for a script', command: "<%= config.bin %> migrations repos 78 --jq '.[].name'" },
  ];
  static override requests = [listMigrationRepositories.route];
  static override args = { id: idArg('ID', 'Id of the migration') };
  static override flags = { ...listFlags, ...webListFlag };

  protected override readonly columns = repositoryColumns;
  protected override readonly recordsName = 'repositories';
  protected override readonly idField = 'full_name';

  protected override readonly picks = { id: ownMigrations };

  async run() {
    const { args, flags } = await this.parse(MigrationsRepos);
    return this.list(listMigrationRepositories, { path: { migration_id: args.id } }, flags);
  }
}
