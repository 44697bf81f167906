import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg } from '../../cli/input/args.ts';
import { confirmedWriteFlags } from '../../cli/input/flags.ts';
import { deleteMigrationArchive, getMigration } from '../../platform/endpoints/migrations.ts';
import { migrationColumns, ownMigrations } from '../../topics/migration-columns.ts';

export default class MigrationsDelete extends ForgectlCommand<Record<string, never>> {
  static override summary = 'Delete the archive of a migration';
  static override description =
    `Deletes the archive from the platform before it expires after seven days. The migration remains in the list, and
repositories that it locked stay locked.`;
  static override examples = examples({
    'Preview the request': 'forgectl migrations delete 78 --dry-run',
    'Delete without confirmation': 'forgectl migrations delete 78 --yes',
  });
  static override requests = [deleteMigrationArchive.route];
  static override args = { id: idArg('ID', 'Migration ID') };
  static override flags = confirmedWriteFlags;

  protected override readonly picks = { id: ownMigrations };

  async run() {
    const { args } = await this.parse(MigrationsDelete);
    const { id } = args;
    const effect = `deletes the archive of migration ${id}`;
    const verifyCommand = `forgectl migrations get ${id}`;
    const input = { path: { migration_id: id } };
    const preview = async () => ({ record: await this.call(getMigration, input), columns: migrationColumns });
    const done = `Deleted the archive of migration ${id}.`;
    return this.remove(deleteMigrationArchive, input, { name: String(id), effect, verifyCommand, done, preview });
  }
}
