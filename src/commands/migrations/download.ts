import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { idArg } from '../../cli/input/args.ts';
import { fileOrStdout } from '../../cli/input/file-flags.ts';
import { valueFlag } from '../../cli/input/flags.ts';
import { BadValue } from '../../cli/input/values.ts';
import { refuseExisting, type SavedFile, saveFile, streamFile } from '../../cli/result/save-file.ts';
import type { Column } from '../../output/table/columns.ts';
import { downloadMigrationArchive } from '../../platform/endpoints/migrations.ts';
import { ownMigrations } from '../../topics/migration-columns.ts';

function fileName(text: string): string {
  if (text === '') throw new BadValue('must be a file name');
  return text;
}

export default class MigrationsDownload extends ForgectlCommand<SavedFile | undefined> {
  static override summary = 'Download the archive of a migration';
  static override description =
    `Downloads the archive of an exported migration, which is available for seven days. The download is written to
FILE.part first; after an interruption, the same command resumes it. The archive comes from a storage host, which
never receives the token.`;
  static override examples = examples({
    'Download to migration-78.tar.gz': 'forgectl migrations download 78',
    'Pipe the archive to another program': 'forgectl migrations download 78 --file - | tar -tz',
    'Download to another file, replacing an existing one': 'forgectl migrations download 78 --file acme.tar.gz --force',
  });
  static override requests = [downloadMigrationArchive.route];
  static override args = { id: idArg('ID', 'Migration ID') };
  static override flags = {
    file: valueFlag('--file', fileName, {
      ...fileOrStdout,
      description: 'Output file, or - for standard output (default: migration-ID.tar.gz in the current directory)',
    }),
    force: Flags.boolean({ description: 'Overwrite an existing file' }),
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
    if (isStream) return void (await streamFile({ source, runtime }));
    return saveFile({ file, force: flags.force, source, runtime, notice: (text) => this.notice(text) });
  }
}
