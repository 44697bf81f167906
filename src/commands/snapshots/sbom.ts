import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { repoArg } from '../../cli/input/args.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag } from '../../cli/input/flags.ts';
import type { Column } from '../../output/table/columns.ts';
import { exportSbom } from '../../platform/endpoints/snapshots.ts';
import type { SpdxDocument, SpdxPackage } from '../../platform/records.ts';
import { writeNewFile } from '../../topics/new-file.ts';

export default class SnapshotsSbom extends ForgectlCommand<SpdxDocument | undefined> {
  static override summary = 'Export the dependencies known to the platform';
  static override description =
    `Prints the dependencies of the default branch as an SBOM in SPDX 2.3: those of submitted snapshots, and those that
the platform detects itself.`;
  static override examples = examples({
    'Print the SBOM': 'forgectl snapshots sbom acme/site',
    'List the packages': 'forgectl snapshots sbom acme/site -o table',
    'List the packages that a snapshot would change':
      'forgectl snapshots sbom acme/site | forgectl snapshots diff - snapshot.json',
  });
  static override requests = [exportSbom.route];
  static override args = { repo: repoArg() };
  static override flags = {
    file: textFlag('--file', { ...fileOnly, description: 'File to write instead of standard output' }),
    force: Flags.boolean({ description: 'Overwrite an existing file' }),
  };

  protected override readonly documentFormat = 'json';
  protected override readonly columns: readonly Column<SpdxPackage>[] = [
    { header: 'Name', get: 'name', as: 'name', priority: 1 },
    { header: 'Version', get: 'versionInfo', priority: 1 },
    { header: 'Licence', get: 'licenseConcluded', priority: 2 },
    { header: 'Package URL', get: packageUrlOf, priority: 2 },
  ];
  protected override readonly rowsOf = (sbom: SpdxDocument | undefined) => sbom?.packages ?? [];

  async run() {
    const { args, flags } = await this.parse(SnapshotsSbom);
    const { sbom } = await this.call(exportSbom, { path: { ...args.repo } });
    if (flags.file === undefined) return sbom;
    writeNewFile(flags.file, `${JSON.stringify(await this.output.valueOf(sbom), null, 2)}\n`, flags.force);
    return undefined;
  }
}

function packageUrlOf({ externalRefs = [] }: SpdxPackage): string | undefined {
  return externalRefs.find(({ referenceType }) => referenceType === 'purl')?.referenceLocator;
}
