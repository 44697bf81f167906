import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { examples, ForgectlCommand } from '../../cli/command/command.ts';
import { fileOnly } from '../../cli/input/file-flags.ts';
import { textFlag } from '../../cli/input/flags.ts';
import { writeNewFile } from '../../topics/new-file.ts';
import {
  createSnapshot,
  fileFlags,
  jobFlags,
  type Snapshot,
  snapshotText,
} from '../../topics/snapshots/lockfile-snapshot.ts';

export default class SnapshotsCreate extends ForgectlCommand<Snapshot | undefined> {
  static override summary = 'Create a dependency snapshot from lockfiles';
  static override description =
    `Prints a snapshot of the packages in lockfiles and SBOMs as JSON, whatever -o selects: direct and indirect packages,
for runtime and development, and what each depends on, as far as the file records it. Without files, it reads every lockfile
that git tracks below the current folder. Each lockfile and each package of its workspace is a manifest.

The commit, ref, job and correlator come from flags, else from the variables of the CI runner, else from git. With --git-dir,
the commit and the ref are those of that repository, which may be bare. Sends no requests and needs no login.`;
  static override examples = examples({
    'Create a snapshot of all lockfiles in a checkout': 'forgectl snapshots create --job-id 1 --correlator nightly',
    'Save a snapshot of two lockfiles in CI':
      'forgectl snapshots create web/package-lock.json api/Cargo.lock --file packages.json',
    'Create a snapshot of an SBOM': 'forgectl snapshots create --sbom bom.json --job-id 1 --correlator image',
  });
  static override args = {
    file: Args.string({
      description: 'Lockfiles, or folders for all that git tracks below them (default: the current folder)',
      multiple: true,
      ignoreStdin: true,
    }),
  };
  static override flags = {
    ...fileFlags,
    sha: textFlag('--sha', { helpValue: 'SHA', description: 'SHA of the scanned commit' }),
    ref: textFlag('--ref', { helpValue: 'REF', description: 'Full ref of the branch, such as refs/heads/main' }),
    ...jobFlags,
    file: textFlag('--file', { ...fileOnly, description: 'File to write instead of standard output' }),
    force: Flags.boolean({ description: 'Overwrite an existing file' }),
  };

  protected override readonly documentFormat = 'json';

  async run() {
    const { args, flags } = await this.parse(SnapshotsCreate);
    const snapshot = await createSnapshot({
      files: [args.file ?? []].flat(),
      flags,
      runtime: this.runtime,
      version: this.config.version,
      notice: (text) => this.notice(text),
    });
    if (flags.file === undefined && (flags.jq !== undefined || flags.fields !== undefined)) return snapshot;
    const text = snapshotText(snapshot);
    if (flags.file !== undefined) writeNewFile(flags.file, text, flags.force);
    else for (const piece of text) await this.output.printJson(piece);
    return undefined;
  }
}
