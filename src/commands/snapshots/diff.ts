import { ForgectlCommand } from '../../cli/command/command.ts';
import { fileArg } from '../../cli/input/args.ts';
import { readBodyInput } from '../../cli/input/body-input.ts';
import { largestSnapshot } from '../../cli/input/sources.ts';
import type { Column } from '../../output/table/columns.ts';
import { comparePackages, type PackageChange } from '../../topics/snapshot-comparison.ts';

export default class SnapshotsDiff extends ForgectlCommand<PackageChange[]> {
  static override summary = 'Compare the packages of two snapshots';
  static override description =
    `Lists the packages that a snapshot adds, removes or has in other versions, by manifest, compared with an earlier one.
Sends no requests and needs no login.`;
  static override examples = [
    {
      description: 'Show what changed since the last snapshot',
      command: '<%= config.bin %> snapshots diff last.json snapshot.json',
    },
    {
      description: 'List the added packages',
      command:
        '<%= config.bin %> snapshots diff last.json snapshot.json --jq \'.[] | select(.change == "added").package\'',
    },
  ];
  static override args = {
    before: fileArg('Earlier snapshot, or - for standard input'),
    after: fileArg('Later snapshot'),
  };

  protected override readonly emptyText = 'No differences.';

  protected override readonly columns: readonly Column<PackageChange>[] = [
    { header: 'Change', get: 'change', as: 'state', priority: 1 },
    { header: 'Package', get: 'package', as: 'name', priority: 1 },
    { header: 'Before', get: 'before', priority: 1 },
    { header: 'After', get: 'after', priority: 1 },
    { header: 'Relationship', get: 'relationship', priority: 2 },
    { header: 'Scope', get: 'scope', priority: 3 },
    { header: 'Manifest', get: 'manifest', as: 'name', priority: 2 },
  ];

  async run() {
    const { args } = await this.parse(SnapshotsDiff);
    const read = (file: string) => readBodyInput(file, this.runtime.stdin, undefined, largestSnapshot);
    return comparePackages(await read(args.before), await read(args.after));
  }
}
