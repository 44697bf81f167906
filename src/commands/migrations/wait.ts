import { ForgectlCommand } from '../../cli/command/command.ts';
import { poll } from '../../cli/command/poll.ts';
import { RefusedResultError } from '../../cli/errors.ts';
import { idArg } from '../../cli/input/args.ts';
import { parseDuration } from '../../cli/input/duration.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { getMigration } from '../../platform/endpoints/migrations.ts';
import type { Migration } from '../../platform/records.ts';
import { migrationColumns, ownMigrations } from '../../topics/migration-columns.ts';

const hour = 3_600_000;

export default class MigrationsWait extends ForgectlCommand<Migration> {
  static override summary = 'Wait until a migration is exported';
  static override description =
    `Asks how far a migration is, ever less often, until its archive can be downloaded. Ends with exit code 6 if the migration fails, and
with 10 if it is not done within the limit; it can then be waited for again.`;
  static override examples = [
    { description: 'For an hour at most', command: '<%= config.bin %> migrations wait 78' },
    {
      description: 'In a script, for longer; what follows can rely on the archive',
      command: '<%= config.bin %> migrations wait 78 --wait-timeout 6h --jq .state',
    },
  ];
  static override requests = [getMigration.route];
  static override args = { id: idArg('ID', 'Id of the migration') };
  static override flags = {
    'wait-timeout': valueFlag('--wait-timeout', parseDuration, {
      helpValue: 'DURATION',
      description: 'How long to wait in all, such as 30m or 6h; the default is 1h',
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
        describe: ({ state }) => `migration ${id} is still ${state}`,
        limitMs: flags['wait-timeout'] ?? hour,
        advice: `It goes on by itself. Wait again with “forgectl migrations wait ${id}”, longer with --wait-timeout.`,
      },
      this.runtime,
    );
    if (migration.state === 'failed')
      throw new RefusedResultError(
        `Migration ${id} has failed; there will be no archive. Start it again with “forgectl migrations start”.`,
      );
    return migration;
  }
}
