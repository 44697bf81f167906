import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { SomeFailedError } from '../../cli/errors.ts';
import { filesArg, wordArg } from '../../cli/input/args.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag, valueFlag } from '../../cli/input/flags.ts';
import { largestInput, readRepositoryText } from '../../cli/input/sources.ts';
import { plainName } from '../../cli/input/values.ts';
import { isFolderName } from '../../fleet/policy/file-names.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { invalid } from '../../platform/validate.ts';
import { type NewFile, requireNewFile, writeNewFile } from '../../topics/new-file.ts';
import { filesToReplace, leftFilesNotice, writePolicyFiles, writeSchema } from '../../topics/policy/export.ts';
import { folderToWrite } from '../../topics/policy/files.ts';
import { formats } from '../../topics/policy/import/formats/index.ts';
import { type ImportedOrganization, importPolicies } from '../../topics/policy/import/import.ts';
import { type Loss, lossText } from '../../topics/policy/import/losses.ts';

const reportFile: NewFile = { flag: '--report', isPrivate: false };

/** A file that was written: a policy of an organization, or the JSON Schema of all. */
interface WrittenFile {
  readonly file: string;
  readonly organization?: string;
}

export default class PolicyImport extends ForgectlCommand<WrittenFile[]> {
  static override summary = 'Import the configuration of another tool';
  static override description =
    `Translates the configuration of another tool into policy files, in one folder for each organization. Comments name the origin
of each part. Values that all repositories share become one entry, and values that several repeat become pieces of define.
Each value that cannot be imported is a line on stderr with its file, line and key; the exit code is then 9, unless
--allow-losses is set. The guide “Moving from other tools” has tables of all keys. Sends no requests and needs no login.`;
  static override examples = examples({
    'Import an organization from peribolos': 'forgectl policy import peribolos org.yaml --organization acme',
    'Import an organization from github-as-code':
      'forgectl policy import github-as-code acme.yml --organization acme --dir policies',
    'Save the values that cannot be imported':
      'forgectl policy import peribolos org.yaml --organization acme --report losses.ndjson --allow-losses --force',
  });
  static override args = {
    format: wordArg(
      'FORMAT',
      formats.map(({ name }) => name),
      'Tool',
    ),
    file: filesArg('Configuration files, or - for standard input'),
  };
  static override flags = {
    organization: valueFlag('--organization', plainName, {
      helpValue: 'ORG',
      description: 'Organization, if the files do not name it',
    }),
    repository: valueFlag('--repository', plainName, {
      helpValue: 'NAME',
      description: 'Repository, without its owner, if the files do not name it',
    }),
    dir: textFlag('--dir', {
      helpValue: 'DIRECTORY',
      description: 'Folder to write to, with a folder for each organization (default: policy)',
    }),
    report: textFlag('--report', { ...fileOnly, description: 'Save the values that cannot be imported, in NDJSON' }),
    'allow-losses': Flags.boolean({ description: 'Exit with 0 even if some values cannot be imported' }),
    force: Flags.boolean({ description: 'Write to folders that have files already, and replace the report' }),
  };

  protected override readonly columns: readonly Column<WrittenFile>[] = [
    { header: 'File', get: 'file', as: 'name', priority: 1 },
  ];
  protected override readonly recordsName = 'files';
  protected override readonly idField = 'file';
  protected override readonly emptyText = 'Nothing to import.';

  async run() {
    const { args, flags } = await this.collect(PolicyImport);
    const { organization, repository, report, force } = flags;
    if (organization !== undefined && !isFolderName(organization))
      this.problems.push(invalid('--organization', `“${organization}” cannot name a folder`));
    const { format: name, file: paths } = this.valid(args);
    const format = formats.find((each) => each.name === name);
    if (!format) throw new Error(`no format ${name}`);
    const texts = [];
    for (const file of paths)
      texts.push({
        file,
        text: await readRepositoryText(file, this.runtime.stdin, largestInput, { staysInFolder: true }),
      });
    const { organizations, losses } = importPolicies(format, texts, { organization, repository });
    const dir = folderToWrite(flags.dir);
    const earlier: string[] = [];
    for (const each of organizations)
      earlier.push(...(await filesToReplace(dir, each.organization, force, 'Nothing was written.')));
    if (report !== undefined) requireNewFile(report, force, reportFile);
    const written = await this.#write(organizations, dir, force);
    if (report !== undefined)
      writeNewFile(report, losses.map((loss) => `${JSON.stringify(loss)}\n`).join(''), force, reportFile);
    const left = leftFilesNotice(
      earlier,
      written.map(({ file }) => file),
    );
    if (left !== undefined) this.notice(left);
    this.#reportLosses(losses, flags['allow-losses']);
    return written;
  }

  async #write(organizations: readonly ImportedOrganization[], dir: string, force: boolean): Promise<WrittenFile[]> {
    const written: WrittenFile[] = [];
    for (const { organization, files } of organizations) {
      const paths = await writePolicyFiles(dir, organization, files, force);
      written.push(...paths.map((file) => ({ file, organization })));
    }
    if (written.length) written.push({ file: await writeSchema(dir, force) });
    return written;
  }

  #reportLosses(losses: readonly Loss[], areAllowed: boolean): void {
    if (losses.length === 0) return;
    this.notice(losses.map(lossText).join('\n'));
    const message = `${counted(losses.length, 'value')} cannot be imported.`;
    if (areAllowed) this.notice(message);
    else this.failure = new SomeFailedError(message, 'Review the lines above, and accept them with --allow-losses.');
  }
}
