import { idArg, repoNameArg } from '../../cli/args.ts';
import type { PickList } from '../../cli/asking/picking.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { writeFlags } from '../../cli/flags.ts';
import { migrationColumns, ownMigrations } from '../../cli/topics/migration-columns.ts';
import {
  getMigration,
  listMigrationRepositories,
  unlockMigrationRepository,
} from '../../platform/endpoints/migrations.ts';
import type { Repository } from '../../platform/records.ts';

/** The repositories of a migration. */
const repositoriesOf = ({ id: migration_id }: { readonly id: number }): PickList<Repository> => ({
  question: 'Which repository?',
  list: (session, cut) => session.list(listMigrationRepositories, { path: { migration_id } }, cut, {}),
  choice: ({ name, full_name }) => ({ name: full_name, value: name }),
});

export default class MigrationsUnlock extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Unlock a repository that a migration locked';
  static override description =
    `Lets people push again to a repository that was locked with --lock-repositories. Do so once the migration is exported, or delete the
repository if it is no longer needed.`;
  static override examples = [
    { description: 'See the request first', command: '<%= config.bin %> migrations unlock 78 site --dry-run' },
    {
      description: 'In a script, where nobody can be asked; without --dry-run it is done',
      command: '<%= config.bin %> migrations unlock 78 site --yes --dry-run',
    },
  ];
  static override requests = [unlockMigrationRepository.route];
  static override args = {
    id: idArg('ID', 'Id of the migration'),
    repo_name: repoNameArg(),
  };
  static override flags = writeFlags;

  protected override readonly picks = { id: ownMigrations, repo_name: repositoriesOf };

  async run() {
    const { args } = await this.parse(MigrationsUnlock);
    const { id: migration_id, repo_name } = args;
    const effect = `unlocks ${repo_name}, so that people can push to it again`;
    const look = `forgectl migrations repos ${migration_id}`;
    const path = { migration_id, repo_name };
    const going = async () => ({ record: await this.call(getMigration, { path }), columns: migrationColumns });
    const done = `Unlocked ${repo_name}: people can push to it again.`;
    return this.remove(unlockMigrationRepository, { path }, { name: repo_name, effect, look, done, going });
  }
}
