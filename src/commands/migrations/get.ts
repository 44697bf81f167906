import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg } from '../../cli/input/args.ts';
import { queryFlags } from '../../cli/input/fields.ts';
import { getMigration } from '../../platform/endpoints/migrations.ts';
import type { Migration } from '../../platform/records.ts';
import { migrationColumns, ownMigrations } from '../../topics/migration-columns.ts';

export default class MigrationsGet extends ForgectlCommand<Migration> {
  static override summary = 'Show a migration and its state';
  static override description =
    `Shows a migration: pending or exporting while the archive is being created, exported once it can be downloaded, or
failed. Use “migrations wait” to wait until it is exported or failed.`;
  static override examples = examples({
    'Show details': 'forgectl migrations get 78',
    'Print only the state': 'forgectl migrations get 78 --exclude repositories --jq .state',
  });
  static override requests = [getMigration.route];
  static override args = { id: idArg('ID', 'Migration ID') };
  static override flags = queryFlags(getMigration.query);

  protected override readonly columns = migrationColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: ownMigrations };

  async run() {
    const { args, flags } = await this.collect(MigrationsGet);
    const input = await this.inputFor(getMigration, flags);
    return this.call(getMigration, { path: { migration_id: this.valid(args).id }, ...input });
  }
}
