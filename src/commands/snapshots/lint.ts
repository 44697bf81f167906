import { examples } from '../../cli/command/command.ts';
import { filesArg } from '../../cli/input/args.ts';
import { unknownFlag } from '../../cli/input/flags.ts';
import { largestSnapshot } from '../../cli/input/sources.ts';
import { submitSnapshot } from '../../platform/endpoints/snapshots.ts';
import { checkBody, type Given } from '../../platform/validate.ts';
import { LintCommand } from '../../topics/lint.ts';

export default class SnapshotsLint extends LintCommand {
  static override summary = 'Check dependency snapshots offline';
  static override description =
    `Checks JSON or YAML files against the submission format, including every package URL, and lists the location of
everything that the platform would reject. Unknown fields are warnings, misspelled ones errors. Errors end with exit
code 2. Sends no requests and needs no login.`;
  static override examples = examples({
    'Check a file before submitting it': 'forgectl snapshots lint snapshot.json',
    'Check the output of a detector': 'my-detector | forgectl snapshots lint - --json',
  });
  static override args = { file: filesArg('Snapshot files, or - for standard input') };
  static override flags = unknownFlag;

  protected override readonly largestFile = largestSnapshot;

  async run() {
    const { args, flags } = await this.parse(SnapshotsLint);
    return this.lint(args.file, flags);
  }

  protected override check(document: Given) {
    return checkBody(submitSnapshot, document);
  }
}
