import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { idArg } from '../../cli/input/args.ts';
import { fileOrStdout } from '../../cli/input/file-flags.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue } from '../../cli/input/values.ts';
import { refuseExisting, type SavedFile, saveFile, streamFile } from '../../cli/result/save-file.ts';
import type { Column } from '../../output/table/columns.ts';
import { downloadMigrationArchive } from '../../platform/endpoints/migrations.ts';
import { ownMigrations } from '../../topics/migration-columns.ts';

function fileName(text: string): string {
  if (text === '') throw new BadValue('must be the name of a file');
  return text;
}

export default class MigrationsDownload extends ForgectlCommand<SavedFile | undefined> {
  static override summary = 'Download the archive of a migration';
  static override description =
    `Downloads the archive once the migration is exported; it is there for seven days. While it arrives it is called FILE.part. After an
interruption the same command goes on where the last one ended. The archive comes from a storage host, which never sees the token.`;
  static override examples = [
    { description: 'As migration-78.tar.gz', command: '<%= config.bin %> migrations download 78' },
    { description: 'Into another program', command: '<%= config.bin %> migrations download 78 --file - | tar -tz' },
    {
      description: 'Under another name, over an older one',
      command: '<%= config.bin %> migrations download 78 --file acme.tar.gz --force',
    },
  ];
  static override requests = [downloadMigrationArchive.route];
  static override args = { id: idArg('ID', 'Id of the migration') };
  static override flags = {
    file: valueFlag('--file', fileName, {
      ...fileOrStdout,
      description: 'Destination, or standard output with - (default: migration-ID.tar.gz in the current directory)',
    }),
    force: Flags.boolean({ description: 'Replace the file if there is one' }),
  };

  protected override readonly columns: readonly Column<SavedFile>[] = [
    { header: 'File', get: 'file' },
    { header: 'Size', get: 'bytes', as: 'bytes' },
  ];

  protected override readonly idField = 'file';

  protected override readonly picks = { id: ownMigrations };

  async run() {
    const { args, flags } = await this.parse(MigrationsDownload);
    const file = flags.file ?? `migration-${args.id}.tar.gz`;
    const isStream = file === '-';
    if (!isStream) await refuseExisting(file, flags.force);
    const input = { path: { migration_id: args.id } };
    const client = await this.session.clientFor(downloadMigrationArchive, input);
    const source = (signal: AbortSignal) => client.file(downloadMigrationArchive, input, { signal });
    const { runtime } = this;
    // The archive itself is the output.
    if (isStream) return void (await streamFile({ source, runtime }));
    return saveFile({ file, force: flags.force, source, runtime, notice: (text) => this.notice(text) });
  }
}
