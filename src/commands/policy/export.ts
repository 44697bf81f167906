import { join } from 'node:path';
import * as Flags from '@oclif/core/flags';
import { ForgectlCommand } from '../../cli/command/command.ts';
import { orgsArg } from '../../cli/input/args.ts';
import { textFlag } from '../../cli/input/flags.ts';
import { exportOrganization } from '../../fleet/policy/export.ts';
import { Reader } from '../../fleet/policy/requests.ts';
import { counted } from '../../output/amounts.ts';
import type { Column } from '../../output/table/columns.ts';
import { refuseFilledFolder, writePolicyFiles } from '../../topics/policy-export.ts';

/** A policy file that was written. */
interface WrittenFile {
  readonly file: string;
  readonly organization: string;
}

export default class PolicyExport extends ForgectlCommand<WrittenFile[]> {
  static override summary = 'Export organizations as policy files';
  static override description =
    `Writes the settings, rulesets and pre-receive hooks of organizations as policy files, in one folder for each organization,
with a file for each ruleset. With --repositories, adds a file for each repository, with its settings, rulesets, hooks and custom
property values. IDs of teams, apps and roles become names. profile.yaml says who the organization is (name, addresses, description).
Registries and budgets are not exported. Only pre-receive hooks that the organization or repository sets itself are. Nothing is changed.`;
  static override examples = [
    {
      description: 'Export an organization to ./policy/acme',
      command: '<%= config.bin %> policy export acme',
    },
    {
      description: 'Export two organizations with their repositories',
      command: '<%= config.bin %> policy export acme globex --dir fleet --repositories',
    },
  ];
  static override args = { org: { ...orgsArg(), required: true } };
  static override flags = {
    dir: textFlag('--dir', { helpValue: 'DIR', description: 'Folder to write to (default: policy)' }),
    repositories: Flags.boolean({ description: 'Export the repositories too' }),
    force: Flags.boolean({ description: 'Write to folders that have files already' }),
  };

  protected override readonly columns: readonly Column<WrittenFile>[] = [
    { header: 'File', get: 'file', as: 'name', priority: 1 },
  ];
  protected override readonly recordsName = 'files';
  protected override readonly idField = 'file';
  protected override readonly emptyText = 'Nothing to export.';

  async run() {
    const { args, flags } = await this.parse(PolicyExport);
    const { dir = 'policy', repositories, force } = flags;
    const folders = new Map((args.org as readonly string[]).map((org) => [join(dir, org), org] as const));
    for (const folder of folders.keys()) refuseFilledFolder(folder, force);
    const reader = new Reader(await this.session.client());
    const written: WrittenFile[] = [];
    const warn = (text: string) => this.notice(text);
    for (const [folder, organization] of folders) {
      const files = await exportOrganization({ reader, org: organization, repositories, warn });
      for (const file of await writePolicyFiles(folder, files)) written.push({ file, organization });
    }
    this.notice(`${counted(written.length, 'file')}, ${counted(reader.counts.sent, 'request')}.`);
    return written;
  }
}
