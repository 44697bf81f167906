import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg } from '../../cli/input/args.ts';
import { listFlags, webListFlag } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listMigrationRepositories } from '../../platform/endpoints/migrations.ts';
import type { Repository } from '../../platform/records.ts';
import { ownMigrations } from '../../topics/migration-columns.ts';
import { repositoryColumns } from '../../topics/repository-columns.ts';

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
