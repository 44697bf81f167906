import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { listFlags } from '../../cli/input/flags.ts';
import type { Listing } from '../../cli/result/listing.ts';
import { listMigrations } from '../../platform/endpoints/migrations.ts';
import type { Migration } from '../../platform/records.ts';
import { migrationColumns } from '../../topics/migration-columns.ts';

export default class MigrationsList extends ForgectlCommand<Listing<Migration>> {
  static override summary = 'List your migrations';
  static override description =
    'Lists the migrations started by the token’s owner with their states. Requires a classic or OAuth app token.';
  static override examples = examples({
    'List all migrations': 'forgectl migrations list --all',
    'Print the IDs of migrations with a downloadable archive': `forgectl migrations list --all --jq '.[] | select(.state == "exported") | .id'`,
  });
  static override requests = [listMigrations.route];
  static override flags = listFlags('.state == "exported"');

  protected override readonly columns = migrationColumns;
  protected override readonly recordsName = 'migrations';
  protected override readonly idField = 'id';

  async run() {
    const { flags } = await this.parse(MigrationsList);
    return this.list(listMigrations, {}, flags);
  }
}
