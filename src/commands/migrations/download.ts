import { stat } from 'node:fs/promises';
import { Flags } from '@oclif/core';
import { BadValue, idArg } from '../../cli/args.ts';
import { ForgectlCommand } from '../../cli/command.ts';
import { InterruptedError, UsageError } from '../../cli/errors.ts';
import { valueFlag } from '../../cli/flags.ts';
import { ProgressLine } from '../../cli/progress-line.ts';
import { download, type Progress } from '../../client/download.ts';
import { PartFile } from '../../client/part-file.ts';
import { downloadMigrationArchive } from '../../platform/endpoints/migrations.ts';

interface Downloaded {
  readonly file: string;
  readonly bytes: number;
}

function fileName(text: string): string {
  if (text === '' || text === '-') throw new BadValue('must be the name of a file');
  return text;
}

export default class MigrationsDownload extends ForgectlCommand<Downloaded> {
  static override summary = 'Download the archive of a migration';
  static override description =
    `Downloads the archive once the migration is exported; it is there for seven days. While it arrives it is called FILE.part. After an
interruption the same command goes on where the last one ended. The archive comes from a storage host, which never sees the token.`;
  static override examples = [
    { description: 'As migration-78.tar.gz', command: '<%= config.bin %> migrations download 78' },
    {
      description: 'Under another name, over an older one',
      command: '<%= config.bin %> migrations download 78 --file acme.tar.gz --force',
    },
  ];
  static override requests = [downloadMigrationArchive.route];
  static override args = { id: idArg('ID', 'Id of the migration') };
  static override flags = {
    file: valueFlag('--file', fileName, {
      helpValue: 'FILE',
      description: 'Where to put it; the default is migration-ID.tar.gz in the current directory',
    }),
    force: Flags.boolean({ description: 'Replace the file if there is one' }),
  };

  async run() {
    const { args, flags } = await this.parse(MigrationsDownload);
    const file = flags.file ?? `migration-${args.id}.tar.gz`;
    await refuseExisting(file, flags.force);
    const input = { path: { migration_id: args.id } };
    const client = await this.clientFor(downloadMigrationArchive, input);
    const part = await openPart(file);
    const stop = new AbortController();
    const interrupt = () => stop.abort(new InterruptedError());
    process.once('SIGINT', interrupt);
    const line = new ProgressLine(this.runtime.terminal);
    try {
      await download(client.file(downloadMigrationArchive, input, stop), part, this.showing(line));
      line.clear();
      await part.finish(file);
      return { file, bytes: part.size };
    } catch (error) {
      line.clear();
      if (part.validator !== undefined)
        this.notice(`${inWords(part.size)} are kept in ${part.path}; the same command goes on from there.`);
      throw error;
    } finally {
      process.off('SIGINT', interrupt);
      await part.close();
    }
  }

  /** Shows the progress, ten times a second at most. */
  private showing(line: ProgressLine): (progress: Progress) => void {
    const { clock } = this.runtime;
    let next = Number.NEGATIVE_INFINITY;
    return ({ received, total }) => {
      if (clock.now() < next) return;
      next = clock.now() + 100;
      const share = total ? ` of ${inWords(total)}, ${Math.floor((received / total) * 100)}%` : '';
      line.show(`${inWords(received)}${share}`);
    };
  }
}

async function refuseExisting(file: string, force: boolean): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory())
    throw new UsageError(`${file} is a directory. Nothing was sent.`, 'Name a file with --file.');
  if (found && !force)
    throw new UsageError(
      `${file} is there already. Nothing was sent.`,
      'Replace it with --force, or choose another name with --file.',
    );
}

async function openPart(file: string): Promise<PartFile> {
  try {
    return await PartFile.open(file);
  } catch (error) {
    throw new UsageError(`${(error as Error).message} Nothing was sent.`, 'Choose another place with --file.');
  }
}

/** A number of bytes as people say it: `999 bytes`, `12.3 MB`. */
function inWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const power = Math.min(Math.floor(Math.log10(bytes) / 3), 4);
  return `${(bytes / 1000 ** power).toFixed(1)} ${['', 'kB', 'MB', 'GB', 'TB'][power]}`;
}
