import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { poll } from '../../cli/command/poll.ts';
import { RefusedResultError } from '../../cli/errors.ts';
import { idArg } from '../../cli/input/args.ts';
import { parseDuration } from '../../cli/input/duration.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { asText } from '../../json/exact-json.ts';
import { getMigration } from '../../platform/endpoints/migrations.ts';
import type { Migration } from '../../platform/records.ts';
import { migrationColumns, ownMigrations } from '../../topics/migration-columns.ts';

const hour = 3_600_000;

export default class MigrationsWait extends ForgectlCommand<Migration> {
  static override summary = 'Wait until a migration is exported';
  static override description =
    `Polls a migration, at increasing intervals, until its archive can be downloaded. Exits with code 6 if the migration
fails, and with 10 if the timeout expires first; run it again to keep waiting.`;
  static override examples = examples({
    'Wait for at most an hour': 'forgectl migrations wait 78',
    'Wait longer and print the state, in a script': 'forgectl migrations wait 78 --wait-timeout 6h --jq .state',
  });
  static override requests = [getMigration.route];
  static override args = { id: idArg('ID', 'Migration ID') };
  static override flags = {
    'wait-timeout': valueFlag('--wait-timeout', parseDuration, {
      helpValue: 'DURATION',
      description: 'Maximum time to wait, such as 30m or 6h (default: 1h)',
    }),
  };

  protected override readonly columns = migrationColumns;
  protected override readonly idField = 'id';

  protected override readonly picks = { id: ownMigrations };

  async run() {
    const { args, flags } = await this.parse(MigrationsWait);
    const { id } = args;
    const migration = await poll(
      {
        ask: () => this.call(getMigration, { path: { migration_id: id } }),
        done: ({ state }) => state === 'exported' || state === 'failed',
        describe: ({ state }) => `migration ${id} is still ${asText(state)}`,
        limitMs: flags['wait-timeout'] ?? hour,
        advice: `It continues in the background. Wait again with “forgectl migrations wait ${id}”; raise the limit with --wait-timeout.`,
      },
      this.runtime,
    );
    if (migration.state === 'failed')
      throw new RefusedResultError(
        `Migration ${id} failed without an archive. Start a new one with “forgectl migrations start”.`,
      );
    return migration;
  }
}
